// All malformed conditions of a target are reported at once.
#include "patch/target.h"

#include <fmt/format.h>
#include <string>

#include "diag/catalog/patches.h"
#include "diag/suggest.h"
#include "patch/patch_forms.h"

namespace capwright::patch {
namespace {

// False, after a report, if the pattern is malformed. An empty pattern matches everything.
bool compile_pattern(const Value& target, std::string_view key, std::optional<Regex>& out, Stage& stage) {
  const Value* pattern = target.find(key);
  if (pattern == nullptr || !pattern->is(Kind::String) || pattern->text().empty()) return true;
  RegexFault fault;
  out = Regex::compile(pattern->text(), {.dialect = RegexDialect::Re2}, fault);
  if (!out) {
    stage.sink.report(diag::malformed_patch, place_of(*pattern, stage),
                      fmt::format("`{}` of the target isn't a regular expression: {}", key, fault.message));
  }
  return out.has_value();
}

bool parse_selector(const Value& target, std::string_view key, std::optional<LabelSelector>& out, Stage& stage) {
  const Value* selector = target.find(key);
  if (selector == nullptr || !selector->is(Kind::String)) return true;
  std::string fault;
  out = LabelSelector::parse(selector->text(), fault);
  if (!out) {
    stage.sink
        .report(diag::malformed_patch, place_of(*selector, stage),
                fmt::format("`{}` of the target isn't a selector: {}", key, fault))
        .advise("write it like `tier=web,env in (prod, test),!legacy`");
  }
  return out.has_value();
}

bool accepts(const std::optional<Regex>& pattern, std::string_view text) {
  return !pattern || pattern->matches(text, RegexAnchor::Both);
}

bool accepts(const std::optional<LabelSelector>& selector, const Value& document, std::string_view key) {
  if (!selector) return true;
  const Value* metadata = document.find("metadata");
  const Value* labels = metadata == nullptr || !metadata->is(Kind::Map) ? nullptr : metadata->find(key);
  return selector->matches(labels == nullptr ? Value() : *labels);
}

}  // namespace

std::optional<Target> Target::read(const Value& target, Stage& stage) {
  Target made;
  const bool patterns =
      compile_pattern(target, "group", made.group_, stage) & compile_pattern(target, "version", made.version_, stage) &
      compile_pattern(target, "kind", made.kind_, stage) & compile_pattern(target, "name", made.name_, stage) &
      compile_pattern(target, "namespace", made.space_, stage);
  const bool selectors = parse_selector(target, "labelSelector", made.labels_, stage) &
                         parse_selector(target, "annotationSelector", made.annotations_, stage);
  if (!patterns || !selectors) return std::nullopt;
  return made;
}

bool Target::matches(const ObjectId& id, const Value& document) const {
  return accepts(space_, id.effective_space()) && accepts(group_, id.group()) && accepts(version_, id.version()) &&
         accepts(kind_, id.kind) && accepts(name_, id.name) && accepts(labels_, document, "labels") &&
         accepts(annotations_, document, "annotations");
}

bool Target::names_kind(std::string_view kind) const { return kind_ && accepts(kind_, kind); }

}  // namespace capwright::patch
