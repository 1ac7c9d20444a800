// Where figures go as they come: a table on stdout for people, a file of JSON lines for tools.
#pragma once

#include <ostream>
#include <string>

#include "figure.h"

namespace workpool::bench {

class Report {
 public:
  explicit Report(std::ostream& results) : results_(results) {}
  void Add(const Figures& figures);
  // A word for people: what was left out, and why.
  void Say(const std::string& text);

 private:
  std::ostream& results_;
};

}  // namespace workpool::bench
