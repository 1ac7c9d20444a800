#include "app/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace workpool {
namespace {

constexpr std::size_t kMaxShown = 20;

}  // namespace

void Problems::Add(Position at, std::string what) { list_.push_back({at, std::move(what)}); }

std::string Problems::Format(const std::string& file) const {
  std::vector<Problem> sorted = list_;
  std::ranges::stable_sort(sorted, {}, [](const Problem& problem) {
    return std::tuple(problem.at.line, problem.at.column);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMaxShown); ++i) {
    const auto& [at, what] = sorted[i];
    if (i > 0) text += '\n';
    text += at.line == 0 ? fmt::format("{}: {}", file, what)
                         : fmt::format("{}:{}:{}: {}", file, at.line, at.column, what);
  }
  if (sorted.size() > kMaxShown) text += fmt::format("\n... {} more", sorted.size() - kMaxShown);
  return text;
}

}  // namespace workpool
