// Extracts a document by its lines, and inserts annotations into its text.
#include "rotation/retired_manifest.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "rotation/naming.h"
#include "yaml/write.h"

namespace capwright::rotation {
namespace {

constexpr std::array<KeepingOption, 2> kOptions{{{"argocd.argoproj.io/sync-options", "Prune=false", "Prune="},
                                                 {"kustomize.toolkit.fluxcd.io/prune", "disabled", ""}}};
constexpr std::string_view kDocumentStart = "---";

// The annotation; null: there is none.
const Value* items_of(const Value& manifest, const KeepingOption& option) {
  const Value* metadata = map_at(manifest, "metadata");
  const Value* annotations = metadata != nullptr ? map_at(*metadata, "annotations") : nullptr;
  const Value* items = annotations != nullptr ? annotations->find(option.annotation) : nullptr;
  return items != nullptr && items->is(Kind::String) ? items : nullptr;
}

// The items without those that the option replaces, after its own.
std::string keeping(std::string_view items, const KeepingOption& option) {
  std::string kept(option.item);
  while (!items.empty()) {
    const std::size_t comma = std::min(items.find(','), items.size());
    const std::string_view item = items.substr(0, comma);
    if (!item.empty() && !item.starts_with(option.group)) kept.append(",").append(item);
    items.remove_prefix(std::min(comma + 1, items.size()));
  }
  return kept;
}

bool is_kept(const Value& manifest, const KeepingOption& option) {
  const Value* items = items_of(manifest, option);
  const std::string list = items == nullptr ? "" : "," + std::string(items->text()) + ",";
  return list.find("," + std::string(option.item) + ",") != std::string::npos;
}

// Empty: it isn't an object.
std::string key_of(const Value& manifest) {
  const Value* metadata = map_at(manifest, "metadata");
  if (metadata == nullptr) return {};
  return object_key(string_at(manifest, "kind").value_or(""), group_of(string_at(manifest, "apiVersion").value_or("")),
                    string_at(*metadata, "name").value_or(""));
}

// Whether a manifest has the parts of a template only: another key could hold objects, and Argo CD would read a hook or
// an option that replaces objects as an order to delete. Each render would keep them, because the file is its input.
bool is_plain_template(const Value& manifest) {
  constexpr std::string_view kKeys[] = {"apiVersion", "kind", "metadata", "spec"};
  constexpr std::string_view kOrders[] = {"argocd.argoproj.io/hook", "helm.sh/hook"};
  constexpr std::string_view kReplacing[] = {"Replace=true", "Force=true"};
  const auto is_known = [&](const Entry& entry) { return std::ranges::count(kKeys, entry.key.text()) != 0; };
  if (!std::ranges::all_of(manifest.entries(), is_known)) return false;
  const Value* annotations = map_at(*map_at(manifest, "metadata"), "annotations");
  if (annotations == nullptr) return true;
  const auto is_order = [&](const Entry& entry) {
    return std::ranges::any_of(kOrders, [&](std::string_view order) { return entry.key.text().starts_with(order); });
  };
  if (std::ranges::any_of(annotations->entries(), is_order)) return false;
  const Value* options = items_of(manifest, kOptions.front());
  return options == nullptr || std::ranges::none_of(kReplacing, [&](std::string_view option) {
           return options->text().find(option) != std::string_view::npos;
         });
}

bool is_object(const Value& manifest, const RotatedObject& object, std::string_view digested) {
  const Value* metadata = map_at(manifest, "metadata");
  const Value* spec = template_spec(manifest);
  return metadata != nullptr && spec != nullptr && string_at(manifest, "kind") == object.kind &&
         string_at(*metadata, "name") == object.name &&
         group_of(string_at(manifest, "apiVersion").value_or("")) == object.group && is_plain_template(manifest) &&
         is_named_after(digested, canonical_json(*spec));
}

// A replacement at a place of a text.
struct Change {
  std::uint32_t begin = 0, end = 0;
  std::string text;
};

// The changes that add options to a manifest, in the order of their places.
class Guard {
 public:
  Guard(std::string_view text, const OriginTable& origins) : text_(text), origins_(origins) {}

  std::vector<Change> changes(const Value& manifest, std::span<const KeepingOption> options) const {
    std::vector<Change> all;
    std::vector<std::string> added;
    for (const KeepingOption& option : options) {
      if (is_kept(manifest, option)) continue;
      if (const Value* items = items_of(manifest, option))
        all.push_back(instead(*items, fmt::format("\"{}\"", keeping(items->text(), option))));
      else added.push_back(fmt::format("{}: {}", option.annotation, option.item));
    }
    if (!added.empty()) all.push_back(addition(*map_at(manifest, "metadata"), added));
    std::sort(all.begin(), all.end(), [](const Change& a, const Change& b) { return a.begin < b.begin; });
    return all;
  }

