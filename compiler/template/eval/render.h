// One render. Input: a template, the values and a loader for other templates. Output: mapped text, the calls that led
// to each piece of it, and every error on the executed paths.
#pragma once
#include <string_view>
#include <vector>

#include "template/runtime/faults.h"
#include "template/syntax/template.h"
#include "value/provenance.h"
#include "value/stage.h"

namespace capwright::jinja {

// Finds templates for include, import and extends. Loaders are frozen during renders, so threads can share one.
class TemplateLoader {
 public:
  virtual ~TemplateLoader() = default;
  // The template of that name, ready to run; null if there is none or it has errors (which are reported).
  virtual const Template* find(std::string_view name) const = 0;
  // Whether there is a template of that name, including one with errors.
  virtual bool exists(std::string_view name) const = 0;
  // All names, sorted: the candidates for suggestions.
  virtual std::vector<std::string_view> names() const = 0;
};

struct RenderInput {
  const Template* main = nullptr;
  const TemplateLoader* loader = nullptr;
  Value context;               // a Map: the names that templates see
  Value globals;               // a Map or Null: names that imported templates without context see, too
  bool stop_at_first = false;  // as in Jinja2; otherwise all errors on the executed paths are reported
  bool allow_random = false;   // `random` gives other bytes each time
  bool trace_control = false;  // for `explain` and `plan`: frames include the conditions and loops around text
};

struct RenderResult {
  MappedText text;
  RenderTrace trace;
  FirstFault first_fault;                      // kind None: the render succeeded
  std::vector<std::string_view> secret_texts;  // derived from secrets, to redact in messages
};

// Reports to stage.sink; the text is the output despite errors. Doesn't change values and templates.
RenderResult render(const RenderInput& input, Stage& stage);

}  // namespace capwright::jinja
