#include "app.h"

#include <CLI/CLI.hpp>
#include <exception>

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
}

int Complained(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string help = chosen.empty() ? "" : " " + chosen.front()->get_name();
  Complain(Clean(error.what()) + " (see workpool" + help + " --help)");
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
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return Complained(app, error);
  }
  return static_cast<int>(action());
}

}  // namespace workpool::cli
