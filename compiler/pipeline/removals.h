// Manifests that make Argo CD delete an object: removal entries, and all others with a hook that Argo CD doesn't run.
// Argo CD looks up the live object of each manifest, also of one that it ignores, finds no manifest for it, and prunes
// it.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "files/output_tree.h"
#include "value/limits.h"
#include "value/value.h"

namespace capwright {

// The items of an object that Argo CD and `kubectl` replace by its items, whatever its kind; null for any other object.
const Value* listed_items(const Value& manifest);

// Whether Argo CD deletes the live object that the manifest names. The hook types are in argocd.yaml of the catalogue.
bool is_removal(const Value& manifest);
// Whether its only hook is one of Helm's types that Argo CD ignores, as for the tests of a chart: Argo CD never makes
// such objects, so nothing is deleted unless something else made one. Objects of Cluster API aren't parts of charts.
bool is_ignored_part_of_chart(const Value& manifest);

// The objects that removals in a text name, such as "MachineDeployment prod/prod-batch"; empty optional: the text can't
// be read.
std::optional<std::vector<std::string>> removals_in(std::string path, std::string text, const Limits&);

// A file that Argo CD may read as manifests, in a cluster's folder or below it.
struct LooseFile {
  std::string path;  // relative to the cluster's directory
  std::string text;
  bool is_read = false;  // not a link, not too large, and not a folder that nests too deep, whose path ends in `/`

  friend bool operator==(const LooseFile&, const LooseFile&) = default;
};

// The files of `clusters/<cluster>/` that `is_known` rejects, in order. An unreadable folder has none.
std::vector<LooseFile> loose_files(const OutputTree&, const std::string& cluster, const Limits&,
                                   const std::function<bool(std::string_view path)>& is_known);
// The files of the cluster's folder that are applied beside its render: those that `rendered` and the index lack, and
// those with removals, which a change can list in the index. Only files that can be read.
std::vector<LooseFile> files_beside(const OutputTree&, const FileSet& rendered, const Limits&);
// Whether the render has each object of the file, so that the tree keeps all of them without the file.
bool only_redefines(const LooseFile&, const FileSet& rendered, const Limits&);
// If a folder has one of these files, kustomize builds only what it lists.
inline constexpr std::array<std::string_view, 3> kKustomizations = {"kustomization.yaml", "kustomization.yml",
                                                                    "Kustomization"};

// Whether both trees have the same files of a cluster that aren't in the index of their folder, and the same removal
// file and retired templates. Reads one index if both are equal.
bool have_same_loose_files(const OutputTree& before, const OutputTree& after, const std::string& cluster,
                           const Limits&);

// Reports files that aren't in `rendered` and have removals or objects of `rendered`, unreadable ones, and for Flux,
// those that make it leave out files of `rendered`; null: nothing renders the cluster.
void report_loose_removals(const OutputTree&, const std::string& cluster, const FileSet* rendered, const Limits&,
                           Sink&);
// The same for all folders but those of `names`, the clusters that are rendered, and for `clusters/` itself.
void report_loose_removals(const OutputTree&, const std::set<std::string>& names, const Limits&, Sink&);

// Reports a removal file of the cluster that its index doesn't list, as `git checkout .` leaves one behind when it
// undoes a render. As a warning: the render itself is right.
void report_left_entries(const OutputTree&, const std::string& cluster, const Limits&, Sink&);

// Reports submodules of Git in `clusters/` of the output folder, by `.gitmodules`: Argo CD fetches and applies their
// files, which a checkout may lack.
void report_submodules(FileSystem&, const std::string& output, Sink&);

}  // namespace capwright
