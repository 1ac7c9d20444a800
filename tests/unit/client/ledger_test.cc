#include "ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace workpool::client {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Ends posts with a word: the id, or the reason, or the code's name.
std::string WordOf(const Result<Posted>& outcome) {
  if (outcome) return std::to_string(outcome->id);
  const Error& error = outcome.error();
  return error.reason.empty() ? std::string(NameOf(error.code)) : error.reason;
}

class LedgerTest : public ::testing::Test {
 protected:
  static Work WorkOf(std::string payload) {
    Work work;
    work.handler = "echo";
    work.payload = std::move(payload);
    return work;
  }
  static Pending PendingUntil(SteadyTime deadline) {
    Pending pending;
    pending.done = [](const Result<Posted>&) {};
    pending.deadline = deadline;
    pending.soft_deadline = deadline == kNever ? kNever : deadline - milliseconds(10);
    return pending;
  }
  std::uint64_t Add(const std::string& payload, SteadyTime deadline = kNever) {
    return ledger_.Add(WorkOf(payload), PendingUntil(deadline));
  }
  std::uint64_t AddRetried(const std::string& payload, unsigned attempts) {
    Pending pending = PendingUntil(kNever);
    pending.again = std::make_unique<Again>(Again{WorkOf(payload), attempts - 1});
    return ledger_.Add(WorkOf(payload), std::move(pending));
  }
  // The next message; an empty one if there is none.
  v1::PostWorkStreamRequest Take() {
    v1::PostWorkStreamRequest request;
    const auto message = ledger_.TakeMessage();
    if (message && !request.ParseFromString(Joined(*message))) ADD_FAILURE();
    return request;
  }
  // The payloads of the next message.
  std::vector<std::string> Send() {
    std::vector<std::string> payloads;
    const auto request = Take();
    if (request.first_sequence() == 0) return payloads;
    first_ = request.first_sequence();
    abandoned_.assign(request.abandon().begin(), request.abandon().end());
    for (const auto& work : request.work()) payloads.push_back(work.payload());
    ledger_.Written();
    return payloads;
  }
  void Accept(std::uint64_t sequence, std::uint64_t id) {
    ledger_.Accept({sequence, {id, false}}, ended_);
  }
  void Refuse(std::uint64_t sequence, int code, const std::string& reason) {
    v1::PostResult result;
    result.set_sequence(sequence);
    result.mutable_refusal()->set_code(code);
    result.mutable_refusal()->set_reason(reason);
    result.mutable_refusal()->mutable_retry_after()->set_nanos(5'000'000);
    ledger_.Answer(std::move(result), now_, ended_);
  }
  void RefuseFull(std::uint64_t sequence) { Refuse(sequence, 8, "QUEUE_FULL"); }

  std::vector<std::string> Ends() {
    std::vector<std::string> words;
    for (const Ended& post : ended_) words.push_back(WordOf(post.outcome));
    ended_.clear();
    return words;
  }

  const SteadyTime now_ = SteadyTime(std::chrono::hours(1));
  Ledger ledger_;
  std::vector<Ended> ended_;
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> abandoned_;
};

TEST_F(LedgerTest, GathersWhatComesWhileAMessageIsOnItsWay) {
  Add("a");
  EXPECT_THAT(Send(), ElementsAre("a"));
  Add("b");
  Add("c");
  EXPECT_THAT(Send(), ElementsAre("b", "c"));
  EXPECT_EQ(first_, 2U);
  EXPECT_THAT(Send(), IsEmpty());
}

TEST_F(LedgerTest, BoundsAMessageInItems) {
  for (int i = 0; i < 1001; ++i) Add("x");
  EXPECT_EQ(Send().size(), 1000U);
  EXPECT_EQ(Send().size(), 1U);
  EXPECT_EQ(first_, 1001U);
}

