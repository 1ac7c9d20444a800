#include "base/ref.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace workpool {
namespace {

struct Counted : RefCounted<Counted> {
  explicit Counted(int* the_deaths) : deaths(the_deaths) {}
  ~Counted() { ++*deaths; }
  int* deaths;
};

TEST(RefTest, TheLastReferenceDestroys) {
  int deaths = 0;
  Ref<Counted> first = MakeRef<Counted>(&deaths);
  Ref<const Counted> second = first;
  Ref<Counted> third = std::move(first);
  EXPECT_EQ(first, nullptr);
  third = nullptr;
  EXPECT_EQ(deaths, 0);
  second = nullptr;
  EXPECT_EQ(deaths, 1);
}

TEST(RefTest, AssigningToItselfKeepsTheObject) {
  int deaths = 0;
  Ref<Counted> ref = MakeRef<Counted>(&deaths);
  const Ref<Counted>& same = ref;
  ref = same;
  EXPECT_EQ(deaths, 0);
  EXPECT_TRUE(ref);
}

TEST(RefTest, ADetachedReferenceIsTheCallersToDrop) {
  int deaths = 0;
  Counted* const object = MakeRef<Counted>(&deaths).Detach();
  EXPECT_EQ(deaths, 0);
  object->DropRef();
  EXPECT_EQ(deaths, 1);
}

TEST(RefTest, ThreadsShareAnObject) {
  int deaths = 0;
  {
    const Ref<Counted> shared = MakeRef<Counted>(&deaths);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([mine = shared] {
        for (int i = 0; i < 10'000; ++i) const Ref<Counted> copy = mine;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(deaths, 0);
  }
  EXPECT_EQ(deaths, 1);
}

}  // namespace
}  // namespace workpool
