#include <exception>
#include <utility>

#include "jobs/handler.h"

namespace workpool {

Outcome Outcome::Failure(std::string message, std::string code) {
  Outcome outcome;
  outcome.message_ = std::move(message);
  outcome.code_ = std::move(code);
  return outcome;
}

Outcome Outcome::NoRetry(std::string message, std::string code) {
  Outcome outcome = Failure(std::move(message), std::move(code));
  outcome.no_retry_ = true;
  return outcome;
}

Outcome Outcome::OfException() {
  try {
    throw;
  } catch (const std::exception& e) {
    return Failure(e.what());
  } catch (const std::string& text) {
    return Failure(text);
  } catch (const char* text) {
    return Failure(text == nullptr ? "" : text);
  } catch (...) {
    return Failure("the handler threw something that is no std::exception");
  }
}

Outcome&& Outcome::WithResult(std::string result, bool truncated) && {
  result_ = std::move(result);
  truncated_ = truncated;
  return std::move(*this);
}

Outcome&& Outcome::Stopped() && {
  stopped_ = true;
  return std::move(*this);
}

}  // namespace workpool
