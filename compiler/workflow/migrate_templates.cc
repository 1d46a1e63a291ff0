// Each pass renders all clusters, edits the templates for one step of each object, and renders again. What an object
// becomes in the end must not change; otherwise the edits are undone and tried one by one.
#include "workflow/migrate_templates.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "diag/catalog/migrate.h"
#include "migrate/rewrite_step.h"
#include "migrate/source_rewrite.h"
#include "patch/file_text.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/parallel.h"
#include "rotation/keep.h"
#include "rotation/naming.h"
#include "yaml/write.h"

namespace capwright::workflow {
namespace {

constexpr int kMostPasses = 400;  // an object needs some dozens; a bug must not run for ever

// An object of a cluster: file and number of its document.
struct ObjectKey {
  std::size_t cluster = 0;
  std::string file;
  std::size_t number = 0;
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

struct Proposal {
  ObjectKey object;
  std::string key;  // of the step
  std::string words;
  std::string kind, from, to;
  std::string path;  // of the template
  migrate::Rewrite rewrite;
  bool is_type = false;  // the version, which comes after all fields
};

using Order = std::tuple<std::string, std::vector<std::tuple<std::uint32_t, std::uint32_t, std::string>>>;

// Equal for the same edit of the same template.
Order order_of(const Proposal& proposal) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::string>> edits;
  for (const auto& each : proposal.rewrite.replaces) edits.emplace_back(each.begin, each.end, each.text);
  for (const auto& each : proposal.rewrite.shifts)
    edits.emplace_back(each.begin, each.end, std::to_string(each.columns));
  if (proposal.rewrite.gone) edits.emplace_back(proposal.rewrite.gone->begin, proposal.rewrite.gone->end, "gone");
  if (proposal.rewrite.paste) {
    const migrate::Rewrite::Paste& paste = *proposal.rewrite.paste;
    edits.emplace_back(paste.begin, paste.at, fmt::format("{} {}", paste.columns, paste.before));
  }
  return {proposal.path, std::move(edits)};
}

// The bytes of a template that an edit touches.
std::pair<std::uint32_t, std::uint32_t> extent_of(const migrate::Rewrite& rewrite) {
  std::uint32_t begin = UINT32_MAX, end = 0;
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  };
  for (const auto& each : rewrite.replaces) add(each.begin, each.end);
  for (const auto& each : rewrite.shifts) add(each.begin, each.end);
  if (rewrite.gone) add(rewrite.gone->begin, rewrite.gone->end);
  if (rewrite.paste)
    add(std::min(rewrite.paste->begin, rewrite.paste->at), std::max(rewrite.paste->end, rewrite.paste->at));
  return {begin, end};
}

std::string named(const Value& object) {
  const Value* metadata = object.find("metadata");
  const std::string_view name = metadata == nullptr ? std::string_view() : metadata->text_at("name");
  return name.empty() ? std::string(object.text_at("kind")) : fmt::format("{} `{}`", object.text_at("kind"), name);
}

using Texts = std::map<std::string, std::string, std::less<>>;  // by shown path

// All clusters, rendered with some texts of templates. Clusters refer to the project that rendered them.
struct Render {
  std::unique_ptr<OpenProject> open;
  std::optional<OutputTree> tree;
  std::vector<std::unique_ptr<CompiledCluster>> clusters;
  std::string failed;  // the values of the first cluster with errors
};

std::shared_ptr<Render> render(const RepositoryOptions& repository, const std::vector<std::string>& values,
                               const Texts& edits) {
  auto result = std::make_shared<Render>();
  OpenRequest request{.repository = repository, .values = {}, .plain = {}, .writes = false, .output = {}};
  request.upgrade_set = true;
  request.edits = &edits;
  result->open = open_project(request);
  OpenProject& open = *result->open;
  if (open.project == nullptr || open.sink.failed()) return nullptr;
  const std::string& output = open.project->config().output;
  result->tree.emplace(open.fs, open.output_folder(std::nullopt), output == "." ? "" : output + "/");
  result->tree->allow(open.project->outputs());
  if (!result->tree->open(OutputTree::Access::Read, open.sink)) return nullptr;
  result->clusters.resize(values.size());
  parallel_for(values.size(), 0,
               [&](std::size_t i) { result->clusters[i] = compile_cluster(values[i], *open.project, &*result->tree); });
  for (std::size_t i = 0; i < values.size() && result->failed.empty(); ++i) {
    if (!result->clusters[i]->clean()) result->failed = values[i];
  }
  return result;
}

class TemplateMigration {
 public:
  TemplateMigration(const RepositoryOptions& repository, const std::vector<std::string>& values,
                    const migrate::Goal& goal, bool may_replace, OpenProject& findings)
      : repository_(repository), values_(values), goal_(goal), may_replace_(may_replace), findings_(findings) {}

