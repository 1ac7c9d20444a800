// Columns of text for people.
#pragma once

#include <string>
#include <vector>

namespace workpool::cli {

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kLeft;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell a column.
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  // Titles and rows, each column as wide as it needs, no space at the end of a line.
  std::string Text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace workpool::cli
