// Three steps: find the templates, find references to them, insert the digests. Classes refer to templates by their
// names, so a second round does the same for classes, in the text of the first one.
#include "rotation/rotate.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "diag/catalog/manifest.h"
#include "diag/suggest.h"
#include "files/blame.h"
#include "rotation/earlier_names.h"
#include "rotation/naming.h"
#include "source/line_words.h"

namespace capwright::rotation {
namespace {

struct Template {
  std::string_view kind, group, base;
  std::string suffix;    // of a kind with digests
  std::string existing;  // the name to use in place of both; empty: none
  Span name;             // the place of the name in the rendered text
  Span spec;             // likewise
  OriginId makers;       // of the spec
};

// A name without quotes, as a range of a text.
struct Insertion {
  std::size_t file;  // in FileSet::files()
  std::uint32_t begin, offset;
  const Template* named;
};

// Why a suffix can't be appended to a scalar; empty if it can.
std::string_view obstacle(std::string_view text, Span scalar, ScalarStyle style) {
  if (text[scalar.begin] == '*') return "an alias";
  if (style == ScalarStyle::Literal || style == ScalarStyle::Folded) return "a block of text";
  // An anchor, possibly with a tag beside it, would pass the new name to its aliases.
  for (std::string_view before = text.substr(0, scalar.begin);;) {
    while (before.ends_with(' ')) before.remove_suffix(1);
    const std::string_view word = before.substr(before.find_last_of(" \n") + 1);
    if (word.starts_with('&')) return "an anchor";
    if (!word.starts_with('!')) return "";
    before.remove_suffix(word.size());
  }
}

class Rotator {
 public:
  Rotator(FileSet files, const ReadManifests& manifests, const Rendered& rendered, Stage& stage)
      : files_(std::move(files)),
        manifests_(manifests),
        rendered_(rendered),
        stage_(stage),
        earlier_(rendered.previous, stage.limits),
        objects_(files_.rotation().objects) {}

  FileSet rotate() {
    for (const ReadFile& file : manifests_.files) {
      for (const YamlDocument& document : file.documents) find_template(file, document);
    }
    for (const ReadFile& file : manifests_.files) {
      for (const YamlDocument& document : file.documents) find_references(file, document.value);
    }
    report_unused_names();
    return changed_files();
  }

 private:
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;  // kind, base, group

  const MappedText& body(std::size_t file) const { return files_.files()[file].body; }

  template <class... Args>
  Diagnostic& report(const DiagSpec<Args...>& spec, std::size_t file, Span where,
                     const std::type_identity_t<Args>&... args) {
    const Blame blame = blame_bytes(body(file), where.begin, where.end, stage_, &rendered_.trace);
    Diagnostic& diagnostic = stage_.sink.report(spec, blame.where, args...);
    blame.explain(diagnostic);
    return diagnostic;
  }

  bool is_rotated(std::string_view kind) const {
    return std::find(rendered_.kinds.begin(), rendered_.kinds.end(), kind) != rendered_.kinds.end();
  }

  // Other clusters may refer to a class among the cluster's resources, so it keeps its name.
  bool is_shared(const ReadFile& file, std::string_view kind) const {
    return kind == kClusterClass && files_.files()[file.number].own;
  }

  // ---- templates ----
  void find_template(const ReadFile& file, const YamlDocument& document) {
    const auto kind = string_at(document.value, "kind");
    if (!kind) return;
    if (!is_rotated(*kind) || is_shared(file, *kind)) return keep_existing(file, document, *kind);
    const Value* metadata = document.value.find("metadata");
    const Value* name = metadata != nullptr && metadata->is(Kind::Map) ? metadata->find("name") : nullptr;
    const bool missing =
        name == nullptr || manifests_.span(*name).size() == 0 || (name->is(Kind::String) && name->text().empty());
    if (missing || !name->is(Kind::String)) {
      const Span where = manifests_.span(missing ? *document.value.find("kind") : *name);
      report(diag::name_out_of_reach, file.number, where, *kind, missing ? "missing" : "no text")
          .advise("a template's name is `<cluster>-<role>`, such as `prod-workers`");
      return;
    }
    Template found{*kind, group_of(string_at(document.value, "apiVersion").value_or("")), name->text(), {}, {}, {}, {},
                   {}};
    found.name = manifests_.span(*name);
    const Value* spec = named_spec(document.value);
    if (!may_be_named(file, document, found, *name, spec)) return;
    found.suffix = earlier_.suffix(found.kind, found.group, found.base, *spec);
    found.existing = existing_name(found.kind, std::string(found.base) + found.suffix);
    found.spec = manifests_.span(*spec);
    found.makers = makers_of(file.number, found.spec);
    add(file, *name, std::move(found));
  }

