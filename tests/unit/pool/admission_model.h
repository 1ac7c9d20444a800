// The rules of admission written down a second time, as plainly as possible: every decision looks
// at all tasks, nothing is cached. Slow, and meant to be obviously right. The model test compares
// Admission with it step by step.
//
// Worker numbers are only checked for what they promise (below the limit, unique among active
// tasks): the model takes over the ones that Admission chose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "pool/admission.h"

namespace workpool {

class AdmissionModel {
 public:
  enum class State { kWaiting, kQueued, kActive };
  enum class Hand { kReserved, kReady, kTaken };
  enum class Told { kYes, kNotYet, kBeingTold };

  struct Item {
    Task* task;
    State state;
    bool published;
    Told told;
    Hand hand;                  // while active
    std::uint64_t started = 0;  // order among ready tasks
    std::uint64_t ticket = 0;   // while being told
    std::uint32_t worker = 0;   // while taken
  };
  struct Notice {
    Task* task;
    bool accepted;
    Refusal refusal;
  };

  explicit AdmissionModel(const PoolLimits& the_limits) : limits(the_limits) {}

  OfferResult Offer(Task& task, WhenFull when_full, bool publish) {
    if (task.weight > std::max(limits.workers, limits.max_weight))
      return Refuse(Refusal::kTooHeavy);
    if (task.bytes > limits.capacity_bytes) return Refuse(Refusal::kTooLarge);
    if (draining) return Refuse(Refusal::kDraining);
    Item item{&task, State::kQueued, publish, Told::kYes, Hand::kReserved};
    const bool start =
        MayStart() && HasPlacesFor(task) && !PassedOver(task) && !AnyStartableAhead(task.priority);
    const bool room = !AnyWaitingAhead(task.priority) && Fits(task);
    if (start || room) {
      ++accepted;
      items.push_back(item);
      if (start) Start(items.back());
      RaisePeaks();
      return {start ? Verdict::kStarted : Verdict::kQueued};
    }
    const bool may_wait = Count(State::kWaiting) < limits.max_waiting &&
                          Bytes(State::kWaiting) + task.bytes <= limits.capacity_bytes;
    if (when_full == WhenFull::kReject || !may_wait) return Refuse(Refusal::kQueueFull);
    item.state = State::kWaiting;
    item.told = Told::kNotYet;
    items.push_back(item);
    return {Verdict::kWaiting};
  }

  void Publish(Task& task) {
    Item* item = Find(task);
    if (item == nullptr || item->state == State::kWaiting) return;
    item->published = true;
    MakeReady(*item);
  }

  bool GiveUp(Task& task, Refusal why) {
    Item* item = Find(task);
    if (item == nullptr || item->state != State::kWaiting) return false;
    Erase(task);
    CountRefused(why);
    Settle();
    return true;
  }

  bool Withdraw(Task& task, Refusal why) {
    if (GiveUp(task, why)) return true;
    Item* item = Find(task);
    if (item == nullptr || InHands(*item) || item->told == Told::kBeingTold) return false;
    if (item->told == Told::kNotYet) return Revoke(task, why);
    Erase(task);
    ++withdrawn;
    Settle();
    return true;
  }

  bool Revoke(Task& task, Refusal why) {
    if (GiveUp(task, why)) return true;
    Item* item = Find(task);
    if (item == nullptr || InHands(*item)) return false;
    std::erase_if(notices, [&task](const Notice& n) { return n.task == &task; });
    Erase(task);
    --accepted;
    CountRefused(why);
    Settle();
    return true;
  }

  // The ready task that started first, or nullptr.
  Task* TakeReady(std::uint32_t worker) {
    Item* first = nullptr;
    for (Item& item : items) {
      if (item.state != State::kActive || item.hand != Hand::kReady) continue;
      if (first == nullptr || item.started < first->started) first = &item;
    }
    if (first == nullptr) return nullptr;
    first->hand = Hand::kTaken;
    first->worker = worker;
    return first->task;
  }

