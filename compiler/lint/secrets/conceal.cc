// Manifests have no schema that marks secrets, so all data of a Secret counts as secret.
#include "lint/secrets/conceal.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "lint/secrets/credentials.h"
#include "lint/secrets/loose_secrets.h"
#include "lint/secrets/placeholders.h"
#include "lint/secrets/secret_words.h"
#include "pipeline/cover_secrets.h"
#include "text/url_secrets.h"

namespace capwright::lint {
namespace {

// Whether the value may be shown: encrypted, or a placeholder.
bool is_shown(const SecretLeaf& leaf) {
  if (leaf.guise == Guise::Encrypted) return true;
  return leaf.guise == Guise::Reference && is_placeholder(secret_text(leaf.node, leaf.base64).value_or(""));
}

bool is_concealed(const Object& object, const SecretLeaf& leaf) {
  // Values that are redacted in a rendered cluster are redacted in messages, too, so only known secrets may be.
  const bool in_doubt = is_secret(object) && object.cluster().compiled() == nullptr;
  return in_doubt ? !is_shown(leaf) : leaf.guise == Guise::Readable;
}

void add_text(std::string_view key, std::string_view text, SecretTexts& texts) {
  const bool is_file = is_configuration(key) || text.starts_with('{') || text.find('\n') != std::string_view::npos;
  const bool is_key = text.starts_with("-----BEGIN ");
  if (is_file && !is_key) add_settings(text, texts);
  else add_lines(text, texts);
}

// Adds the decoded forms of a secret: of an alias, escapes, base64.
void add_meanings(const SecretLeaf& leaf, SecretTexts& texts) {
  const bool is_public = leaf.guise == Guise::Public && !is_configuration(leaf.key) && !leaf.nested;
  if (is_public || leaf.guise == Guise::Unset || is_shown(leaf)) return;
  const std::optional<std::string> text = secret_text(leaf.node, leaf.base64);
  if (!text) return;
  add_text(leaf.key, *text, texts);
  for (const TextPlace& place : url_secrets(*text)) texts.add(text->substr(place.begin, place.end - place.begin));
  if (*text != leaf.node.text()) add_lines(leaf.node.text(), texts);
}

void conceal_below(const Node& node, Cluster& cluster) {
  for (const auto& [key, value] : node.members()) conceal_below(value, cluster);
  for (const Node item : node.items()) conceal_below(item, cluster);
  if (!node.is(Kind::Map) && !node.is(Kind::List)) cluster.conceal(node.whole_span());
}

// Redacts values of other types where a string belongs: a number, or a map that the server will reject.
void conceal_other_types(const Node& data, Cluster& cluster) {
  if (!data.is(Kind::Map)) conceal_below(data, cluster);
  for (const auto& [key, value] : data.members()) {
    if (!value.is(Kind::String)) conceal_below(value, cluster);
  }
}

// Redacts data that is nested one level too deep, and unexpected values in metadata.
void conceal_misplaced(const Node& node, Cluster& cluster) {
  for (const auto& [key, value] : node.members()) {
    if (key == "data" || key == "stringData") conceal_below(value, cluster);
    else conceal_misplaced(value, cluster);
  }
  for (const Node item : node.items()) conceal_misplaced(item, cluster);
}

// Regular fields of metadata are public; all others are redacted.
void conceal_in_metadata(const Node& metadata, Cluster& cluster) {
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
    if (std::find(std::begin(kFields), std::end(kFields), key) == std::end(kFields)) conceal_below(value, cluster);
    else conceal_misplaced(value, cluster);
  }
}

// Includes fields that a Secret doesn't have, such as `stringdata`. With `has_leaves`, texts of the data are judged one
// by one.
void conceal_fields(const Node& secret, bool has_leaves, Cluster& cluster) {
  for (const auto& [key, value] : secret.members()) {
    const bool is_public = key == "apiVersion" || key == "kind" || (key == "type" && value.is(Kind::String)) ||
                           (key == "immutable" && value.is(Kind::Bool));
    const bool is_data = key == "data" || key == "stringData";
    if (is_data && has_leaves) conceal_other_types(value, cluster);
    else if (key == "metadata") conceal_in_metadata(value, cluster);
    else if (!is_public) conceal_below(value, cluster);
  }
}

// `Secrt`, or `core/v1`: meant as a Secret, although the server rejects it. Only Secrets have `stringData`.
bool is_misspelt_secret(const Object& object) {
  if (is_secret(object)) return false;
  return means_secret(object.kind()) || object["stringData"].is(Kind::Map);
}

bool is_like_secret(const Object& object) { return is_secret(object) || is_misspelt_secret(object); }

struct FirstPlace {
  bool operator()(const Span& a, const Span& b) const {
    return std::tie(a.file, a.begin, a.end) < std::tie(b.file, b.begin, b.end);
  }
};

bool is_unread(Span where, const Cluster& cluster) {
  return std::any_of(cluster.unread().begin(), cluster.unread().end(), [&](const Span& unread) {
    return unread.file == where.file && unread.begin <= where.end && where.begin <= unread.end;
  });
}

// Calls `visit` for each loose secret in a cluster of manifests. In a rendered cluster the values are marked instead.
template <class Visit>
void each_loose_secret(const Cluster& cluster, const Visit& visit) {
  if (cluster.compiled() != nullptr) return;
  for (const Object* object : cluster.objects()) std::ranges::for_each(loose_secrets(*object), visit);
  std::ranges::for_each(loose_secrets_outside_objects(cluster), visit);
}

// Whether only the credentials in its URLs are secret: only these parts are redacted.
bool is_url(const LooseSecret& secret) {
  return !secret.what.empty() && key_material_in(cover_url_secrets(secret.node.text())).empty();
}

std::vector<std::string_view> parts_of(std::string_view text, const std::vector<TextPlace>& places) {
  std::vector<std::string_view> parts;
  for (const TextPlace& place : places) parts.push_back(text.substr(place.begin, place.end - place.begin));
  return parts;
}

void conceal_loose(const LooseSecret& secret, Cluster& cluster) {
  const Span whole = secret.node.span();
  if (!is_url(secret) || !whole.known()) return cluster.conceal(whole);
  const std::string_view written = cluster.sources().text(whole), meant = secret.node.text();
  const std::vector<TextPlace> places = url_secrets(written);
  // With escapes, the parts can't be located in the source.
  if (parts_of(written, places) != parts_of(meant, url_secrets(meant))) return cluster.conceal(whole);
  for (const TextPlace& place : places) {
    const auto at = [&](std::size_t offset) { return whole.begin + static_cast<std::uint32_t>(offset); };
    cluster.conceal({whole.file, at(place.begin), at(place.end)});
  }
}

// Redacts lines of a text that isn't recognizable as a Secret: lines of a private key, or with a secret recognized by
// its form or by its key.
void conceal_secret_lines(Span text, Cluster& cluster) {
  const std::string_view all = cluster.sources().text(text);
  bool is_in_key = false;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string_view line = all.substr(begin, end - begin);
    is_in_key = is_in_key || (line.find("-----BEGIN ") != std::string_view::npos &&
                              line.find("PRIVATE KEY") != std::string_view::npos);
    if (is_in_key || !key_material_in(line).empty() || has_secret_line(line))
      cluster.conceal(
          {text.file, text.begin + static_cast<std::uint32_t>(begin), text.begin + static_cast<std::uint32_t>(end)});
    is_in_key = is_in_key && line.find("-----END ") == std::string_view::npos;
    begin = end + 1;
  }
}