  // Empty: the object has no other name.
  std::string existing_name(std::string_view kind, std::string_view rendered) {
    if (!rendered_.existing.is(Kind::List)) return {};
    first_names_.emplace(kind, rendered);
    for (const Value& entry : rendered_.existing.items()) {
      if (entry.text_at("kind") == kind && entry.text_at("name") == rendered)
        return std::string(entry.text_at("existing"));
    }
    return {};
  }

  // Whether the entry names an earlier generation: it does so until that is no longer retained. Nothing is retained of
  // a template that isn't rendered any more, such as that of a removed pool.
  bool is_retained(const Value& entry) const {
    const bool is_rendered = std::ranges::any_of(first_names_, [&](const auto& first) {
      return first.first == entry.text_at("kind") && base_of(first.second) == base_of(entry.text_at("name"));
    });
    if (!rendered_.previous.index || !is_rendered) return false;
    const auto& objects = rendered_.previous.index->rotation.objects;
    return std::any_of(objects.begin(), objects.end(), [&](const RotatedObject& object) {
      return object.kind == entry.text_at("kind") && object.name == entry.text_at("existing");
    });
  }

  // Whether the last render had another name than the existing one: machines were replaced since, and the existing
  // object has an earlier spec.
  bool is_succeeded(const Value& entry) const {
    if (!rendered_.previous.index) return false;
    const auto& objects = rendered_.previous.index->rotation.objects;
    return std::any_of(objects.begin(), objects.end(), [&](const RotatedObject& object) {
      return object.kind == entry.text_at("kind") && object.name != entry.text_at("existing") &&
             base_of(object.name) == base_of(entry.text_at("name"));
    });
  }

  void report_unused_names() {
    if (!rendered_.existing.is(Kind::List)) return;
    for (const Value& entry : rendered_.existing.items()) {
      const std::string kind(entry.text_at("kind")), name(entry.text_at("name"));
      if (first_names_.contains({kind, name}) || is_retained(entry)) continue;
      std::vector<std::string_view> names;
      std::string_view renamed;  // with another digest
      for (const auto& [other_kind, other] : first_names_) {
        if (other_kind != kind) continue;
        names.push_back(other);
        if (is_rotated(kind) && base_of(other) == base_of(name) && !is_succeeded(entry)) renamed = other;
      }
      const Value* at = entry.find("name");
      Diagnostic& diagnostic =
          stage_.sink.report(diag::existing_name_unused, at == nullptr ? Span() : stage_.span_of(*at), kind, name,
                             std::string(entry.text_at("existing")));
      const std::string meant = renamed.empty() && !is_succeeded(entry) ? did_you_mean(name, names) : "";
      if (!renamed.empty()) {
        diagnostic.advise(
            fmt::format("write `name: {}` to keep the existing name; remove the entry if the spec was changed on "
                        "purpose",
                        renamed));
      } else {
        const Span whole = stage_.span_of(entry);
        const std::string lines = whole.known() ? fmt::format(" ({})", lines_of(stage_.sources, whole)) : "";
        diagnostic.advise(meant.empty() ? "remove the entry" + lines : meant);
      }
    }
  }

  // An object whose name has no digest.
  void keep_existing(const ReadFile& file, const YamlDocument& document, std::string_view kind) {
    const Value* metadata = document.value.find("metadata");
    const Value* name = metadata == nullptr ? nullptr : metadata->find("name");
    if (name == nullptr || !name->is(Kind::String)) return;
    Template found{kind, group_of(string_at(document.value, "apiVersion").value_or("")), name->text(), {}, {}, {}, {},
                   {}};
    found.existing = existing_name(kind, found.base);
    if (found.existing.empty() || !is_in_reach(file, *name, kind)) return;
    found.name = found.spec = manifests_.span(*name);
    found.makers = makers_of(file.number, found.name);
    add(file, *name, std::move(found));
  }

  bool may_be_named(const ReadFile& file, const YamlDocument& document, const Template& found, const Value& name,
                    const Value* spec) {
    if (const Segment* secret = secret_in(file.number, document.span)) {
      report_secret(file, found, *secret);
    } else if (spec == nullptr) {
      report(diag::nothing_to_name_after, file.number, found.name, found.kind, found.base,
             found.kind == kClusterClass ? "spec" : "spec.template.spec");
    } else if (found.base.size() > kLongestBase) {
      report(diag::no_room_for_digest, file.number, found.name, found.base, found.base.size(), kLongestBase)
          .advise("shorten the name of the cluster or of the pool");
    } else {
      return is_in_reach(file, name, found.kind);
    }
    return false;
  }

  // The digest of a guessable secret would reveal it. Anchors can bring one in from anywhere in the document.
  const Segment* secret_in(std::size_t file, Span document) const {
    const auto segments = segments_of(file, document);
    const auto found = std::find_if(segments.begin(), segments.end(), [](const Segment& s) { return s.tainted; });
    return found == segments.end() ? nullptr : &*found;
  }

