// Patches are applied one after the other, each to all files, so that a patch sees the results of those before it.
#include "patch/apply.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diag/catalog/patches.h"
#include "diag/suggest.h"
#include "files/path_rules.h"
#include "patch/edit_document.h"
#include "patch/field_history.h"
#include "patch/file_text.h"
#include "patch/hidden_inputs.h"
#include "patch/identity.h"
#include "patch/patch_forms.h"
#include "patch/target.h"
#include "source/line_words.h"

namespace capwright::patch {
namespace {

constexpr std::size_t kMostShown = 8;

// Whether a file can contain objects.
bool may_have_objects(const RenderedFile& file) {
  return has_yaml_name(file.path) && file.body.text().find("kind") != std::string::npos;
}

// With a line break at the end, unless that changes a block of text.
std::unique_ptr<FileText> text_of(const MappedText& body, const Limits& limits) {
  auto text = std::make_unique<FileText>(body, limits);
  if (body.text().ends_with('\n') || body.size() == 0) return text;
  MappedText ended = body;
  Segment maker = body.segments().back();
  maker.literal = false;
  ended.append("\n", maker);
  auto longer = std::make_unique<FileText>(std::move(ended), limits);
  const auto before = text->documents(), after = longer->documents();
  const bool same =
      std::equal(before.begin(), before.end(), after.begin(), after.end(),
                 [](const YamlDocument& a, const YamlDocument& b) { return json_equal(a.value, b.value); });
  return same ? std::move(longer) : std::move(text);
}

// One entry of `patches`.
struct Patch {
  Value content;
  std::optional<Target> target;      // empty: the object that `identity` names
  std::optional<ObjectId> identity;  // of a strategic merge patch
  Span where;                        // its `target`, or else its content

  bool matches(const ObjectId& id, const Value& document) const {
    if (target) return target->matches(id, document);
    return id.api_version == identity->api_version && id.kind == identity->kind && id.name == identity->name &&
           id.effective_space() == identity->effective_space();
  }
};

bool contains_secret(const MappedText& body, Span document) {
  const auto segments = body.segments();
  for (std::size_t i = 0; i < segments.size() && segments[i].begin < document.end; ++i) {
    const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : body.size();
    if (segments[i].tainted && end > document.begin) return true;
  }
  return false;
}

// A document that a patch changes.
struct Change {
  std::size_t document;
  std::optional<Value> wanted;  // empty: it is deleted
};

class Patcher {
 public:
  Patcher(FileSet files, bool has_own_templates, RenderTrace& trace, Stage& stage)
      : cluster_(files.cluster()),
        files_(std::move(files).take_files()),
        has_own_templates_(has_own_templates),
        hidden_(stage),
        history_(stage),
        trace_(trace),
        stage_(stage) {
    for (const RenderedFile& file : files_)
      texts_.push_back(may_have_objects(file) ? text_of(file.body, stage.limits) : nullptr);
    is_changed_.resize(files_.size());
  }

  void apply(const Value& written) {
    // Whether a patch can be read, matches, fails or changes anything would otherwise depend on the secret.
    if (contains_secret(written)) {
      const Value* content = written.is(Kind::Map) ? written.find("patch") : nullptr;
      stage_.sink.report(diag::patch_with_secret, place_of(content == nullptr ? written : *content, stage_))
          .advise("remove the reference to it; credentials belong into `secrets`");
      return;
    }
    const std::optional<Patch> patch = read(written);
    if (!patch) return;
    std::vector<std::vector<Change>> changes(files_.size());
    std::size_t matched = 0;
    bool changes_any = false;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (texts_[i] == nullptr) continue;
      const auto documents = texts_[i]->documents();
      for (std::size_t number = 0; number < documents.size(); ++number) {
        const Value& document = documents[number].value;
        const std::optional<ObjectId> id = id_of(document);
        if (!id || !patch->matches(*id, document)) continue;
        ++matched;
        if (contains_secret(texts_[i]->body(), documents[number].span)) return report_secret(*patch, *id);
        std::optional<Change> change = computed(*patch, *id, document, number);
        if (!change) return;  // reported
        if (!change->wanted) last_deletion_ = patch->where;
        if (change->wanted && json_equal(*change->wanted, document)) continue;
        changes_any = true;
        if (change->wanted) history_.add(*id, document, *change->wanted, patch->content, patch->where);
        changes[i].push_back(std::move(*change));
      }
    }
    if (matched == 0) return report_no_match(*patch, written);
    if (!changes_any && is_assertion(patch->content)) return;
    if (!changes_any) return report_no_effect(*patch, matched);
    const Segment maker = maker_of(*patch);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (!changes[i].empty()) change(i, changes[i], patch->content, maker);
    }
  }

