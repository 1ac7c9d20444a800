// Makes lines for the job's log from the pieces in which a command's stderr arrives.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace workpool {

// Not thread safe. Holds at most one line of kMaxLine bytes: a longer one is handed on in parts.
class StderrLines {
 public:
  static constexpr std::size_t kMaxLine = 4096;

  // `append` gets each line, without its end. It is not called any more once it has been given
  // `max_bytes` and then one line more, so that it can tell that something is missing.
  StderrLines(std::function<void(std::string_view)> append, std::size_t max_bytes);

  void Write(std::string_view bytes);
  // Hands on what follows the last line's end.
  void Finish();

  // The last line that is not blank, also when it has not been handed on.
  const std::string& last() const { return last_; }

 private:
  void WriteLines(std::string_view bytes);
  // Once no line is handed on: takes the whole lines at the beginning, answers the rest.
  std::string_view SkipLines(std::string_view bytes);
  void EndLine();

  const std::function<void(std::string_view)> append_;
  const std::size_t max_bytes_;
  std::size_t appended_ = 0;
  std::string line_;
  std::string last_;
};

}  // namespace workpool
