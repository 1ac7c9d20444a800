// Reads the keys of one TOML table into typed values. It notes every key that it was asked for, so
// that Finish can refuse the others and suggest the nearest. What is wrong goes to the list of
// problems, with its place, and leaves the value as it was: reading goes on, so that one run shows
// all.
#pragma once

#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/problems.h"

namespace workpool {

class TableReader {
 public:
  // `path` is the table's dotted name, empty for the file. Table and problems must outlive it.
  TableReader(const toml::table& table, std::string path, Problems& problems);

  bool Has(std::string_view key) const { return table_.contains(key); }
  // Of the key's value; of the table when it has no such key.
  Position Where(std::string_view key) const;
  Position Where() const;

  // Each reads a key if it is there, checks its type and range (both ends included), and says
  // whether `out` has been set.
  bool Text(std::string_view key, std::string& out);
  bool Flag(std::string_view key, bool& out);
  bool Number(std::string_view key, std::uint64_t& out, std::uint64_t min, std::uint64_t max);
  bool Duration(std::string_view key, std::chrono::nanoseconds& out, std::chrono::nanoseconds min,
                std::chrono::nanoseconds max);
  bool Size(std::string_view key, std::uint64_t& out, std::uint64_t min, std::uint64_t max);
  bool Texts(std::string_view key, std::vector<std::string>& out);

  template <typename T>
  using Choices = std::initializer_list<std::pair<std::string_view, T>>;
  template <typename T>
  bool Choice(std::string_view key, T& out, Choices<T> choices) {
    std::string word;
    if (!Text(key, word)) return false;
    std::vector<std::string_view> words;
    for (const auto& [name, value] : choices) {
      if (name == word) return out = value, true;
      words.push_back(name);
    }
    Complain(key, NotOneOf(word, words));
    return false;
  }

  // The table under `key`, if there is one.
  void Table(std::string_view key, const std::function<void(TableReader&)>& read);
  // Each table within this one, under whatever key, in the order of the keys.
  void EachTable(const std::function<void(std::string_view name, TableReader&)>& read);
  // Each text within this one.
  void EachText(const std::function<void(std::string_view name, const std::string& text)>& read);

  // The node under a key that takes several types; nullptr if it is not there.
  const toml::node* Raw(std::string_view key);

  // Keys that a later version serves.
  void Later(std::initializer_list<std::string_view> keys);

  // "[PATH.]KEY: what" at the key's value.
  void Complain(std::string_view key, std::string_view what);

  // Complains of every key that nobody asked for.
  void Finish();

 private:
  std::string NameOf(std::string_view key) const;
  void WrongType(std::string_view key, std::string_view wanted);
  static std::string NotOneOf(std::string_view word, const std::vector<std::string_view>& words);

  const toml::table& table_;
  std::string path_;
  Problems& problems_;
  std::vector<std::string_view> known_;
};

}  // namespace workpool
