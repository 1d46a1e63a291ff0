// One render: a template, the values and a place to find other templates, in; mapped text, the calls that led to each
// piece of it, and every fault on the executed paths, out.
#pragma once
#include <string_view>
#include <vector>

#include "template/runtime/faults.h"
#include "template/syntax/template.h"
#include "value/provenance.h"
#include "value/stage.h"

namespace capwright::jinja {

// Where include, import and extends find templates. Loaders are frozen while renders run, so threads can share one.
class TemplateLoader {
 public:
  virtual ~TemplateLoader() = default;
  // The template of that name, ready to run; null when there is none, or when it has errors (which are reported).
  virtual const Template* find(std::string_view name) const = 0;
  // Whether there is a template of that name, even one with errors.
  virtual bool exists(std::string_view name) const = 0;
  // All names, sorted: the candidates of "did you mean".
  virtual std::vector<std::string_view> names() const = 0;
};

struct RenderInput {
  const Template* main = nullptr;
  const TemplateLoader* loader = nullptr;
  Value context;               // a Map: what the templates know by name
  Value globals;               // a Map or Null: what imported templates without context know, too
  bool stop_at_first = false;  // as Jinja2 does; otherwise all faults on the executed paths are reported
  bool allow_random = false;   // `random` gives other bytes each time
  bool trace_control = false;  // for `explain` and `plan`: frames also tell the conditions and loops that let text out
};

struct RenderResult {
  MappedText text;
  RenderTrace trace;
  FirstFault first_fault;                      // kind None: the render succeeded
  std::vector<std::string_view> secret_texts;  // made of secrets on the way, for messages to be covered
};

// Reports into stage.sink; the text is what came out despite the faults. Values and templates stay as they are.
RenderResult render(const RenderInput& input, Stage& stage);

}  // namespace capwright::jinja
