// See build.h. One recursive descent over the events; the nesting limit bounds its depth.
#include "yaml/build.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/ranges.h>
#include <unordered_map>
#include <unordered_set>

#include "diag/catalog/limits.h"
#include "diag/catalog/text.h"
#include "diag/suggest.h"
#include "text/base64.h"
#include "text/utf8.h"
#include "yaml/reading.h"
#include "yaml/scalar_text.h"

namespace capwright::yaml {
namespace {

constexpr std::size_t kUsualEntries = 64;  // of all open maps
constexpr std::string_view kCoreTags = "tag:yaml.org,2002:";

std::string shown_tag(std::string_view tag) {
  return tag.starts_with(kCoreTags) ? "!!" + std::string(tag.substr(kCoreTags.size())) : std::string(tag);
}

// Go's strconv.FormatFloat(number, 'g', -1, 32): the fewest digits that identify a 32-bit float.
std::string go_float(double number) {
  const auto narrow = static_cast<float>(number);
  if (std::isinf(narrow)) return narrow < 0 ? "-.inf" : ".inf";
  char text[64];
  const auto written = [&](std::chars_format format) {
    return std::string(text, std::to_chars(text, text + sizeof text, narrow, format).ptr);
  };
  const std::string scientific = written(std::chars_format::scientific);
  const std::size_t sign = scientific.find('e') + 1;
  int exponent = 0;
  std::from_chars(scientific.data() + sign + 1, scientific.data() + scientific.size(), exponent);
  if (scientific[sign] == '-') exponent = -exponent;
  return exponent < -4 || exponent >= 6 ? scientific : written(std::chars_format::fixed);
}

// Converts a key that isn't a string as go-yaml's JSON conversion does.
std::optional<std::string> kubernetes_key(const Value& key) {
  switch (key.kind()) {
    case Kind::Bool: return key.as_bool() ? "true" : "false";
    case Kind::Int: return fmt::format("{}", key.as_int());
    case Kind::Float: return go_float(key.as_float());
    default: return std::nullopt;
  }
}

}  // namespace

Builder::Builder(Reading& reading) : reading_(reading) {
  const TextSyntax syntax = reading.options.syntax;
  entries_.reserve(kUsualEntries);
  source_ = syntax == TextSyntax::Json ? json_events(reading) : yaml_events(reading);
  advance();
}

void Builder::advance() {
  event_ = &source_->next();
  if (event_->kind == Event::Kind::Fault) stop();
}

std::optional<Span> Builder::next_start() {
  if (stopped_ || event_->kind != Event::Kind::DocumentStart) return std::nullopt;
  return reading_.places.span(event_->begin, event_->end);
}

std::optional<YamlDocument> Builder::next_document() {
  if (stopped_ || event_->kind != Event::Kind::DocumentStart) return std::nullopt;
  anchors_.clear();
  alias_nodes_ = 0;
  failed_ = false;
  advance();
  is_json_ = event_->kind == Event::Kind::MapStart && event_->flow;
  const Node root = node(1);
  if (stopped_) return std::nullopt;
  advance();  // past the document's end
  YamlDocument document{root.value, reading_.places.span(root.begin, root.end)};
  if (failed_) document.value = Value::error();
  return document;
}

Builder::Node Builder::node(std::uint32_t depth) {
  if (stopped_) return {};
  if (event_->anchor.empty()) return unnamed_node(depth);
  const std::size_t number = anchors_.size();
  anchors_.push_back({event_->anchor, {}, false});
  const Node result = unnamed_node(depth);
  anchors_[number].node = result;
  anchors_[number].complete = true;
  return result;
}

Builder::Node Builder::unnamed_node(std::uint32_t depth) {
  if (event_->kind == Event::Kind::Scalar) {
    const Node leaf = scalar(*event_);
    advance();
    return leaf;
  }
  const Event event = *event_;
  advance();
  if (too_deep(event, depth)) return {};
  switch (event.kind) {
    case Event::Kind::Alias: return alias(event, depth);
    case Event::Kind::ListStart: return list(event, depth);
    case Event::Kind::MapStart: return map(event, depth);
    default: return {};
  }
}

bool Builder::too_deep(const Event& event, std::uint32_t depth) {
  const std::uint32_t most = reading_.stage.limits.depth;
  if (depth <= most) return false;
  reading_.report(diag::nested_too_deep, event.begin, event.end, "lists and maps", most);
  stop();
  return true;
}

// Go's YAML readers, hence all of Kubernetes, reject two JSON escapes: `\/`, and a surrogate pair for a character
// beyond U+FFFF, which other readers decode as two characters. libfyaml rejects a single half. Go reads text in braces
// as JSON.
void Builder::check_escapes(const Event& event) {
  constexpr std::uint32_t kPair = 12;  // `\ud83d\ude00`
  for (std::uint32_t at = event.begin; at + 2 < event.end; ++at) {
    if (reading_.text[at] != '\\') continue;
    const std::string_view rest = reading_.text.substr(at, std::min(kPair, event.end - at));
    const bool is_high = rest.size() == kPair && rest[1] == 'u' && (rest[2] | 0x20) == 'd' &&
                         std::string_view("89abAB").find(rest[3]) != std::string_view::npos;
    if (!is_high && rest[1] != '/') {
      ++at;
      continue;
    }
    failed_ = true;
    auto& fault =
        reading_.report(diag::unknown_escape, at, at + (is_high ? kPair : 2), rest.substr(0, is_high ? kPair : 2));
    fault.note(is_high ? "surrogate pairs are valid only in JSON; Kubernetes refuses YAML with them"
                       : "it is valid only in JSON; Kubernetes refuses YAML with it");
    fault.advise(is_high ? "write the character itself, or `\\U` and eight digits; the filter `to_flow` does"
                         : "write `/`, which needs no backslash");
    return;
  }
}

Builder::Node Builder::scalar(const Event& event) {
  if (may_hold_escapes(event)) check_escapes(event);
  const Value value = typed(event).with_origin(reading_.origin(event.begin, event.end)).with_style(event.style);
  return {value, event.begin, event.end};
}

Builder::Node Builder::alias(const Event& event, std::uint32_t depth) {
  const auto anchor =
      std::find_if(anchors_.rbegin(), anchors_.rend(), [&](const Anchor& a) { return a.name == event.text; });
  Node result{Value::error(), event.begin, event.end};
  if (anchor == anchors_.rend()) {
    std::vector<std::string_view> names;
    for (const Anchor& known : anchors_) names.push_back(known.name);
    auto& fault = reading_.report(diag::undefined_alias, event.begin, event.end, event.text);
    const std::string hint = did_you_mean(event.text, names);
    if (hint.empty()) {
      fault.advise(fmt::format(
          "put `&{}` before the value to repeat, above this place; a text that starts with `*` needs quotes",
          event.text));
    } else {
      fault.advise(hint);
    }
    failed_ = true;
    return result;
  }
  if (!anchor->complete) {
    reading_.report(diag::recursive_alias, event.begin, event.end, event.text);
    failed_ = true;
    return result;
  }
  result.nodes = anchor->node.nodes;
  result.height = anchor->node.height;
  result.value = anchor->node.value.with_origin(reading_.origin(event.begin, event.end));
  if (anchor->node.height > 1 && too_deep(event, depth + result.height - 1)) return result;
  alias_nodes_ += result.nodes;
  if (alias_nodes_ > reading_.stage.limits.aliases) {
    reading_.report(diag::too_many_aliases, event.begin, event.end, reading_.stage.limits.aliases);
    stop();
  }
  return result;
}

Builder::Node Builder::list(const Event& start, std::uint32_t depth) {
  check_collection_tag(start, "seq");
  const std::size_t first_item = items_.size();
  Node whole{{}, start.begin, start.end};
  while (!stopped_ && event_->kind != Event::Kind::ListEnd) {
    const Node item = node(depth + 1);
    items_.push_back(item.value);
    whole.end = std::max(whole.end, item.end);
    whole.nodes += item.nodes;
    whole.height = std::max(whole.height, item.height + 1);
  }
  if (stopped_) return whole;
  if (start.flow) whole.end = event_->end;
  advance();
  whole.value = make_list(reading_.stage.arena, std::span(items_).subspan(first_item))
                    .with_origin(reading_.collection_origin(whole.begin, whole.end));
  items_.resize(first_item);
  return whole;
}

Builder::Node Builder::map(const Event& start, std::uint32_t depth) {
  check_collection_tag(start, "map");
  OpenMap open{{{}, start.begin, start.end}, entries_.size(), {}};
  if (!start.flow && event_->kind == Event::Kind::Scalar) open.whole.begin = event_->begin;
  while (!stopped_ && event_->kind != Event::Kind::MapEnd) map_entry(open, depth);
  if (stopped_) return open.whole;
  if (start.flow) open.whole.end = event_->end;
  advance();
  const std::span<const Entry> own = std::span(entries_).subspan(open.first_entry);
  const std::vector<Duplicate> again = duplicates(own);
  const bool begins_line = open.whole.begin == 0 || reading_.text[open.whole.begin - 1] == '\n';
  report_duplicates(again, begins_line);
  if (!again.empty()) drop_duplicates(open.first_entry);
  const std::span<const Entry> unique = std::span(entries_).subspan(open.first_entry);
  open.whole.value = (open.merges.empty() ? make_map(reading_.stage.arena, unique) : merged(open))
                         .with_origin(reading_.collection_origin(open.whole.begin, open.whole.end));
  entries_.resize(open.first_entry);
  return open.whole;
}

// A text without anchor or tag. Nearly all keys are such texts.
bool Builder::is_text_key() const {
  if (event_->kind != Event::Kind::Scalar || !event_->anchor.empty() || !event_->tag.empty()) return false;
  if (event_->style != ScalarStyle::Plain) return true;
  return event_->text != "<<" && resolve_plain(event_->text, reading_.options.rules).is(Kind::String);
}

Builder::Node Builder::text_key() {
  if (may_hold_escapes(*event_)) check_escapes(*event_);
  const Node name{
      key_value(event_->text).with_origin(reading_.origin(event_->begin, event_->end)).with_style(event_->style),
      event_->begin, event_->end};
  advance();
  return name;
}

Builder::Key Builder::read_key(std::uint32_t depth) {
  if (is_text_key()) return {text_key(), false};
  const Event event = *event_;
  Node name = node(depth);
  if (stopped_) return {name, false};
  name.value = key(event, name);
  return {name, event.kind == Event::Kind::Scalar && event.style == ScalarStyle::Plain && event.text == "<<" &&
                    event.tag.empty()};
}

void Builder::map_entry(OpenMap& open, std::uint32_t depth) {
  const auto [key, is_merge] = read_key(depth + 1);
  if (stopped_) return;
  const Node value = node(depth + 1);
  if (stopped_) return;
  open.whole.end = std::max({open.whole.end, key.end, value.end});
  open.whole.nodes += key.nodes + value.nodes;
  open.whole.height = std::max(open.whole.height, value.height + 1);
  if (!is_merge) {
    entries_.push_back({key.value, value.value});
  } else if (open.merges.empty()) {
    merge(open, value);
  } else {
    report_duplicate(key.value, key.value, false);
  }
}

// A key as the map stores it: a String, except under Python's rules.
Value Builder::key(const Event& event, const Node& node) {
  const Value& value = node.value;
  const ScalarRules rules = reading_.options.rules;
  const bool collection = value.is(Kind::List) || value.is(Kind::Map);
  const bool written = event.kind == Event::Kind::Scalar && !(event.style == ScalarStyle::Plain && event.text.empty());
  if (!value.is_error() && !collection) {
    if (value.is(Kind::String)) return key_value(value.text()).with_origin(value.origin()).with_style(value.style());
    if (rules == ScalarRules::Python) return value;
    if (rules == ScalarRules::Core && written)
      return key_value(event.text).with_origin(value.origin()).with_style(value.style());
    if (const auto text = kubernetes_key(value)) {
      return make_key(reading_.stage.arena, *text).with_origin(value.origin()).with_style(value.style());
    }
  }
  failed_ = true;
  const bool is_tag = event.flow && value.is(Kind::Map) && node.begin > 0 && reading_.text[node.begin - 1] == '{';
  if (is_tag && rules == ScalarRules::Kubernetes) {
    reading_.report(diag::complex_key, node.begin, node.end, "a template's `{{ … }}`")
        .note("it is a map inside a map to YAML; " + std::string(kTemplateNote))
        .advise(std::string(kTemplateHelp));
    stop();  // the rest of a template isn't YAML either
  } else if (!value.is_error()) {
    std::string_view found = "an empty text";
    if (value.is(Kind::List)) found = "a list";
    else if (collection) found = "a map";
    reading_.report(diag::complex_key, node.begin, node.end, found)
        .note(event.flow ? "`{{ … }}` is a map inside a map to YAML" : "keys are strings")
        .advise(event.flow ? "quote a value that starts with `{`" : "write a text before the `:`");
  }
  return make_key(reading_.stage.arena, "");
}

// `<<: *base` and `<<: [*first, *second]`: earlier maps of a list override later ones; direct keys override all.
void Builder::merge(OpenMap& open, const Node& node) {
  std::span<const Value> sources(&node.value, 1);
  if (node.value.is(Kind::List)) sources = node.value.items();
  for (const Value& source : sources) {
    if (source.is(Kind::Map)) {
      open.merges.insert(open.merges.begin(), source);
    } else if (!source.is_error()) {
      failed_ = true;
      reading_.report(diag::merge_not_map, node.begin, node.end,
                      source.is(Kind::Int) ? "an integer" : fmt::format("a {}", kind_name(source.kind())));
    }
  }
}

// PyYAML's order: merged keys come first, and a direct key keeps the position that the merge gave it.
Value Builder::merged(const OpenMap& open) {
  std::vector<Entry> all;
  std::unordered_map<std::string_view, std::size_t> numbers;
  const auto add = [&](const Entry& entry) {
    const auto [known, is_new] = numbers.try_emplace(entry.key.is(Kind::String) ? entry.key.text() : "", all.size());
    if (is_new || !json_equal(all[known->second].key, entry.key)) {
      all.push_back(entry);
    } else {
      all[known->second] = entry;
    }
  };
  for (const Value& map : open.merges) std::for_each(map.entries().begin(), map.entries().end(), add);
  std::for_each(entries_.begin() + static_cast<std::ptrdiff_t>(open.first_entry), entries_.end(), add);
  return make_map(reading_.stage.arena, all);
}

std::vector<Builder::Duplicate> Builder::duplicates(std::span<const Entry> entries) {
  std::vector<Duplicate> found;
  constexpr std::size_t kScanned = 16;
  if (entries.size() <= kScanned) {
    for (std::size_t i = 1; i < entries.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool same = entries[i].key.is(Kind::String) && entries[j].key.is(Kind::String)
                              ? entries[i].key.text_rep()->hash == entries[j].key.text_rep()->hash &&
                                    entries[i].key.text() == entries[j].key.text()
                              : json_equal(entries[i].key, entries[j].key);
        if (!same) continue;
        found.push_back({&entries[j], &entries[i]});
        break;
      }
    }
    return found;
  }
  std::unordered_map<std::string_view, const Entry*> seen;
  for (const Entry& entry : entries) {
    if (!entry.key.is(Kind::String)) continue;
    const auto [known, is_new] = seen.try_emplace(entry.key.text(), &entry);
    if (!is_new) found.push_back({known->second, &entry});
  }
  return found;
}

