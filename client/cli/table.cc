#include "table.h"

#include <algorithm>

namespace workpool::cli {

namespace {

// Code points, which for the texts shown here are columns of the terminal.
std::size_t WidthOf(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void Append(std::string& line, const std::string& cell, std::size_t width, Align align) {
  if (!line.empty()) line += "  ";
  const std::string fill(width - WidthOf(cell), ' ');
  line += align == Align::kLeft ? cell + fill : fill + cell;
}

}  // namespace

std::string Table::Text() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(WidthOf(columns_[i].title));
    for (const auto& row : rows_) widths[i] = std::max(widths[i], WidthOf(row[i]));
  }
  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Append(line, cell_of(i), widths[i], columns_[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_line([&](std::size_t i) { return columns_[i].title; });
  for (const auto& row : rows_) add_line([&](std::size_t i) { return row[i]; });
  return text;
}

}  // namespace workpool::cli
