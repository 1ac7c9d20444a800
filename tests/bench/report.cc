#include "report.h"

#include <iostream>

namespace workpool::bench {

void Report::Add(const Figures& figures) {
  for (const auto& figure : figures) {
    std::cout << TableLine(figure) << std::endl;
    results_ << JsonLine(figure) << std::endl;
  }
}

void Report::Say(const std::string& text) { std::cout << text << std::endl; }

}  // namespace workpool::bench