// The names of the keys after the first, without repetitions.
std::string Builder::names_of_others(std::span<const Duplicate> all) {
  constexpr std::size_t kMostNames = 6;
  std::vector<std::string_view> names;
  for (const Duplicate& each : all.subspan(1)) {
    const std::string_view name = each.again->key.is(Kind::String) ? each.again->key.text() : "<<";
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    if (names.size() == kMostNames) return fmt::format("`{}` and others", fmt::join(names, "`, `"));
    names.push_back(name);
  }
  return fmt::format("`{}`", fmt::join(names, "`, `"));
}

// Many keys of one map are usually those of a second object or file, and have one cause.
void Builder::report_duplicates(std::span<const Duplicate> all, bool begins_line) {
  constexpr std::size_t kMostSeparate = 2;
  const auto is_of_object = [](const Duplicate& each) {
    const Value& key = each.first->key;
    return key.is(Kind::String) && (key.text() == "apiVersion" || key.text() == "kind");
  };
  const bool is_object =
      is_kubernetes() && begins_line && all.size() > 1 && std::any_of(all.begin(), all.end(), is_of_object);
  const bool is_one = is_object || all.size() > kMostSeparate;
  for (const Duplicate& each : is_one ? all.first(1) : all) {
    const bool are_maps = each.first->value.is(Kind::Map) && each.again->value.is(Kind::Map);
    Diagnostic& fault = report_duplicate(each.first->key, each.again->key, are_maps);
    if (!is_one) continue;
    fault.note("more keys are set again after it: " + names_of_others(all));
    fault.advise(is_object ? "begin each object with a line `---`"
                           : "keep one of each, or move the others to a file of their own");
  }
}

