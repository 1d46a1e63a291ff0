// Parses every file that no render wrote: a search for the annotation's text would miss escaped spellings of it.
#include "pipeline/removals.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <utility>

#include "diag/catalog.h"
#include "diag/catalog/manifest.h"
#include "facts/built_in.h"
#include "files/index.h"
#include "files/path_rules.h"
#include "pipeline/reader_gaps.h"
#include "rotation/keep.h"
#include "rotation/naming.h"
#include "rotation/tombstones.h"
#include "text/kubectl.h"
#include "yaml/read.h"

namespace capwright {
namespace {

constexpr int kDeepestFolder = 32;

const Value& hook_facts() {
  static const BuiltInYaml book("schemas/catalogue/argocd.yaml");
  return *book.content().find("hooks");
}

bool has_word(const Value& list, std::string_view word) {
  return std::any_of(list.items().begin(), list.items().end(), [&](const Value& item) { return item.text() == word; });
}

// An annotation with hook types.
class Hooks {
 public:
  Hooks(const Value& annotations, const Value& facts) : facts_(facts) {
    const std::string_view key = facts.text_at("annotation");
    exists_ = annotations.find(key) != nullptr;
    text_ = rotation::string_at(annotations, key).value_or("");
  }

  bool exists() const { return exists_ && (text_.empty() || text_ != facts_.text_at("not_a_hook")); }
  // The types of the list `key` among its words.
  std::vector<std::string_view> known(std::string_view key) const {
    std::vector<std::string_view> known;
    for (std::string_view rest = text_; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const std::size_t begin = word.find_first_not_of(" \t\r\n");
      if (begin == std::string_view::npos) continue;
      const std::string_view trimmed = word.substr(begin, word.find_last_not_of(" \t\r\n") - begin + 1);
      if (has_word(*facts_.find(key), trimmed) && std::find(known.begin(), known.end(), trimmed) == known.end())
        known.push_back(trimmed);
    }
    return known;
  }

 private:
  const Value& facts_;
  bool exists_ = false;
  std::string_view text_;
};

const Value* annotations_of(const Value& manifest) {
  const Value* metadata = rotation::map_at(manifest, "metadata");
  return metadata == nullptr ? nullptr : rotation::map_at(*metadata, "annotations");
}

bool has_no_hooks(const Value& manifest) {
  const std::string_view group = rotation::group_of(rotation::string_at(manifest, "apiVersion").value_or(""));
  const std::string_view without = hook_facts().text_at("no_hooks");
  return group == without || (group.ends_with(without) && group[group.size() - without.size() - 1] == '.');
}

std::string title_of(const Value& manifest) {
  const Value* metadata = rotation::map_at(manifest, "metadata");
  const auto text = [](const Value* map, std::string_view key) {
    return map == nullptr ? std::string_view() : rotation::string_at(*map, key).value_or("");
  };
  const std::string_view space = text(metadata, "namespace"), kind = text(&manifest, "kind");
  return fmt::format("{} {}{}{}", kind.empty() ? "an object" : kind, space, space.empty() ? "" : "/",
                     text(metadata, "name"));
}

using Visit = std::function<void(const Value& manifest)>;

// Visits a manifest and, if it is a list, its items.
void each_object(const Value& manifest, int depth, const Visit& visit) {
  visit(manifest);
  const Value* items = listed_items(manifest);
  if (items == nullptr || depth == kDeepestFolder) return;
  for (const Value& item : items->items()) each_object(item, depth + 1, visit);
}

// Returns false if the text can't be read; then it has visited the objects that could.
bool each_object_in(std::string path, std::string text, const Limits& limits, const Visit& visit) {
  OwnStage own(limits);
  const FileId file = own.sources.add(std::move(path), std::move(text));
  for (const YamlDocument& document :
       read_yaml_documents(file, own.stage, {ScalarRules::Kubernetes, TextSyntax::ByName}))
    each_object(document.value, 0, visit);
  return !own.sink.failed();
}

// The objects of a loose file that the render has, too: Argo CD applies both manifests, and the last one wins. The
// rendered files are read when the first loose file needs them.
class Redefinitions {
 public:
  Redefinitions(const FileSet* rendered, const Limits& limits) : rendered_(rendered), limits_(limits) {}

