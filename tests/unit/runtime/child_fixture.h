// What tests of child processes share: a running loop, children with futures, looks at the system.
#pragma once

#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "fakes/eventually.h"
#include "runtime/event_loop.h"

namespace workpool {

template <typename T>
T Get(std::future<T>&& future) {
  if (future.wait_for(kHang) != std::future_status::ready) {
    ADD_FAILURE() << "nothing happened";
    std::abort();
  }
  return future.get();
}

template <typename T>
T Get(std::future<T>& future) {
  return Get(std::move(future));
}

inline int OpenDescriptors() {
  int count = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

// Whether this process has any child, ended or not.
inline bool HasChildren() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

inline bool IsRunning(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string stat((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat[name_end + 2] != 'Z' && stat[name_end + 2] != 'X';
}

inline std::vector<pid_t> Pids(const std::string& output) {
  std::istringstream stream(output);
  return {std::istream_iterator<pid_t>(stream), {}};
}

inline ChildSpec Shell(std::string script) {
  ChildSpec spec;
  spec.argv = {"/bin/sh", "-c", std::move(script)};
  spec.env = {{"PATH", "/usr/bin:/bin"}};
  spec.max_output = std::size_t{16} << 20;
  return spec;
}

class ChildTest : public testing::Test {
 protected:
  struct Started {
    std::shared_ptr<Child> child;
    std::future<ChildExit> exit;
    // The first line that it writes to stderr.
    std::future<std::string> spoke;
  };

  ChildTest() { loop_->Start(); }

  Started Start(ChildSpec spec) {
    Started started;
    auto spoke = std::make_shared<std::promise<std::string>>();
    started.spoke = spoke->get_future();
    spec.on_stderr = [spoke, told = false, text = std::string()](std::string_view bytes) mutable {
      text += bytes;
      if (text.find('\n') == std::string::npos || std::exchange(told, true)) return;
      spoke->set_value(text.substr(0, text.find('\n')));
    };
    std::promise<ChildExit> exit;
    started.exit = exit.get_future();
    auto child = loop_->children().Start(
        std::move(spec),
        [exit = std::move(exit)](ChildExit value) mutable { exit.set_value(std::move(value)); });
    EXPECT_TRUE(child) << child.error().message;
    started.child = std::move(*child);
    return started;
  }

  ChildExit Run(ChildSpec spec) { return Get(Start(std::move(spec)).exit); }
  ChildExit Run(std::string script) { return Run(Shell(std::move(script))); }

  std::string ErrorOf(ChildSpec spec) {
    const auto child = loop_->children().Start(
        std::move(spec), [](ChildExit) { ADD_FAILURE() << "done was called"; });
    return child ? "it started" : child.error().message;
  }

  // Until the loop has done what it had to do.
  void Settle() {
    for (int i = 0; i < 2; ++i) {
      std::promise<void> done;
      auto future = done.get_future();
      loop_->Post([&done] { done.set_value(); });
      Get(future);
    }
  }

  std::unique_ptr<EventLoop> loop_ = std::make_unique<EventLoop>();
};

}  // namespace workpool