  void Finish(Task& task) {
    Erase(task);
    ++finished;
    Settle();
  }

  std::optional<Notice> TakeNotice(std::uint64_t ticket) {
    if (notices.empty()) return std::nullopt;
    const Notice notice = notices.front();
    notices.pop_front();
    if (notice.accepted) {
      Find(*notice.task)->told = Told::kBeingTold;
      Find(*notice.task)->ticket = ticket;
    }
    return notice;
  }

  void SetTold(std::uint64_t ticket) {
    for (Item& item : items) {
      if (item.told != Told::kBeingTold || item.ticket != ticket) continue;
      item.told = Told::kYes;
      MakeReady(item);
    }
  }

  void Resize(const PoolLimits& the_limits) {
    limits = the_limits;
    RefuseWaits(Refusal::kTooLarge,
                [this](const Item& item) { return item.task->bytes > limits.capacity_bytes; });
    Settle();
  }

  void Limit(const LimitGroup& group, std::uint64_t max_active) {
    group_limits[&group] = max_active;
    Settle();
  }

  void Pause() {
    if (!closed) paused = true;
  }
  void Resume() {
    if (closed) return;
    paused = draining = false;
    Settle();
  }
  void Drain() {
    paused = false;
    draining = true;
    RefuseWaits(Refusal::kDraining, [](const Item&) { return true; });
    Settle();
  }
  void Close(bool run) {
    closed = true;
    run_queued = run_queued && run;
    Drain();
  }

  std::vector<Task*> TakeQueued() {
    std::vector<Task*> taken;
    for (const Item* item : InOrder(State::kQueued)) {
      if (item->published && item->told == Told::kYes) taken.push_back(item->task);
    }
    for (Task* task : taken) Erase(*task);
    withdrawn += taken.size();
    Settle();
    return taken;
  }

  std::uint64_t Count(State state) const {
    return static_cast<std::uint64_t>(std::count_if(
        items.begin(), items.end(), [state](const Item& item) { return item.state == state; }));
  }
  std::uint64_t Bytes(State state) const {
    std::uint64_t sum = 0;
    for (const Item& item : items) sum += item.state == state ? item.task->bytes : 0;
    return sum;
  }
  std::uint64_t PlacesTaken() const {
    std::uint64_t sum = 0;
    for (const Item& item : items) sum += item.state == State::kActive ? item.task->weight : 0;
    return sum;
  }
  std::uint64_t CountActive(const LimitGroup* group) const {
    return static_cast<std::uint64_t>(
        std::count_if(items.begin(), items.end(), [group](const Item& item) {
          return item.state == State::kActive && item.task->group == group;
        }));
  }
  bool Idle() const {
    return Count(State::kActive) == 0 && (Count(State::kQueued) == 0 || !run_queued);
  }

  PoolLimits limits;
  std::map<const LimitGroup*, std::uint64_t> group_limits;  // absent or 0: none
  bool paused = false;
  bool draining = false;
  bool closed = false;
  bool run_queued = true;
  // Waiting ones in the order of arrival, queued ones in the order of acceptance.
  std::vector<Item> items;
  std::deque<Notice> notices;
  std::uint64_t accepted = 0;
  std::array<std::uint64_t, kRefusals> refused{};
  std::uint64_t finished = 0;
  std::uint64_t withdrawn = 0;
  PeakWindow peaks;
  PeakWindow window;