// Keeps the first of several entries with one text as key: they would be one long chain in the map's index.
void Builder::drop_duplicates(std::size_t first) {
  std::unordered_set<std::string_view> seen;
  const auto is_again = [&](const Entry& entry) {
    return entry.key.is(Kind::String) && !seen.insert(entry.key.text()).second;
  };
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first);
  entries_.erase(std::remove_if(begin, entries_.end(), is_again), entries_.end());
}

Diagnostic& Builder::report_duplicate(const Value& first, const Value& again, bool are_maps) {
  failed_ = true;
  const std::string text = again.is(Kind::String) ? std::string(again.text()) : "<<";
  if (!reading_.places.exact()) return reading_.report(diag::duplicate_key, 0, 0, text);
  const auto place = [&](const Value& key) { return reading_.stage.origins[key.origin()].span; };
  auto& fault = reading_.report_at(diag::duplicate_key, place(again), text);
  if (place(first) != place(again)) fault.also(place(first), "first here");
  if (text == "<<") {
    fault.advise("merge several maps with one list: `<<: [*first, *second]`");
  } else {
    fault.advise(are_maps ? "put the keys of this one into the first, and delete this one" : "keep one of the two");
  }
  return fault;
}

Value Builder::key_value(std::string_view text) {
  return Value::string(
      reading_.stage.arena.make<Text>(text.data(), static_cast<std::uint32_t>(text.size()), hash_text(text), nullptr));
}

