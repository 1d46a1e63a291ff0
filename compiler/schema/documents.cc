// Identifiers count only in subschemas: an `$id` inside `const`, `enum` or an unknown keyword is data.
#include "schema/documents.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <vector>

#include "diag/catalog/values.h"
#include "diag/suggest.h"
#include "schema/uri.h"
#include "yaml/read.h"

namespace capwright::schema {
namespace {

const Value* text_member(const Value& schema, std::string_view keyword) {
  const Value* value = schema.find(keyword);
  return value != nullptr && value->is(Kind::String) ? value : nullptr;
}

Span place(const Value& value, const Stage& stage) { return stage.origins[value.origin()].span; }

const Value* member(const Value& value, std::string_view token) {
  if (value.is(Kind::Map)) return value.find(token);
  if (!value.is(Kind::List)) return nullptr;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool whole = error == std::errc() && end == token.data() + token.size();
  return whole && index < value.items().size() ? &value.items()[index] : nullptr;
}

bool vocabulary_on(const Value& vocabulary, std::string_view name) {
  return vocabulary.find("https://json-schema.org/draft/2020-12/vocab/" + std::string(name)) != nullptr;
}

}  // namespace

DocumentPart& Documents::make_part(std::string uri, const Value& schema, Dialect dialect) {
  DocumentPart& part = parts_.emplace_back();
  part.uri = uri;
  part.root = schema;
  part.dialect = dialect;
  if (schema.is(Kind::Map)) by_root_[schema.map_rep()] = &part;
  if (!by_uri_.emplace(std::move(uri), &part).second) {
    const Value* id = text_member(schema, "$id");
    if (id != nullptr) stage_.sink.report(diag::repeated_identifier, place(*id, stage_), std::string(id->text()));
  }
  return part;
}

DocumentPart& Documents::add(std::string_view uri, const Value& document) {
  const std::string name(split_fragment(uri).document);
  const Dialect dialect = dialect_of(document, default_dialect_);
  const Value* id = text_member(document, "$id");
  const bool ignored = dialect.draft7 && document.find("$ref") != nullptr;
  std::string own = name;
  if (id != nullptr && !ignored) own = split_fragment(resolve_uri(name, id->text())).document;
  DocumentPart& part = make_part(own, document, dialect);
  by_uri_.emplace(name, &part);  // also known by the URI it was given under
  index(document, part);
  return part;
}

Dialect Documents::dialect_of(const Value& schema, Dialect outer) {
  const Value* named = text_member(schema, "$schema");
  if (named == nullptr) return outer;
  const std::string_view uri = split_fragment(named->text()).document;
  if (uri == kDraft2020) return {};
  Dialect dialect;
  if (uri.ends_with("json-schema.org/draft-07/schema") || uri.ends_with("json-schema.org/draft-06/schema")) {
    dialect.draft7 = true;
    return dialect;
  }
  const DocumentPart* metaschema = part_by_uri(uri);
  if (metaschema == nullptr) {
    stage_.sink.report(diag::unknown_dialect, place(*named, stage_), std::string(named->text()))
        .advise("known: `" + std::string(kDraft2020) + "` and `" + std::string(kDraft7) + "#`");
    return outer;
  }
  if (const Value* vocabulary = metaschema->root.find("$vocabulary")) {
    dialect.applicators = vocabulary_on(*vocabulary, "applicator");
    dialect.unevaluated = vocabulary_on(*vocabulary, "unevaluated");
    dialect.validation = vocabulary_on(*vocabulary, "validation");
  }
  return dialect;
}

void Documents::add_anchor(const Value& schema, std::string_view keyword, DocumentPart& part) {
  const Value* name = text_member(schema, keyword);
  if (name == nullptr) return;
  const auto [known, is_new] = part.anchors.emplace(name->text(), schema);
  if (!is_new && known->second.map_rep() != schema.map_rep()) {
    stage_.sink.report(diag::repeated_identifier, place(*name, stage_), std::string(name->text()));
  }
  if (keyword == "$dynamicAnchor") part.dynamic_anchors.emplace(name->text());
}

void Documents::index(const Value& schema, DocumentPart& outer) {
  if (!schema.is(Kind::Map)) return;
  DocumentPart* part = &outer;
  const Value* id = text_member(schema, "$id");
  const bool ignored = outer.dialect.draft7 && schema.find("$ref") != nullptr;
  if (id != nullptr && !ignored && schema.map_rep() != outer.root.map_rep()) {
    const std::string uri = resolve_uri(outer.uri, id->text());
    const SplitUri split = split_fragment(uri);
    if (outer.dialect.draft7 && id->text().starts_with('#')) part->anchors.emplace(split.fragment, schema);
    else part = &make_part(std::string(split.document), schema, dialect_of(schema, outer.dialect));
  }
  if (!part->dialect.draft7) {
    add_anchor(schema, "$anchor", *part);
    add_anchor(schema, "$dynamicAnchor", *part);
  }
  for (const Entry& entry : schema.entries()) {
    const Keyword* keyword = find_keyword(entry.key.text());
    if (keyword != nullptr && keyword->is_in(part->dialect)) index_below(*keyword, entry.value, *part);
  }
}

void Documents::index_below(const Keyword& keyword, const Value& value, DocumentPart& part) {
  if (keyword.shape == Shape::Plain) return;
  const bool named = keyword.shape == Shape::Named || keyword.shape == Shape::Dependencies;
  if (named && value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) index(entry.value, part);
  } else if (value.is(Kind::List)) {
    for (const Value& item : value.items()) index(item, part);
  } else if (!named) {
    index(value, part);
  }
}