  // Titles of the objects.
  std::vector<std::string> in(const LooseFile& file) {
    std::vector<std::string> both;
    for (const auto& [identity, title] : titles_in(file)) {
      if (known_.contains(identity)) both.push_back(title);
    }
    return both;
  }
  // Whether a file with objects has no others.
  bool are_all_of(const LooseFile& file) {
    const Titles here = titles_in(file);
    return !here.empty() &&
           std::all_of(here.begin(), here.end(), [&](const auto& each) { return known_.contains(each.first); });
  }

 private:
  using Titles = std::map<std::string, std::string>;  // by what identifies the object

  Titles titles_in(const LooseFile& file) {
    Titles here;
    if (rendered_ != nullptr) add_titles(file.path, file.text, here);
    if (!here.empty() && known_.empty()) {
      for (const RenderedFile& each : rendered_->files()) add_titles(each.path, each.body.text(), known_);
    }
    return here;
  }

  // Without a namespace, Argo CD takes that of the Application: the folder's name. A text that can't be read is
  // reported elsewhere.
  void add_titles(const std::string& path, const std::string& text, Titles& found) const {
    each_object_in(path, text, limits_, [&](const Value& object) {
      const Value* metadata = rotation::map_at(object, "metadata");
      const auto name = metadata == nullptr ? std::nullopt : rotation::string_at(*metadata, "name");
      if (!name) return;
      const std::string_view group = rotation::group_of(rotation::string_at(object, "apiVersion").value_or(""));
      const std::string_view kind = rotation::string_at(object, "kind").value_or("");
      const std::string_view space = rotation::string_at(*metadata, "namespace").value_or(rendered_->cluster());
      found.emplace(fmt::format("{}\n{}\n{}\n{}", group, kind, space, *name), title_of(object));
    });
  }

  const FileSet* rendered_;
  const Limits& limits_;
  Titles known_;
};

// `.argocd-source.yaml` and `.argocd-source-<application>.yaml` override an Application's source, such as which files
// it reads (Argo CD's "Store overrides in Git").
bool overrides_source(std::string_view path) { return path.substr(path.rfind('/') + 1).starts_with(".argocd-source"); }

class FolderSearch {
 public:
  FolderSearch(FileSystem& fs, const Dir& folder, const Limits& limits,
               const std::function<bool(std::string_view path)>& is_known)
      : fs_(fs), folder_(folder), limits_(limits), is_known_(is_known) {}

  std::vector<LooseFile> find() {
    look_into("", 0);
    return std::move(found_);
  }

 private:
  void look_into(const std::string& below, int depth) {
    std::vector<DirEntry> entries;
    if (fs_.list(folder_ / (below.empty() ? std::string_view(".") : below), entries)) return;
    for (const DirEntry& entry : entries) {
      const std::string path = below.empty() ? entry.name : below + "/" + entry.name;
      if (entry.type == FileType::Directory) {
        // Argo CD reads folders of any depth.
        if (depth < kDeepestFolder) look_into(path, depth + 1);
        else found_.emplace_back().path = path + "/";
        continue;
      }
      const bool may_count = has_manifest_name(path) || entry.type == FileType::Symlink;
      if (!may_count || is_known_(path)) continue;
      LooseFile& file = found_.emplace_back();
      file.path = path;
      file.is_read = !fs_.read(folder_ / path, file.text, limits_.input_bytes);
    }
  }

