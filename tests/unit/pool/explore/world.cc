#include "unit/pool/explore/world.h"

#include <cstdlib>
#include <utility>

namespace workpool::explore {
namespace {

constexpr std::size_t kStack = std::size_t{128} << 10;
constexpr std::uint64_t kEndless = 200'000;  // steps

World* g_world = nullptr;

std::vector<std::unique_ptr<char[]>>& SpareStacks() {
  static std::vector<std::unique_ptr<char[]>> stacks;
  return stacks;
}

std::unique_ptr<char[]> TakeStack() {
  if (SpareStacks().empty()) return std::make_unique<char[]>(kStack);
  auto stack = std::move(SpareStacks().back());
  SpareStacks().pop_back();
  return stack;
}

}  // namespace

struct World::Fiber {
  std::function<void()> body;
  std::unique_ptr<char[]> stack = TakeStack();
  ucontext_t context{};
  const void* waits_for = nullptr;
  SteadyTime until = SteadyTime::max();
  bool blocked = false;
  bool ended = false;
  const void* owner = nullptr;
};

World::World(Schedule& schedule, const Machine& machine) : schedule_(schedule), machine_(machine) {
  g_world = this;
}

// Stacks of a world that is stuck are still in use by what is on them.
World::~World() {
  for (auto& fiber : fibers_) {
    if (stuck_) {
      fiber.release();
    } else {
      SpareStacks().push_back(std::move(fiber->stack));
    }
  }
  g_world = nullptr;
}

World& World::Current() { return *g_world; }

bool World::Run(std::function<void()> main) {
  Start(std::move(main));
  Dispatch(-1, false);
  for (const auto& fiber : fibers_) stuck_ = stuck_ || !fiber->ended;
  return !stuck_;
}

void World::Main() {
  Fiber& me = *g_world->fibers_[static_cast<std::size_t>(g_world->current_)];
  me.body();
  me.ended = true;
  g_world->Wake(&me, true);
  g_world->Dispatch(-1, false);
  std::abort();
}

int World::Start(std::function<void()> body) {
  auto fiber = std::make_unique<Fiber>();
  fiber->body = std::move(body);
  getcontext(&fiber->context);
  fiber->context.uc_stack = {.ss_sp = fiber->stack.get(), .ss_flags = 0, .ss_size = kStack};
  makecontext(&fiber->context, Main, 0);
  fibers_.push_back(std::move(fiber));
  return static_cast<int>(fibers_.size()) - 1;
}

bool World::RefusesThread() {
  if (started_ < machine_.refuse_threads_from || machine_.refusals == 0) {
    ++started_;
    return false;
  }
  --machine_.refusals;
  return true;
}

void World::Step(bool yields) {
  ++steps_;
  Dispatch(current_, yields);
}

void World::Block(const void* word, SteadyTime until) {
  Fiber& me = *fibers_[static_cast<std::size_t>(current_)];
  me.waits_for = word;
  me.until = until;
  me.blocked = true;
  Dispatch(-1, false);
}

void World::Wake(const void* word, bool all) {
  for (auto& fiber : fibers_) {
    if (!fiber->blocked || fiber->waits_for != word) continue;
    fiber->blocked = false;
    if (!all) return;
  }
}

void World::Join(int fiber) {
  Fiber& joined = *fibers_[static_cast<std::size_t>(fiber)];
  while (!joined.ended) Block(&joined, SteadyTime::max());
}

const void*& World::Owner() { return fibers_[static_cast<std::size_t>(current_)]->owner; }

// Goes on with the fiber that the schedule chooses; with the one outside when none can.
void World::Dispatch(int current, bool yields) {
  do {
    runnable_.clear();
    int index = -1;
    for (int i = 0; i < static_cast<int>(fibers_.size()); ++i) {
      const Fiber& fiber = *fibers_[static_cast<std::size_t>(i)];
      if (fiber.blocked || fiber.ended) continue;
      if (i == current) index = static_cast<int>(runnable_.size());
      runnable_.push_back(i);
    }
    if (!runnable_.empty() && steps_ < kEndless) {
      SwitchTo(runnable_[schedule_.Choose(runnable_, index, yields)]);
      return;
    }
  } while (steps_ < kEndless && PassTime());
  SwitchTo(-1);
}

// To the next deadline.
bool World::PassTime() {
  Fiber* next = nullptr;
  for (auto& fiber : fibers_) {
    if (!fiber->blocked || fiber->until == SteadyTime::max()) continue;
    if (next == nullptr || fiber->until < next->until) next = fiber.get();
  }
  if (next == nullptr) return false;
  if (now_ < next->until) now_ = next->until;
  next->blocked = false;
  return true;
}

void World::SwitchTo(int fiber) {
  const int from = std::exchange(current_, fiber);
  if (from == fiber) return;
  ucontext_t* me = from < 0 ? &outside_ : &fibers_[static_cast<std::size_t>(from)]->context;
  ucontext_t* to = fiber < 0 ? &outside_ : &fibers_[static_cast<std::size_t>(fiber)]->context;
  swapcontext(me, to);
}

}  // namespace workpool::explore
