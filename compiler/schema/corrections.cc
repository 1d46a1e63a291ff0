// The text that a user meant by an invalid one. A form is only advised if all schemas that apply to its place accept
// it: advice must not lead to the next error.
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "diag/suggest.h"
#include "schema/evaluate.h"
#include "schema/program.h"
#include "schema/schema_finding.h"
#include "schema/words.h"
#include "value/map_index.h"
#include "yaml/replace_scalar.h"

namespace capwright::schema {
namespace {

void add_applied(NodeList& nodes, const Node* node, const Place& at, const Stage& stage) {
  if (node == nullptr || std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return;
  nodes.push_back(node);
  if (node->combination == nullptr) return;
  const Combination& combination = *node->combination;
  add_applied(nodes, combination.reference, at, stage);
  for (const Node* part : combination.all_of) add_applied(nodes, part, at, stage);
  if (combination.condition == nullptr) return;
  const bool holds = Evaluation(stage, nullptr).check(*combination.condition, at);
  add_applied(nodes, holds ? combination.consequence : combination.alternative, at, stage);
}

const Node* below(const Node& node, const Place& at) {
  if (at.key == nullptr) return node.arrays == nullptr ? nullptr : node.arrays->items;
  if (node.objects == nullptr) return nullptr;
  const Property* property = node.objects->table.find(at.key->text(), key_hash(*at.key));
  return property != nullptr ? property->node : node.objects->additional;
}

// `text` with `to` for each of `from`; 0: without these.
std::string replaced(std::string_view text, std::string_view from, char to) {
  std::string result;
  for (const char c : text) {
    if (from.find(c) == std::string_view::npos) result += c;
    else if (to != 0) result += to;
  }
  return result;
}

// The length of the prefix of an IPv4 address that is meant as a range: the zeros at its end are the host's.
std::string_view prefix_of(std::string_view address) {
  const bool is_address = !address.empty() && std::count(address.begin(), address.end(), '.') == 3 &&
                          std::all_of(address.begin(), address.end(), [](char c) { return is_digit(c) || c == '.'; });
  if (!is_address) return {};
  if (address.ends_with(".0.0")) return "/16";
  return address.ends_with(".0") ? "/24" : "/32";
}

// What people mean by a text, most likely first.
std::vector<std::string> likely_forms(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  const std::string bare(text.substr(first, last + 1 - first));
  std::vector<std::string> forms{bare, lowered(bare), replaced(lowered(bare), "_. ", '-'),
                                 replaced(lowered(bare), " -_", 0)};
  const std::size_t dot = bare.rfind('.');
  for (const std::string& version : {bare, bare.substr(0, dot)}) {
    if (dot == std::string::npos) break;
    forms.push_back(is_digit(version.front()) ? "v" + version : version);
  }
  const std::size_t size = bare.size();
  if (size > 1 && is_digit(bare[size - 2]) && !is_digit(bare[size - 1])) forms.push_back(bare.substr(0, size - 1));
  if (const std::string_view prefix = prefix_of(bare); !prefix.empty()) forms.push_back(bare + std::string(prefix));
  if (bare.find('.') != std::string::npos && bare.find('/') != std::string::npos) forms.push_back("https://" + bare);
  std::erase_if(forms, [&](const std::string& form) { return form == text || form.find("--") != std::string::npos; });
  return forms;
}

// `10.6.0.0/16` for `10.6.0.0`: one of many lengths, so only a schema that describes its form makes it likely.
bool has_added_prefix(std::string_view form, std::string_view text) {
  return form.size() > text.size() && form.starts_with(text) && form[text.size()] == '/';
}

bool has_expectation(const NodeList& nodes) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node* node) { return node->notes != nullptr && !node->notes->expected.empty(); });
}

}  // namespace

