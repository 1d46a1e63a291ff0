// The errors of a running render, and its end: the place of the running operation, the calls that led to it, and the
// limits.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "template/syntax/ast.h"
#include "value/stage.h"

namespace capwright::jinja {

// Jinja2's class of an error.
enum class FaultKind : std::uint8_t { None, Syntax, Undefined, NotFound, Runtime };

// The first error of a render, in order of execution: where Jinja2 would stop.
struct FirstFault {
  FaultKind kind = FaultKind::None;
  std::string message;
  const Node* at = nullptr;  // the statement or printed expression, in the innermost template
  FileId file = FileId::None;
};

class Faults {
 public:
  Faults(Stage& in, RenderTrace& calls) : stage(in), trace(calls) {}

  Stage& stage;
  RenderTrace& trace;
  // The place of the running operation: the evaluator sets it before each operation that can fail.
  Span here;
  const Node* at = nullptr;  // the running statement or printed expression
  FrameId frame = FrameId::Root;
  bool stop_at_first = false;  // as in Jinja2; otherwise a render reports all errors

  // Reports at `here` with the call trace, once per place; returns Value::error().
  template <class... Args>
  Value fail(const DiagSpec<Args...>& spec, const std::type_identity_t<Args>&... args) {
    report(spec, here, args...);
    return Value::error();
  }
  // Like fail(), for an error with Python's wording ("can only concatenate str …"): a code and free text.
  Value fail_as(const DiagInfo& info, std::string message);
  // Counts an error that other code has reported: syntax errors in a template, text that isn't YAML.
  void fail_elsewhere(FaultKind kind);
  // For advice and notes; null if the same error was reported at this place before, or too many others were.
  template <class... Args>
  Diagnostic* report(const DiagSpec<Args...>& spec, Span where, const std::type_identity_t<Args>&... args) {
    return repeated(spec.info, where) ? nullptr
                                      : add(spec.info, where, fmt::format(fmt::runtime(spec.info.format), args...));
  }

  // True once the render must stop: after a limit, or after the first error in Jinja2's own mode.
  bool stopped() const { return stopped_; }
  // The number of errors in this render, including repeated ones: shows whether an operation whose result can't signal
  // it (truth, str, equals, contains) has failed.
  std::uint64_t failures() const { return failures_; }
  const FirstFault& first_fault() const { return first_; }
  // Findings that Limits::diagnostics dropped.
  std::uint64_t dropped() const { return dropped_; }

  // Counts `steps` against Limits::steps and checks the Arena; false (and reported) if either is used up.
  bool step(std::uint64_t steps = 1) {
    steps_ += steps;
    if (steps_ <= stage.limits.steps && stage.arena.bytes_reserved() <= stage.limits.arena_bytes) return !stopped_;
    return out_of_steps();
  }
  // False (and reported) if a string of `bytes` or a list of `items` would exceed its limit.
  bool room_for_text(std::uint64_t bytes);
  bool room_for_items(std::uint64_t items);
  void stop() { stopped_ = true; }

 private:
  friend class Nesting;
  // Limits::depth bounds calls; expressions and data may add several levels in each of them.
  std::uint32_t deepest() const { return stage.limits.depth * 10; }
  void nested_too_deep(std::string_view what);
  bool repeated(const DiagInfo&, Span where);
  Diagnostic* add(const DiagInfo&, Span where, std::string message);
  bool out_of_steps();

  struct Place {
    const DiagInfo* info;
    Span where;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place&) const;
  };
  std::unordered_map<Place, std::size_t, PlaceHash> reported_;  // index in the Sink
  FirstFault first_;
  std::uint64_t steps_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint32_t nesting_ = 0;
  bool stopped_ = false;
};

// One more level of nesting (expressions, calls, data) during its lifetime: bounds the stack.
class Nesting {
 public:
  Nesting(Faults& faults, std::string_view what) : faults_(faults), fits_(++faults.nesting_ <= faults.deepest()) {
    if (!fits_) faults.nested_too_deep(what);
  }
  ~Nesting() { --faults_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  // False (and reported) if this level is one too many: the caller must not recurse.
  bool fits() const { return fits_; }

 private:
  Faults& faults_;
  bool fits_;
};

}  // namespace capwright::jinja