  MigratedTemplates run() {
    first_ = now_ = render(repository_, values_, edited_);
    if (first_ == nullptr || !first_->failed.empty()) {
      result_.error = first_ == nullptr
                          ? "the repository can't be opened"
                          : fmt::format("`{}` can't be rendered; `capwright render` shows why", first_->failed);
      return std::move(result_);
    }
    for (int pass = 0; pass < kMostPasses; ++pass) {
      std::vector<Proposal> proposals = find_proposals();
      if (proposals.empty()) break;
      if (carry_out(proposals)) continue;
      for (const Proposal& proposal : proposals) {
        if (proposals.size() > 1 && carry_out({proposal})) break;  // the places of the others moved
        refuse(proposal);
      }
    }
    collect();
    return std::move(result_);
  }

 private:
  template <class Visit>
  static void for_each_object(const Render& all, const Limits& limits, Visit visit) {
    const auto& clusters = all.clusters;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      if (clusters[i]->set == nullptr || clusters[i]->set->built_in) continue;
      for (const RenderedFile& file : clusters[i]->files.files()) {
        if (!file.path.ends_with(".yaml") && !file.path.ends_with(".yml")) continue;
        std::uint32_t offset = 0;
        std::size_t number = 0;
        for (const std::string_view part : migrate::documents_of(file.body.text())) {
          const auto size = static_cast<std::uint32_t>(part.size());
          const patch::FileText text(file.body.slice(offset, offset + size), limits);
          if (text.documents().size() == 1) visit(ObjectKey{i, file.path, number}, text);
          offset += size;
          ++number;
        }
      }
    }
  }

  // What objects become, without the digests in names, which follow their specs.
  std::map<ObjectKey, std::string> ends_of(const Render& all) const {
    std::map<ObjectKey, std::string> ends;
    std::vector<std::set<std::string>> digests;
    for (const auto& cluster : all.clusters) {
      std::set<std::string>& names = digests.emplace_back();
      for (const RotatedObject& object : cluster->files.rotation().objects) names.insert(object.name);
    }
    for_each_object(all, findings_.limits, [&](const ObjectKey& id, const patch::FileText& text) {
      if (id.file.ends_with(rotation::kRetiredFile)) return;
      Arena arena;
      const auto refused = refused_.find(id);
      const migrate::Skipped& skipped = refused == refused_.end() ? migrate::Skipped() : refused->second;
      std::string end = canonical_json(migrate::convert(text.documents().front().value, goal_, arena, skipped).object);
      for (const std::string& name : digests[id.cluster]) {
        const std::string quoted = '"' + name + '"';
        const std::string base = name.substr(0, name.size() - std::min(name.size(), rotation::kSuffix)) + '"';
        for (std::size_t at = end.find(quoted); at != std::string::npos; at = end.find(quoted, at + 1))
          end.replace(at + 1, quoted.size() - 1, base);
      }
      ends.emplace(id, std::move(end));
    });
    return ends;
  }

  std::vector<Proposal> find_proposals() {
    std::map<Order, Proposal> fields, types;
    for_each_object(*now_, findings_.limits, [&](const ObjectKey& id, const patch::FileText& text) {
      std::optional<Proposal> proposal = proposal_for(id, text);
      if (!proposal) return;
      (proposal->is_type ? types : fields).try_emplace(order_of(*proposal), *proposal);
    });
    std::vector<Proposal> chosen;
    std::map<std::string, std::vector<std::pair<std::uint32_t, std::uint32_t>>> taken;
    for (auto& [order, proposal] : fields.empty() ? types : fields) {
      const auto extent = extent_of(proposal.rewrite);
      auto& others = taken[proposal.path];
      const bool overlaps = std::any_of(others.begin(), others.end(), [&](const auto& other) {
        return extent.first <= other.second && other.first <= extent.second;
      });
      if (overlaps) continue;
      others.push_back(extent);
      chosen.push_back(std::move(proposal));
    }
    return chosen;
  }