void conceal_unread(Span text, Cluster& cluster) {
  const std::vector<Span> secrets = unread_manifest_secrets(text, cluster.sources());
  for (const Span secret : secrets) cluster.conceal(secret);
  if (secrets.empty()) conceal_secret_lines(text, cluster);
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
void conceal_around_objects(Span unread, Cluster& cluster) {
  bool is_behind_secret = false;
  const auto conceal_piece = [&](Span piece) {
    const bool has_kind = cluster.sources().text(piece).find("kind") != std::string_view::npos;
    if (is_behind_secret && !has_kind) cluster.conceal(piece);
    else conceal_unread(piece, cluster);
  };
  for (const Object* object : cluster.objects()) {
    const Span read = object->root().document()->span;
    if (read.file == unread.file && read.end <= unread.begin) is_behind_secret = is_like_secret(*object);
    if (read.file != unread.file || read.begin < unread.begin || has_fault(read, cluster)) continue;
    conceal_piece({unread.file, unread.begin, read.begin});
    unread.begin = std::max(unread.begin, read.end);
    is_behind_secret = is_like_secret(*object);
  }
  conceal_piece(unread);
}

// Redacts documents that aren't objects: a Secret without a kind, or the part of a Secret that a line `---` in a text
// has cut off.
void conceal_strays(Cluster& cluster) {
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
      if (is_cut_off) cluster.conceal(document.span);
      for (const Span secret : unread_manifest_secrets(document.span, cluster.sources())) cluster.conceal(secret);
      is_behind_secret = is_behind_secret || may_be_secret(cluster.sources().text(document.span));
    }
  }
}

}  // namespace

