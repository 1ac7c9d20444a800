// Runs the real `workpool` program as a child.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fakes/fake_workpool_server.h"

namespace workpool::cli {

struct Ran {
  int exit = -1;
  std::string out;
  std::string err;

  nlohmann::json Json() const { return nlohmann::json::parse(out); }
};

// `input` is its standard input; output goes to files, so it is no terminal.
Ran RunCli(const std::vector<std::string>& arguments, const std::string& input = {});

// A scripted daemon, and the program told to use it.
class CliTest : public ::testing::Test {
 protected:
  CliTest();
  ~CliTest() override;

  Ran Run(std::vector<std::string> arguments, const std::string& input = {});
  // A file in a folder of this test.
  std::string File(const std::string& name, const std::string& text);

  fakes::FakeWorkpoolServer server_;
  const std::string folder_;
};

}  // namespace workpool::cli