  Patched take() {
    list_unmatched();
    std::vector<RenderedFile> kept;
    std::vector<const FileText*> texts;  // of `kept`
    const bool had_files = !files_.empty();
    for (std::size_t i = 0; i < files_.size(); ++i) {
      RenderedFile& file = files_[i];
      if (is_changed_[i] && is_empty(*texts_[i])) continue;
      texts.push_back(texts_[i].get());
      if (!is_changed_[i]) {
        kept.push_back(std::move(file));
        continue;
      }
      file.body = texts_[i]->body();
      file.digest = sha256(file.body.text());
      const auto segments = file.body.segments();
      file.secret = std::any_of(segments.begin(), segments.end(), [](const Segment& s) { return s.tainted; });
      kept.push_back(std::move(file));
    }
    if (kept.empty() && had_files) stage_.sink.report(diag::nothing_left, last_deletion_);
    std::vector<HiddenInputs::PatchedFile> left;
    for (std::size_t i = 0; i < kept.size(); ++i) left.push_back({&kept[i].body, texts[i]});
    std::vector<HiddenInput> hidden = std::move(hidden_).hidden_in(left);
    std::vector<RemovedField> removed = std::move(history_).removed_from(texts_);
    return {FileSet(cluster_, std::move(kept)), std::move(hidden), std::move(removed), has_broken()};
  }

 private:
  // A patch that only tests.
  static bool is_assertion(const Value& content) {
    const auto is_test = [](const Value& operation) {
      return operation.is(Kind::Map) && operation.text_at("op") == "test";
    };
    return content.is(Kind::List) && !content.items().empty() &&
           std::all_of(content.items().begin(), content.items().end(), is_test);
  }

  bool has_broken() const {
    return std::any_of(texts_.begin(), texts_.end(), [](const auto& text) { return text && text->is_broken(); });
  }

  static bool is_empty(const FileText& text) {
    const auto documents = text.documents();
    return std::all_of(documents.begin(), documents.end(),
                       [](const YamlDocument& document) { return document.value.is(Kind::Null); });
  }

  std::optional<Patch> read(const Value& written) {
    const Value* content = written.is(Kind::Map) ? written.find("patch") : nullptr;
    if (content == nullptr) return std::nullopt;  // reported by the schema
    Patch patch{*content, std::nullopt, std::nullopt, place_of(*content, stage_)};
    for (const Entry& entry : written.entries()) {
      if (entry.key.text() == "target") patch.where = place_of(entry.key, stage_);
    }
    if (!content->is(Kind::Map) && !content->is(Kind::List))
      return malformed(patch, fmt::format("`patch` is a {}", kind_name(content->kind())),
                       "write a map to merge, or a list of JSON 6902 operations");
    const Value* target = written.find("target");
    if (target != nullptr && target->is(Kind::Map)) {
      patch.target = Target::read(*target, stage_);
      return patch.target ? std::optional(patch) : std::nullopt;
    }
    for (const Entry& entry : written.entries()) {  // the target belongs beside `path`, not into its file
      const Span key = place_of(entry.key, stage_);
      if (entry.key.text() == "patch" && key.known() && key.file != patch.where.file) patch.where = key;
    }
    if (content->is(Kind::List))
      return malformed(patch, "a JSON 6902 patch has no `target`",
                       "add the objects to change, such as `target: {kind: MachineDeployment}`");
    patch.identity = id_of(*content);
    if (!patch.identity || patch.identity->name.empty())
      return malformed(patch, "a patch has neither a `target` nor `apiVersion`, `kind` and `metadata.name`",
                       "add the objects to change, such as `target: {kind: MachineDeployment}`");
    return patch;
  }

  std::nullopt_t malformed(const Patch& patch, std::string message, std::string help) {
    stage_.sink.report(diag::malformed_patch, patch.where, std::move(message)).advise(std::move(help));
    return std::nullopt;
  }

  std::optional<Change> computed(const Patch& patch, const ObjectId& id, const Value& document, std::size_t number) {
    if (patch.content.is(Kind::List)) {
      const std::optional<Value> wanted = json_patch(id, document, patch.content, stage_);
      return wanted ? std::optional(Change{number, wanted}) : std::nullopt;
    }
    const MergeResult merged = strategic_merge(id, document, patch.content, stage_);
    return merged.failed ? std::nullopt : std::optional(Change{number, merged.object});
  }

