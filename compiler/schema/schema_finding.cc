// The wording of each error. finding_report.cc decides which of them are reported.
#include "schema/schema_finding.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "diag/catalog/values.h"
#include "diag/suggest.h"
#include "schema/evaluate.h"
#include "schema/program.h"
#include "schema/reach.h"
#include "schema/type_trap.h"
#include "schema/words.h"
#include "text/utf8.h"
#include "value/map_index.h"
#include "yaml/replace_scalar.h"
#include "yaml/write.h"

namespace capwright::schema {
namespace {

using Kind3 = DiagSpec<std::string, std::string, std::string>;

std::size_t depth_of(const Place& place) {
  std::size_t depth = 0;
  for (const Place* at = &place; at->parent != nullptr; at = at->parent) ++depth;
  return depth;
}

std::string expected_or(const Node& node, std::string words) {
  const bool own = node.notes != nullptr && !node.notes->expected.empty();
  return own ? std::string(node.notes->expected) : std::move(words);
}

std::string counted(std::size_t number, std::string_view one, std::string_view several) {
  if (number == 0) return fmt::format("no {}", several);
  return fmt::format("{} {}", number, number == 1 ? one : several);
}

// A number without backticks.
std::string plain(const Value& number) {
  const std::string text = quoted(number);
  return text.substr(1, text.size() - 2);
}

// "at least 2 items", "exactly 1 key", "2 to 4 characters".
std::string range_words(std::uint32_t least, std::uint32_t most, std::string_view one, std::string_view several) {
  if (least == most) return "exactly " + counted(least, one, several);
  if (most == kUnlimited) return "at least " + counted(least, one, several);
  if (least == 0) return "at most " + counted(most, one, several);
  return fmt::format("{} to {} {}", least, most, several);
}

std::string bounds_words(const NumberRules& rules) {
  if (!rules.minimum.is(Kind::Null) && !rules.maximum.is(Kind::Null)) {
    return fmt::format("{} to {}", plain(rules.minimum), plain(rules.maximum));
  }
  std::string words;
  const auto add = [&](std::string_view relation, const Value& bound) {
    if (bound.is(Kind::Null)) return;
    if (!words.empty()) words += " and ";
    words.append(relation).append(" ").append(plain(bound));
  };
  add("at least", rules.minimum);
  add("more than", rules.exclusive_minimum);
  add("at most", rules.maximum);
  add("less than", rules.exclusive_maximum);
  return words;
}

// The first sentence of a description, to append after a colon.
std::string first_sentence(std::string_view description) {
  std::string sentence(description.substr(0, std::min(description.find(". "), description.size())));
  if (sentence.ends_with('.')) sentence.pop_back();
  const bool word =
      sentence.size() > 1 && sentence[0] >= 'A' && sentence[0] <= 'Z' && sentence[1] >= 'a' && sentence[1] <= 'z';
  if (word) sentence[0] = static_cast<char>(sentence[0] | 0x20);
  return sentence;
}

void add_in_place(NodeList& nodes, const Node& node) {
  if (std::find(nodes.begin(), nodes.end(), &node) != nodes.end()) return;
  nodes.push_back(&node);
  for_each_in_place(node, [&](const Node& next) { add_in_place(nodes, next); });
}

// All nodes that describe a place, whether their conditions are met or not.
NodeList speaking_of(const Node& root, const Place& at) {
  NodeList nodes;
  if (at.parent == nullptr) {
    add_in_place(nodes, root);
    return nodes;
  }
  for (const Node* node : speaking_of(root, *at.parent)) {
    const Node* below = nullptr;
    if (at.key == nullptr) {
      if (node->arrays != nullptr) below = node->arrays->items;
    } else if (node->objects != nullptr) {
      const Property* property = node->objects->table.find(at.key->text(), key_hash(*at.key));
      below = property != nullptr ? property->node : node->objects->additional;
    }
    if (below != nullptr) add_in_place(nodes, *below);
  }
  return nodes;
}

std::string_view description_of(const Node& node) {
  NodeList nodes;
  add_certain(nodes, node);
  for (const Node* at : nodes) {
    if (at->notes != nullptr && !at->notes->description.empty()) return at->notes->description;
  }
  return {};
}

}  // namespace

template <class... Args>
Finding& Findings::add(Finding::Kind kind, const Place& at, const DiagSpec<Args...>& spec,
                       const std::type_identity_t<Args>&... args) {
  Finding& finding = list_.emplace_back();
  finding.kind = kind;
  finding.depth = depth_of(at);
  finding.diagnostic.info = &spec.info;
  finding.diagnostic.where = place_of(at, stage_.origins, stage_.sources);
  finding.diagnostic.message = fmt::format(fmt::runtime(spec.info.format), args...);
  explain_default(at, finding.diagnostic);
  return finding;
}

Finding& Findings::add_fault(Finding::Kind kind, const Place& at, const Kind3& spec, std::string found,
                             std::string expected) {
  Finding& finding = add(kind, at, spec, subject(at), found, expected);
  finding.expected = std::move(expected);
  return finding;
}

bool Findings::is_secret(const Node& node, const Place& at) const { return node.secret || at.value.tainted(); }

// A default can be invalid too: explains where it comes from. An empty default only makes room for the user's keys or
// other defaults, so it is never wrong.
void Findings::explain_default(const Place& at, Diagnostic& diagnostic) const {
  if (at.value.origin() == OriginId::None) return;
  const Origin& origin = stage_.origins[at.value.origin()];
  if (origin.kind != Origin::Kind::SchemaDefault) return;
  const std::string_view text = stage_.sources.text(origin.span);
  if (text == "{}" || text == "[]") return;
  diagnostic.also(origin.span, "this default is the cause");
}

std::string Findings::found(const Node& node, const Place& at) const {
  return is_secret(node, at) ? "a secret (not shown)" : quoted(at.value);
}

void Findings::wrong_type(const Node& node, const Place& at) {
  const std::string words = node.has_candidates ? choices(node.candidates) : type_words(node.types);
  wrong_type(node, at, node.types, expected_or(node, words));
}

void Findings::wrong_type(const Node& node, const Place& at, TypeSet wanted, std::string expected) {
  const bool secret = is_secret(node, at);
  Finding& finding =
      add_fault(Finding::Kind::Type, at, diag::unexpected_type, shown(at.value, secret, stage_), std::move(expected));
  finding.types = wanted;
  const Span where = written_at(at.value, stage_.origins);
  const bool scalar = !at.value.is(Kind::List) && !at.value.is(Kind::Map);
  const bool literal =
      at.value.origin() != OriginId::None && stage_.origins[at.value.origin()].kind == Origin::Kind::Input;
  if (!secret && scalar && literal)
    explain_type(at.value, stage_.sources.text(where), wanted, where, finding.diagnostic);
  // Adding quotes doesn't help if it leads to the next error: `1.35` isn't `v1.35.8` either.
  const std::optional<Fix>& fix = finding.diagnostic.fix;
  if (fix && fix->edits.size() == 1 && fix->edits.front().text.starts_with('"')) {
    const Value quoted = make_string(stage_.arena, stage_.sources.text(where));
    if (Evaluation(stage_, nullptr).check(node, Place{quoted, at.parent, at.key, at.index})) return;
    finding.diagnostic.fix.reset();
    finding.diagnostic.help.reset();
  }
  if (!secret && scalar && literal && !finding.diagnostic.help) correct_form(at, finding.diagnostic);
  const bool is_map_meant = (wanted & kObject) != 0 && !at.value.is(Kind::Map);
  if (!secret && literal && is_map_meant && !finding.diagnostic.help) advise_map(node, at, finding.diagnostic);
}

void Findings::unknown_choice(const Node& node, const Place& at) {
  // The integer `1` where the string `1` is required: the message must name the type.
  const bool same_kind = std::any_of(node.candidates.begin(), node.candidates.end(),
                                     [&](const Value& candidate) { return candidate.kind() == at.value.kind(); });
  Finding& finding = add_fault(Finding::Kind::Choice, at, diag::unknown_choice,
                               same_kind ? found(node, at) : shown(at.value, is_secret(node, at), stage_),
                               expected_or(node, choices(node.candidates)));
  if (!at.value.is(Kind::String) || is_secret(node, at)) return;
  std::vector<std::string_view> names;
  for (const Value& candidate : node.candidates) {
    if (candidate.is(Kind::String)) names.push_back(candidate.text());
  }
  const std::string_view meant = nearest(at.value.text(), names);
  if (meant.empty()) return;
  finding.diagnostic.advise(did_you_mean(at.value.text(), names));
  if (std::optional<Edit> edit = replace_scalar(at.value, meant, stage_))
    finding.diagnostic.fix = Fix{"write the nearest word", Safety::Unsafe, {std::move(*edit)}};
}

void Findings::pattern_mismatch(const Node& node, const Place& at) {
  Finding& finding = add_fault(Finding::Kind::Form, at, diag::pattern_mismatch, found(node, at),
                               expected_or(node, fmt::format("text that matches `{}`", node.strings->pattern_text)));
  if (!is_secret(node, at)) correct_form(at, finding.diagnostic);
}

void Findings::format_mismatch(const Node& node, const Place& at) {
  add_fault(Finding::Kind::Form, at, diag::format_mismatch, found(node, at),
            expected_or(node, std::string(format_expectation(node.strings->format))));
}

void Findings::wrong_length(const Node& node, const Place& at) {
  const std::size_t length = utf8::length(at.value.text());
  const std::string limit = range_words(node.strings->min_length, node.strings->max_length, "character", "characters");
  std::string expected = expected_or(node, limit);
  if (length != 0 && expected.find("character") == std::string::npos) expected = limit + ": " + expected;
  add_fault(Finding::Kind::Form, at, diag::wrong_length,
            length == 0 ? "is empty" : "has " + counted(length, "character", "characters"), std::move(expected));
}

void Findings::out_of_range(const Node& node, const Place& at) {
  add_fault(Finding::Kind::Form, at, diag::out_of_range, found(node, at),
            expected_or(node, bounds_words(*node.numbers)));
}

void Findings::not_a_multiple(const Node& node, const Place& at) {
  add_fault(Finding::Kind::Form, at, diag::not_a_multiple, found(node, at),
            expected_or(node, "a multiple of " + plain(node.numbers->multiple_of)));
}

void Findings::wrong_item_count(const Node& node, const Place& at) {
  add_fault(Finding::Kind::Structure, at, diag::wrong_item_count, counted(at.value.items().size(), "item", "items"),
            expected_or(node, range_words(node.arrays->min_items, node.arrays->max_items, "item", "items")));
}

void Findings::repeated_item(const Place& item, const Place& first) {
  Finding& finding = add(Finding::Kind::Form, item, diag::repeated_item, subject(item), subject(first));
  const Span where = place_of(first, stage_.origins, stage_.sources);
  if (where.known()) finding.diagnostic.also(where, "first occurrence");
}

void Findings::unfit_items(const Node& node, const Place& at, std::size_t fitting) {
  const ArrayRules& rules = *node.arrays;
  const std::string item = expectation(*rules.contains);
  std::string words = range_words(rules.min_contains, rules.max_contains, "such item", "such items");
  if (!item.empty()) words += ": " + item;
  add_fault(Finding::Kind::Structure, at, diag::unfit_items, counted(fitting, "matching item", "matching items"),
            expected_or(node, words))
      .parent = path_text(at);
}

void Findings::refused(const Place& at) {
  if (at.parent == nullptr) add(Finding::Kind::Type, at, diag::forbidden_value, subject(at));
  else if (at.key == nullptr) add(Finding::Kind::Type, at, diag::surplus_item, subject(at));
  else add(Finding::Kind::Type, at, diag::unsupported_key, subject(at)).diagnostic.where = heading(at);
}

// A branch may require a property that another part of the schema describes.
const Node* Findings::description(const Place& map, const Property& property) const {
  if (property.node != nullptr) return property.node;
  for (const Node* node : speaking_of(root_, map)) {
    if (node->objects == nullptr) continue;
    const Property* found = node->objects->table.find(property.name.text(), property.name.text_rep()->hash);
    if (found != nullptr && found->node != nullptr) return found->node;
  }
  return nullptr;
}

// Used where a map is missing, so that missing keys are reported together and not level by level.
std::string required_keys(const Node& node) {
  std::string names;
  if (node.objects == nullptr) return names;
  for (const Property& property : node.objects->table.properties) {
    if (property.required) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", property.name.text());
  }
  return names;
}

void Findings::missing_key(const Place& map, const Property& property) {
  const std::string_view key = property.name.text();
  std::string path = "`" + path_text(map, key) + "`";
  const Node* node = description(map, property);
  const Annotations* notes = node == nullptr ? nullptr : node->notes;
  if (notes != nullptr && !notes->normalized_from.empty()) {
    std::string flat;
    for (const Value& name : notes->normalized_from) {
      flat += fmt::format("{}`{}`", flat.empty() ? "" : " and ", name.text());
    }
    path += " (or " + flat + ")";
  }
  Finding& finding = add(Finding::Kind::Missing, map, diag::missing_key, path);
  finding.diagnostic.where = heading(map);
  finding.parent = path_text(map);
  finding.key = key;
  if (node == nullptr) return;
  if (const std::string_view text = description_of(*node); !text.empty()) {
    finding.diagnostic.note(fmt::format("`{}`: {}", key, first_sentence(text)));
  }
  const std::string words = expectation(*node);
  const std::string needed = required_keys(*node);
  if (node->secret)
    finding.diagnostic.advise(
        "it is a secret: set it in a layer that sops encrypts, or pass it with `--values` from outside of the "
        "repository "
        "(docs/secrets.md)");
  else if (!needed.empty())
    finding.diagnostic.advise(words.empty() ? "add it with " + needed
                                            : fmt::format("expected {} with {}", words, needed));
  else if (!words.empty() && words != type_words(kString)) finding.diagnostic.advise("expected " + words);
}

namespace {

// "a.b" as it has to be written: "a: {b: 1}". A text may be a secret, and isn't shown.
std::string nested(std::string_view key, const Value& value, bool is_secret) {
  const bool is_plain = !is_secret && (value.is(Kind::Bool) || value.is(Kind::Int) || value.is(Kind::Float));
  std::string text, closing;
  for (const char c : key) {
    if (c == '.') closing += '}';
    text += c == '.' ? ": {" : std::string(1, c);
  }
  return fmt::format("{}: {}{}", text, is_plain ? canonical_json(value) : "…", closing);
}

}  // namespace

void Findings::unknown_key(const Place& member, const std::vector<std::string_view>& known) {
  Finding& finding = add(Finding::Kind::Key, member, diag::unknown_key, subject(member));
  const std::string_view key = member.key->text();
  finding.diagnostic.where = heading(member);
  finding.parent = path_text(*member.parent);
  finding.key = key;
  if (!key_paths_) key_paths_.emplace(root_);
  if (is_dotted_path(member, finding)) return advise_elsewhere(member, known, finding);
  const auto same = std::find_if(known.begin(), known.end(), [&](auto name) { return is_same_key(name, key); });
  const std::string map = finding.parent.empty() ? std::string() : without_numbers(finding.parent) + ".";
  std::vector<std::string> meant = key_paths_->meant_by(fmt::format("{}{}", map, key));
  std::erase_if(meant, [&](const std::string& path) { return has_no_value(path, member); });
  for (std::string& path : meant) {
    if (path.starts_with(map) && path.find('.', map.size()) == std::string::npos) path.erase(0, map.size());
  }
  const bool is_sibling =
      meant.size() == 1 && std::find(known.begin(), known.end(), std::string_view(meant.front())) != known.end();
  if (same != known.end()) finding.suggestion = *same;
  else if (is_sibling) finding.suggestion = meant.front();
  else if (meant.empty()) finding.suggestion = nearest(key, known);
  if (finding.suggestion.empty() && meant.empty()) {
    advise_elsewhere(member, known, finding);
    return;
  }
  if (finding.suggestion.empty() && meant.size() == 1) finding.elsewhere = meant.front();
  const std::vector<std::string_view> names(meant.begin(), meant.end());
  const std::string shown = finding.suggestion.empty() ? list_names(names) : fmt::format("`{}`", finding.suggestion);
  const Value* given = finding.suggestion.empty() ? nullptr : member.parent->value.find(finding.suggestion);
  const bool is_free = given == nullptr || !written_at(*given, stage_.origins).known();
  // A key of another file is a lower layer's, which the renamed key overrides.
  const bool is_twice = !is_free && written_at(*given, stage_.origins).file == finding.diagnostic.where.file;
  finding.diagnostic.advise(
      fmt::format("did you mean {}?{}", shown, is_twice ? " It is set, too: remove one of the two" : ""));
  if (finding.suggestion.empty()) return;
  std::optional<Edit> edit = is_free ? replace_scalar(*member.key, finding.suggestion, stage_) : std::nullopt;
  if (edit) finding.diagnostic.fix = Fix{"rename the key", Safety::Unsafe, {std::move(*edit)}};
}

namespace {

std::string dotted_path(std::string_view parent, std::string_view key) {
  return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

// Whether a key of the map `parent` may be meant for `path`. The items of a list have keys such as `name` and `path`
// that mean another thing elsewhere, so only a key at the top may belong there: `failure_domain` into
// `worker_pools[].failure_domain`.
bool may_be_moved(std::string_view path, std::string_view parent) {
  const std::size_t list = path.rfind("[].");
  if (list == std::string_view::npos) return true;
  return parent.empty() && path.find('.', list + 3) == std::string_view::npos;
}

}  // namespace

// Whether a key such as `template.dir` is the path of a declared one.
bool Findings::is_dotted_path(const Place& member, const Finding& finding) const {
  const std::string_view key = member.key->text();
  return key.find('.') != std::string_view::npos && key_paths_->has(dotted_path(finding.parent, key));
}

// For a key that isn't near to one of its map: names the same key elsewhere, or the keys of the map.
void Findings::advise_elsewhere(const Place& member, const std::vector<std::string_view>& known, Finding& finding) {
  const std::string_view key = member.key->text();
  if (is_dotted_path(member, finding)) {
    const std::string lines = nested(key, member.value, key_paths_->is_secret(dotted_path(finding.parent, key)));
    finding.diagnostic.advise(fmt::format("a dot doesn't lead into a map; write `{}`", lines));
    return;
  }
  if (const std::string elsewhere = key_paths_->find(key);
      !elsewhere.empty() && may_be_moved(elsewhere, finding.parent)) {
    finding.diagnostic.advise(fmt::format("did you mean `{}`?", elsewhere));
    return;
  }
  std::vector<std::string_view> unused;
  std::copy_if(known.begin(), known.end(), std::back_inserter(unused), [&](std::string_view name) {
    const Value* given = member.parent->value.find(name);
    return given == nullptr || !written_at(*given, stage_.origins).known();
  });
  if (!unused.empty()) {
    const std::string_view words = unused.size() == known.size() ? "known: " : "other keys: ";
    finding.diagnostic.advise(std::string(words) + list_names(unused, 20));
  } else if (!known.empty()) finding.diagnostic.advise("known: " + list_names(known, 20) + " (all set)");
}

void Findings::unfit_key(const Place& key, const std::vector<Finding>& reasons) {
  const std::string expected = reasons.empty() ? "another name" : reasons.front().expected;
  Finding& finding = add(Finding::Kind::Key, key, diag::unfit_key, quoted(key.value), subject(*key.parent), expected);
  finding.parent = path_text(*key.parent);
  finding.key = key.value.text();
}

void Findings::wrong_key_count(const Node& node, const Place& at) {
  add_fault(Finding::Kind::Structure, at, diag::wrong_key_count, counted(at.value.entries().size(), "key", "keys"),
            expected_or(node, range_words(node.objects->min_properties, node.objects->max_properties, "key", "keys")));
}

void Findings::missing_companion(const Place& given, std::string_view missing) {
  Finding& finding = add(Finding::Kind::Missing, given, diag::missing_companion,
                         "`" + path_text(*given.parent, missing) + "`", subject(given));
  finding.diagnostic.where = heading(given);
  finding.parent = path_text(*given.parent);
  finding.key = missing;
}

void Findings::no_alternative(const Place& at, std::string found, std::string expected) {
  add_fault(Finding::Kind::Structure, at, diag::no_alternative, std::move(found), std::move(expected)).parent =
      path_text(at);
}

void Findings::several_alternatives(const Node& node, const Place& at, std::size_t fitting) {
  add(Finding::Kind::Structure, at, diag::several_alternatives, subject(at), fitting,
      expected_or(node, "exactly one of them to match"));
}

void Findings::excluded_value(const Node& node, const Place& at) {
  const Node& excluded = *node.combination->negated;
  const std::string what = expectation(excluded);
  add_fault(Finding::Kind::Form, at, diag::excluded_value, found(node, at),
            expected_or(node, what.empty() ? "something else" : "anything but " + what));
}

void Findings::ambiguous_scalar(const Place& at) {
  const std::string text(at.value.text());
  Finding& finding = add(Finding::Kind::Type, at, diag::ambiguous_scalar, subject(at), text, yaml11_reading(text));
  const Span where = written_at(at.value, stage_.origins);
  if (where.known()) offer_quotes(text, where, finding.diagnostic);
}

void Findings::endless_check(const Place& at) { add(Finding::Kind::Structure, at, diag::endless_check, subject(at)); }

}  // namespace capwright::schema