void conceal_secrets(Cluster& cluster) {
  for (const Span unread : cluster.unread()) conceal_around_objects(unread, cluster);
  conceal_strays(cluster);
  for (const Object* object : cluster.objects()) {
    if (is_like_secret(*object)) conceal_fields(object->root(), is_secret(*object), cluster);
    const Node copy = is_like_secret(*object) && cluster.compiled() == nullptr ? last_applied(*object) : Node();
    if (copy) cluster.conceal(copy.span());
    for (const SecretLeaf& leaf : secret_leaves(*object)) {
      if (is_concealed(*object, leaf)) cluster.conceal(leaf.node.span());
    }
  }
  each_loose_secret(cluster, [&](const LooseSecret& secret) { conceal_loose(secret, cluster); });
}

SecretTexts secret_texts(const Cluster& cluster) {
  if (const CompiledCluster* compiled = cluster.compiled(); compiled != nullptr)
    return known_secrets(compiled->values, compiled->secrets, compiled->sources);
  SecretTexts texts;
  std::size_t bytes = 0;
  for (const Span secret : cluster.secrets()) bytes += secret.size();
  texts.expect(bytes);
  std::set<Span, FirstPlace> leaves;  // leaves about which more is known than their place
  for (const Object* object : cluster.objects()) {
    if (const Node copy = is_like_secret(*object) ? last_applied(*object) : Node()) {
      leaves.insert(copy.span());
      add_settings(copy.text(), texts);
    }
    for (const SecretLeaf& leaf : secret_leaves(*object)) {
      leaves.insert(leaf.node.span());
      if (is_secret(*object) || leaf.guise == Guise::Readable) add_meanings(leaf, texts);
    }
  }
  each_loose_secret(cluster, [&](const LooseSecret& secret) {
    leaves.insert(secret.node.span());
    if (!is_url(secret)) add_text(secret.key, secret.node.text(), texts);
  });
  for (const Span secret : cluster.secrets()) {
    if (!leaves.contains(secret)) add_lines(cluster.sources().text(secret), texts);
  }
  return texts;
}

namespace {

// Places by their start; none contains another.
class Places {
 public:
  explicit Places(std::vector<Span> places) {
    std::sort(places.begin(), places.end(), FirstPlace());
    for (const Span& place : places) {
      const bool goes_on = !places_.empty() && places_.back().file == place.file && place.begin < places_.back().end;
      if (goes_on) places_.back().end = std::max(places_.back().end, place.end);
      else places_.push_back(place);
    }
  }
  // Whether one of them overlaps `span`.
  bool meet(const Span& span) const {
    const auto behind =
        std::lower_bound(places_.begin(), places_.end(), Span{span.file, span.end, span.end}, FirstPlace());
    return behind != places_.begin() && std::prev(behind)->file == span.file && span.begin < std::prev(behind)->end;
  }

 private:
  std::vector<Span> places_;
};

}  // namespace

void cover_manifest_messages(Cluster& cluster) {
  if (cluster.compiled() != nullptr || cluster.sink().diagnostics().empty()) return;
  // Without secrets, only URLs may contain credentials.
  const SecretTexts texts = cluster.secrets().empty() ? SecretTexts() : secret_texts(cluster);
  const Places concealed(cluster.secrets());
  ShownLines lines;
  for (Diagnostic& diagnostic : cluster.sink().diagnostics()) {
    for (const Span secret : lines.secrets_around(diagnostic, cluster.sources(), texts)) cluster.conceal(secret);
    cover_message(diagnostic, texts);
    const auto shows_secret = [&](const Edit& edit) {
      return concealed.meet(edit.where) || !texts.find(edit.text).empty();
    };
    if (diagnostic.fix && std::any_of(diagnostic.fix->edits.begin(), diagnostic.fix->edits.end(), shows_secret))
      diagnostic.fix.reset();
    if (!is_unread(diagnostic.where, cluster)) continue;
    SecretTexts here;
    add_words_at(diagnostic, cluster.secrets(), cluster.sources(), here);
    cover_message(diagnostic, here);
  }
}

}  // namespace capwright::lint
