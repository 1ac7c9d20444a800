#include "acceptances.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "workpool/v1/workpool.pb.h"

namespace workpool::client {
namespace {

void Add(v1::PostWorkStreamResponse& response, std::uint64_t sequence, std::uint64_t id,
         bool duplicate = false) {
  v1::PostResult& result = *response.add_results();
  result.set_sequence(sequence);
  result.set_id(id);
  result.set_duplicate(duplicate);
}

v1::PostWorkStreamResponse Three() {
  v1::PostWorkStreamResponse response;
  Add(response, 1, 127);
  Add(response, 300, std::numeric_limits<std::uint64_t>::max(), true);
  Add(response, 0, 0);
  return response;
}

bool IsRead(std::string_view response) {
  std::vector<Acceptance> acceptances;
  return ReadAcceptances(response, acceptances);
}

TEST(AcceptancesTest, AreReadAsTheGeneratedClassesReadThem) {
  const auto response = Three();
  std::vector<Acceptance> acceptances;
  ASSERT_TRUE(ReadAcceptances(response.SerializeAsString(), acceptances));
  ASSERT_EQ(acceptances.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    const Acceptance& acceptance = acceptances[static_cast<std::size_t>(i)];
    EXPECT_EQ(acceptance.sequence, response.results(i).sequence());
    EXPECT_EQ(acceptance.posted.id, response.results(i).id());
    EXPECT_EQ(acceptance.posted.duplicate, response.results(i).duplicate());
  }
}

TEST(AcceptancesTest, NoneAreReadWithoutAny) { EXPECT_TRUE(IsRead("")); }

TEST(AcceptancesTest, AnythingElseIsLeftToTheGeneratedClasses) {
  auto response = Three();
  response.mutable_results(1)->mutable_refusal();
  EXPECT_FALSE(IsRead(response.SerializeAsString()));
  const std::string accepted = Three().SerializeAsString();
  EXPECT_FALSE(IsRead(accepted + "\xa0\x06\x01")) << "a field 100 of the message";
  EXPECT_FALSE(IsRead("\x0a\x05\x08\x01\xa0\x06\x01")) << "a field 100 of a result";
}

TEST(AcceptancesTest, WhatIsCutOffIsNotTakenForWhole) {
  v1::PostWorkStreamResponse response;
  Add(response, 300, 1'000'000, true);
  const std::string whole = response.SerializeAsString();
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_FALSE(IsRead(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(IsRead("\x0a\x02\x08\x80\x01")) << "a number that leaves its result";
  EXPECT_FALSE(IsRead("\x0a\x0c\x08" + std::string(11, '\x80'))) << "a number without an end";
}

}  // namespace
}  // namespace workpool::client
