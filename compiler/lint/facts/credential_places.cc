// Manifests have no schema that marks secrets, so all data of a Secret counts as secret.
#include "lint/facts/credential_places.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lint/facts/credentials.h"
#include "lint/facts/loose_credentials.h"
#include "lint/model/input_map.h"
#include "pipeline/template_set.h"
#include "secrets/manifest_text.h"
#include "secrets/placeholders.h"
#include "secrets/redactor.h"
#include "secrets/sealed_secret.h"
#include "secrets/texts.h"
#include "secrets/urls.h"

namespace capwright::lint {
namespace {

// Whether the value may be shown: encrypted, or a placeholder.
bool is_shown(const SecretLeaf& leaf) {
  if (leaf.exposure == Exposure::Encrypted) return true;
  return leaf.exposure == Exposure::Reference &&
         secrets::is_placeholder(secret_text(leaf.node, leaf.base64).value_or(""));
}

bool is_redacted(const Object& object, const SecretLeaf& leaf) {
  // Values that are redacted in a rendered cluster are redacted in messages, too, so only known secrets may be.
  const bool in_doubt = is_secret(object) && object.cluster().compiled() == nullptr;
  return in_doubt ? !is_shown(leaf) : leaf.exposure == Exposure::Readable;
}

void add_text(std::string_view key, std::string_view text, SecretTexts& texts) {
  const bool is_file =
      secrets::is_configuration(key) || text.starts_with('{') || text.find('\n') != std::string_view::npos;
  const bool is_key = text.starts_with("-----BEGIN ");
  if (is_file && !is_key) secrets::add_settings(text, texts);
  else secrets::add_lines(text, texts);
}

// Adds the decoded forms of a secret: of an alias, escapes, base64.
void add_meanings(const SecretLeaf& leaf, SecretTexts& texts) {
  const bool is_public = leaf.exposure == Exposure::Public && !secrets::is_configuration(leaf.key) && !leaf.nested;
  if (is_public || leaf.exposure == Exposure::Unset || is_shown(leaf)) return;
  const std::optional<std::string> text = secret_text(leaf.node, leaf.base64);
  if (!text) return;
  add_text(leaf.key, *text, texts);
  for (const TextPlace& place : url_secrets(*text)) texts.add(text->substr(place.begin, place.end - place.begin));
  if (*text != leaf.node.text()) secrets::add_lines(leaf.node.text(), texts);
}

void redact_below(const Node& node, const Cluster& cluster) {
  for (const auto& [key, value] : node.members()) redact_below(value, cluster);
  for (const Node item : node.items()) redact_below(item, cluster);
  if (!node.is(Kind::Map) && !node.is(Kind::List)) cluster.redact(node.whole_span());
}

// Redacts values of other types where a string belongs: a number, or a map that the server will reject.
void redact_other_types(const Node& data, const Cluster& cluster) {
  if (!data.is(Kind::Map)) redact_below(data, cluster);
  for (const auto& [key, value] : data.members()) {
    if (!value.is(Kind::String)) redact_below(value, cluster);
  }
}

// Redacts data that is nested one level too deep, and unexpected values in metadata.
void redact_misplaced(const Node& node, const Cluster& cluster) {
  for (const auto& [key, value] : node.members()) {
    if (key == "data" || key == "stringData") redact_below(value, cluster);
    else redact_misplaced(value, cluster);
  }
  for (const Node item : node.items()) redact_misplaced(item, cluster);
}

// Regular fields of metadata are public; all others are redacted.
void redact_in_metadata(const Node& metadata, const Cluster& cluster) {
  constexpr std::string_view kFields[] = {"name",
                                          "generateName",
                                          "namespace",
                                          "labels",
                                          "annotations",
                                          "finalizers",
                                          "uid",
                                          "ownerReferences",
                                          "generation",
                                          "resourceVersion",
                                          "creationTimestamp",
                                          "deletionTimestamp",
                                          "selfLink",
                                          "managedFields",
                                          "deletionGracePeriodSeconds"};
  for (const auto& [key, value] : metadata.members()) {
    if (std::find(std::begin(kFields), std::end(kFields), key) == std::end(kFields)) redact_below(value, cluster);
    else redact_misplaced(value, cluster);
  }
}

// Includes fields that a Secret doesn't have, such as `stringdata`. With `has_leaves`, texts of the data are judged one
// by one.
void redact_fields(const Node& secret, bool has_leaves, const Cluster& cluster) {
  for (const auto& [key, value] : secret.members()) {
    const bool is_public = key == "apiVersion" || key == "kind" || (key == "type" && value.is(Kind::String)) ||
                           (key == "immutable" && value.is(Kind::Bool));
    const bool is_data = key == "data" || key == "stringData";
    if (is_data && has_leaves) redact_other_types(value, cluster);
    else if (key == "metadata") redact_in_metadata(value, cluster);
    else if (!is_public) redact_below(value, cluster);
  }
}

// `Secrt`, or `core/v1`: meant as a Secret, although the server rejects it. Only Secrets have `stringData`.
bool is_misspelt_secret(const Object& object) {
  if (is_secret(object)) return false;
  return secrets::means_secret(object.kind()) || object["stringData"].is(Kind::Map);
}

bool is_like_secret(const Object& object) { return is_secret(object) || is_misspelt_secret(object); }

// Calls `visit` for each loose secret in a cluster of manifests. In a rendered cluster the values are marked instead.
template <class Visit>
void each_loose_secret(const Cluster& cluster, const Visit& visit) {
  if (cluster.compiled() != nullptr) return;
  for (const Object* object : cluster.objects()) std::ranges::for_each(loose_secrets(*object), visit);
  std::ranges::for_each(loose_secrets_outside_objects(cluster), visit);
}

// Whether only the credentials in its URLs are secret: only these parts are redacted.
bool is_url(const LooseSecret& secret) {
  return !secret.what.empty() && secrets::key_material_in(redact_urls(secret.node.text())).empty();
}

std::vector<std::string_view> parts_of(std::string_view text, const std::vector<TextPlace>& places) {
  std::vector<std::string_view> parts;
  for (const TextPlace& place : places) parts.push_back(text.substr(place.begin, place.end - place.begin));
  return parts;
}

void redact_loose(const LooseSecret& secret, const Cluster& cluster) {
  const Span whole = secret.node.span();
  if (!is_url(secret) || !whole.known()) return cluster.redact(whole);
  const std::string_view written = cluster.sources().text(whole), meant = secret.node.text();
  const std::vector<TextPlace> places = url_secrets(written);
  // With escapes, the parts can't be located in the source.
  if (parts_of(written, places) != parts_of(meant, url_secrets(meant))) return cluster.redact(whole);
  for (const TextPlace& place : places) {
    const auto at = [&](std::size_t offset) { return whole.begin + static_cast<std::uint32_t>(offset); };
    cluster.redact({whole.file, at(place.begin), at(place.end)});
  }
}

// Redacts lines of a text that isn't recognizable as a Secret: lines of a private key, or with a secret recognized by
// its form or by its key.
void redact_secret_lines(Span text, const Cluster& cluster) {
  const std::string_view all = cluster.sources().text(text);
  bool is_in_key = false;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string_view line = all.substr(begin, end - begin);
    is_in_key = is_in_key || (line.find("-----BEGIN ") != std::string_view::npos &&
                              line.find("PRIVATE KEY") != std::string_view::npos);
    if (is_in_key || !secrets::key_material_in(line).empty() || secrets::has_secret_line(line))
      cluster.redact(
          {text.file, text.begin + static_cast<std::uint32_t>(begin), text.begin + static_cast<std::uint32_t>(end)});
    is_in_key = is_in_key && line.find("-----END ") == std::string_view::npos;
    begin = end + 1;
  }
}

void redact_unread(Span text, const Cluster& cluster) {
  const std::vector<Span> secrets = secrets::unread_manifest_secrets(text, cluster.sources());
  for (const Span secret : secrets) cluster.redact(secret);
  if (secrets.empty()) redact_secret_lines(text, cluster);
}

// Lines of inputs are shown where a finding leads to them.
void redact_inputs(const Cluster& cluster) {
  if (cluster.inputs() == nullptr) return;
  for (const FileId input : cluster.inputs()->files())
    redact_unread({input, 0, static_cast<std::uint32_t>(cluster.sources().text(input).size())}, cluster);
}

// Whether part of it couldn't be parsed. Call it before rules run.
bool has_fault(Span document, const Cluster& cluster) {
  const std::vector<Diagnostic>& faults = cluster.sink().diagnostics();
  return std::any_of(faults.begin(), faults.end(), [&](const Diagnostic& fault) {
    return fault.where.file == document.file && fault.where.begin >= document.begin &&
           fault.where.begin <= document.end;
  });
}

// Redacts unparsed parts of a file: those between its objects, which are handled as objects.
void redact_around_objects(Span unread, const Cluster& cluster) {
  bool is_behind_secret = false;
  const auto redact_piece = [&](Span piece) {
    const bool has_kind = cluster.sources().text(piece).find("kind") != std::string_view::npos;
    if (is_behind_secret && !has_kind) cluster.redact(piece);
    else redact_unread(piece, cluster);
  };
  for (const Object* object : cluster.objects()) {
    const Span read = object->root().document()->span;
    if (read.file == unread.file && read.end <= unread.begin) is_behind_secret = is_like_secret(*object);
    if (read.file != unread.file || read.begin < unread.begin || has_fault(read, cluster)) continue;
    redact_piece({unread.file, unread.begin, read.begin});
    unread.begin = std::max(unread.begin, read.end);
    is_behind_secret = is_like_secret(*object);
  }
  redact_piece(unread);
}

// Redacts documents that aren't objects: a Secret without a kind, or the part of a Secret that a line `---` in a text
// has cut off.
void redact_strays(const Cluster& cluster) {
  if (cluster.strays().empty()) return;
  for (const File& file : cluster.files()) {
    bool is_behind_secret = cluster.context().is_stream;
    for (const Document& document : file.documents) {
      if (document.object != nullptr) {
        is_behind_secret = is_like_secret(*document.object);
        continue;
      }
      const Node root(document);
      const bool is_cut_off = is_behind_secret && !root["apiVersion"] && !root["kind"];
      if (is_cut_off) cluster.redact(document.span);
      for (const Span secret : secrets::unread_manifest_secrets(document.span, cluster.sources()))
        cluster.redact(secret);
      is_behind_secret = is_behind_secret || secrets::may_be_secret(cluster.sources().text(document.span));
    }
  }
}

// A text in a SealedSecret that isn't a ciphertext is the secret itself, or a placeholder.
void redact_unsealed(const Object& sealed, const Cluster& cluster) {
  for (const auto& [key, value] : sealed["spec.encryptedData"].members()) {
    const std::string_view text = value.text();
    const bool is_public = secrets::sealed_size(text) || text.find("PLACEHOLDER") != std::string_view::npos;
    if (!is_public) redact_below(value, cluster);
  }
}

// Text of a built-in template isn't secret: messages may repeat it.
void allow_public_words(const Node& leaf, const Object& object) {
  const Cluster& cluster = object.cluster();
  const TemplateSet* set = cluster.templates();
  if (set == nullptr || !set->built_in || object.file().rendered == nullptr) return;
  const std::vector<FileId> templates = set->sources.files();
  const MappedText text = object.file().rendered->body.slice(leaf.span().begin, leaf.span().end);
  const auto segments = text.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : text.size();
    const bool is_of_set = std::find(templates.begin(), templates.end(), segments[i].where.file) != templates.end();
    if (segments[i].tainted || !segments[i].literal || !is_of_set) continue;
    secrets::each_word(std::string_view(text.text()).substr(segments[i].begin, end - segments[i].begin),
                       secrets::kShortestQuoted, [&](std::string_view word) { cluster.allow_word(word); });
  }
}