NodeList Findings::applied_to(const Place& at) const {
  NodeList nodes;
  if (at.parent == nullptr) {
    add_applied(nodes, &root_, at, stage_);
    return nodes;
  }
  for (const Node* node : applied_to(*at.parent)) add_applied(nodes, below(*node, at), at, stage_);
  return nodes;
}

// Whether a condition that these values meet leaves no value for a key at the top level: EKS has no
// `flavor_control_plane`.
bool Findings::has_no_value(std::string_view path, const Place& member) const {
  const Place* root = &member;
  while (root->parent != nullptr) root = root->parent;
  const NodeList nodes = applied_to(*root);
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node* node) {
    const Property* property = node->objects == nullptr ? nullptr : node->objects->table.find(path, hash_text(path));
    return property != nullptr && property->node != nullptr && expectation(*property->node).starts_with("no value");
  });
}

// Advises the map that is meant by a scalar: one with its only required key if that is valid, or else its keys.
void Findings::advise_map(const Node& node, const Place& at, Diagnostic& diagnostic) const {
  if (node.objects == nullptr) return;
  std::vector<std::string_view> required, all;
  for (const Property& property : node.objects->table.properties) {
    if (property.required) required.push_back(property.name.text());
    if (property.node != nullptr) all.push_back(property.name.text());
  }
  std::optional<Edit> edit = required.size() == 1 && at.value.is(Kind::String)
                                 ? replace_scalar(at.value, at.value.text(), stage_)
                                 : std::nullopt;  // as it is inside of braces
  if (edit) {
    const Entry entry{make_key(stage_.arena, required.front()), at.value};
    const Place map{make_map(stage_.arena, std::span(&entry, 1)), at.parent, at.key, at.index};
    if (Evaluation(stage_, nullptr).check(node, map)) {
      edit->text = fmt::format("{{{}: {}}}", required.front(), edit->text);
      diagnostic.advise(fmt::format("write it as a map: `{}`", edit->text));
      diagnostic.fix = Fix{"write it as a map", Safety::Unsafe, {std::move(*edit)}};
      return;
    }
  }
  if (!required.empty()) diagnostic.advise("write a map with " + required_keys(node));
  else if (!all.empty()) diagnostic.advise("write a map with " + list_names(all));
}

// Advises the form of a text, a number or a list of one item that is meant.
void Findings::correct_form(const Place& at, Diagnostic& diagnostic) const {
  const Span where = written_at(at.value, stage_.origins);
  const bool is_literal =
      where.known() && stage_.origins[at.value.origin()].kind == Origin::Kind::Input && !at.value.is(Kind::Null);
  if (!is_literal) return;
  const NodeList nodes = applied_to(at);
  const auto accepted = [&](const Value& value) {
    const Place place{value, at.parent, at.key, at.index};
    return std::all_of(nodes.begin(), nodes.end(),
                       [&](const Node* node) { return Evaluation(stage_, nullptr).check(*node, place); });
  };
  const std::string written(stage_.sources.text(where));
  if (accepted(make_list(stage_.arena, std::span<const Value>(&at.value, 1)))) {
    diagnostic.advise(fmt::format("write it as a list: `[{}]`", written));
    diagnostic.fix = Fix{"write it as a list", Safety::Unsafe, {{where, "[" + written + "]"}}};
    return;
  }
  const std::string_view text = at.value.is(Kind::String) ? at.value.text() : std::string_view(written);
  for (const std::string& form : likely_forms(text)) {
    if (!accepted(make_string(stage_.arena, form))) continue;
    if (has_added_prefix(form, text) && !has_expectation(nodes)) {
      diagnostic.advise(fmt::format("write, for example, `{}`", form));
      return;
    }
    diagnostic.advise(fmt::format("write `{}`", form));
    if (std::optional<Edit> edit = replace_scalar(at.value, form, stage_))
      diagnostic.fix = Fix{"write the form that is expected", Safety::Unsafe, {std::move(*edit)}};
    return;
  }
}

}  // namespace capwright::schema
