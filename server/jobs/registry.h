// The C++ handlers of a daemon or an embedding program.
//
//   workpool::HandlerRegistry registry;
//   registry.Add("resize", [](const workpool::Job& job, workpool::JobContext& context)
//                              -> workpool::Outcome { return Resize(job.payload); });
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "jobs/handler.h"

namespace workpool {

// Runs on a worker's thread and holds it until it returns. What it throws, of any type, fails the
// attempt; the exception's text becomes the error's message.
using HandlerFunction = std::function<Outcome(const Job&, JobContext&)>;

// Not thread safe: fill it, then hand it to the daemon.
class HandlerRegistry {
 public:
  // Throws std::invalid_argument for a name that breaks the rule for names or is taken.
  void Add(std::string name, HandlerFunction function);
  void Add(std::string name, std::shared_ptr<Handler> handler);

  const std::map<std::string, std::shared_ptr<Handler>>& handlers() const { return handlers_; }

 private:
  std::map<std::string, std::shared_ptr<Handler>> handlers_;
};

// The function as a Handler.
std::shared_ptr<Handler> MakeFunctionHandler(HandlerFunction function);

}  // namespace workpool