  std::optional<Proposal> proposal_for(const ObjectKey& id, const patch::FileText& text) {
    const YamlDocument& document = text.documents().front();
    const std::optional<migrate::ApiType> type = migrate::type_of(document.value);
    if (!type || id.file.ends_with(rotation::kRetiredFile) || held_.contains(id)) return std::nullopt;
    const migrate::Conversion* conversion = migrate::next_conversion(*type, goal_);
    if (conversion == nullptr) return reference_proposal(id, text);
    if (holds_machines(id, document.value, *conversion)) return std::nullopt;
    Proposal proposal{id, {}, {},   std::string(type->kind), std::string(type->version), std::string(conversion->to),
                      {}, {}, false};
    while (const auto step = migrate::next_step(*conversion, document.value, goal_, refused_[id])) {
      proposal.key = step->key();
      proposal.words = step->words();
      if (!step->blocked.empty()) {
        leave(id, *step, step->blocked);
        continue;
      }
      const auto rewrite = migrate::rewrite_of(*step, text, document);
      if (rewrite && map(*rewrite, text, proposal)) return proposal;
      leave(id, *step, "no template text alone printed it: " + step->words());
    }
    const auto rewrite =
        migrate::rewrite_of_type(document.value, std::string(conversion->to), std::string(conversion->to_kind), text);
    proposal.key = "apiVersion";
    proposal.words.clear();
    proposal.is_type = true;
    return type_proposal(id, rewrite, text, std::move(proposal));
  }

  std::optional<Proposal> type_proposal(const ObjectKey& id, const migrate::Rewrite& rewrite,
                                        const patch::FileText& text, Proposal proposal) {
    if (refused_[id].contains(proposal.key)) return std::nullopt;
    if (map(rewrite, text, proposal)) return proposal;
    refused_[id].insert(proposal.key);
    left_.emplace(id, Left{{"apiVersion"}, "no template text alone printed it: it becomes " + proposal.to, {}, true});
    return std::nullopt;
  }

  std::optional<Proposal> reference_proposal(const ObjectKey& id, const patch::FileText& text) {
    const Value& object = text.documents().front().value;
    for (const migrate::FieldPath& path : migrate::old_references(object, goal_)) {
      const Value& map_there = *migrate::value_at(object, path);
      const migrate::ApiType end = migrate::type_of_reference(map_there, goal_);
      const std::string version(object.text_at("apiVersion").substr(object.text_at("apiVersion").find('/') + 1));
      Proposal proposal{id,  migrate::shown(path), {}, std::string(object.text_at("kind")), version, version, {}, {},
                        true};
      proposal.words = fmt::format("`{}` refers to {}{}{}", migrate::shown(path), end.version,
                                   end.version.empty() ? "" : " ", end.kind);
      if (refused_[id].contains(proposal.key)) continue;
      const auto rewrite = migrate::rewrite_of_type(map_there, std::string(end.version), std::string(end.kind), text);
      if (map(rewrite, text, proposal)) return proposal;
      refused_[id].insert(proposal.key);
      left_.emplace(id, Left{path, "no template text alone printed its version: " + proposal.words, {}, true});
    }
    return std::nullopt;
  }

  // An object whose name follows its spec, if the spec changes.
  bool holds_machines(const ObjectKey& id, const Value& object, const migrate::Conversion& conversion) {
    const auto& rotated = now_->clusters[id.cluster]->set->rotated;
    if (may_replace_ || std::find(rotated.begin(), rotated.end(), object.text_at("kind")) == rotated.end())
      return false;
    Arena arena;
    const Value now = migrate::convert(object, goal_, arena).object;
    const Value* before = rotation::template_spec(object);
    const Value* after = rotation::template_spec(now);
    if (before == nullptr || after == nullptr || json_equal(*before, *after)) return false;
    held_.insert(id);
    report(id, {"apiVersion"}, [&](Span where) {
      findings_.sink.report(diag::migration_replaces_machines, where, named(object), std::string(conversion.from))
          .note("its name has the digest of its spec, which has another form in " + std::string(conversion.to))
          .advise("keep it as long as the version is served, or add `--replace-machines`");
    });
    return true;
  }

