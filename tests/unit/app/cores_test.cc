// Cores that a container may use, from a file tree such as the kernel shows.
#include "app/cores.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "app/config.h"

namespace workpool {
namespace {

namespace fs = std::filesystem;

class CoresTest : public testing::Test {
 protected:
  CoresTest() : root_(fs::path(testing::TempDir()) / Name()) { fs::remove_all(root_); }
  ~CoresTest() override { fs::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    const fs::path file = root_ / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  double Count(unsigned affinity) const { return Cores(root_, affinity).Count(); }

 private:
  static std::string Name() {
    return std::string("cores_") + testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  fs::path root_;
};

TEST_F(CoresTest, AreThoseOfTheSchedulerWithoutGroups) { EXPECT_EQ(Count(6), 6); }

TEST_F(CoresTest, AreAtLeastOne) { EXPECT_EQ(Count(0), 1); }

TEST_F(CoresTest, FollowAQuotaOfVersion2) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(Count(8), 1.5);
}

TEST_F(CoresTest, IgnoreMax) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(Count(8), 8);
}

TEST_F(CoresTest, FollowTheTightestGroupAbove) {
  Write("proc/self/cgroup", "0::/pod/box\n");
  Write("sys/fs/cgroup/pod/cpu.max", "200000 100000\n");
  Write("sys/fs/cgroup/pod/box/cpu.max", "400000 100000\n");
  EXPECT_EQ(Count(8), 2);
}

TEST_F(CoresTest, AreNeverMoreThanTheSchedulers) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/cpu.max", "1600000 100000\n");
  EXPECT_EQ(Count(4), 4);
}

TEST_F(CoresTest, FollowAQuotaOfVersion1) {
  Write("proc/self/cgroup", "5:memory:/box\n4:cpu,cpuacct:/box\n");
  Write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "300000\n");
  Write("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Count(8), 3);
}

TEST_F(CoresTest, IgnoreVersion1WithoutAQuota) {
  Write("proc/self/cgroup", "4:cpu,cpuacct:/\n");
  Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Count(8), 8);
}

TEST_F(CoresTest, IgnoreFilesThatMakeNoSense) {
  Write("proc/self/cgroup", "nonsense\n0::/\n::\n");
  Write("sys/fs/cgroup/cpu.max", "lots 0\n");
  EXPECT_EQ(Count(8), 8);
}

TEST(WorkersPerCore, RoundUpAndAreAtLeastOne) {
  EXPECT_EQ((Workers{0, 300}).Resolve(2), 6U);
  EXPECT_EQ((Workers{0, 300}).Resolve(1.5), 5U);
  EXPECT_EQ((Workers{0, 1}).Resolve(0.1), 1U);
  EXPECT_EQ((Workers{0, 100'000}).Resolve(1000), kMaxWorkers);
  EXPECT_EQ((Workers{7, 300}).Resolve(64), 7U);
}

TEST(Cores, OfThisMachineAreAtLeastAFraction) { EXPECT_GT(Cores::Available(), 0); }

}  // namespace
}  // namespace workpool
