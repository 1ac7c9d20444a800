// workpool get, wait, cancel, list
#include <gmock/gmock.h>

#include "run_cli.h"

namespace workpool::cli {
namespace {

using ::testing::HasSubstr;

class CliJobsTest : public CliTest {
 protected:
  void PostThree() {
    for (const char* payload : {"a", "b", "c"}) Run({"post", "echo", "--data", payload});
  }
};

TEST_F(CliJobsTest, GetsAJob) {
  PostThree();
  const Ran text = Run({"get", "2"});
  EXPECT_EQ(text.exit, 0);
  EXPECT_THAT(text.out, HasSubstr("SUCCEEDED"));
  EXPECT_EQ(Run({"get", "2", "--payload"}).out, "b");
  EXPECT_EQ(Run({"get", "2", "--json"}).Json()["id"], "2");
}

TEST_F(CliJobsTest, WaitsForAJob) {
  PostThree();
  EXPECT_EQ(Run({"wait", "3"}).out, "c\n");
  server_.Hold();
  const Ran late = Run({"wait", "3", "--timeout", "50ms"});
  EXPECT_EQ(late.exit, 6);
  EXPECT_THAT(late.err, HasSubstr("job 3 has not finished"));
}

TEST_F(CliJobsTest, ExitsFiveForAnUnknownJob) {
  for (const char* command : {"get", "wait"}) {
    const Ran ran = Run({command, "77"});
    EXPECT_EQ(ran.exit, 5);
    EXPECT_EQ(ran.err, "workpool: there is no such job (UNKNOWN_JOB)\n");
  }
}

TEST_F(CliJobsTest, CancelsById) {
  PostThree();
  EXPECT_EQ(Run({"cancel", "1", "2"}).out, "2 cancelled\n");
  const Ran ran = Run({"cancel", "1", "99", "--json"});
  EXPECT_EQ(ran.exit, 5);
  EXPECT_EQ(ran.Json()["cancelled"], 1);
  EXPECT_EQ(ran.Json()["not_found"][0], "99");
}

TEST_F(CliJobsTest, CancelsByFilterAndAllOnlyWhenToldSo) {
  EXPECT_EQ(Run({"cancel", "--pool", "p", "--state", "queued"}).exit, 0);
  EXPECT_THAT(server_.cancels().back(), HasSubstr("pool: \"p\" states: JOB_STATE_QUEUED"));
  EXPECT_EQ(Run({"cancel", "--all"}).exit, 0);
  EXPECT_THAT(server_.cancels().back(), HasSubstr("all: true"));
  const auto cancels = server_.cancels().size();
  EXPECT_EQ(Run({"cancel"}).exit, 2);
  EXPECT_EQ(Run({"cancel", "--all", "--pool", "p"}).exit, 2);
  EXPECT_EQ(Run({"cancel", "--json"}).exit, 2);
  EXPECT_EQ(server_.cancels().size(), cancels);
}

TEST_F(CliJobsTest, SaysThatNothingMatched) {
  for (const char* command : {"list", "cancel"}) {
    const Ran ran = Run({command, "--pool", "small"});
    EXPECT_EQ(ran.exit, 0);
    EXPECT_EQ(ran.err, "workpool: nothing matched\n");
    EXPECT_EQ(Run({command, "--pool", "small", "--json"}).err, "");
  }
  PostThree();
  EXPECT_EQ(Run({"list"}).err, "");
}

TEST_F(CliJobsTest, WarnsThatNothingCouldMatchInAPoolThatIsNotThere) {
  const std::string warning = "nothing matched: there is no pool \"nope\"; the pools are \"small\"";
  for (const char* command : {"list", "cancel"}) {
    const Ran ran = Run({command, "--pool", "nope"});
    EXPECT_EQ(ran.exit, 0);
    EXPECT_EQ(ran.err, "workpool: " + warning + "\n");
    const Ran json = Run({command, "--pool", "nope", "--json"});
    EXPECT_EQ(json.exit, 0);
    EXPECT_EQ(nlohmann::json::parse(json.err), nlohmann::json({{"warning", warning}}));
  }
  // The answer is there; that it cannot be explained is no failure.
  server_.set_admin_status({grpc::StatusCode::UNAVAILABLE, "no pools now"}, "");
  const Ran ran = Run({"list", "--pool", "nope"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "workpool: nothing matched\n");
}

TEST_F(CliJobsTest, AFilterForARemovedPoolWhoseJobsAreKeptWarnsOfNothing) {
  PostThree();
  const Ran ran = Run({"list", "--pool", "default"});
  EXPECT_THAT(ran.out, HasSubstr("echo"));
  EXPECT_EQ(ran.err, "");
}

TEST_F(CliJobsTest, ListsJobs) {
  PostThree();
  const Ran text = Run({"list"});
  EXPECT_THAT(text.out, HasSubstr("HANDLER"));
  EXPECT_EQ(std::ranges::count(text.out, '\n'), 4);
  const auto json = Run({"list", "--limit", "2", "--json"}).Json();
  EXPECT_EQ(json["jobs"].size(), 2U);
  EXPECT_EQ(json["jobs"][0]["id"], "3");
  EXPECT_EQ(json["more"], true);
  EXPECT_TRUE(Run({"list", "--state", "dead", "--json"}).Json()["jobs"].empty());
  const auto either = Run({"list", "--state", "dead", "--state", "SUCCEEDED", "--json"}).Json();
  EXPECT_EQ(either["jobs"].size(), 3U);
}

}  // namespace
}  // namespace workpool::cli
