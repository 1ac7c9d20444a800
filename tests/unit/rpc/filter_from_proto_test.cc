#include "rpc/filter_from_proto.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "rpc/page_token.h"

namespace workpool::rpc {
namespace {

TEST(FilterFromProto, EveryFieldArrives) {
  v1::JobFilter from;
  from.set_pool("images");
  from.set_handler("resize");
  for (int state = v1::JOB_STATE_SCHEDULED; state <= v1::JOB_STATE_EXPIRED; ++state) {
    from.add_states(static_cast<v1::JobState>(state));
  }
  from.mutable_accepted_after()->set_seconds(10);
  from.mutable_accepted_before()->set_seconds(20);
  const auto filter = FilterFromProto(from);
  ASSERT_TRUE(filter) << filter.error().message;
  EXPECT_EQ(filter->pool, "images");
  EXPECT_EQ(filter->handler, "resize");
  ASSERT_EQ(filter->states.size(), 8U);
  EXPECT_EQ(filter->states.front(), JobState::kScheduled);
  EXPECT_EQ(filter->states.back(), JobState::kExpired);
  EXPECT_EQ(filter->accepted_after, WallTime(std::chrono::seconds(10)));
  EXPECT_EQ(filter->accepted_before, WallTime(std::chrono::seconds(20)));
}

TEST(FilterFromProto, AnEmptyFilterIsEmpty) {
  EXPECT_TRUE(FilterFromProto(v1::JobFilter())->Empty());
}

struct BadFilter {
  std::string field;
  std::function<void(v1::JobFilter&)> set;
};

TEST(FilterFromProto, EveryBadFieldIsNamed) {
  const BadFilter rows[] = {
      {"filter.pool", [](v1::JobFilter& f) { f.set_pool("../x"); }},
      {"filter.handler", [](v1::JobFilter& f) { f.set_handler("\r\n"); }},
      {"filter.states", [](v1::JobFilter& f) { f.add_states(v1::JOB_STATE_UNSPECIFIED); }},
      {"filter.states", [](v1::JobFilter& f) { f.add_states(static_cast<v1::JobState>(99)); }},
      {"filter.accepted_after",
       [](v1::JobFilter& f) { f.mutable_accepted_after()->set_nanos(-1); }},
      {"filter.accepted_before",
       [](v1::JobFilter& f) { f.mutable_accepted_before()->set_seconds(INT64_MAX); }},
  };
  for (const BadFilter& row : rows) {
    v1::JobFilter filter;
    row.set(filter);
    const auto result = FilterFromProto(filter);
    ASSERT_FALSE(result) << row.field;
    EXPECT_EQ(result.error().code, ErrorCode::kBadField);
    EXPECT_NE(result.error().message.find(row.field), std::string::npos) << result.error().message;
  }
}

// Case 58.
TEST(CancelTarget, NobodyCancelsEverythingByLeavingFieldsEmpty) {
  v1::CancelJobsRequest request;
  EXPECT_EQ(TargetFromProto(request).error().code, ErrorCode::kBadField);
  request.mutable_filter();
  EXPECT_EQ(TargetFromProto(request).error().code, ErrorCode::kBadField);
  request.set_all(true);
  EXPECT_TRUE(TargetFromProto(request)->all);
}

TEST(CancelTarget, ExactlyOneOfIdsFilterAndAll) {
  v1::CancelJobsRequest ids;
  ids.add_ids(7);
  EXPECT_EQ(TargetFromProto(ids)->ids, std::vector<JobId>{7});
  v1::CancelJobsRequest filter;
  filter.mutable_filter()->set_pool("images");
  EXPECT_EQ(TargetFromProto(filter)->filter.pool, "images");

  v1::CancelJobsRequest both = filter;
  both.add_ids(7);
  EXPECT_FALSE(TargetFromProto(both));
  filter.set_all(true);
  EXPECT_FALSE(TargetFromProto(filter));
  ids.set_all(true);
  EXPECT_FALSE(TargetFromProto(ids));
}

TEST(PageToken, GoesRoundWithItsFilter) {
  v1::JobFilter filter;
  filter.set_pool("images");
  const JobId last = (std::uint64_t{1} << 63) - 1;
  EXPECT_EQ(ReadPageToken(MakePageToken(last, filter), filter), last);
  EXPECT_EQ(ReadPageToken("", filter), 0U);
}

TEST(PageToken, AnythingElseIsRefused) {
  v1::JobFilter filter;
  v1::JobFilter other;
  other.set_pool("other");
  const std::string token = MakePageToken(5, filter);
  std::string changed = token;
  changed[15] = changed[15] == '5' ? '6' : '5';
  for (const std::string& bad : {std::string("5"), changed, token + "0", std::string(32, 'g'),
                                 std::string(32, '-'), MakePageToken(0, filter)}) {
    EXPECT_FALSE(ReadPageToken(bad, filter)) << bad;
  }
  EXPECT_EQ(ReadPageToken(token, other).error().code, ErrorCode::kBadField);
}

}  // namespace
}  // namespace workpool::rpc