bool find_places(const Cluster& cluster) {
  for (const Span unread : cluster.unread()) redact_around_objects(unread, cluster);
  redact_strays(cluster);
  for (const Object* object : cluster.objects()) {
    if (is_like_secret(*object)) redact_fields(object->root(), is_secret(*object), cluster);
    if (object->kind() == "SealedSecret" && cluster.compiled() == nullptr) redact_unsealed(*object, cluster);
    const Node copy = is_like_secret(*object) && cluster.compiled() == nullptr ? last_applied(*object) : Node();
    if (copy) cluster.redact(copy.span());
    for (const SecretLeaf& leaf : secret_leaves(*object)) {
      if (!is_redacted(*object, leaf)) continue;
      cluster.redact(leaf.node.span());
      allow_public_words(leaf.node, *object);
    }
  }
  each_loose_secret(cluster, [&](const LooseSecret& secret) { redact_loose(secret, cluster); });
  redact_inputs(cluster);
  return true;
}

SecretTexts texts_of(const Cluster& cluster) {
  SecretTexts texts;
  // The output repeats their secrets, and its objects say which parts of their lines are secret.
  const auto is_in_inputs = [&](Span secret) {
    if (cluster.inputs() == nullptr) return false;
    const std::vector<FileId>& files = cluster.inputs()->files();
    return std::find(files.begin(), files.end(), secret.file) != files.end();
  };
  std::size_t bytes = 0;
  for (const Span secret : cluster.secrets()) bytes += secret.size();
  texts.expect(bytes);
  std::set<Span> leaves;  // leaves about which more is known than their place
  for (const Object* object : cluster.objects()) {
    if (const Node copy = is_like_secret(*object) ? last_applied(*object) : Node()) {
      leaves.insert(copy.span());
      secrets::add_settings(copy.text(), texts);
    }
    for (const SecretLeaf& leaf : secret_leaves(*object)) {
      leaves.insert(leaf.node.span());
      if (is_secret(*object) || leaf.exposure == Exposure::Readable) add_meanings(leaf, texts);
    }
  }
  each_loose_secret(cluster, [&](const LooseSecret& secret) {
    leaves.insert(secret.node.span());
    if (!is_url(secret)) add_text(secret.key, secret.node.text(), texts);
  });
  for (const Span secret : cluster.secrets()) {
    if (!leaves.contains(secret) && !is_in_inputs(secret)) secrets::add_lines(cluster.sources().text(secret), texts);
  }
  return texts;
}

}  // namespace

void find_credentials(const Cluster& cluster) { cluster.memo(find_places); }

secrets::Redactor redactor_of(const Cluster& cluster) {
  find_credentials(cluster);
  if (cluster.compiled() != nullptr) return cluster.compiled()->redactor();
  secrets::Redactor redactor;
  redactor.places = cluster.secrets();
  redactor.unread = cluster.unread();
  if (!redactor.places.empty()) redactor.texts = texts_of(cluster);  // otherwise only URLs may contain credentials
  return redactor;
}

}  // namespace capwright::lint
