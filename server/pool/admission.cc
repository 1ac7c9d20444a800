#include "pool/admission.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/prefetch.h"

namespace workpool {
namespace {

// Of a task and what its owner keeps with it.
constexpr std::size_t kTaskBytes = 256;

}  // namespace

std::uint64_t PoolStats::RefusedTotal() const {
  return std::accumulate(refused.begin(), refused.end(), std::uint64_t{0});
}

Admission::Admission(const PoolLimits& limits) : limits_(limits), numbers_(limits.workers) {
  WORKPOOL_CHECK(limits.workers > 0);
}

// --- the rules ------------------------------------------------------------------------------

std::optional<Refusal> Admission::Bar(const Task& task) const {
  if (task.weight > limits_.HeaviestTask()) return Refusal::kTooHeavy;
  if (task.bytes > limits_.capacity_bytes) return Refusal::kTooLarge;
  if (draining_) return Refusal::kDraining;
  return std::nullopt;
}

bool Admission::MayStart() const {
  return !paused_ && run_queued_ && places_taken_ < limits_.workers;
}

// Asked only when MayStart. What weighs more than the pool has runs alone.
bool Admission::HasPlacesFor(const Task& task) const {
  return task.weight <= limits_.workers - places_taken_ || places_taken_ == 0;
}

bool Admission::CanStartNow(const Task& task) const {
  return MayStart() && HasPlacesFor(task) && (task.group == nullptr || !task.group->full()) &&
         queued_.HighestStartable() < task.priority && waiting_.HighestStartable() < task.priority;
}

bool Admission::HasRoomFor(const Task& task) const {
  return waiting_.Highest() < task.priority && Fits(task);
}

// Written with a difference, so that no sum can overflow; after a shrink more may be queued than
// the bounds allow.
bool Admission::Fits(const Task& task) const {
  return queued_.size() < limits_.capacity && queued_.bytes() <= limits_.capacity_bytes &&
         task.bytes <= limits_.capacity_bytes - queued_.bytes();
}

bool Admission::MayWait(const Task& task) const {
  return waiting_.size() < limits_.max_waiting && waiting_.bytes() <= limits_.capacity_bytes &&
         task.bytes <= limits_.capacity_bytes - waiting_.bytes();
}

// What free places go to: the most urgent of queued tasks and waiting posts that are not passed
// over; of equals the queued one, which was accepted before.
Task* Admission::SelectNext() const {
  Task* queued = queued_.FirstStartable();
  if (waiting_.size() == 0) return queued;
  Task* waiting = waiting_.FirstStartable();
  if (waiting == nullptr) return queued;
  return queued != nullptr && queued->priority >= waiting->priority ? queued : waiting;
}

// Gives free places and then room to those who are due. Called after every change that may have
// made some.
void Admission::Serve() {
  while (MayStart()) {
    Task* task = SelectNext();
    if (task == nullptr || !HasPlacesFor(*task)) break;
    if (!TakeOfLimit(*task)) continue;  // another pool was quicker: it is passed over now
    StartWaitingTask(*task);
  }
  while (waiting_.size() > 0 && Fits(*waiting_.Front())) {
    Task* task = waiting_.Front();
    waiting_.Remove(*task);
    AcceptWait(*task);
    Enqueue(*task);
  }
}

// --- posting --------------------------------------------------------------------------------

OfferResult Admission::Offer(Task& task, WhenFull when_full, bool publish) {
  if (const auto result = Admit(task, publish)) return *result;
  if (when_full == WhenFull::kReject || !MayWait(task)) return Refuse(Refusal::kQueueFull);
  task.told_ = Task::Told::kNotYet;
  task.where_ = Task::Where::kWaiting;
  waiting_.Push(task);
  return {Verdict::kWaiting};
}

std::optional<OfferResult> Admission::OfferUnlessWait(Task& task, bool publish) {
  if (const auto result = Admit(task, publish)) return *result;
  if (!MayWait(task)) return Refuse(Refusal::kQueueFull);
  return std::nullopt;
}

// No result: there is no room.
std::optional<OfferResult> Admission::Admit(Task& task, bool publish) {
  WORKPOOL_CHECK(task.where_ == Task::Where::kNowhere);
  WORKPOOL_CHECK(task.priority < kPriorities && task.weight > 0);
  if (const std::optional<Refusal> why = Bar(task)) return Refuse(*why);
  task.published_ = publish;
  task.told_ = Task::Told::kYes;
  if (CanStartNow(task) && TakeOfLimit(task)) {
    ++accepted_;
    Start(task);
    return OfferResult{Verdict::kStarted};
  }
  if (HasRoomFor(task)) {
    ++accepted_;
    Enqueue(task);
    return OfferResult{Verdict::kQueued};
  }
  return std::nullopt;
}

void Admission::Publish(Task& task) {
  if (!Accepted(task)) return;
  task.published_ = true;
  if (task.where_ == Task::Where::kReserved) MakeReady(task);
}

bool Admission::GiveUp(Task& task, Refusal why) {
  if (task.where_ != Task::Where::kWaiting) return false;
  waiting_.Remove(task);
  task.where_ = Task::Where::kNowhere;
  CountRefused(why);
  Serve();
  return true;
}

bool Admission::Withdraw(Task& task, Refusal why) {
  if (GiveUp(task, why)) return true;
  if (!Accepted(task)) return false;
  switch (task.told_) {
    case Task::Told::kBeingTold: return false;
    case Task::Told::kNotYet: return Revoke(task, why);
    case Task::Told::kYes: break;
  }
  TakeOut(task);
  ++withdrawn_;
  Serve();
  return true;
}

bool Admission::Revoke(Task& task, Refusal why) {
  if (GiveUp(task, why)) return true;
  if (!Accepted(task)) return false;
  if (task.told_ == Task::Told::kNotYet) notices_.Drop(task.notice_);
  if (task.told_ == Task::Told::kBeingTold) ForgetTelling(task);
  TakeOut(task);
  --accepted_;
  CountRefused(why);
  Serve();
  return true;
}

// --- running --------------------------------------------------------------------------------

Admission::Started Admission::TakeReady() {
  Task* task = ready_.PopFront();
  if (task == nullptr) return {};
  task->where_ = Task::Where::kNowhere;
  return {task, PlaceOf(*task)};
}

void Admission::Finish(Place place) {
  WORKPOOL_CHECK(active_ > 0);
  FreePlaces(place);
  ++finished_;
  Serve();
}

Admission::Notice Admission::TakeNotice() {
  const NoticeQueue::Entry entry = notices_.Take();
  if (entry.task == nullptr) return {};
  if (!entry.accepted) return {entry.task, false, entry.refusal};
  entry.task->told_ = Task::Told::kBeingTold;
  telling_.push_back({++last_ticket_, entry.task});
  return {.task = entry.task, .accepted = true, .ticket = last_ticket_};
}

// Those that were revoked meanwhile are missing.
void Admission::Told(std::uint64_t first_ticket, std::uint64_t count) {
  const auto first = std::ranges::lower_bound(telling_, first_ticket, {}, &Telling::ticket);
  auto end = first;
  for (; end != telling_.end() && end->ticket - first_ticket < count; ++end) {
    Task& task = *end->task;
    task.told_ = Task::Told::kYes;
    if (task.where_ == Task::Where::kReserved) MakeReady(task);
  }
  telling_.erase(first, end);
}

// --- control --------------------------------------------------------------------------------

void Admission::Resize(const PoolLimits& limits) {
  WORKPOOL_CHECK(limits.workers > 0);
  if (limits.workers != limits_.workers) numbers_.SetLimit(limits.workers);
  limits_ = limits;
  if (waiting_.size() > 0) {
    for (Task* task : waiting_.All()) {
      if (task->bytes > limits.capacity_bytes) RefuseWait(*task, Refusal::kTooLarge);
    }
  }
  Serve();
}

void Admission::Pause() { paused_ = !closed_; }

void Admission::Resume() {
  if (closed_) return;
  paused_ = false;
  draining_ = false;
  Serve();
}

void Admission::Drain() {
  paused_ = false;
  draining_ = true;
  RefuseAllWaits(Refusal::kDraining);
  Serve();
}

void Admission::Close(bool run_queued) {
  closed_ = true;
  run_queued_ = run_queued_ && run_queued;
  Drain();
}

std::vector<Task*> Admission::TakeQueued() {
  std::vector<Task*> taken = queued_.All();
  std::erase_if(
      taken, [](const Task* task) { return !task->published_ || task->told_ != Task::Told::kYes; });
  for (Task* task : taken) TakeOut(*task);
  withdrawn_ += taken.size();
  Serve();
  return taken;
}

bool Admission::Idle() const { return active_ == 0 && (queued_.size() == 0 || !run_queued_); }

// --- moves between the lists ----------------------------------------------------------------

bool Admission::Accepted(const Task& task) {
  return task.where_ != Task::Where::kNowhere && task.where_ != Task::Where::kWaiting;
}

void Admission::StartWaitingTask(Task& task) {
  if (task.where_ == Task::Where::kQueued) {
    queued_.Remove(task);
    // The next was last touched by the thread that posted it. It will be wanted as soon as this one
    // has been run, which takes about as long as to fetch it.
    if (const Task* const next = queued_.Front()) Prefetch(next, kTaskBytes);
  } else {
    waiting_.Remove(task);
    AcceptWait(task);
  }
  Start(task);
}

void Admission::Start(Task& task) {
  task.worker_ = numbers_.Take();
  task.where_ = Task::Where::kReserved;
  ++active_;
  places_taken_ += task.weight;
  if (task.group != nullptr) ++task.group->active_;
  RaisePeak(&PeakWindow::active_peak, active_);
  MakeReady(task);
}

void Admission::MakeReady(Task& task) {
  if (!task.published_ || task.told_ != Task::Told::kYes) return;
  task.where_ = Task::Where::kReady;
  ready_.PushBack(task);
}

void Admission::Enqueue(Task& task) {
  task.where_ = Task::Where::kQueued;
  queued_.Push(task);
  RaisePeak(&PeakWindow::queued_peak, queued_.size());
}

void Admission::AcceptWait(Task& task) {
  ++accepted_;
  task.notice_ = notices_.Push({.task = &task, .accepted = true});
}

OfferResult Admission::Refuse(Refusal why) {
  CountRefused(why);
  return {Verdict::kRefused, why};
}

void Admission::RefuseWait(Task& task, Refusal why) {
  waiting_.Remove(task);
  task.where_ = Task::Where::kNowhere;
  CountRefused(why);
  notices_.Push({.task = &task, .accepted = false, .refusal = why});
}

void Admission::RefuseAllWaits(Refusal why) {
  while (Task* task = waiting_.Front()) RefuseWait(*task, why);
}

// Takes an accepted task out of wherever it is, its place with it.
void Admission::TakeOut(Task& task) {
  if (task.where_ == Task::Where::kQueued) {
    queued_.Remove(task);
  } else {
    if (task.where_ == Task::Where::kReady) ready_.Remove(task);
    FreePlaces(PlaceOf(task));
  }
  task.where_ = Task::Where::kNowhere;
}

void Admission::FreePlaces(const Place& place) {
  numbers_.Return(place.worker);
  --active_;
  places_taken_ -= place.weight;
  if (place.group == nullptr) return;
  --place.group->active_;
  ReturnToLimit(*place.group);
}

void Admission::ForgetTelling(const Task& task) {
  std::erase_if(telling_, [&task](const Telling& t) { return t.task == &task; });
}

// --- counts ---------------------------------------------------------------------------------

void Admission::RaisePeak(std::uint64_t PeakWindow::* peak, std::uint64_t now) {
  peaks_.*peak = std::max(peaks_.*peak, now);
  for (PeakWindow* window : windows_) window->*peak = std::max(window->*peak, now);
}

PoolStats Admission::Read() const {
  return {.limits = limits_,
          .paused = paused_,
          .draining = draining_,
          .closed = closed_,
          .queued = queued_.size(),
          .queued_bytes = queued_.bytes(),
          .active = active_,
          .places_taken = places_taken_,
          .waiting = waiting_.size(),
          .waiting_bytes = waiting_.bytes(),
          .queued_peak = peaks_.queued_peak,
          .active_peak = peaks_.active_peak,
          .accepted = accepted_,
          .refused = refused_,
          .finished = finished_,
          .withdrawn = withdrawn_,
          .oldest_queued = queued_.Oldest()};
}

void Admission::AddWindow(PeakWindow& window) {
  ResetWindow(window);
  windows_.push_back(&window);
}

void Admission::RemoveWindow(PeakWindow& window) { std::erase(windows_, &window); }

void Admission::ResetWindow(PeakWindow& window) const {
  window = {.queued_peak = queued_.size(), .active_peak = active_};
}

}  // namespace workpool
