// What is wrong with a config file, each thing with its place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workpool {

struct Position {
  std::uint32_t line = 0;  // from 1; 0: the file as a whole
  std::uint32_t column = 0;
  bool operator==(const Position&) const = default;
};

class Problems {
 public:
  void Add(Position at, std::string what);
  bool empty() const { return list_.empty(); }

  // "FILE:LINE:COLUMN: what", one a line in the order of the file; after the first 20 only a count.
  std::string Format(const std::string& file) const;

 private:
  struct Problem {
    Position at;
    std::string what;
  };
  std::vector<Problem> list_;
};

}  // namespace workpool
