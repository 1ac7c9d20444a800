#include "rpc/list_jobs.h"

#include <fmt/format.h>

#include <utility>

#include "rpc/filter_from_proto.h"
#include "rpc/job_to_proto.h"
#include "rpc/page_token.h"

namespace workpool::rpc {
namespace {

constexpr std::uint32_t kDefaultPage = 100;
constexpr std::uint32_t kMaxPage = 1000;

}  // namespace

void WritePage(Dispatcher::ListPage page, const v1::JobFilter& filter, v1::ListJobsResponse& out) {
  JobId next = page.next_before;
  std::size_t bytes = 0;
  for (JobView& view : page.jobs) {
    const JobId id = view.job->id;
    ToProto(std::move(view), false, *out.add_jobs());
    bytes += out.jobs().rbegin()->ByteSizeLong();
    if (bytes > kMaxPageBytes && out.jobs_size() > 1) {
      next = id + 1;
      out.mutable_jobs()->RemoveLast();
      break;
    }
  }
  if (next != 0) out.set_next_page_token(MakePageToken(next, filter));
}

Result<void> ListJobs(const Dispatcher& dispatcher, const v1::ListJobsRequest& request,
                      v1::ListJobsResponse& out) {
  const std::uint32_t size = request.has_page_size() ? request.page_size() : kDefaultPage;
  if (size < 1 || size > kMaxPage) {
    return Fail(ErrorCode::kBadField,
                fmt::format("page_size: {} is not from 1 to {}", size, kMaxPage));
  }
  auto filter = FilterFromProto(request.filter());
  if (!filter) return std::unexpected(std::move(filter.error()));
  auto before = ReadPageToken(request.page_token(), request.filter());
  if (!before) return std::unexpected(std::move(before.error()));
  WritePage(dispatcher.List(*filter, *before, size), request.filter(), out);
  return {};
}

}  // namespace workpool::rpc