TEST_F(LedgerTest, BoundsAMessageInBytesButSendsALargeItemAlone) {
  Add(std::string(700'000, 'x'));
  Add(std::string(700'000, 'x'));
  Add(std::string(3'000'000, 'x'));
  Add("small");
  EXPECT_EQ(Send().size(), 1U);
  EXPECT_EQ(Send().size(), 1U);
  EXPECT_EQ(Send().size(), 1U);
  EXPECT_THAT(Send(), ElementsAre("small"));
}

TEST_F(LedgerTest, TakesAnswersInAnyOrderAndOnlyOnce) {
  for (const char* payload : {"a", "b", "c"}) Add(payload);
  Send();
  Accept(3, 30);
  Accept(1, 10);
  Accept(1, 11);
  Accept(2, 20);
  Accept(2, 21);
  Accept(99, 1);
  EXPECT_THAT(Ends(), ElementsAre("30", "10", "20"));
}

TEST_F(LedgerTest, TakesNoAnswerToWhatWasNotSent) {
  Add("a");
  Take();
  const std::uint64_t unsent = Add("b");
  std::vector<Ended> ended;
  ledger_.Accept({unsent, {9, false}}, ended);
  EXPECT_THAT(ended, IsEmpty());
  ledger_.Written();
  EXPECT_THAT(Send(), ElementsAre("b"));
}

TEST_F(LedgerTest, TakesAcceptancesAmongRefusals) {
  for (const char* payload : {"a", "b"}) Add(payload);
  Send();
  Refuse(2, 8, "QUEUE_FULL");
  v1::PostResult result;
  result.set_sequence(1);
  result.set_id(10);
  ledger_.Answer(std::move(result), now_, ended_);
  EXPECT_THAT(Ends(), ElementsAre("QUEUE_FULL", "10"));
}

TEST_F(LedgerTest, TakesAnAnswerThatOvertakesTheEndOfTheWrite) {
  Add("a");
  ASSERT_TRUE(ledger_.TakeMessage());
  Accept(1, 10);
  EXPECT_THAT(Ends(), ElementsAre("10"));
  ledger_.Written();
  ledger_.FailSent(Error{}, ended_);
  EXPECT_THAT(Ends(), IsEmpty());
}

TEST_F(LedgerTest, LeavesOutWhatWasAbandonedBeforeItWasSent) {
  for (const char* payload : {"a", "b", "c", "d", "e"}) Add(payload);
  ledger_.Abandon(2, ended_);
  ledger_.Abandon(5, ended_);
  EXPECT_THAT(Ends(), ElementsAre("CANCELLED", "CANCELLED"));
  EXPECT_THAT(Send(), ElementsAre("a"));
  EXPECT_EQ(first_, 1U);
  EXPECT_THAT(Send(), ElementsAre("c", "d"));
  EXPECT_EQ(first_, 3U);
  Add("f");
  EXPECT_THAT(Send(), ElementsAre("f"));
  EXPECT_EQ(first_, 6U);
  for (const std::uint64_t sequence : {1U, 3U, 4U, 6U}) Accept(sequence, sequence * 10);
  EXPECT_THAT(Ends(), ElementsAre("10", "30", "40", "60"));
}

TEST_F(LedgerTest, GathersOnAfterWhatWasAbandonedOnlyWhereTheNumbersDo) {
  for (const char* payload : {"a", "b", "c"}) Add(payload);
  ledger_.Abandon(2, ended_);
  EXPECT_THAT(Send(), ElementsAre("a"));
  Add("d");
  EXPECT_THAT(Send(), ElementsAre("c", "d"));
  EXPECT_EQ(first_, 3U);
  for (const std::uint64_t sequence : {1U, 4U, 3U}) Accept(sequence, sequence * 10);
  EXPECT_THAT(Ends(), ElementsAre("CANCELLED", "10", "40", "30"));
}

TEST_F(LedgerTest, LeavesOutLargePostsToo) {
  const std::string large(20'000, 'x');
  for (const std::string& payload : {large, std::string("a"), large, std::string("b")})
    Add(payload);
  ledger_.Abandon(1, ended_);
  EXPECT_THAT(Send(), ElementsAre("a", large, "b"));
  EXPECT_EQ(first_, 2U);
}

TEST_F(LedgerTest, TellsTheDaemonWhatIsAbandonedAndLeavesTheAnswerToIt) {
  Add("a");
  Add("b");
  Send();
  ledger_.Abandon(1, ended_);
  ledger_.Abandon(2, ended_);
  EXPECT_THAT(Ends(), IsEmpty());
  EXPECT_THAT(Send(), IsEmpty());
  EXPECT_THAT(abandoned_, ElementsAre(1U, 2U));
  Refuse(1, 1, "");
  Accept(2, 20);
  EXPECT_THAT(Ends(), ElementsAre("CANCELLED", "20"));
}

TEST_F(LedgerTest, LeavesWhatHasEndedAlone) {
  Add("a");
  Send();
  Accept(1, 10);
  Ends();
  ledger_.Abandon(1, ended_);
  ledger_.Abandon(77, ended_);
  EXPECT_THAT(Ends(), IsEmpty());
  EXPECT_FALSE(ledger_.HasMessage());
}

TEST_F(LedgerTest, EndsAnUnsentPostAtItsDeadline) {
  Add("a", now_ + milliseconds(50));
  Add("b");
  EXPECT_LE(ledger_.Tick(now_, ended_), now_ + milliseconds(50));
  EXPECT_THAT(Ends(), IsEmpty());
  ledger_.Tick(now_ + milliseconds(50), ended_);
  EXPECT_THAT(Ends(), ElementsAre("DEADLINE_EXCEEDED"));
  EXPECT_THAT(Send(), ElementsAre("b"));
}

TEST_F(LedgerTest, AbandonsASentPostShortlyBeforeItsDeadline) {
  Add("a", now_ + milliseconds(50));
  Send();
  EXPECT_EQ(ledger_.Tick(now_, ended_), now_ + milliseconds(40));
  EXPECT_EQ(ledger_.Tick(now_ + milliseconds(40), ended_), now_ + milliseconds(50));
  EXPECT_THAT(Ends(), IsEmpty());
  EXPECT_THAT(Send(), IsEmpty());
  EXPECT_THAT(abandoned_, ElementsAre(1U));
  Refuse(1, 1, "");
  EXPECT_THAT(Ends(), ElementsAre("WAIT_TIMEOUT"));
}

TEST_F(LedgerTest, EndsASentPostWithoutAnAnswerAtItsDeadline) {
  Add("a", now_ + milliseconds(50));
  Send();
  EXPECT_EQ(ledger_.Tick(now_ + milliseconds(50), ended_), kNever);
  EXPECT_THAT(Ends(), ElementsAre("DEADLINE_EXCEEDED"));
  Accept(1, 10);
  EXPECT_THAT(Ends(), IsEmpty());
}

TEST_F(LedgerTest, KeepsDeadlinesOfManyApart) {
  for (int i = 1; i <= 5; ++i) Add("x", now_ + milliseconds(20 * i));
  Send();
  ledger_.Tick(now_ + milliseconds(60), ended_);
  EXPECT_THAT(Ends(), ElementsAre("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"));
  Accept(4, 40);
  EXPECT_THAT(Ends(), ElementsAre("40"));
}

TEST_F(LedgerTest, TriesAgainAfterThePauseThatTheDaemonAsksFor) {
  AddRetried("a", 3);
  Send();
  RefuseFull(1);
  EXPECT_THAT(Ends(), IsEmpty());
  EXPECT_EQ(ledger_.RetryDue(), now_ + milliseconds(5));
  EXPECT_EQ(ledger_.Tick(now_ + milliseconds(4), ended_), now_ + milliseconds(5));
  EXPECT_THAT(Send(), IsEmpty());
  ledger_.Tick(now_ + milliseconds(5), ended_);
  EXPECT_THAT(Send(), ElementsAre("a"));
  Accept(first_, 10);
  EXPECT_THAT(Ends(), ElementsAre("10"));
}

TEST_F(LedgerTest, GivesUpAfterItsAttempts) {
  AddRetried("a", 2);
  Send();
  RefuseFull(1);
  ledger_.Tick(now_ + milliseconds(5), ended_);
  Send();
  RefuseFull(first_);
  EXPECT_THAT(Ends(), ElementsAre("QUEUE_FULL"));
}

TEST_F(LedgerTest, TriesNothingAgainButFullQueues) {
  AddRetried("a", 9);
  AddRetried("b", 9);
  AddRetried("c", 9);
  Send();
  Refuse(1, 14, "");
  Refuse(2, 4, "");
  Refuse(3, 14, "DRAINING");
  EXPECT_THAT(Ends(), ElementsAre("UNAVAILABLE", "DEADLINE_EXCEEDED", "DRAINING"));
}

TEST_F(LedgerTest, DoesNotTryAgainPastTheDeadline) {
  Pending pending = PendingUntil(now_ + milliseconds(14));
  pending.again = std::make_unique<Again>(Again{WorkOf("a"), 9});
  ledger_.Add(WorkOf("a"), std::move(pending));
  Send();
  RefuseFull(1);
  EXPECT_THAT(Ends(), ElementsAre("QUEUE_FULL"));
}

TEST_F(LedgerTest, AbandonsAPostThatWaitsForAnotherTryOrWasSentAgain) {
  const std::uint64_t parked = AddRetried("a", 3);
  const std::uint64_t unsent = AddRetried("b", 3);
  const std::uint64_t sent = AddRetried("c", 3);
  Send();
  RefuseFull(3);
  ledger_.Tick(now_ + milliseconds(5), ended_);
  EXPECT_THAT(Send(), ElementsAre("c"));
  const std::uint64_t resent = first_;
  RefuseFull(2);
  ledger_.Tick(now_ + milliseconds(5), ended_);
  RefuseFull(1);
  ledger_.Abandon(parked, ended_);
  EXPECT_THAT(Ends(), ElementsAre("CANCELLED"));
  ledger_.Abandon(unsent, ended_);
  EXPECT_THAT(Ends(), ElementsAre("CANCELLED"));
  ledger_.Abandon(sent, ended_);
  EXPECT_THAT(Send(), IsEmpty());
  EXPECT_THAT(abandoned_, ElementsAre(resent));
  Refuse(resent, 1, "");
  EXPECT_THAT(Ends(), ElementsAre("CANCELLED"));
}

TEST_F(LedgerTest, ALostStreamEndsWhatWasSentAndKeepsTheRest) {
  Add("a");
  Add("b");
  Send();
  Accept(1, 10);
  Add("c");
  ledger_.FailSent(Error{StatusCode::kUnavailable, {}, "lost", {}}, ended_);
  EXPECT_THAT(Ends(), ElementsAre("10", "UNAVAILABLE"));
  EXPECT_THAT(Send(), ElementsAre("c"));
}

TEST_F(LedgerTest, StoppingRetriesEndsThemWithTheAnswerTheyHad) {
  AddRetried("a", 3);
  Send();
  RefuseFull(1);
  ledger_.StopRetrying(ended_);
  EXPECT_THAT(Ends(), ElementsAre("QUEUE_FULL"));
  AddRetried("b", 3);
  Send();
  RefuseFull(first_);
  EXPECT_THAT(Ends(), ElementsAre("QUEUE_FULL"));
}

TEST_F(LedgerTest, UsesMessagesAgainWithoutLeavingAnythingInThem) {
  for (int round = 0; round < 20; ++round) {
    Work work = WorkOf("x");
    if (round % 2 == 0) work.metadata["round"] = std::to_string(round);
    if (round % 2 == 0) work.priority = 9;
    ledger_.Add(std::move(work), PendingUntil(kNever));
    const auto request = Take();
    ASSERT_EQ(request.work_size(), 1);
    EXPECT_EQ(request.work(0).metadata_size(), round % 2 == 0 ? 1 : 0);
    EXPECT_EQ(request.work(0).has_priority(), round % 2 == 0);
    EXPECT_EQ(request.abandon_size(), 0);
    ledger_.Written();
    Accept(request.first_sequence(), 1);
  }
  EXPECT_EQ(Ends().size(), 20U);
}

}  // namespace
}  // namespace workpool::client