  // The makers of a range of bytes.
  std::span<const Segment> segments_of(std::size_t file, Span bytes) const {
    const auto segments = body(file).segments();
    const auto begins_before = [](const Segment& segment, std::uint32_t offset) { return segment.begin < offset; };
    const auto last = std::lower_bound(segments.begin(), segments.end(), bytes.end, begins_before);
    auto first = std::lower_bound(segments.begin(), last, bytes.begin + 1, begins_before);
    if (first != segments.begin()) --first;
    return {first, last};
  }

  void report_secret(const ReadFile& file, const Template& found, const Segment& secret) {
    const std::string name = shown_bytes(body(file.number), found.name.begin, found.name.end);
    Diagnostic& diagnostic = stage_.sink.report(diag::secret_in_template, secret.where, found.kind, name);
    for (const OriginId leaf : stage_.origins.leaves(secret.value)) {
      diagnostic.also(stage_.origins[leaf].span, "the secret is set here");
    }
    diagnostic.advise("put it into a Secret, and refer to that");
  }

  bool is_in_reach(const ReadFile& file, const Value& name, std::string_view kind) {
    const Span where = manifests_.span(name);
    const std::string_view why = obstacle(stage_.sources.text(file.text), where, name.style());
    if (!why.empty()) {
      report(diag::name_out_of_reach, file.number, where, kind, why).advise("write the name out, on one line");
    }
    return why.empty();
  }

  OriginId makers_of(std::size_t file, Span spec) {
    OriginId makers = OriginId::None;
    for (const Segment& segment : segments_of(file, spec)) makers = stage_.origins.combine(makers, segment.value);
    return makers;
  }

  void add(const ReadFile& file, const Value& name, Template found) {
    const auto [known, is_new] = templates_.try_emplace(Key(found.kind, found.base, found.group), std::move(found));
    if (!is_new) {
      report(diag::template_rendered_twice, file.number, found.name, found.kind, found.base)
          .also(known->second.name, "the first one");
      return;
    }
    const Template& added = known->second;
    insert(file, name, added);
    if (!is_rotated(added.kind)) return;
    const RenderedFile& rendered = files_.files()[file.number];
    const std::string digested = std::string(added.base) + added.suffix;
    objects_.push_back({std::string(added.kind), std::string(added.group),
                        added.existing.empty() ? digested : added.existing, files_.path_in_cluster(rendered)});
  }

  void insert(const ReadFile& file, const Value& name, const Template& named) {
    const std::uint32_t quote = name.style() == ScalarStyle::Plain ? 0 : 1;
    const Span place = manifests_.span(name);
    insertions_.push_back({file.number, place.begin + quote, place.end - quote, &named});
  }

  // ---- references ----
  void find_references(const ReadFile& file, const Value& document) {
    if (!document.is(Kind::Map) || templates_.empty()) return;
    const auto kind = string_at(document, "kind");
    const bool in_template = kind && is_rotated(*kind);
    for (const Entry& entry : document.entries()) visit(file, entry.value, in_template ? &document : nullptr);
  }

  void visit(const ReadFile& file, const Value& value, const Value* within) {
    if (value.is(Kind::List)) {
      for (const Value& item : value.items()) visit(file, item, within);
    } else if (value.is(Kind::Map)) {
      if (const Template* named = referred(value, string_at(value, "kind")))
        refer(file, *value.find("name"), *named, within);
      for (const Entry& entry : value.entries()) {
        const Template* named = entry.key.text() == kClassReference ? referred(entry.value, kClusterClass) : nullptr;
        if (named != nullptr) refer(file, *entry.value.find("name"), *named, within);
        visit(file, entry.value, within);
      }
    }
  }

  const Template* referred(const Value& reference, std::optional<std::string_view> kind) const {
    const auto name = string_at(reference, "name");
    if (!kind || !name) return nullptr;
    std::optional<std::string_view> group = string_at(reference, "apiGroup");
    if (const auto version = string_at(reference, "apiVersion"); !group && version) group = group_of(*version);
    const auto found = templates_.lower_bound(Key(*kind, *name, group.value_or("")));
    const bool same = found != templates_.end() && found->second.kind == *kind && found->second.base == *name &&
                      (!group || found->second.group == *group);
    return same ? &found->second : nullptr;
  }

  void refer(const ReadFile& file, const Value& name, const Template& named, const Value* within) {
    if (within != nullptr && is_rotated(named.kind)) {
      report(diag::template_in_template, file.number, manifests_.span(name), *string_at(*within, "kind"), named.kind,
             named.base);
    } else if (is_in_reach(file, name, named.kind)) {
      insert(file, name, named);
    }
  }

