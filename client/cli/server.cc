// workpool handlers, info, reload
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "show.h"
#include "workpool/admin.h"

namespace workpool::cli {

namespace {

Exit Handlers(const Session& session) {
  client::Admin admin(OptionsOf(session));
  const auto handlers = admin.Handlers();
  if (!handlers) return Report(session, handlers.error());
  if (session.json) {
    auto list = nlohmann::ordered_json::array();
    for (const client::HandlerInfo& handler : *handlers) list.push_back(JsonOf(handler));
    PrintJson({{"handlers", std::move(list)}});
  } else {
    Print(HandlersTable(*handlers));
  }
  return Exit::kDone;
}

Exit Info(const Session& session) {
  client::Admin admin(OptionsOf(session));
  const auto info = admin.Info();
  if (!info) return Report(session, info.error());
  if (session.json) {
    PrintJson(JsonOf(*info));
  } else {
    Print(InfoText(*info));
  }
  return Exit::kDone;
}

Exit Reload(const Session& session) {
  client::Admin admin(OptionsOf(session));
  const auto reloaded = admin.Reload();
  if (!reloaded) return Report(session, reloaded.error());
  if (session.json) {
    PrintJson({{"applied", reloaded->applied}, {"needs_restart", reloaded->needs_restart}});
    return Exit::kDone;
  }
  for (const std::string& line : reloaded->applied) Print("applied: " + Clean(line) + "\n");
  for (const std::string& line : reloaded->needs_restart) {
    Print("needs a restart: " + Clean(line) + "\n");
  }
  if (reloaded->applied.empty() && reloaded->needs_restart.empty()) Print("nothing has changed\n");
  return Exit::kDone;
}

void Add(const Frame& frame, const char* name, const char* description,
         Exit (*work)(const Session&)) {
  frame.app.add_subcommand(name, description)
      ->callback([&session = frame.session, &action = frame.action, work] {
        action = [&session, work] { return work(session); };
      });
}

}  // namespace

void AddServerCommands(const Frame& frame) {
  Add(frame, "handlers", "Show the handlers", Handlers);
  Add(frame, "info", "Show what daemon this is", Info);
  Add(frame, "reload", "Let the daemon read its config file again", Reload);
}

}  // namespace workpool::cli
