// Compares the tree with its earlier state.
#include "rotation/tombstones.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "diag/catalog/manifest.h"
#include "files/path_rules.h"
#include "rotation/naming.h"
#include "text/kubectl.h"
#include "yaml/read.h"

namespace capwright::rotation {
namespace {

constexpr std::string_view kCoreGroup = "cluster.x-k8s.io";
constexpr std::string_view kClusterLabel = "cluster.x-k8s.io/cluster-name";
constexpr std::string_view kKinds[] = {"MachineDeployment", "MachineHealthCheck", "MachinePool"};
constexpr std::string_view kTombstoneHeader =
    "# Objects that left this tree. Argo CD deletes what a manifest with this hook names. `capwright render` keeps "
    "this "
    "file.\n";

// Its texts point into the parsed manifest.
struct Identity {
  std::string_view kind, space, name;

  friend auto operator<=>(const Identity&, const Identity&) = default;
};

std::string_view text_at(const Value* map, std::string_view key) {
  return map == nullptr ? std::string_view() : string_at(*map, key).value_or("");
}

Identity identity_of(const Value& manifest) {
  const Value* metadata = map_at(manifest, "metadata");
  return {text_at(&manifest, "kind"), text_at(metadata, "namespace"), text_at(metadata, "name")};
}

// The name of the Cluster that an object belongs to; for a tombstone, the value of its label.
std::string_view cluster_of(const Value& manifest) {
  const std::string_view named = text_at(map_at(manifest, "spec"), "clusterName");
  const Value* metadata = map_at(manifest, "metadata");
  const Value* labels = metadata == nullptr ? nullptr : map_at(*metadata, "labels");
  return is_tombstone(manifest) ? text_at(labels, kClusterLabel) : named;
}

// Whether a name can be printed between quotes.
bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

bool is_in_own_folder(std::string_view path_in_cluster) { return path_in_cluster.find('/') == std::string_view::npos; }

// The objects in the rendered files, at any depth: Argo CD splits Lists, and other tools may apply manifests inside
// other objects.
class Present {
 public:
  explicit Present(const ReadManifests& manifests) {
    for (const ReadFile& file : manifests.files) {
      for (const YamlDocument& document : file.documents) add(document.value);
    }
  }

  // Without a namespace, the Application determines it.
  bool has(const Identity& object) const {
    return objects_.contains(object) || objects_.contains({object.kind, "", object.name});
  }
  // The API version of a Cluster whose pools are manifests; empty if there is none.
  std::string_view cluster_version(std::string_view space, std::string_view name) const {
    const auto found = clusters_.find({space, name});
    return found == clusters_.end() ? std::string_view() : found->second;
  }

 private:
  void add(const Value& value) {
    if (value.is(Kind::List)) {
      for (const Value& item : value.items()) add(item);
    } else if (value.is(Kind::Map)) {
      const Identity object = identity_of(value);
      if (!object.kind.empty() && !object.name.empty()) note(object, value);
      for (const Entry& entry : value.entries()) add(entry.value);
    }
  }

  // In a Cluster with a topology, Cluster API itself deletes removed pools, and it may have adopted those of the tree.
  void note(const Identity& object, const Value& manifest) {
    objects_.insert(object);
    const std::string_view api_version = text_at(&manifest, "apiVersion");
    const Value* spec = map_at(manifest, "spec");
    const bool has_topology = spec != nullptr && spec->find("topology") != nullptr;
    if (object.kind == "Cluster" && group_of(api_version) == kCoreGroup && !has_topology)
      clusters_[{object.space, object.name}] = api_version;
  }

  std::set<Identity> objects_;
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> clusters_;
};

struct Tombstone {
  std::string kind, space, name, cluster, api_version;
  Span was;  // its earlier manifest

  auto key() const { return std::tie(kind, space, name); }
};

class Undertaker {
 public:
  Undertaker(FileSet files, const ReadManifests& manifests, RenderTrace& trace, Stage& stage)
      : files_(std::move(files)), present_(manifests), trace_(trace), stage_(stage) {}

