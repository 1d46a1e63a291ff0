// A CEL expression of a table over `self`, `oldSelf`, `object` and `oldObject`. Most objects use few of a table's
// rules, so each expression is compiled at its first evaluation; copies share the result.
#pragma once
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "cel/program.h"

namespace capwright::admission {

class Expression {
 public:
  Expression() = default;  // none
  explicit Expression(std::string_view text) : shared_(std::make_shared<Shared>(text)) {}

  bool exists() const { return shared_ != nullptr; }
  // The value, in the arena; an error for an invalid expression. Threads may evaluate the same expression concurrently.
  cel::Result evaluate(std::span<const cel::Binding>, Arena&) const;
  // Its errors, each as "TEXT: message". Compiles it.
  std::vector<std::string> faults() const;

 private:
  struct Shared {
    explicit Shared(std::string_view written) : text(written) {}
    const cel::Program* program() const;

    std::string text;
    mutable std::once_flag once;
    mutable cel::Compiled compiled;
  };
  std::shared_ptr<const Shared> shared_;
};

}  // namespace capwright::admission
