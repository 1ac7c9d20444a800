#include "app/program_check.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/names.h"
#include "handlers/command_environment.h"
#include "runtime/program_path.h"

namespace workpool {
namespace {

std::optional<std::string> Failure(const std::string& program, int error, std::string_view where) {
  if (error == 0) return std::nullopt;
  return fmt::format("cannot start \"{}\": {}{}", Printable(program),
                     std::generic_category().message(error), where);
}

std::optional<std::string> WrongFolder(const std::string& cwd) {
  std::error_code error;
  if (cwd.empty() || std::filesystem::is_directory(cwd, error)) return std::nullopt;
  const int code = error ? error.value() : ENOTDIR;
  return fmt::format("its cwd \"{}\": {}", Printable(cwd), std::generic_category().message(code));
}

// As the start of a job finds it.
std::optional<std::string> WrongProgram(const HandlerSettings& handler) {
  const std::string& program = handler.exec.front();
  if (program.find('/') == std::string::npos) {
    const std::string_view path = CommandPath(handler.env);
    const auto found = FindProgram(program, path);
    return Failure(program, found ? 0 : found.error(),
                   fmt::format(" (looked up in PATH {})", Printable(path)));
  }
  if (program.starts_with('/') || handler.cwd.empty()) {
    return Failure(program, WhyNotRun(program), "");
  }
  return Failure(program, WhyNotRun(handler.cwd + "/" + program),
                 fmt::format(" (looked for in cwd {})", Printable(handler.cwd)));
}

}  // namespace

std::vector<std::string> MissingPrograms(const Config& config) {
  std::vector<std::string> lines;
  for (const HandlerSettings& handler : config.handlers) {
    if (handler.exec.empty()) continue;
    auto wrong = WrongFolder(handler.cwd);
    if (!wrong) wrong = WrongProgram(handler);
    if (wrong) {
      lines.push_back(fmt::format("handlers.{}: its jobs will fail: {}", handler.name, *wrong));
    }
  }
  return lines;
}

}  // namespace workpool
