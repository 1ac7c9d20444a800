#include "app.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <sstream>
#include <vector>

#include "base/names.h"
#include "commands.h"

namespace workpool::cli {

namespace {

void AddGlobals(CLI::App& app, Session& session) {
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--server", session.server, "the daemon's address: HOST:PORT or unix:/PATH")
      ->envname("WORKPOOL_SERVER")
      ->capture_default_str()
      ->check(CheckServer);
  app.add_flag("--json", session.json, "print JSON");
  app.set_version_flag("--version", "workpool " WORKPOOL_VERSION, "print the version and exit");
}

void AddCommands(const Frame& frame) {
  AddPost(frame);
  AddRun(frame);
  AddGet(frame);
  AddWait(frame);
  AddCancel(frame);
  AddList(frame);
  AddPoolCommands(frame);
  AddServerCommands(frame);
  AddTop(frame);
  AddBench(frame);
  AddTune(frame);
}

std::string Suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view near = Nearest(word, names.data(), names.data() + names.size());
  return near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near);
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

void AddOptionNames(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
}

// For the first word that has no meaning, options before others; empty if there is none. Behind
// "--" nothing is an option. `command` is null if none was chosen.
std::string Unexpected(const CLI::App& app, const CLI::App* command) {
  std::vector<std::string> words = app.remaining(true);
  const auto separator = std::ranges::find(words, "--");
  const auto option = std::find_if(
      words.begin(), separator, [](const auto& word) { return word.size() > 1 && word[0] == '-'; });
  if (option != separator) {
    const std::string name = option->substr(0, option->find('='));
    std::vector<std::string> known;
    AddOptionNames(app, known);
    if (command != nullptr) AddOptionNames(*command, known);
    return fmt::format("{} no option \"{}\"{}",
                       command == nullptr ? "there is" : command->get_name() + " has",
                       Printable(name), Suggestion(name, known));
  }
  if (separator != words.end()) words.erase(separator);
  if (words.empty()) return "";
  const std::string& word = words.front();
  return command == nullptr ? fmt::format("there is no command \"{}\"{}", Printable(word),
                                          Suggestion(word, CommandNames(app)))
                            : fmt::format(
                                  "{} has no place for \"{}\"; a value with spaces needs "
                                  "quotes",
                                  command->get_name(), Printable(word));
}

int Complained(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App* const command = chosen.empty() ? nullptr : chosen.front();
  const std::string help = command == nullptr ? "" : " " + command->get_name();
  const std::string unexpected = Unexpected(app, command);
  Complain(Clean(unexpected.empty() ? error.what() : unexpected) + " (see workpool" + help +
           " --help)");
  return static_cast<int>(Exit::kUsage);
}

}  // namespace

int Main(int argc, char** argv) {
  CLI::App app("Posts work to a workpool daemon, follows it, and looks after the daemon's pools.",
               "workpool");
  Session session{.server = "127.0.0.1:7650"};
  Action action;
  AddGlobals(app, session);
  AddCommands({app, session, action});
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    app.exit(help, text, text);
    Print(text.str());
    return static_cast<int>(Conclude(Exit::kDone));
  } catch (const CLI::ParseError& error) {
    return Complained(app, error);
  }
  return static_cast<int>(Conclude(action()));
}

}  // namespace workpool::cli
