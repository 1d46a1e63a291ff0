// Detects whether operations look at a secret during its lifetime. An outer Watch detects the same.
#pragma once
#include <utility>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

class Watch {
 public:
  explicit Watch(Runtime& runtime) : runtime_(runtime), outer_(std::exchange(runtime.observed, {})) {}
  ~Watch() {
    if (outer_.secret) runtime_.observed = outer_;
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  bool looked() const { return runtime_.observed.secret; }
  OriginId origin() const { return runtime_.observed.origin; }
  // `result`, as a secret if an operation looked at one.
  Value result(const Value& result) const { return looked() ? runtime_.decided(result, origin()) : result; }

 private:
  Runtime& runtime_;
  Runtime::Observation outer_;
};

}  // namespace capwright::jinja