  FileSet bury(const EarlierObjects& earlier) {
    other_owner_ = earlier.other_owner;
    for (const PreviousFile& file : earlier.tree.files) {
      if (file.path != kTombstoneFile && is_in_own_folder(file.path) && has_manifest_name(file.path))
        look_at(file, earlier.tree);
    }
    const PreviousFile* tombstones = earlier.tombstones.find(kTombstoneFile);
    const PreviousFile* committed = earlier.tree.find(kTombstoneFile);
    if (!earlier.forget && is_missing(committed) && is_missing(tombstones)) {
      stage_.sink.report(diag::removal_entries_missing, Span(), files_.directory() + std::string(kTombstoneFile))
          .note(
              "it lists removed pools, which keep running until Argo CD reads it; `git commit -a` leaves out new files")
          .advise(
              "add it in the clone that rendered it, with `git add clusters`; if that clone is gone, revert the commit "
              "and remove the pools again; if the pools are gone, run `capwright render --forget-removed`");
    }
    if (earlier.forget && committed != nullptr) forget(*committed, earlier.tree);
    // A file that was deleted by hand, or left out of a sparse checkout, is still in the commit.
    if (is_missing(tombstones) && committed != nullptr) look_at(*committed, earlier.tree);
    else if (tombstones != nullptr) look_at(*tombstones, earlier.tombstones);
    std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
    const auto same = [](const Tombstone& a, const Tombstone& b) { return a.key() == b.key(); };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
    if (found_.empty() || !comes_first()) return std::move(files_);
    return with_file();
  }

 private:
  // Listed by the index.
  static bool is_missing(const PreviousFile* file) {
    return file != nullptr && file->state == PreviousFile::State::Missing;
  }

  using Visit = std::function<void(const YamlDocument&)>;
  void each_document(const PreviousFile& file, const PreviousCluster& previous, const Visit& visit) {
    const bool is_sound = previous.index && file.state == PreviousFile::State::Intact;
    const IndexedFile* indexed = is_sound ? previous.index->find(file.path) : nullptr;
    const std::string shown = files_.directory() + file.path;
    const RenderedFile* now = files_.find(shown);
    if (indexed == nullptr || indexed->secret || (now != nullptr && now->digest == indexed->digest)) return;
    Sink faults;
    Arena arena;
    OriginTable origins;
    Stage reading{stage_.sources, faults, arena, origins, stage_.limits};
    const FileId source = stage_.sources.add(shown, file.text);
    const auto documents = read_yaml_documents(source, reading, {ScalarRules::Kubernetes, TextSyntax::ByName});
    if (faults.failed()) return;
    for (const YamlDocument& document : documents) visit(document);
  }

  void look_at(const PreviousFile& file, const PreviousCluster& previous) {
    const bool is_of_tombstones = file.path == kTombstoneFile;
    each_document(file, previous, [&](const YamlDocument& document) { consider(document, is_of_tombstones); });
  }

  // An entry that isn't in the last commit stays: Argo CD hasn't seen it.
  void forget(const PreviousFile& committed, const PreviousCluster& tree) {
    each_document(committed, tree, [&](const YamlDocument& document) {
      const Identity object = identity_of(document.value);
      forgotten_.emplace(object.kind, object.space, object.name);
    });
  }

  void consider(const YamlDocument& document, bool is_of_tombstones) {
    const Value& manifest = document.value;
    if (is_tombstone(manifest) != is_of_tombstones) return;
    const Identity object = identity_of(manifest);
    const std::string_view cluster = cluster_of(manifest);
    const std::string_view version = present_.cluster_version(object.space, cluster);
    if (!may_have_tombstone(group_of(text_at(&manifest, "apiVersion")), object.kind) || present_.has(object)) return;
    if (version.empty() || !is_plain(object.name) || !is_plain(object.space) || !is_plain(cluster)) return;
    if (is_of_tombstones &&
        forgotten_.contains({std::string(object.kind), std::string(object.space), std::string(object.name)}))
      return;
    Tombstone tombstone{std::string(object.kind), std::string(object.space), std::string(object.name),
                        std::string(cluster),     std::string(version),      document.span};
    const std::string other = other_owner_ ? other_owner_(object.space, object.name) : std::string();
    if (!other.empty()) return leave_to_user(tombstone, other);
    found_.push_back(std::move(tombstone));
  }