DocumentPart& Documents::part_of(const Value& schema, DocumentPart& outer) {
  if (!schema.is(Kind::Map)) return outer;
  const auto found = by_root_.find(schema.map_rep());
  return found == by_root_.end() ? outer : *found->second;
}

DocumentPart* Documents::load(std::string_view uri) {
  const auto is_wanted = [&](const SchemaDocument& document) { return split_fragment(document.uri).document == uri; };
  if (const auto found = std::find_if(given_.begin(), given_.end(), is_wanted); found != given_.end()) {
    const SchemaDocument document = *found;
    given_.erase(found);
    return &add(document.uri, document.document);
  }
  const std::string_view text = metaschema_text(uri);
  if (text.empty()) return nullptr;
  const FileId file = stage_.sources.add(std::string(uri), std::string(text));
  return &add(uri, read_yaml(file, stage_, {.syntax = TextSyntax::Json}));
}

DocumentPart* Documents::part_by_uri(std::string_view uri) {
  const auto known = [&]() -> DocumentPart* {
    const auto found = by_uri_.find(uri);
    return found == by_uri_.end() ? nullptr : found->second;
  };
  if (DocumentPart* part = known()) return part;
  if (DocumentPart* part = load(uri)) return part;
  // The `$id` of a given document, or of a part of it, may differ from the URI it was given under.
  while (!given_.empty()) {
    const SchemaDocument document = given_.back();
    given_.pop_back();
    add(document.uri, document.document);
  }
  return known();
}

bool Documents::knows_document(std::string_view uri) { return part_by_uri(split_fragment(uri).document) != nullptr; }

std::optional<Documents::Target> Documents::find(std::string_view uri) {
  const SplitUri split = split_fragment(uri);
  DocumentPart* part = part_by_uri(split.document);
  if (part == nullptr) return std::nullopt;
  const std::string fragment = percent_decode(split.fragment);
  if (fragment.empty()) return Target{part->root, part, false};
  if (fragment.starts_with('/')) return follow_pointer(fragment, *part);
  const auto anchor = part->anchors.find(fragment);
  if (anchor == part->anchors.end()) return std::nullopt;
  return Target{anchor->second, part, part->dynamic_anchors.contains(fragment)};
}

std::string Documents::near_place(std::string_view uri) {
  const SplitUri split = split_fragment(uri);
  DocumentPart* part = part_by_uri(split.document);
  if (part == nullptr) return {};
  std::vector<std::string_view> names;
  if (!split.fragment.starts_with('/')) {
    for (const auto& [anchor, target] : part->anchors) names.push_back(anchor);
    const std::string_view name = nearest(split.fragment, names);
    return name.empty() ? std::string() : fmt::format("#{}", name);
  }
  const std::string fragment = percent_decode(split.fragment);
  const std::size_t last = fragment.rfind('/');
  const auto outer = follow_pointer(std::string_view(fragment).substr(0, last), *part);
  if (!outer || !outer->schema.is(Kind::Map)) return {};
  for (const Entry& entry : outer->schema.entries()) names.push_back(entry.key.text());
  const std::string_view name = nearest(unescape_token(std::string_view(fragment).substr(last + 1)), names);
  // A name that a pointer escapes isn't worth its rules.
  if (name.empty() || name.find_first_of("/~%") != std::string_view::npos) return {};
  return fmt::format("#{}/{}", fragment.substr(0, last), name);
}

std::optional<Documents::Target> Documents::follow_pointer(std::string_view pointer, DocumentPart& start) {
  Target target{start.root, &start, false};
  while (!pointer.empty()) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const Value* next = member(target.schema, unescape_token(pointer.substr(1, end - 1)));
    if (next == nullptr) return std::nullopt;
    target.schema = *next;
    target.part = &part_of(*next, *target.part);
    pointer.remove_prefix(end);
  }
  return target;
}

}  // namespace capwright::schema