  FileSystem& fs_;
  const Dir& folder_;
  const Limits& limits_;
  const std::function<bool(std::string_view path)>& is_known_;
  std::vector<LooseFile> found_;
};

std::string index_path(const std::string& cluster) { return cluster + "/" + std::string(kIndexName); }

// Empty if it can't be read.
std::string bytes_of(const OutputTree& tree, const std::string& path_in_clusters, const Limits& limits) {
  std::string bytes;
  if (!tree.has_clusters() || tree.fs().read(tree.clusters() / path_in_clusters, bytes, limits.input_bytes)) return {};
  return bytes;
}

Index parsed(std::string_view bytes) {
  std::string why;
  return read_index(bytes, why).value_or(Index());
}

// Of a cluster's folder; without files if none can be read.
Index index_of(const OutputTree& tree, const std::string& cluster, const Limits& limits) {
  return parsed(bytes_of(tree, index_path(cluster), limits));
}

// The folders of a cluster's files, relative to its own, with a slash at the end; "" is its own.
std::set<std::string> folders_of(const std::vector<std::string>& paths) {
  std::set<std::string> folders;
  for (const std::string& path : paths) {
    folders.emplace();
    for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1))
      folders.insert(path.substr(0, end + 1));
  }
  return folders;
}

// Returns whether the file exists, by its path in the output folder.
bool report_kustomization(const OutputTree& tree, const std::string& path, Sink& sink) {
  FileStat stat;
  if (tree.fs().stat(*tree.folder() / path, stat) || stat.type == FileType::Directory) return false;
  const std::string shown = tree.shown_path(path);
  sink.report(diag::loose_removal, Span(), shown, "makes Flux apply only what it lists", "no render wrote it")
      .note("Flux deletes all other objects of the folder, with `prune: true` in the Kustomization that applies it")
      .advise(fmt::format("delete it with `rm {}`, and commit that", shell_word(shown)));
  return true;
}

// Flux builds all manifests of a folder, unless it or a folder above has a file for kustomize. Folders without rendered
// files may need one, such as `clusters/flux-system`. Argo CD isn't affected: the ApplicationSet that `capwright
// argocd` prints sets `directory`, so Argo CD doesn't look for these files. `kubectl apply -f` doesn't, either. Returns
// the reported ones.
std::set<std::string> report_kustomizations(const OutputTree& tree, const std::string& directory,
                                            const std::vector<std::string>& files, Sink& sink) {
  std::set<std::string> reported;
  if (tree.outputs().delivery() != Delivery::Flux || !tree.has_clusters()) return reported;
  for (const std::string& folder : folders_of(files)) {
    for (const std::string_view name : kKustomizations) {
      const std::string path = folder + std::string(name);
      const bool is_ours = std::find(files.begin(), files.end(), path) != files.end();
      if (!is_ours && report_kustomization(tree, directory + path, sink)) reported.insert(path);
    }
  }
  return reported;
}

// Of the render, or of the last one if nothing renders the cluster; relative to the cluster's folder.
std::vector<std::string> paths_in(const std::string& directory, const FileSet* rendered, const Index& earlier) {
  std::vector<std::string> paths;
  if (rendered != nullptr) {
    for (const RenderedFile& file : rendered->files()) {
      if (file.path.starts_with(directory)) paths.push_back(file.path.substr(directory.size()));
    }
  }
  for (const IndexedFile& file : earlier.files) {
    if (!is_outside(file.path)) paths.push_back(file.path);
  }
  return paths;
}

constexpr const char* kDeletes = "makes Argo CD delete";
constexpr const char* kUnwritten = "no render wrote it";

// No objects: the file can't be read.
std::string problem_of(std::string_view verb, const std::vector<std::string>& objects) {
  if (objects.empty()) return "can't be checked for deletions";
  return objects.size() == 1 ? fmt::format("{} {}", verb, objects.front())
                             : fmt::format("{} {} objects", verb, objects.size());
}

std::string advice_to_delete(const std::string& shown) {
  return fmt::format("delete it with `rm {}{}`, and commit that", shown.ends_with('/') ? "-r " : "", shell_word(shown));
}

// A render keeps what it finds in the removal file and the retired templates, so they are among the results.
std::vector<LooseFile> unlisted_files(const OutputTree& tree, const std::string& cluster, const Index& index,
                                      const Limits& limits) {
  return loose_files(tree, cluster, limits, [&](std::string_view path) {
    return path != rotation::kTombstoneFile && path != rotation::kRetiredFile && index.find(path) != nullptr;
  });
}

}  // namespace