  // The label excludes an object of the other cluster.
  void leave_to_user(const Tombstone& object, const std::string& other) {
    const std::string title = fmt::format("{} {}/{}", object.kind, object.space, object.name);
    if (!left_.insert(title).second) return;
    const std::string selector = fmt::format("{}={}", kClusterLabel, object.cluster);
    stage_.sink.report(diag::removal_of_another, object.was, title, other)
        .note("so it gets no removal entry, which would make Argo CD delete that pool")
        .advise(fmt::format("delete it after the commit: `{} --field-selector metadata.name={}`",
                            kubectl_delete_selected(kCoreGroup, object.kind, selector, object.space), object.name));
  }

  bool comes_first() {
    const std::string path = files_.directory() + std::string(kTombstoneFile);
    for (const RenderedFile& file : files_.files()) {
      const std::string name = files_.path_in_cluster(file);
      if (file.path > path || !is_in_own_folder(name) || !has_manifest_name(name)) continue;
      stage_.sink.report(diag::tombstones_not_first, file.marker, file.path, kTombstoneFile)
          .advise(fmt::format("give it a name that sorts after `{}`, or set `tombstones: false` in capwright.yaml",
                              kTombstoneFile));
      return false;
    }
    return true;
  }

  FileSet with_file() {
    const auto frame = static_cast<FrameId>(trace_.size());
    trace_.push_back({Span(), FrameId::Root, "removed since an earlier render", RenderFrame::Kind::Kept});
    MappedText text;
    for (const Tombstone& each : found_) {
      Segment maker;
      maker.where = each.was;
      maker.frame = frame;
      text.append(text.size() == 0 ? kTombstoneHeader : "---\n", maker);
      text.append(fmt::format("apiVersion: {}\nkind: {}\nmetadata:\n  name: \"{}\"\n  namespace: \"{}\"\n  labels:\n"
                              "    {}: \"{}\"\n  annotations:\n    {}: {}\n",
                              each.api_version, each.kind, each.name, each.space, kClusterLabel, each.cluster,
                              kHookAnnotation, kTombstoneHook),
                  maker);
    }
    RenderedFile file;
    file.path = files_.directory() + std::string(kTombstoneFile);
    file.digest = sha256(text.text());
    file.body = std::move(text);
    std::string cluster = files_.cluster();
    Rotation rotation = files_.rotation();
    std::vector<RenderedFile> files = std::move(files_).take_files();
    files.push_back(std::move(file));
    return FileSet(std::move(cluster), std::move(files), std::move(rotation));
  }

  FileSet files_;
  const Present present_;
  RenderTrace& trace_;
  Stage& stage_;
  std::function<std::string(std::string_view space, std::string_view name)> other_owner_;
  std::vector<Tombstone> found_;
  std::set<std::tuple<std::string, std::string, std::string>> forgotten_;  // kind, namespace, name
  std::set<std::string> left_;                                             // titles
};

}  // namespace

bool is_tombstone(const Value& manifest) {
  const Value* metadata = map_at(manifest, "metadata");
  const Value* annotations = metadata == nullptr ? nullptr : map_at(*metadata, "annotations");
  return text_at(annotations, kHookAnnotation) == kTombstoneHook;
}

bool may_have_tombstone(std::string_view group, std::string_view kind) {
  return group == kCoreGroup && std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
}

bool may_belong_to(std::string_view other_cluster, const std::optional<std::string>& other_space,
                   std::string_view space, std::string_view name) {
  return (!other_space || *other_space == space) && name.size() > other_cluster.size() &&
         name.starts_with(other_cluster) && name[other_cluster.size()] == '-';
}

FileSet add_tombstones(FileSet files, const ReadManifests& manifests, const EarlierObjects& earlier, RenderTrace& trace,
                       Stage& stage) {
  if (!earlier.tree.index && !earlier.tombstones.index) return files;
  return Undertaker(std::move(files), manifests, trace, stage).bury(earlier);
}

}  // namespace capwright::rotation
