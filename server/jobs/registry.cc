#include "jobs/registry.h"

#include <stdexcept>
#include <utility>

#include "base/names.h"

namespace workpool {
namespace {

class FunctionHandler final : public Handler {
 public:
  explicit FunctionHandler(HandlerFunction function) : function_(std::move(function)) {}

  void Run(std::shared_ptr<Attempt> attempt) override {
    attempt->Finish(function_(attempt->job(), *attempt));
  }

 private:
  const HandlerFunction function_;
};

}  // namespace

void HandlerRegistry::Add(std::string name, HandlerFunction function) {
  if (!function) throw std::invalid_argument("handler \"" + name + "\": the function is empty");
  Add(std::move(name), MakeFunctionHandler(std::move(function)));
}

void HandlerRegistry::Add(std::string name, std::shared_ptr<Handler> handler) {
  if (handler == nullptr) throw std::invalid_argument("handler \"" + name + "\" is null");
  const Result<void> checked = CheckName("handler", name);
  if (!checked) throw std::invalid_argument(checked.error().message);
  const auto [at, added] = handlers_.emplace(std::move(name), std::move(handler));
  if (!added) throw std::invalid_argument("handler \"" + at->first + "\" is registered already");
}

std::shared_ptr<Handler> MakeFunctionHandler(HandlerFunction function) {
  return std::make_shared<FunctionHandler>(std::move(function));
}

}  // namespace workpool
