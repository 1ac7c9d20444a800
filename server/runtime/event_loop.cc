#include "runtime/event_loop.h"

#include <unistd.h>

#include <csignal>
#include <deque>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "runtime/child_table.h"
#include "runtime/loop_alarm.h"
#include "runtime/process_runner.h"
#include "runtime/reactor.h"
#include "runtime/signal_source.h"

namespace workpool {

class EventLoop::Impl {
 public:
  explicit Impl(bool reap_orphans)
      : signals_(reactor_, [this](int signal) { HandleSignal(signal); }),
        runner_(reactor_, children_, reap_orphans) {}
  ~Impl() { Stop(); }

  void Start() {
    thread_ = std::thread([this] { reactor_.Run(); });
  }

  void Stop() {
    reactor_.Stop();
    if (thread_.joinable()) thread_.join();
    KillChildren();
    runner_.Abandon();
  }

  void Post(std::move_only_function<void()> task) { reactor_.Post(std::move(task)); }

  void OnSignal(std::function<void(int)> handler) { on_signal_ = std::move(handler); }

  Alarm& MakeAlarm(std::function<void()> ring) {
    MutexLock lock(mutex_);
    return alarms_.emplace_back(reactor_, std::move(ring));
  }

  ChildRunner& runner() { return runner_; }
  void KillChildren() { children_.KillAll(); }

 private:
  void HandleSignal(int signal) {
    if (signal == SIGCHLD) return runner_.OnChildSignal();
    if (on_signal_) on_signal_(signal);
  }

  ChildTable children_;  // tasks that never ran may hold children, so it outlives the reactor
  Reactor reactor_;
  std::function<void(int)> on_signal_;  // constant once the thread runs
  SignalSource signals_;
  ProcessRunner runner_;
  std::thread thread_;

  Mutex mutex_;
  std::deque<LoopAlarm> alarms_ GUARDED_BY(mutex_);
};

EventLoop::EventLoop() : EventLoop(::getpid() == 1) {}
EventLoop::EventLoop(bool reap_orphans) : impl_(std::make_unique<Impl>(reap_orphans)) {}
EventLoop::~EventLoop() = default;

void EventLoop::Start() { impl_->Start(); }
void EventLoop::Stop() { impl_->Stop(); }
void EventLoop::Post(std::move_only_function<void()> task) { impl_->Post(std::move(task)); }
void EventLoop::OnSignal(std::function<void(int)> handler) { impl_->OnSignal(std::move(handler)); }
Alarm& EventLoop::MakeAlarm(std::function<void()> ring) {
  return impl_->MakeAlarm(std::move(ring));
}
ChildRunner& EventLoop::children() { return impl_->runner(); }
void EventLoop::KillChildren() { impl_->KillChildren(); }

}  // namespace workpool
