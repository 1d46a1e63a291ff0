// Reads the data of Secrets as the API server and controllers do.
#include "lint/facts/credentials.h"

#include <algorithm>

#include "text/base64.h"
#include "yaml/read.h"

namespace capwright::lint {
namespace {

bool is_secret_document(const Value& document) {
  const Value* kind = document.is(Kind::Map) ? document.find("kind") : nullptr;
  return kind != nullptr && kind->is(Kind::String) && kind->text() == "Secret";
}

Exposure worse(Exposure a, Exposure b) { return std::max(a, b); }

// The document itself, or the items of a List, at any depth that the reader allows.
template <class Visit>
void each_secret_in(const Value& document, const Visit& visit) {
  if (is_secret_document(document)) return visit(document);
  const Value* items = document.is(Kind::Map) ? document.find("items") : nullptr;
  if (items == nullptr || !items->is(Kind::List)) return;
  for (const Value& item : items->items()) each_secret_in(item, visit);
}

// For a Secret inside a text: the most severe result of its values.
Exposure exposure_of_document(const Value& secret) {
  Exposure worst = Exposure::Public;
  for (const std::string_view field : {"data", "stringData"}) {
    const Value* data = secret.find(field);
    if (data == nullptr || !data->is(Kind::Map)) continue;
    for (const Entry& entry : data->entries()) {
      const bool is_number = entry.value.is(Kind::Int) || entry.value.is(Kind::Float);
      if (is_number && !secrets::is_public_key(entry.key.text())) worst = Exposure::Readable;
      if (!entry.value.is(Kind::String)) continue;
      const std::optional<std::string> text =
          field == "data" ? from_base64(entry.value.text()) : std::optional(std::string(entry.value.text()));
      if (text) worst = worse(worst, secrets::exposure_of(entry.key.text(), *text));
    }
  }
  return worst;
}

Exposure exposure_of_manifest(std::string_view text, const Cluster& cluster) {
  Exposure worst = Exposure::Public;
  for (const Value& document : documents_in(text, cluster)) {
    each_secret_in(document, [&](const Value& secret) { worst = worse(worst, exposure_of_document(secret)); });
  }
  return worst;
}

void add_leaves(const Node& data, bool base64, const Cluster& cluster, std::vector<SecretLeaf>& leaves) {
  for (const auto& [key, node] : data.members()) {
    const std::optional<std::string> text = secret_text(node, base64);
    if (!text) continue;
    const bool nested = secrets::holds_secret_document(*text);
    const Exposure exposure = nested ? exposure_of_manifest(*text, cluster) : secrets::exposure_of(key, *text);
    leaves.push_back({node, key, exposure, base64, nested});
  }
}

void add_secret(const Node& secret, const Cluster& cluster, std::vector<SecretLeaf>& leaves) {
  add_leaves(secret["data"], true, cluster, leaves);
  add_leaves(secret["stringData"], false, cluster, leaves);
}

// The template of an ExternalSecret adds mostly public values: only those that are recognizably secret count.
void add_template(const Node& data, std::vector<SecretLeaf>& leaves) {
  for (const auto& [key, node] : data.members()) {
    const Exposure exposure = secrets::exposure_of(key, node.text());
    const bool says_so = secrets::is_configuration(key) || secrets::is_secret_name(key) ||
                         !secrets::key_material_in(node.text()).empty();
    if (exposure == Exposure::Readable && says_so) leaves.push_back({node, key, exposure, false, false});
  }
}

std::vector<SecretLeaf> find_secret_leaves(const Object& object) {
  std::vector<SecretLeaf> leaves;
  if (is_secret(object)) {
    add_secret(object.root(), object.cluster(), leaves);
  } else if (object.kind() == "ExternalSecret") {
    add_template(object["spec.target.template.data"], leaves);
  } else if (object.kind() == "ConfigMap") {
    for (const auto& [key, node] : object["data"].members()) {
      if (secrets::holds_secret_document(node.text()))
        leaves.push_back({node, key, exposure_of_manifest(node.text(), object.cluster()), false, true});
    }
  }
  return leaves;
}

}  // namespace

bool is_secret(const Object& object) { return object.kind() == "Secret" && object.group().empty(); }

Node last_applied(const Object& object) { return object.annotation(kLastApplied); }

bool is_sops(const Object& object) { return object["sops"].is(Kind::Map) && object["sops.mac"].exists(); }

const std::vector<SecretLeaf>& secret_leaves(const Object& object) {
  static const std::vector<SecretLeaf> none;
  const bool may_have_any =
      object.kind() == "Secret" || object.kind() == "ConfigMap" || object.kind() == "ExternalSecret";
  return may_have_any ? object.memo(find_secret_leaves) : none;
}

bool is_tainted(const Node& scalar) {
  const Document* document = scalar.document();
  if (document == nullptr || document->file == nullptr || document->file->rendered == nullptr) return false;
  // Encryption mixes all bytes, and none of them is readable.
  if (!document->file->rendered->secret || document->file->rendered->encrypted) return false;
  const Span span = scalar.span();
  const auto segments = document->file->rendered->body.segments();
  const auto behind = std::partition_point(segments.begin(), segments.end(),
                                           [&](const Segment& segment) { return segment.begin <= span.begin; });
  for (auto segment = behind == segments.begin() ? behind : std::prev(behind);
       segment != segments.end() && segment->begin < span.end; ++segment) {
    if (segment->tainted) return true;
  }
  return false;
}

std::optional<std::string> secret_text(const Node& leaf, bool base64) {
  if (!leaf.is(Kind::String)) return std::nullopt;
  if (!base64) return std::string(leaf.text());
  // A text that isn't base64 is used as it is: encrypted by sops, or a reference that is replaced before decoding.
  return from_base64(leaf.text()).value_or(std::string(leaf.text()));
}

std::vector<Value> documents_in(std::string_view text, const Cluster& cluster) {
  std::vector<Value> documents;
  Stage stage = cluster.stage();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n---", begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const Value document =
        read_yaml_text(stage.arena.text(part), {}, OriginId::None, stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
    if (document.is(Kind::Map)) documents.push_back(document);
    begin = std::min(end == text.size() ? end : text.find('\n', end + 1), text.size());
  }
  return documents;
}

}  // namespace capwright::lint