const Value* listed_items(const Value& manifest) {
  const Value* items = manifest.is(Kind::Map) ? manifest.find("items") : nullptr;
  return items != nullptr && items->is(Kind::List) ? items : nullptr;
}

bool is_removal(const Value& manifest) {
  const Value* annotations = annotations_of(manifest);
  if (annotations == nullptr) return false;
  const Value& argo_facts = *hook_facts().find("argo");
  const Hooks argo(*annotations, argo_facts), helm(*annotations, *hook_facts().find("helm"));
  if (!argo.exists() && !helm.exists()) return false;
  const std::vector<std::string_view> types = argo.known("types");
  const bool is_skipped = types.size() == 1 && types[0] == argo_facts.text_at("skip");
  if (is_skipped) return false;
  return has_no_hooks(manifest) || (types.empty() && helm.known("types").empty());
}

bool is_ignored_part_of_chart(const Value& manifest) {
  const Value* annotations = annotations_of(manifest);
  if (annotations == nullptr || has_no_hooks(manifest)) return false;
  const Hooks argo(*annotations, *hook_facts().find("argo")), helm(*annotations, *hook_facts().find("helm"));
  return !argo.exists() && helm.known("types").empty() && !helm.known("ignored").empty();
}

std::optional<std::vector<std::string>> removals_in(std::string path, std::string text, const Limits& limits) {
  if (path.ends_with(".jsonnet") || overrides_source(path) || reader_gap(text) || is_skipped_by_argo(path, text))
    return std::nullopt;
  std::vector<std::string> found;
  const bool is_read = each_object_in(std::move(path), std::move(text), limits, [&](const Value& manifest) {
    if (is_removal(manifest)) found.push_back(title_of(manifest));
  });
  return is_read ? std::optional(std::move(found)) : std::nullopt;
}

std::vector<LooseFile> loose_files(const OutputTree& tree, const std::string& cluster, const Limits& limits,
                                   const std::function<bool(std::string_view path)>& is_known) {
  Dir folder;
  if (!tree.has_clusters() || folder.open(tree.fs(), tree.clusters() / cluster)) return {};
  return FolderSearch(tree.fs(), folder, limits, is_known).find();
}

std::vector<LooseFile> files_beside(const OutputTree& tree, const FileSet& rendered, const Limits& limits) {
  std::vector<LooseFile> files = loose_files(tree, rendered.cluster(), limits, [&](std::string_view path) {
    return rendered.find(rendered.directory() + std::string(path)) != nullptr;
  });
  if (files.empty()) return files;
  const Index index = index_of(tree, rendered.cluster(), limits);
  std::erase_if(files, [&](const LooseFile& file) {
    if (!file.is_read || index.find(file.path) == nullptr) return !file.is_read;
    const auto removals = removals_in(file.path, file.text, limits);
    return !removals || removals->empty();
  });
  return files;
}

bool only_redefines(const LooseFile& file, const FileSet& rendered, const Limits& limits) {
  return Redefinitions(&rendered, limits).are_all_of(file);
}

bool have_same_loose_files(const OutputTree& before, const OutputTree& after, const std::string& cluster,
                           const Limits& limits) {
  const std::string path = index_path(cluster), bytes = bytes_of(after, path, limits);
  const Index index = parsed(bytes);
  const bool is_shared = !bytes.empty() && before.has_clusters() && before.fs().holds(before.clusters() / path, bytes);
  return unlisted_files(after, cluster, index, limits) ==
         unlisted_files(before, cluster, is_shared ? index : index_of(before, cluster, limits), limits);
}

