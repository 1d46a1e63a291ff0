// Extracts a document by its lines, and inserts one annotation into its text.
#include "rotation/retired_manifest.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "rotation/naming.h"
#include "yaml/write.h"

namespace capwright::rotation {
namespace {

constexpr std::string_view kSyncOptions = "argocd.argoproj.io/sync-options";
constexpr std::string_view kPrune = "Prune=";
constexpr std::string_view kKeep = "Prune=false";
constexpr std::string_view kDocumentStart = "---";

const Value* sync_options(const Value& manifest) {
  const Value* metadata = map_at(manifest, "metadata");
  const Value* annotations = metadata != nullptr ? map_at(*metadata, "annotations") : nullptr;
  const Value* options = annotations != nullptr ? annotations->find(kSyncOptions) : nullptr;
  return options != nullptr && options->is(Kind::String) ? options : nullptr;
}

// The options without those about pruning, plus `Prune=false`.
std::string keeping(std::string_view options) {
  std::string kept(kKeep);
  while (!options.empty()) {
    const std::size_t comma = std::min(options.find(','), options.size());
    const std::string_view option = options.substr(0, comma);
    if (!option.empty() && !option.starts_with(kPrune)) kept.append(",").append(option);
    options.remove_prefix(std::min(comma + 1, options.size()));
  }
  return kept;
}

bool is_kept(const Value& manifest) {
  const Value* options = sync_options(manifest);
  const std::string list = options == nullptr ? "" : "," + std::string(options->text()) + ",";
  return list.find("," + std::string(kKeep) + ",") != std::string::npos;
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
  const Value* options = sync_options(manifest);
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

// The change that adds the annotation to a manifest; empty if it is already there.
class Guard {
 public:
  Guard(std::string_view text, const OriginTable& origins) : text_(text), origins_(origins) {}

  Change change(const Value& manifest) const {
    const Value& metadata = *map_at(manifest, "metadata");
    const Value* annotations = metadata.find("annotations");
    if (is_kept(manifest)) return {};
    if (const Value* options = sync_options(manifest))
      return instead(*options, fmt::format("\"{}\"", keeping(options->text())));
    const std::string entry = fmt::format("{}: {}", kSyncOptions, kKeep);
    if (annotations == nullptr) return before_first_key(metadata, fmt::format("annotations: {{{}}}", entry));
    const bool empty = !annotations->is(Kind::Map) || annotations->entries().empty();
    return empty ? instead(*annotations, fmt::format(" {{{}}}", entry)) : before_first_key(*annotations, entry);
  }

 private:
  Span span(const Value& value) const { return origins_[value.origin()].span; }

  Change instead(const Value& value, std::string text) const {
    return {span(value).begin, span(value).end, std::move(text)};
  }

  Change before_first_key(const Value& map, std::string text) const {
    const std::uint32_t begin = span(map.entries().front().key).begin;
    const std::size_t line = text_.substr(0, begin).rfind('\n') + 1;
    if (text_[span(map).begin] == '{') text += ", ";
    else text.append("\n").append(text_.substr(line, begin - line));
    return {begin, begin, std::move(text)};
  }

  std::string_view text_;
  const OriginTable& origins_;
};

// Whether a text consists of `object` alone, protected from Argo CD.
bool is_manifest_of(const RotatedObject& object, std::string_view digested, const std::string& text,
                    const Limits& limits) {
  OwnStage own(limits);
  const auto documents =
      read_yaml_documents(own.sources.add("", text), own.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  return !own.sink.failed() && documents.size() == 1 && is_object(documents[0].value, object, digested) &&
         is_kept(documents[0].value);
}

}  // namespace

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

std::optional<MappedText> EarlierFile::cut(const RotatedObject& object, std::string_view digested, FrameId frame,
                                           Stage& stage) const {
  const auto [first, last] = by_name_.equal_range(object_key(object.kind, object.group, object.name));
  const auto found = std::find_if(
      first, last, [&](const auto& named) { return is_object(documents_[named.second].value, object, digested); });
  if (found == last) return std::nullopt;
  const Span lines = lines_of(found->second);
  Change change = Guard(text_, origins_).change(documents_[found->second].value);
  if (change.text.empty()) change = {lines.end, lines.end, text_.substr(0, lines.end).ends_with('\n') ? "" : "\n"};
  MappedText text;
  Segment maker;
  maker.frame = frame;
  const auto append = [&](std::uint32_t begin, std::uint32_t end, std::string_view bytes, bool literal) {
    maker.where = {file_, begin, end};
    maker.literal = literal;
    text.append(bytes, maker);
  };
  if (change.begin < lines.begin || change.end > lines.end) return std::nullopt;  // aliases another document
  append(lines.begin, change.begin, text_.substr(lines.begin, change.begin - lines.begin), true);
  append(change.begin, change.begin, change.text, false);
  append(change.end, lines.end, text_.substr(change.end, lines.end - change.end), true);
  if (!text.text().ends_with('\n')) append(lines.end, lines.end, "\n", false);
  return is_manifest_of(object, digested, text.text(), stage.limits) ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace capwright::rotation