Value Builder::text_value(std::string_view text) { return Value::string(make_text_view(reading_.stage.arena, text)); }

Value Builder::typed(const Event& event) {
  if (!event.tag.empty()) return tagged_scalar(event);
  if (event.style != ScalarStyle::Plain) return text_value(event.text);
  const Value value = resolve_plain(event.text, reading_.options.rules);
  if (value.is(Kind::String)) return text_value(event.text);
  if (value.is(Kind::Float) && is_kubernetes() && !std::isfinite(value.as_float())) {
    failed_ = true;
    reading_.report(diag::infinite_number, event.begin, event.end, event.text)
        .advise("put it in quotes if it is a text");
    return Value::error();
  }
  if (value.is(Kind::Float) && is_wide_integer(event.text, reading_.options.rules)) {
    reading_.report(diag::number_loses_digits, event.begin, event.end, event.text, value.as_float())
        .advise("quote it if it is an identifier");
  }
  return value;
}

Value Builder::tagged_scalar(const Event& event) {
  const std::string tag = shown_tag(event.tag);
  if (tag == "!" || tag == "!!str" || tag == "!!timestamp") return text_value(event.text);
  const Value value = resolve_plain(event.text, reading_.options.rules);
  if (tag == "!!int" || tag == "!!float" || tag == "!!bool" || tag == "!!null") {
    if (tag == "!!int" && value.is(Kind::Int)) return value;
    if (tag == "!!bool" && value.is(Kind::Bool)) return value;
    if (tag == "!!null" && value.is(Kind::Null)) return value;
    if (tag == "!!float" && value.is(Kind::Float)) return value;
    if (tag == "!!float" && value.is(Kind::Int)) return Value::floating(static_cast<double>(value.as_int()));
    reading_.report(diag::tag_mismatch, event.begin, event.end, event.text, tag);
  } else if (tag == "!!binary" && is_kubernetes()) {
    const auto bytes = from_base64(event.text);
    if (bytes && utf8::is_valid(*bytes)) return text_value(reading_.stage.arena.text(*bytes));
    reading_.report(diag::tag_mismatch, event.begin, event.end, event.text, tag);
  } else {
    Diagnostic& diagnostic = reading_.report(diag::unknown_tag, event.tag_begin, event.tag_end, tag);
    if (tag == "!vault" || tag == "!vault-encrypted") {
      diagnostic.note("`ansible-vault` encrypted the text, and capwright can't decrypt it")
          .advise("move the value to a layer that `sops` encrypts, or pass it with `--values` (docs/secrets.md)");
    } else {
      diagnostic.advise("remove the tag; quote the text if the `!` belongs to it");
    }
  }
  failed_ = true;
  return Value::error();
}

void Builder::check_collection_tag(const Event& event, std::string_view expected) {
  const std::string tag = event.tag.empty() ? "" : shown_tag(event.tag);
  if (tag.empty() || tag == "!" || tag.substr(std::min<std::size_t>(tag.size(), 2)) == expected) return;
  if (is_kubernetes() && (tag == "!!set" || tag == "!!omap" || tag == "!!pairs")) return;  // go-yaml ignores them
  failed_ = true;
  reading_.report(diag::unknown_tag, event.tag_begin, event.tag_end, tag).advise("remove the tag");
}

}  // namespace capwright::yaml
