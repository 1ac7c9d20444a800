// The whole scrape, over a real dispatcher that is stepped by hand.
#include "metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class MetricsTest : public ::testing::Test {
 protected:
  MetricsTest() {
    DispatcherConfig config;
    config.pools = {MakePoolConfig("default", 1, 2), MakePoolConfig("images", 5, 5)};
    config.handlers = {EchoConfig(), MakeHandlerConfig("held", "images", held_)};
    config.max_payload = 1000;
    metrics_.SetSeries(config);
    DispatcherPorts ports = rig_.Ports();
    rig_.dispatcher =
        std::make_unique<Dispatcher>(DispatcherPorts{ports.clock, ports.store, metrics_.observer(),
                                                     ports.alarm, ports.make_pool},
                                     config);
    metrics_.SetSource(rig_.dispatcher.get());
  }
  ~MetricsTest() override {
    metrics_.SetSource(nullptr);
    rig_.dispatcher->StopAccepting(false, [] {});
  }

  double Value(const std::string& series) const {
    std::istringstream lines(metrics_.Scrape());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(series + " ")) return std::stod(line.substr(series.size()));
    }
    ADD_FAILURE() << "no series " << series;
    return -1;
  }

  std::size_t SeriesCount() const {
    std::istringstream lines(metrics_.Scrape());
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) count += line[0] != '#';
    return count;
  }

  double Rejected(const std::string& pool) const {
    double sum = 0;
    for (const char* reason :
         {"capacity", "wait_timeout", "cancelled", "draining", "invalid", "store"}) {
      sum += Value("workpool_rejected_total{pool=\"" + pool + "\",reason=\"" + reason + "\"}");
    }
    return sum;
  }

  std::shared_ptr<HeldHandler> held_ = std::make_shared<HeldHandler>();
  DispatcherRig rig_;
  Metrics metrics_{"1.2.3"};
};

TEST_F(MetricsTest, SeriesExistFromTheFirstScrape) {
  for (const std::string pool : {"default", "images"}) {
    EXPECT_EQ(Value("workpool_queued{pool=\"" + pool + "\"}"), 0);
    EXPECT_EQ(Value("workpool_active{pool=\"" + pool + "\"}"), 0);
    EXPECT_EQ(Rejected(pool), 0);
  }
  EXPECT_EQ(Value(R"(workpool_run_seconds_count{pool="images",handler="held"})"), 0);
  EXPECT_EQ(Value(R"(workpool_build_info{version="1.2.3"})"), 1);
}

TEST_F(MetricsTest, PostsAddUp) {
  PostRequest waiting;
  waiting.work = MakeWork("echo");
  waiting.work.when_full = WhenFull::kWait;
  for (int i = 0; i < 3; ++i) rig_.Post(MakeWork("echo"));
  rig_.Post(std::move(waiting));
  for (int i = 0; i < 4; ++i) rig_.Post(MakeWork("echo"));
  rig_.Post(MakeWork("echo", std::string(1001, 'x')));
  EXPECT_EQ(Value(R"(workpool_accepted_total{pool="default"})"), 3);
  EXPECT_EQ(Value(R"(workpool_waiting_posts{pool="default"})"), 1);
  EXPECT_EQ(Value(R"(workpool_rejected_total{pool="default",reason="capacity"})"), 4);
  EXPECT_EQ(Value(R"(workpool_rejected_total{pool="default",reason="invalid"})"), 1);
  EXPECT_EQ(Value(R"(workpool_posted_total{pool="default"})"), 3 + 1 + Rejected("default"));
  EXPECT_EQ(Value(R"(workpool_queued_peak{pool="default"})"), 2);
}

TEST_F(MetricsTest, AtRestAcceptedIsFinished) {
  for (int i = 0; i < 3; ++i) rig_.Post(MakeWork("echo"));
  rig_.RunAll();
  EXPECT_EQ(Value(R"(workpool_queued{pool="default"})"), 0);
  EXPECT_EQ(Value(R"(workpool_active{pool="default"})"), 0);
  const std::string labels = R"({pool="default",handler="echo",)";
  EXPECT_EQ(Value("workpool_finished_total" + labels + R"(state="succeeded"})"), 3);
  EXPECT_EQ(Value("workpool_attempts_total" + labels + R"(outcome="succeeded"})"), 3);
  EXPECT_EQ(Value(R"(workpool_queue_wait_seconds_count{pool="default",handler="echo"})"), 3);
}

// Case 26.
TEST_F(MetricsTest, OddNamesCreateNoSeries) {
  const std::size_t before = SeriesCount();
  for (int i = 0; i < 10'000; ++i) {
    const std::string odd = "odd" + std::to_string(i);
    rig_.Post(i % 2 == 0 ? MakeWork(odd) : MakeWork("echo", "", odd));
  }
  rig_.Post(MakeWork("echo", "", "images"));
  rig_.RunAll("images");
  EXPECT_EQ(SeriesCount(), before);
  EXPECT_EQ(Value(R"(workpool_posted_total{pool="unknown"})"), 10'000);
  EXPECT_EQ(Value(R"(workpool_rejected_total{pool="unknown",reason="invalid"})"), 10'000);
  EXPECT_EQ(Value(R"(workpool_run_seconds_count{pool="images",handler="other"})"), 1);
}

TEST_F(MetricsTest, AgeOfTheOldestQueuedJob) {
  for (int i = 0; i < 3; ++i) rig_.Post(MakeWork("echo"));
  rig_.Advance(std::chrono::milliseconds(2500));
  EXPECT_EQ(Value(R"(workpool_oldest_queued_seconds{pool="default"})"), 2.5);
}

TEST_F(MetricsTest, DeletedAndDeadAreShown) {
  for (int i = 0; i < 3; ++i) rig_.Post(MakeWork("echo"));
  ASSERT_TRUE(rig_.dispatcher->Purge("default"));
  EXPECT_EQ(Value(R"(workpool_deleted_total{pool="default"})"), 2);
  rig_.Post(MakeWork("held"));
  rig_.RunAll("images");
  held_->Take()->Finish(Outcome::Failure("broken"));
  EXPECT_EQ(Value(R"(workpool_jobs_dead{pool="images"})"), 1);
  EXPECT_EQ(Value(R"(workpool_finished_total{pool="images",handler="held",state="dead"})"), 1);
}

TEST_F(MetricsTest, ReloadsAreCounted) {
  metrics_.CountReload(true);
  metrics_.CountReload(false);
  metrics_.CountReload(false);
  EXPECT_EQ(Value(R"(workpool_config_reloads_total{result="ok"})"), 1);
  EXPECT_EQ(Value(R"(workpool_config_reloads_total{result="error"})"), 2);
}

TEST_F(MetricsTest, WithoutASourceOnlyWhatIsCountedHereIsShown) {
  metrics_.SetSource(nullptr);
  EXPECT_THAT(metrics_.Scrape(), Not(HasSubstr("workpool_queued{")));
  EXPECT_THAT(metrics_.Scrape(), HasSubstr("workpool_attempts_total{"));
}

}  // namespace
}  // namespace workpool