  // Whether the edit is one of templates of the repository.
  bool map(const migrate::Rewrite& rewrite, const patch::FileText& text, Proposal& proposal) const {
    const SourceSet& sources = now_->clusters[proposal.object.cluster]->sources;
    const auto source = migrate::source_rewrite(rewrite, text.body(), sources);
    if (!source) return false;
    proposal.path = sources.path(source->file);
    proposal.rewrite = source->rewrite;
    return is_template(proposal);
  }

  bool is_template(const Proposal& proposal) const {
    const CompiledCluster& cluster = *now_->clusters[proposal.object.cluster];
    const auto files = cluster.set->sources.files();
    const auto is_it = [&](FileId file) { return cluster.set->sources.path(file) == proposal.path; };
    if (std::none_of(files.begin(), files.end(), is_it) || proposal.path.ends_with(".json")) return false;
    FileStat stat;  // parts of built-in sets aren't in the repository
    return !findings_.fs.stat(findings_.project->workspace().io_path(proposal.path), stat);
  }

  std::string text_of(const std::string& path) const {
    for (const auto& cluster : now_->clusters) {
      for (const FileId file : cluster->set->sources.files()) {
        if (cluster->set->sources.path(file) == path) return std::string(cluster->set->sources.text(file));
      }
    }
    return {};
  }

  // Edits the templates, renders, and keeps the edits if all objects still become the same.
  bool carry_out(const std::vector<Proposal>& proposals) {
    Texts before, texts;
    std::vector<const Proposal*> last_first;
    for (const Proposal& proposal : proposals) last_first.push_back(&proposal);
    std::sort(last_first.begin(), last_first.end(), [](const Proposal* a, const Proposal* b) {
      return extent_of(a->rewrite).first > extent_of(b->rewrite).first;
    });
    for (const Proposal* proposal : last_first) {
      if (!texts.contains(proposal->path)) {
        texts[proposal->path] = before[proposal->path] = text_of(proposal->path);
        originals_.try_emplace(proposal->path, before[proposal->path]);
      }
      std::string& text = texts[proposal->path];
      text = migrate::perform(text, proposal->rewrite, true);
    }
    if (texts == before) return false;
    Texts all = edited_;
    for (const auto& [path, text] : texts) all[path] = text;
    const std::shared_ptr<Render> rendered = render(repository_, values_, all);
    if (rendered == nullptr || !rendered->failed.empty() || ends_of(*rendered) != ends_of(*now_)) return false;
    now_ = rendered;
    edited_ = std::move(all);
    done_.insert(done_.end(), proposals.begin(), proposals.end());
    return true;
  }

  struct Left {
    migrate::FieldPath path;
    std::string reason;
    std::vector<std::string_view> choices;
    bool in_template = false;
  };

  void leave(const ObjectKey& id, const migrate::Step& step, std::string reason) {
    refused_[id].insert(step.key());
    left_.emplace(id, Left{step.from, std::move(reason), step.move->choices, step.blocked.empty()});
  }

  void refuse(const Proposal& proposal) {
    refused_[proposal.object].insert(proposal.key);
    const std::string field = proposal.key.substr(0, proposal.key.find(" > "));
    left_.emplace(proposal.object,
                  Left{migrate::read_path(field),
                       "a condition or loop around it would change other output, too: " + proposal.words,
                       {},
                       true});
  }

  // Reports at the template text that printed a field of an object, or a map around it, before all edits.
  template <class Report>
  void report(const ObjectKey& id, migrate::FieldPath path, Report add) {
    bool is_found = false;
    for_each_object(*first_, findings_.limits, [&](const ObjectKey& each, const patch::FileText& text) {
      if (is_found || each != id) return;
      is_found = true;
      const Value& object = text.documents().front().value;
      while (path.size() > 1 && (migrate::value_at(object, path) == nullptr || migrate::is_item(path.back())))
        path.pop_back();
      Span key;
      const Value* around = migrate::value_at(object, migrate::parent(path));
      for (const Entry& entry : around == nullptr ? std::span<const Entry>() : around->entries()) {
        if (entry.key.text() == path.back()) key = text.place(entry.key);
      }
      add(key.known() ? printed_by(text.body(), key, *first_->clusters[id.cluster]) : Span());
    });
  }

