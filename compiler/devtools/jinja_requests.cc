// The protocol of the Jinja2 conformance cases: templates, options and context in one JSON object per line.
#include <istream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "devtools/json_value.h"
#include "devtools/tasks.h"
#include "template/eval/render.h"
#include "template/syntax/parse.h"

namespace capwright::devtools {
namespace {

void read_flag(const Value& object, std::string_view key, bool& flag) {
  const Value* found = object.find(key);
  if (found != nullptr && found->is(Kind::Bool)) flag = found->as_bool();
}
void read_text(const Value& object, std::string_view key, std::string& text) {
  const Value* found = object.find(key);
  if (found != nullptr && found->is(Kind::String)) text = found->text();
}

jinja::UndefinedMode undefined_mode(std::string_view name) {
  if (name == "Undefined") return jinja::UndefinedMode::Default;
  if (name == "ChainableUndefined") return jinja::UndefinedMode::Chainable;
  if (name == "DebugUndefined") return jinja::UndefinedMode::Debug;
  return jinja::UndefinedMode::Strict;
}

jinja::Options read_options(const Value& given) {
  jinja::Options options;
  read_text(given, "block_start_string", options.block_start);
  read_text(given, "block_end_string", options.block_end);
  read_text(given, "variable_start_string", options.variable_start);
  read_text(given, "variable_end_string", options.variable_end);
  read_text(given, "comment_start_string", options.comment_start);
  read_text(given, "comment_end_string", options.comment_end);
  read_text(given, "line_statement_prefix", options.line_statement_prefix);
  read_text(given, "line_comment_prefix", options.line_comment_prefix);
  read_text(given, "newline_sequence", options.newline_sequence);
  read_flag(given, "trim_blocks", options.trim_blocks);
  read_flag(given, "lstrip_blocks", options.lstrip_blocks);
  read_flag(given, "keep_trailing_newline", options.keep_trailing_newline);
  read_flag(given, "autoescape", options.autoescape);
  if (given.text_at("yaml_reader") == "go") options.yaml_reader = jinja::YamlReader::Go;
  options.undefined = undefined_mode(std::string(given.text_at("undefined")));
  options.extension_do = options.extension_loopcontrols = options.extras = false;
  if (const Value* extensions = given.find("extensions"); extensions != nullptr && extensions->is(Kind::List)) {
    for (const Value& extension : extensions->items()) {
      if (extension.text() == "do") options.extension_do = true;
      if (extension.text() == "loopcontrols") options.extension_loopcontrols = true;
      if (extension.text() == "extras") options.extras = true;
    }
  }
  return options;
}

// A case's templates, parsed on first use, as in Jinja2.
class CaseTemplates final : public jinja::TemplateLoader {
 public:
  CaseTemplates(const Value& templates, const jinja::Options& options, SourceSet& sources, Sink& sink)
      : templates_(templates), options_(options), sources_(sources), sink_(sink) {}

  const jinja::Template* find(std::string_view name) const override {
    const Value* text = templates_.find(name);
    if (text == nullptr || !text->is(Kind::String)) return nullptr;
    auto& known = parsed_[std::string(name)];
    if (known == nullptr) {
      const FileId file = sources_.add(std::string(name), std::string(text->text()));
      known = jinja::parse(file, name, sources_, options_, sink_);
    }
    return known.get();
  }
  bool exists(std::string_view name) const override { return templates_.find(name) != nullptr; }
  std::vector<std::string_view> names() const override {
    std::vector<std::string_view> names;
    for (const Entry& entry : templates_.entries()) names.push_back(entry.key.text());
    return names;
  }

 private:
  Value templates_;
  const jinja::Options& options_;
  SourceSet& sources_;
  Sink& sink_;
  mutable std::map<std::string, std::unique_ptr<jinja::Template>, std::less<>> parsed_;
};

const char* kind_name(jinja::FaultKind kind) {
  switch (kind) {
    case jinja::FaultKind::Syntax: return "syntax";
    case jinja::FaultKind::Undefined: return "undefined";
    case jinja::FaultKind::NotFound: return "notfound";
    default: return "runtime";
  }
}

// The first error of a template that couldn't be parsed.
const Diagnostic* first_error(const Sink& sink) {
  for (const Diagnostic& diagnostic : sink.diagnostics()) {
    if (diagnostic.severity == Severity::Error) return &diagnostic;
  }
  return nullptr;
}

nlohmann::ordered_json run_case(const Value& test) {
  OwnStage own;
  const auto object_at = [&](std::string_view key) {
    const Value* found = test.find(key);
    return found != nullptr && found->is(Kind::Map) ? *found : make_map(own.arena, {});
  };
  const jinja::Options options = read_options(object_at("options"));
  const CaseTemplates templates(object_at("templates"), options, own.sources, own.sink);
  const std::string main(test.text_at("main"));

  nlohmann::ordered_json answer;
  answer["id"] = std::string(test.text_at("id"));
  jinja::RenderResult result;
  if (const jinja::Template* found = templates.find(main)) {
    jinja::RenderInput input;
    input.main = found;
    input.loader = &templates;
    input.context = object_at("context");
    input.globals = object_at("globals");
    input.stop_at_first = true;
    input.allow_random = true;
    result = jinja::render(input, own.stage);
  } else {
    result.first_fault.kind = templates.exists(main) ? jinja::FaultKind::Syntax : jinja::FaultKind::NotFound;
  }
  const jinja::FirstFault& fault = result.first_fault;
  if (fault.kind == jinja::FaultKind::None) {
    answer["output"] = result.text.text();
    return answer;
  }
  answer["error"] = kind_name(fault.kind);
  const Diagnostic* error = first_error(own.sink);
  if (fault.at != nullptr) {
    answer["line"] = fault.at->line;
    answer["message"] = fault.message;
    answer["template"] = own.sources.path(fault.at->span.file);
  } else if (error != nullptr && error->where.known()) {
    answer["line"] = own.sources.line_col(error->where).line;
    answer["message"] = error->message;
    answer["template"] = own.sources.path(error->where.file);
  }
  return answer;
}

}  // namespace

int answer_jinja(std::istream& cases, std::ostream& answers) {
  for (std::string line; std::getline(cases, line);) {
    if (line.empty()) continue;
    Arena arena;
    const Value test = json_value(line, arena);
    nlohmann::ordered_json answer;
    if (test.is(Kind::Map)) {
      answer = run_case(test);
    } else {
      answer["error"] = "this line isn't a JSON object";
    }
    answers << answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  }
  return 0;
}

}  // namespace capwright::devtools
