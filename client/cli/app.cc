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

// For a word where a command should be; empty if there is none.
std::string UnknownCommand(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  if (words.empty() || !app.get_subcommands().empty()) return "";
  const std::string& word = words.front();
  if (word.starts_with('-')) return fmt::format("there is no option \"{}\"", Printable(word));
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    names.push_back(command->get_name());
  }
  const std::string_view near = Nearest(word, names.data(), names.data() + names.size());
  return fmt::format("there is no command \"{}\"{}", Printable(word),
                     near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near));
}

int Complained(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string help = chosen.empty() ? "" : " " + chosen.front()->get_name();
  const std::string unknown = UnknownCommand(app);
  Complain(Clean(unknown.empty() ? error.what() : unknown) + " (see workpool" + help + " --help)");
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