  // Without repetitions, and sorted.
  std::vector<std::string> texts_of_objects(const std::function<std::string(const ObjectId& id)>& shown_of) const {
    std::set<std::string> shown;
    for (const auto& text : texts_) {
      if (text == nullptr) continue;
      for (const YamlDocument& document : text->documents()) {
        const std::optional<ObjectId> id = id_of(document.value);
        std::string of_object = id ? shown_of(*id) : std::string();
        if (!of_object.empty()) shown.insert(std::move(of_object));
      }
    }
    return {shown.begin(), shown.end()};
  }

  static std::string list_of(const std::vector<std::string>& texts) {
    return list_names(std::vector<std::string_view>(texts.begin(), texts.end()), kMostShown);
  }

  // The objects of the target's kind, or all kinds if there are none.
  std::string near_targets(const Target& target) const {
    const auto names = texts_of_objects(
        [&](const ObjectId& id) { return target.names_kind(id.kind) ? std::string(id.name) : std::string(); });
    if (!names.empty())
      return "rendered objects of that kind: " + list_of(names) + "; `name` has to match a whole name";
    const auto kinds = texts_of_objects([](const ObjectId& id) { return std::string(id.kind); });
    return kinds.empty() ? "no rendered file has an object that can be read" : "rendered kinds: " + list_of(kinds);
  }

  void report_secret(const Patch& patch, const ObjectId& id) {
    stage_.sink.report(diag::patch_of_secret, patch.where, id.shown())
        .note("whether a patch fits would tell what the secret is")
        .advise("exclude the object by `target`");
  }

  void report_no_match(const Patch& patch, const Value& written) {
    if (has_broken()) return;
    if (patch.target) {
      const Span whole = place_of(written, stage_);
      std::string lines = whole.known() ? ", or remove " + lines_of(stage_.sources, whole) : "";
      // Other clusters have the same patch.
      if (whole.known() && has_own_templates_) lines += " if it matches in no cluster";
      stage_.sink.report(diag::patch_without_match, patch.where)
          .note(near_targets(*patch.target))
          .advise(fmt::format("correct the target{}; {}", lines,
                              has_own_templates_
                                  ? "a change for some clusters belongs into your templates, below an `if`"
                                  : "a patch for some clusters belongs into their values, or into a "
                                    "layer with `when`"));
      if (whole.known()) unmatched_.push_back(whole);
      return;
    }
    Diagnostic& diagnostic =
        stage_.sink.report(diag::patch_without_object, patch.where, patch.identity->shown(),
                           std::string(patch.identity->api_version), std::string(patch.identity->effective_space()));
    const auto others = texts_of_objects([&](const ObjectId& id) {
      const bool is_near = id.kind == patch.identity->kind && id.name == patch.identity->name;
      return is_near ? fmt::format("{} {}", id.api_version, id.effective_space()) : std::string();
    });
    if (!others.empty()) {
      diagnostic.note("`apiVersion` and namespace of rendered objects with that name: " + list_of(others));
      diagnostic.advise("write the object's `apiVersion` and `metadata.namespace`, or add a `target`");
      return;
    }
    const auto names = texts_of_objects(
        [&](const ObjectId& id) { return id.kind == patch.identity->kind ? std::string(id.name) : std::string(); });
    diagnostic.note(names.empty() ? "this cluster has no object of that kind"
                                  : "rendered objects of that kind: " + list_of(names));
    diagnostic.advise(fmt::format("correct `kind` and `metadata.name`; if only other clusters have the object, {}",
                                  has_own_templates_ ? "make the change in your templates"
                                                     : "move the patch to their values, or to a layer with `when`"));
  }

  // A removed or renamed pool leaves several: the first message lists the others, so that one edit removes all.
  void list_unmatched() {
    auto& diagnostics = stage_.sink.diagnostics();
    const auto first = std::ranges::find(diagnostics, &diag::patch_without_match.info, &Diagnostic::info);
    if (unmatched_.size() < 2 || first == diagnostics.end()) return;
    std::map<std::string_view, std::string> lines;  // by file
    for (std::size_t i = 1; i < unmatched_.size(); ++i) {
      std::string& list = lines[stage_.sources.path(unmatched_[i].file)];
      list += (list.empty() ? "" : ", ") + lines_of(stage_.sources, unmatched_[i]);
    }
    for (const auto& [file, list] : lines)
      first->note(fmt::format("patches that match nothing, too: {} of {}", list, file));
  }