void report_loose_removals(const OutputTree& tree, const std::string& cluster, const FileSet* rendered,
                           const Limits& limits, Sink& sink) {
  const std::string directory = cluster_directory(cluster);
  const auto is_rendered = [&](std::string_view path) {
    return rendered != nullptr && rendered->find(directory + std::string(path)) != nullptr;
  };
  Redefinitions redefinitions(rendered, limits);
  const Index earlier = rendered == nullptr ? index_of(tree, cluster, limits) : Index();
  auto listed = [&, index = std::optional<Index>()]() mutable -> const Index& {
    return index ? *index : index.emplace(index_of(tree, cluster, limits));
  };
  const std::set<std::string> reported =
      report_kustomizations(tree, directory, paths_in(directory, rendered, earlier), sink);
  for (const LooseFile& file : loose_files(tree, cluster, limits, is_rendered)) {
    if (reported.contains(file.path)) continue;
    const auto removals =
        file.is_read ? removals_in(file.path, file.text, limits) : std::optional<std::vector<std::string>>();
    const bool redefines = removals && removals->empty();
    const std::vector<std::string> objects =
        redefines ? redefinitions.in(file) : removals.value_or(std::vector<std::string>());
    if (redefines && objects.empty()) continue;
    const std::string shown = tree.shown_path(directory + file.path);
    const Index& index = rendered == nullptr ? earlier : listed();
    const IndexedFile* known = index.find(file.path);
    const bool is_written = known != nullptr && known->digest == sha256(file.text);
    if (redefines && rendered != nullptr && is_written) continue;  // stale, and the next render deletes it
    // A change can contain an index that fits, so a deletion is reported although the last render may have written it.
    const bool is_left = rendered == nullptr && is_written;
    Diagnostic& diagnostic =
        sink.report(diag::loose_removal, Span(), shown, problem_of(redefines ? "redefines" : kDeletes, objects),
                    is_left ? fmt::format("no values file defines cluster `{}`", cluster) : kUnwritten);
    if (objects.size() > 1) diagnostic.note(fmt::format("{}", fmt::join(objects, ", ")));
    if (is_left) {
      const std::string folder = tree.shown_path("clusters/" + cluster);
      diagnostic.advise(
          fmt::format("if the cluster was deleted, remove the folder with `git rm -r {}`; otherwise "
                      "restore its values file with `git checkout`",
                      shell_word(folder)));
      continue;
    }
    diagnostic.advise(advice_to_delete(shown));
  }
}

void report_left_entries(const OutputTree& tree, const std::string& cluster, const Limits& limits, Sink& sink) {
  std::string path(rotation::kTombstoneFile);
  std::string text = bytes_of(tree, cluster + "/" + path, limits);
  if (text.empty() || index_of(tree, cluster, limits).find(path) != nullptr) return;
  const auto removals = removals_in(path, std::move(text), limits);
  if (removals && removals->empty()) return;
  const std::vector<std::string> objects = removals.value_or(std::vector<std::string>());
  const std::string shown = tree.shown_path(cluster_directory(cluster) + path);
  Diagnostic& diagnostic =
      sink.report(diag::loose_removal, Span(), shown, problem_of(kDeletes, objects), std::string(kUnwritten));
  diagnostic.severity = Severity::Warning;
  if (objects.size() > 1) diagnostic.note(fmt::format("{}", fmt::join(objects, ", ")));
  diagnostic.advise(advice_to_delete(shown));
}

void report_loose_removals(const OutputTree& tree, const std::set<std::string>& names, const Limits& limits,
                           Sink& sink) {
  std::vector<DirEntry> entries;
  if (!tree.has_clusters() || tree.fs().list(tree.clusters() / ".", entries)) return;
  if (tree.outputs().delivery() == Delivery::Flux && !names.empty()) {
    for (const std::string_view name : kKustomizations)
      report_kustomization(tree, "clusters/" + std::string(name), sink);
  }
  for (const DirEntry& entry : entries) {
    const bool is_cluster = entry.type == FileType::Directory && !entry.name.starts_with('.');
    if (is_cluster && !names.contains(entry.name)) report_loose_removals(tree, entry.name, nullptr, limits, sink);
  }
}

}  // namespace capwright
