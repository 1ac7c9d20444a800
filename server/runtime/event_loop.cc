#include "runtime/event_loop.h"

#include <deque>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "runtime/loop_alarm.h"
#include "runtime/reactor.h"
#include "runtime/signal_source.h"

namespace workpool {

class EventLoop::Impl {
 public:
  Impl() : signals_(reactor_, [this](int signal) { HandleSignal(signal); }) {}
  ~Impl() { Stop(); }

  void Start() {
    thread_ = std::thread([this] { reactor_.Run(); });
  }

  void Stop() {
    reactor_.Stop();
    if (thread_.joinable()) thread_.join();
  }

  void Post(std::move_only_function<void()> task) { reactor_.Post(std::move(task)); }

  void OnSignal(std::function<void(int)> handler) { on_signal_ = std::move(handler); }

  Alarm& MakeAlarm(std::function<void()> ring) {
    MutexLock lock(mutex_);
    return alarms_.emplace_back(reactor_, std::move(ring));
  }

 private:
  void HandleSignal(int signal) {
    if (on_signal_) on_signal_(signal);
  }

  Reactor reactor_;
  std::function<void(int)> on_signal_;  // constant once the thread runs
  SignalSource signals_;
  std::thread thread_;

  Mutex mutex_;
  std::deque<LoopAlarm> alarms_ GUARDED_BY(mutex_);
};

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {}
EventLoop::~EventLoop() = default;

void EventLoop::Start() { impl_->Start(); }
void EventLoop::Stop() { impl_->Stop(); }
void EventLoop::Post(std::move_only_function<void()> task) { impl_->Post(std::move(task)); }
void EventLoop::OnSignal(std::function<void(int)> handler) { impl_->OnSignal(std::move(handler)); }
Alarm& EventLoop::MakeAlarm(std::function<void()> ring) {
  return impl_->MakeAlarm(std::move(ring));
}

}  // namespace workpool