 private:
  Span span(const Value& value) const { return origins_[value.origin()].span; }

  Change instead(const Value& value, std::string text) const {
    return {span(value).begin, span(value).end, std::move(text)};
  }

  Change addition(const Value& metadata, const std::vector<std::string>& entries) const {
    const Value* annotations = metadata.find("annotations");
    const std::string flow = fmt::format("{{{}}}", fmt::join(entries, ", "));
    if (annotations == nullptr) return before_first_key(metadata, {{"annotations: " + flow}});
    const bool empty = !annotations->is(Kind::Map) || annotations->entries().empty();
    return empty ? instead(*annotations, " " + flow) : before_first_key(*annotations, entries);
  }

  Change before_first_key(const Value& map, std::span<const std::string> entries) const {
    const std::uint32_t begin = span(map.entries().front().key).begin;
    const std::size_t line = text_.substr(0, begin).rfind('\n') + 1;
    const bool is_flow = text_[span(map).begin] == '{';
    const std::string separator = is_flow ? ", " : fmt::format("\n{}", text_.substr(line, begin - line));
    std::string text;
    for (const std::string& entry : entries) text += entry + separator;
    return {begin, begin, std::move(text)};
  }

  std::string_view text_;
  const OriginTable& origins_;
};

// Whether a text consists of `object` alone, with the options.
bool is_manifest_of(const RotatedObject& object, const KeptAs& kept, const std::string& text, const Limits& limits) {
  OwnStage own(limits);
  const auto documents =
      read_yaml_documents(own.sources.add("", text), own.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  return !own.sink.failed() && documents.size() == 1 && is_object(documents[0].value, object, kept.digested) &&
         std::ranges::all_of(kept.options, [&](const auto& option) { return is_kept(documents[0].value, option); });
}

}  // namespace

std::span<const KeepingOption> keeping_options(bool by_flux) {
  return std::span(kOptions).first(by_flux ? kOptions.size() : 1);
}

EarlierFile::EarlierFile(std::string shown, const std::string& text, Stage& stage)
    : file_(stage.sources.add(std::move(shown), text)), text_(stage.sources.text(file_)) {
  Sink faults;
  Stage reading{stage.sources, faults, arena_, origins_, stage.limits};
  documents_ = read_yaml_documents(file_, reading, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  for (std::size_t i = 0; i < documents_.size(); ++i) by_name_.emplace(key_of(documents_[i].value), i);
}

Span EarlierFile::lines_of(std::size_t number) const {
  const std::uint32_t first = documents_[number].span.begin;
  const auto line = static_cast<std::uint32_t>(text_.substr(0, first).rfind('\n') + 1);
  const bool beside_marker = text_.substr(line).starts_with(kDocumentStart);
  Span lines{file_, beside_marker ? first : line, static_cast<std::uint32_t>(text_.size())};
  if (number + 1 < documents_.size()) {
    const std::uint32_t next = documents_[number + 1].span.begin;
    lines.end = static_cast<std::uint32_t>(text_.substr(0, next).rfind("\n---") + 1);
  }
  return lines;
}

std::optional<MappedText> EarlierFile::cut(const RotatedObject& object, const KeptAs& kept, Stage& stage) const {
  const auto [first, last] = by_name_.equal_range(object_key(object.kind, object.group, object.name));
  const auto found = std::find_if(
      first, last, [&](const auto& named) { return is_object(documents_[named.second].value, object, kept.digested); });
  if (found == last) return std::nullopt;
  const Span lines = lines_of(found->second);
  MappedText text;
  Segment maker;
  maker.frame = kept.frame;
  const auto append = [&](std::uint32_t begin, std::uint32_t end, std::string_view bytes, bool literal) {
    maker.where = {file_, begin, end};
    maker.literal = literal;
    text.append(bytes, maker);
  };
  std::uint32_t at = lines.begin;
  for (const Change& change : Guard(text_, origins_).changes(documents_[found->second].value, kept.options)) {
    if (change.begin < at || change.end > lines.end) return std::nullopt;  // aliases another document
    append(at, change.begin, text_.substr(at, change.begin - at), true);
    append(change.begin, change.begin, change.text, false);
    at = change.end;
  }
  append(at, lines.end, text_.substr(at, lines.end - at), true);
  if (!text.text().ends_with('\n')) append(lines.end, lines.end, "\n", false);
  return is_manifest_of(object, kept, text.text(), stage.limits) ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace capwright::rotation
