// The Applications, ApplicationSets and projects in the folder `argocd/` beside capwright.yaml, for rules about the
// clusters that they apply. The folder has few files, so each run may read it, also one that lints a single cluster.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lint/facts/applications.h"
#include "pipeline/project.h"

namespace capwright::lint {

inline constexpr std::string_view kArgoCdFolder = "argocd";

// The YAML and JSON files of the folder, as shown. None if it is a link, which may lead out of the repository.
std::vector<std::string> find_argocd_files(FileSystem& fs, const Workspace& workspace);
// Whether a file has objects of Argo CD; others in the folder may be for other tools.
bool is_for_argocd(std::string_view text);

// Whether a source of an Application, or of an ApplicationSet's template, applies a folder of the Git working tree, as
// far as its path, and the directories that the ApplicationSet lists, say.
bool applies(const Object& object, const ChartSource& source, std::string_view folder);

// Thread-safe: its objects are read on first use, and don't change afterwards.
class ArgoCdFolder {
 public:
  // A source of an Application, or of the template of an ApplicationSet.
  struct Applier {
    const Object* object = nullptr;
    const ChartSource* source = nullptr;

    bool is_set() const { return object->kind() == "ApplicationSet"; }
    std::string_view file() const { return object->file().path; }
  };

  // The project outlives this.
  explicit ArgoCdFolder(const Project& project) : project_(project) {}
  ArgoCdFolder(const ArgoCdFolder&) = delete;
  ArgoCdFolder& operator=(const ArgoCdFolder&) = delete;

  // The AppProject; null: the folder has none of this name.
  const Object* project(std::string_view name) const;
  const std::vector<const Object*>& projects() const { return contents().projects; }
  // The sources of all Applications and ApplicationSets.
  const std::vector<Applier>& appliers() const { return contents().appliers; }
  // The sources that apply a folder of the Git working tree, such as that of a cluster, `fleet/clusters/a`.
  std::vector<Applier> appliers_of(std::string_view folder) const;

 private:
  struct Contents {
    Context context;
    std::unique_ptr<Cluster> cluster;
    std::vector<const Object*> projects;
    std::vector<Applier> appliers;
  };
  const Contents& contents() const;

  const Project& project_;
  mutable std::once_flag reading_;
  mutable Contents contents_;
};

}  // namespace capwright::lint