  void report_no_effect(const Patch& patch, std::size_t matched) {
    stage_.sink.report(diag::patch_without_effect, patch.where)
        .note(matched == 1 ? "the object already has what the patch sets"
                           : "the objects already have what the patch sets")
        .advise("remove the patch");
  }

  Segment maker_of(const Patch& patch) {
    if (trace_.empty()) trace_.emplace_back();
    Segment maker;
    maker.where = patch.where;
    maker.value = patch.content.origin();
    maker.frame = static_cast<FrameId>(trace_.size());
    RenderFrame& frame = trace_.emplace_back();
    frame.call_site = patch.where;
    frame.what = "in the patch";
    return maker;
  }

  // In place, if the result reads as it should; otherwise by printing the changed documents again.
  void change(std::size_t number, const std::vector<Change>& changes, const Value& content, const Segment& maker) {
    const FileText& old = *texts_[number];
    is_changed_[number] = true;
    for (const bool in_place : {true, false}) {
      std::optional<std::vector<TextEdit>> edits = edits_of(old, changes, maker, in_place);
      if (!edits) continue;
      auto text = std::make_unique<FileText>(edited(old.body(), std::move(*edits)), stage_.limits);
      if (!is_as_wanted(old, *text, changes)) continue;
      hidden_.compare(old, *text, deleted_in(changes), content, maker.where);
      texts_[number] = std::move(text);
      return;
    }
    stage_.sink.report(diag::malformed_patch, maker.where, "the result can't be written as YAML")
        .advise("remove texts with unusual line breaks, `.nan`, `.inf`, and maps in maps more than a hundred deep");
  }

  static std::set<std::size_t> deleted_in(const std::vector<Change>& changes) {
    std::set<std::size_t> deleted;
    for (const Change& change : changes) {
      if (!change.wanted) deleted.insert(change.document);
    }
    return deleted;
  }

  std::optional<std::vector<TextEdit>> edits_of(const FileText& text, const std::vector<Change>& changes,
                                                const Segment& maker, bool in_place) {
    std::vector<TextEdit> all;
    for (const Change& change : changes) {
      const YamlDocument& document = text.documents()[change.document];
      if (!change.wanted) {
        all.push_back(removal(text, change.document));
      } else if (in_place) {
        const auto edits = edits_in_place(text, document, *change.wanted, maker, stage_);
        if (!edits) return std::nullopt;
        all.insert(all.end(), edits->begin(), edits->end());
      } else {
        all.push_back(edit_of_whole(text, document, *change.wanted, maker, stage_));
      }
    }
    return all;
  }

  static bool is_as_wanted(const FileText& old, const FileText& now, const std::vector<Change>& changes) {
    std::vector<Value> wanted;
    auto change = changes.begin();
    for (std::size_t i = 0; i < old.documents().size(); ++i) {
      const bool is_changed = change != changes.end() && change->document == i;
      if (!is_changed) wanted.push_back(old.documents()[i].value);
      else if (change->wanted) wanted.push_back(*change->wanted);
      if (is_changed) ++change;
    }
    std::vector<Value> read;
    for (const YamlDocument& document : now.documents()) read.push_back(document.value);
    // The text that is left of a file without documents is an empty one.
    std::erase_if(wanted, [](const Value& value) { return value.is(Kind::Null); });
    std::erase_if(read, [](const Value& value) { return value.is(Kind::Null); });
    return std::equal(wanted.begin(), wanted.end(), read.begin(), read.end(), json_equal);
  }

  std::string cluster_;
  std::vector<RenderedFile> files_;
  bool has_own_templates_ = false;
  std::vector<std::unique_ptr<FileText>> texts_;  // null: without objects
  std::vector<bool> is_changed_;
  std::vector<Span> unmatched_;  // whole patches
  Span last_deletion_;
  HiddenInputs hidden_;
  FieldHistory history_;
  RenderTrace& trace_;
  Stage& stage_;
};

}  // namespace

Patched apply_patches(FileSet files, const Value& patches, bool has_own_templates, RenderTrace& trace, Stage& stage) {
  if (!patches.is(Kind::List) || patches.items().empty()) return {std::move(files), {}, {}, false};
  Patcher patcher(std::move(files), has_own_templates, trace, stage);
  for (const Value& patch : patches.items()) patcher.apply(patch);
  return patcher.take();
}

}  // namespace capwright::patch