 private:
  static bool InHands(const Item& item) {
    return item.state == State::kActive && item.hand == Hand::kTaken;
  }
  bool MayStart() const { return !paused && run_queued; }
  bool HasPlacesFor(const Task& task) const {
    return PlacesTaken() == 0 || PlacesTaken() + task.weight <= limits.workers;
  }
  bool PassedOver(const Task& task) const {
    if (task.group == nullptr) return false;
    const auto limit = group_limits.find(task.group);
    return limit != group_limits.end() && limit->second > 0 &&
           CountActive(task.group) >= limit->second;
  }
  bool AnyStartableAhead(int priority) const {
    return std::any_of(items.begin(), items.end(), [&](const Item& item) {
      return item.state != State::kActive && item.task->priority >= priority &&
             !PassedOver(*item.task);
    });
  }
  bool AnyWaitingAhead(int priority) const {
    return std::any_of(items.begin(), items.end(), [&](const Item& item) {
      return item.state == State::kWaiting && item.task->priority >= priority;
    });
  }
  bool Fits(const Task& task) const {
    return Count(State::kQueued) < limits.capacity &&
           Bytes(State::kQueued) + task.bytes <= limits.capacity_bytes;
  }

  // The tasks of a state by priority; the order within one is that of `items`.
  std::vector<Item*> InOrder(State state) {
    std::vector<Item*> found;
    for (Item& item : items) {
      if (item.state == state) found.push_back(&item);
    }
    std::stable_sort(found.begin(), found.end(), [](const Item* a, const Item* b) {
      return a->task->priority > b->task->priority;
    });
    return found;
  }

  // Queued ones and waiting ones by priority; of a priority the queued ones first.
  Item* NextToStart() {
    Item* next = nullptr;
    for (const State state : {State::kQueued, State::kWaiting}) {
      for (Item* item : InOrder(state)) {
        if (PassedOver(*item->task)) continue;
        if (next == nullptr || item->task->priority > next->task->priority) next = item;
      }
    }
    return next;
  }

  void Settle() {
    while (MayStart()) {
      Item* next = NextToStart();
      if (next == nullptr || !HasPlacesFor(*next->task)) break;
      if (next->state == State::kWaiting) AcceptWait(*next);
      Start(*next);
      RaisePeaks();
    }
    for (;;) {
      const std::vector<Item*> waiting = InOrder(State::kWaiting);
      if (waiting.empty() || !Fits(*waiting[0]->task)) break;
      AcceptWait(*waiting[0]);
      // Its rank is that of its acceptance: behind all that were accepted before.
      Item item = *waiting[0];
      item.state = State::kQueued;
      Erase(*item.task);
      items.push_back(item);
      RaisePeaks();
    }
  }

  void AcceptWait(Item& item) {
    ++accepted;
    notices.push_back({item.task, true, Refusal::kQueueFull});
  }
  void Start(Item& item) {
    item.state = State::kActive;
    item.hand = Hand::kReserved;
    MakeReady(item);
  }
  void MakeReady(Item& item) {
    if (item.state != State::kActive || item.hand != Hand::kReserved) return;
    if (!item.published || item.told != Told::kYes) return;
    item.hand = Hand::kReady;
    item.started = ++last_started_;
  }
  template <typename Which>
  void RefuseWaits(Refusal why, Which which) {
    std::vector<Task*> ended;
    for (const Item* item : InOrder(State::kWaiting)) {
      if (which(*item)) ended.push_back(item->task);
    }
    for (Task* task : ended) {
      Erase(*task);
      CountRefused(why);
      notices.push_back({task, false, why});
    }
  }
  OfferResult Refuse(Refusal why) {
    CountRefused(why);
    return {Verdict::kRefused, why};
  }
  void CountRefused(Refusal why) { ++refused[static_cast<std::size_t>(why)]; }
  void RaisePeaks() {
    for (PeakWindow* w : {&peaks, &window}) {
      w->queued_peak = std::max(w->queued_peak, Count(State::kQueued));
      w->active_peak = std::max(w->active_peak, Count(State::kActive));
    }
  }
  Item* Find(const Task& task) {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&task](const Item& item) { return item.task == &task; });
    return found == items.end() ? nullptr : &*found;
  }
  void Erase(const Task& task) {
    std::erase_if(items, [&task](const Item& item) { return item.task == &task; });
  }

  std::uint64_t last_started_ = 0;
};

}  // namespace workpool
