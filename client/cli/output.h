// What commands print: results on stdout, the rest on stderr, for people or as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "exit_status.h"
#include "workpool/client/error.h"

namespace workpool::cli {

// The settings that all commands share.
struct Session {
  std::string server;
  bool json = false;
};

void Print(std::string_view text);
// What was printed is on its way. False if some of it has been lost.
bool Flush();
// One JSON value on a line.
void PrintJson(const nlohmann::ordered_json& value);

// Text on stderr. Where that cannot be written, nobody can be told.
void Tell(std::string_view text);
// "workpool: ..." on stderr, one line.
void Complain(std::string_view text);
// The same beside an answer that is no failure; with --json an object {"warning"}.
void Warn(const Session& session, std::string_view text);

// The exit status of a command that was refused or found nobody.
Exit ExitOf(const client::Error& error);
// The same, and says why on stderr: a line for each of the message's, or a JSON object. `way_out`
// follows the time after which a full pool asks to be tried again.
Exit Report(const Session& session, const client::Error& error, std::string_view way_out = {});

// Flushes, and answers how the program ends that would end with `exit`: when output is lost, says
// so and does not answer kDone. A reader that has gone has seen what it wanted.
Exit Conclude(Exit exit);

// Text from elsewhere made fit for a terminal: one line, valid UTF-8, cut.
std::string Clean(std::string_view text, std::size_t max_bytes = 500);

}  // namespace workpool::cli
