// Errors that the user can fix, as data. Stages report into a Sink and continue; report/ formats the collected
// diagnostics as text, JSON and so on. Nothing here prints.
#pragma once
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "source/source.h"

namespace capwright {

enum class Severity : std::uint8_t { Note, Warning, Error };

// How safe a fix is: applied by --fix, only by --unsafe-fixes, or only displayed.
enum class Safety : std::uint8_t { Safe, Unsafe, DisplayOnly };

struct Edit {
  Span where;
  std::string text;
};
struct Fix {
  std::string title;
  Safety safety = Safety::DisplayOnly;
  std::vector<Edit> edits;
};

// A second place of the same error; an empty text only underlines it.
struct Label {
  Span where;
  std::string text;
};

// The evaluator's path to the error: "included from", "in macro `nodes`"; innermost first.
struct TraceFrame {
  Span where;
  std::string what;
};

// The constant part of a diagnostic, declared once in catalog.def.
struct DiagInfo {
  std::string_view code;  // "T012": never changes
  std::string_view name;  // "undefined_variable"; shown with hyphens
  Severity severity;
  std::string_view format;       // of the message; {0}, {1} … in fmt's syntax
  std::string_view explanation;  // Markdown, shown by `capwright explain CODE`
};

// The types of the message's arguments are part of the declaration: a report() with other types doesn't compile.
template <class... Args>
struct DiagSpec {
  DiagInfo info;
};

struct Diagnostic {
  const DiagInfo* info = nullptr;
  Severity severity = Severity::Error;
  std::string message;
  Span where;
  std::string label;  // the text at the caret; may be empty
  std::vector<Label> labels;
  std::vector<TraceFrame> trace;
  std::vector<std::string> notes;
  std::optional<std::string> help;
  std::optional<Fix> fix;
  std::uint32_t repeats = 0;  // how often the same error was reported again ("and 39 more")
  std::string subject;        // in the rendered tree: "KubeadmControlPlane/prod spec.replicas"; empty: no object
  Span cause;                 // known: the line of a built-in template that other places come from
  std::string_view pattern;   // set: one error of a template, for any clusters and objects in its messages

  // Methods for chaining: sink.report(…).note("…").advise("…").
  Diagnostic& at_caret(std::string text) {
    label = std::move(text);
    return *this;
  }
  Diagnostic& also(Span where_else, std::string text) {
    labels.push_back({where_else, std::move(text)});
    return *this;
  }
  Diagnostic& note(std::string text) {
    notes.push_back(std::move(text));
    return *this;
  }
  Diagnostic& advise(std::string text) {
    help = std::move(text);
    return *this;
  }
};

// Collects diagnostics in order. A code is stored once per place, with a count.
class Sink {
 public:
  template <class... Args>
  Diagnostic& report(const DiagSpec<Args...>& spec, Span where, const std::type_identity_t<Args>&... args) {
    return add(spec.info, where, fmt::format(fmt::runtime(spec.info.format), args...));
  }
  // For data-driven diagnostics (lint rules, replayed caches); prefer report().
  Diagnostic& add(const DiagInfo& info, Span where, std::string message);

  // Reserves room for `count` more.
  void expect(std::size_t count) { diagnostics_.reserve(diagnostics_.size() + count); }

  // Whether there is an error so far, or since a value of error_count(), which counts repetitions too.
  bool failed() const { return errors_ != 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic>& diagnostics() {
    entered_ = 0;
    return diagnostics_;
  }

 private:
  // The diagnostic with that code, place and message; null if there is none.
  Diagnostic* find(const DiagInfo& info, Span where, std::string_view message);
  void enter(std::size_t number);

  std::vector<Diagnostic> diagnostics_;
  // A hash table with open addressing of diagnostics' numbers, from 1; 0 is a free slot.
  std::vector<std::uint32_t> table_;
  std::size_t entered_ = 0;  // the number of entries; 0 after others could have changed them
  Diagnostic repeated_;
  std::size_t errors_ = 0;
};

// Sorts by path, place, code and message, which is the display order.
void sort_for_display(std::vector<const Diagnostic*>&, const SourceSet&);

}  // namespace capwright