  // ---- the new text ----
  FileSet changed_files() {
    std::sort(insertions_.begin(), insertions_.end(), [](const Insertion& a, const Insertion& b) {
      return std::tie(a.file, a.offset) < std::tie(b.file, b.offset);
    });
    // A reference with an anchor is visited once for each of its aliases.
    insertions_.erase(
        std::unique(insertions_.begin(), insertions_.end(),
                    [](const Insertion& a, const Insertion& b) { return a.file == b.file && a.offset == b.offset; }),
        insertions_.end());
    std::string cluster = files_.cluster();
    std::vector<RenderedFile> files = std::move(files_).take_files();
    for (auto first = insertions_.cbegin(); first != insertions_.cend();) {
      const auto last =
          std::find_if(first, insertions_.cend(), [&](const Insertion& each) { return each.file != first->file; });
      RenderedFile& file = files[first->file];
      file.body = changed_text(file.body, {first, last});
      file.digest = sha256(file.body.text());
      first = last;
    }
    return FileSet(std::move(cluster), std::move(files), {std::string(kNaming), std::move(objects_)});
  }

  MappedText changed_text(const MappedText& old, std::span<const Insertion> insertions) {
    MappedText text;
    text.reserve(old.size() + insertions.size() * kSuffix);
    std::uint32_t done = 0;
    const auto copy_to = [&](std::uint32_t end) {
      const MappedText part = old.slice(done, end);
      text.append(part.text(), part.segments());
      done = end;
    };
    for (const Insertion& insertion : insertions) {
      const Template& named = *insertion.named;
      copy_to(named.existing.empty() ? insertion.offset : insertion.begin);
      text.append(named.existing.empty() ? named.suffix : named.existing, maker_of(old, insertion));
      done = insertion.offset;
    }
    copy_to(old.size());
    return text;
  }

  // The digest has the place of the name: after its expression, or that place of the template's own text.
  Segment maker_of(const MappedText& old, const Insertion& insertion) {
    const Segment* name = old.segment_at(insertion.offset - 1);
    CW_CHECK(name != nullptr, "every rendered byte has a segment");
    Segment maker = *name;
    if (name->literal) {
      maker.where.begin = std::min(maker.where.begin + (insertion.offset - name->begin), maker.where.end);
      maker.where.end = maker.where.begin;
    }
    maker.literal = false;
    maker.tainted = false;
    maker.value = insertion.named->makers;
    maker.frame = static_cast<FrameId>(rendered_.trace.size());
    rendered_.trace.push_back({insertion.named->spec, name->frame,
                               fmt::format("digest of the spec of {} {}", insertion.named->kind, insertion.named->base),
                               RenderFrame::Kind::Digest});
    return maker;
  }

  FileSet files_;
  const ReadManifests& manifests_;
  const Rendered& rendered_;
  Stage& stage_;
  EarlierNames earlier_;
  std::map<Key, Template> templates_;
  std::vector<Insertion> insertions_;
  std::vector<RotatedObject> objects_;
  std::set<std::pair<std::string, std::string>> first_names_;  // kinds and names before `existing_names`
};

bool has_class(const ReadManifests& manifests) {
  return std::any_of(manifests.files.begin(), manifests.files.end(), [](const ReadFile& file) {
    return std::any_of(file.documents.begin(), file.documents.end(), [](const YamlDocument& document) {
      return document.value.is(Kind::Map) && string_at(document.value, "kind") == kClusterClass;
    });
  });
}

// The same files, with the names of the first round.
ReadManifests read_again(const FileSet& files, const ReadManifests& first, Stage& stage) {
  ReadManifests manifests;
  Stage reading{stage.sources, stage.sink, manifests.arena, manifests.origins, stage.limits};
  for (const ReadFile& file : first.files) {
    const RenderedFile& rendered = files.files()[file.number];
    const FileId text = stage.sources.add(rendered.path, rendered.body.text());
    manifests.files.push_back(
        {file.number, text, read_yaml_documents(text, reading, {ScalarRules::Kubernetes, TextSyntax::Yaml})});
  }
  return manifests;
}

}  // namespace

FileSet rotate_names(FileSet files, const ReadManifests& manifests, const Rendered& rendered, Stage& stage) {
  std::vector<std::string> kinds(rendered.kinds.begin(), rendered.kinds.end());
  const bool names_classes = std::erase(kinds, kClusterClass) != 0;
  Rendered templates = rendered;
  templates.kinds = kinds;
  files = Rotator(std::move(files), manifests, templates, stage).rotate();
  if (!names_classes || !has_class(manifests) || stage.sink.failed()) return files;
  const std::vector<std::string> classes{std::string(kClusterClass)};
  const ReadManifests named = read_again(files, manifests, stage);
  return Rotator(std::move(files), named, {classes, rendered.trace, rendered.previous}, stage).rotate();
}

}  // namespace capwright::rotation
