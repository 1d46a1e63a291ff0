// Data that all clusters of a run share: the repository, its configuration and the template sets. Read-only while
// clusters are compiled, except for the sets, which are loaded on first use.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/config.h"
#include "pipeline/layers.h"
#include "pipeline/template_set.h"
#include "secrets/decrypt_layer.h"
#include "secrets/lines.h"

namespace capwright {

struct ProjectOptions {
  Limits limits;
  ExtraValues extra;
  std::optional<PlainFolder> plain;  // of the command line; without a folder it changes Config::own_templates
  // The id of an add-on that every cluster has with chart values from templates. Empty: none.
  std::string templated_addon;
  // Whether the output is inside a working tree, which matters for readable secrets.
  bool inside_work_tree = false;
  bool upgrade_set = false;  // allow another version of a template set, or other names, than those of the last render
  bool force = false;        // overwrite manual edits
  bool forget_removed = false;  // drop the tombstones of earlier renders
  // The path of the values file that the one to render represents, if it is elsewhere: in a golden case.
  std::string meant_path;
  bool ci = false;
  // Starts programs for encryption and decryption; null: none may be started.
  Programs* programs = nullptr;
  std::string vault_address;     // of the Vault server that these may contact; empty: none
  bool encrypts = false;         // files with secrets are written, so they are encrypted if their form requires it
  bool reencrypt = false;        // also encrypt unchanged files again
  bool keeps_manifests = false;  // keep the parsed rendered files for later steps
};

// A values file and the name of its cluster.
struct NamedCluster {
  std::string name, values_path;
};

// All values files, each with the values files that extend it.
using ExtendedFiles = std::map<std::string, std::vector<std::string>>;

class Project {
 public:
  Project(FileSystem& fs, Workspace workspace, Config config, ProjectOptions options);

  FileSystem& fs() const { return fs_; }
  const Workspace& workspace() const { return workspace_; }
  const Config& config() const { return config_; }
  const ProjectOptions& options() const { return options_; }

  // The set for a provider or set id ("openstack", "capo"); null if there is none. Thread-safe.
  const TemplateSet* template_set(std::string_view provider_or_id);
  // The set that template_set() would load.
  const KnownSet* known_set(std::string_view provider_or_id) const;
  // Ids of all sets for a provider.
  std::vector<std::string_view> sets_for(std::string_view provider) const;
  // The plain folder that renders all clusters, and its set. Empty and null: template sets do.
  const std::optional<PlainFolder>& plain_folder() const { return folder_; }
  const TemplateSet* plain_set() const { return plain_.get(); }
  // The files that clusters may have outside of their folders, and the tool that applies all files.
  Outputs outputs() const { return (folder_ ? folder_->outputs : Outputs()).applied_by(config_.delivery); }
  // The cluster that may have this file outside of its folder; empty: none. `shown`: relative to the root.
  std::string owner_of_output(std::string_view shown) const;
  // Null without options().programs.
  const secrets::Sops* sops() const { return sops_.get(); }
  LayerDecryption layer_decryption() const { return {sops_.get(), &decrypted_}; }
  // schemas/catalogue/kubernetes.yaml with the repository's own entries; null if it has none.
  const Value* own_kubernetes_facts() const { return own_kubernetes_.is(Kind::Map) ? &own_kubernetes_ : nullptr; }
  // The catalogue of add-ons with the repository's own entries; null if it has none.
  const values::AddonCatalogue* own_addon_catalogue() const { return own_addons_ ? &*own_addons_ : nullptr; }
  // The keys that the schemas of all sets mark as secret; loads them. Thread-safe.
  SecretNames secret_names();
  // Ids and providers of all sets, for suggestions.
  std::vector<std::string_view> names_of_sets() const;

  // All clusters of the repository: the result of the first call's `find`. Thread-safe. See pipeline/fleet_names.h.
  const std::vector<NamedCluster>& all_clusters(const std::function<std::vector<NamedCluster>()>& find) {
    std::call_once(naming_, [&] { clusters_ = find(); });
    return clusters_;
  }

  // The result of the first call's `find`. Thread-safe. See
  // pipeline/misplaced_layers.cc.
  const ExtendedFiles& extended_files(const std::function<ExtendedFiles()>& find) {
    std::call_once(extending_, [&] { extended_ = find(); });
    return extended_;
  }

  // Loaded sets with findings, which are reported once per run instead of once per cluster. Ordered by id.
  std::vector<const TemplateSet*> sets_with_findings() const;
  // Errors in finding sets, such as an unreadable folder.
  const Sink& sink() const { return sink_; }

 private:
  FileSystem& fs_;
  Workspace workspace_;
  Config config_;
  ProjectOptions options_;
  Sink sink_;
  std::vector<KnownSet> known_;
  std::optional<PlainFolder> folder_;
  std::unique_ptr<TemplateSet> plain_;
  std::unique_ptr<secrets::Sops> sops_;
  mutable secrets::DecryptedTexts decrypted_;
  SourceSet catalogue_sources_;
  Arena catalogue_arena_;
  OriginTable catalogue_origins_;
  Value own_kubernetes_;
  std::optional<values::AddonCatalogue> own_addons_;
  std::once_flag extending_;
  ExtendedFiles extended_;
  std::once_flag naming_;
  std::vector<NamedCluster> clusters_;
  mutable std::mutex loading_;
  std::map<std::string, std::unique_ptr<TemplateSet>, std::less<>> loaded_;
};

}  // namespace capwright