  // The template text of bytes, in the sources of the findings.
  Span printed_by(const MappedText& body, Span bytes, const CompiledCluster& cluster) {
    const Segment& maker = *body.segment_at(bytes.begin);
    Span where = maker.where;
    if (maker.literal) {
      where.begin += bytes.begin - maker.begin;
      where.end = std::min(where.end, where.begin + bytes.size());
    }
    return own_place(where, cluster.sources);
  }

  // The same place in the sources of the findings.
  Span own_place(Span where, const SourceSet& sources) {
    if (!where.known()) return {};
    const std::string path(sources.path(where.file));
    const auto [known, is_new] = reported_.try_emplace(path, FileId::None);
    if (is_new) known->second = findings_.sources.add(path, std::string(sources.text(where.file)));
    return {known->second, where.begin, where.end};
  }

  void collect() {
    std::set<std::tuple<std::string, std::string, std::string>> told;
    for (const auto& [id, left] : left_) {
      for_each_object(*first_, findings_.limits, [&](const ObjectKey& each, const patch::FileText& text) {
        if (each != id) return;
        const Value& object = text.documents().front().value;
        if (!told.emplace(object.text_at("kind"), migrate::shown(left.path), left.reason).second) return;
        report(id, left.path, [&](Span where) { add_finding(left, named(object), where); });
      });
    }
    for (auto& [path, text] : edited_) {
      if (text == originals_[path]) continue;
      MigratedFile& file = result_.files.files.emplace_back();
      file.shown = path;
      file.opened = findings_.project->workspace().io_path(path);
      file.before = originals_[path];
      file.after = text;
      add_documents(file);
    }
  }

  void add_finding(const Left& left, const std::string& object, Span where) {
    const std::string path = migrate::shown(left.path);
    if (left.in_template) {
      findings_.sink.report(diag::unmapped_template, where, path, object, left.reason);
      return;
    }
    Diagnostic& diagnostic = findings_.sink.report(diag::undecided_field, where, path, object, left.reason);
    if (!left.choices.empty()) diagnostic.advise(fmt::format("{}", fmt::join(left.choices, "; or ")));
  }

  // What was done in a template, by kind of object.
  void add_documents(MigratedFile& file) const {
    for (const Proposal& proposal : done_) {
      if (proposal.path != file.shown) continue;
      const auto known = std::find_if(file.documents.begin(), file.documents.end(), [&](const auto& each) {
        return each.kind == proposal.kind && each.from == proposal.from && each.to == proposal.to;
      });
      const bool is_new = known == file.documents.end();
      migrate::MigratedDocument& document = is_new ? file.documents.emplace_back() : *known;
      document.kind = document.to_kind = proposal.kind;
      document.from = proposal.from;
      document.to = proposal.to;
      document.changed = true;
      if (!proposal.words.empty()) document.steps.push_back(proposal.words);
    }
  }

  const RepositoryOptions& repository_;
  const std::vector<std::string>& values_;
  const migrate::Goal& goal_;
  const bool may_replace_;
  OpenProject& findings_;
  std::shared_ptr<Render> first_, now_;
  std::map<ObjectKey, migrate::Skipped> refused_;
  std::set<ObjectKey> held_;
  std::multimap<ObjectKey, Left> left_;
  Texts originals_, edited_;
  std::vector<Proposal> done_;
  std::map<std::string, FileId> reported_;
  MigratedTemplates result_;
};

}  // namespace

MigratedTemplates migrate_templates(const RepositoryOptions& repository, const std::vector<std::string>& values_paths,
                                    const migrate::Goal& goal, bool may_replace_machines, OpenProject& findings) {
  return TemplateMigration(repository, values_paths, goal, may_replace_machines, findings).run();
}

}  // namespace capwright::workflow
