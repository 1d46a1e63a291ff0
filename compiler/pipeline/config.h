// capwright.yaml: the settings of a repository for all its clusters. Its schema is
// schemas/config/capwright.schema.json.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/outputs.h"
#include "files/workspace.h"
#include "pipeline/manifest_sources.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright {

namespace schema {
class Schema;
}

// A layer below the clusters' own values; both conditions must match, and empty ones always do. (No Span: it would
// point into the run's sources, but the cluster reads the layer.)
struct LayerRule {
  std::string file;
  std::string provider;
  std::string path_glob;

  friend bool operator==(const LayerRule&, const LayerRule&) = default;
};

// `capo: 0.14` below `targets`: the release of a provider that the management cluster runs.
struct TargetRule {
  std::string provider;
  std::string version;
  Span where;  // in the run's sources
};

// An item of `feature_gates`: `BootstrapFormatIgnition`, or `ClusterTopology=false`.
struct GateRule {
  std::string name;
  bool is_on = true;
  Span where;  // in the run's sources
};

// Files with the repository's own lint rules: a glob relative to the root.
struct RuleFiles {
  std::string glob;
  Span where;  // in the run's sources
};

// `lint:` of capwright.yaml. Selectors are codes, prefixes of codes, or names of rules.
struct LintConfig {
  std::vector<std::string> select, ignore;
  std::vector<std::pair<std::string, std::vector<std::string>>> ignore_at;  // a glob of paths, and selectors
  std::vector<std::pair<std::string, Severity>> severities;                 // by selector
  std::vector<std::string> externals;  // objects that exist outside of the tree: globs of `Kind/name`
  std::vector<RuleFiles> rules;        // empty: the default folder, if it exists
  std::string baseline;                // findings to leave out; relative to the root; empty: none
  Span baseline_where;                 // in the run's sources
};

// An add-on of the repository, the folder `addons/<id>/` (pipeline/own_addons.h).
struct OwnAddon {
  struct File {
    std::string name, shown, text;  // the name is relative to the folder
  };
  std::string id;
  File facts;               // addon.yaml
  std::vector<File> files;  // chart values and manifests
};

// Newer facts than the built-in ones (pipeline/own_catalogue.h), and add-ons. Empty texts: the repository has none.
struct OwnCatalogue {
  struct File {
    std::string shown, text;
  };
  File addons, kubernetes;
  std::string folder;                     // shown
  Span named;                             // in the configuration; unknown: it isn't named there
  std::vector<OwnAddon> own_addons = {};  // by id
};

// A plain folder of Jinja2 templates: `template` of capwright.yaml, or `--template-dir DIR --main FILE …`.
struct PlainFolder {
  std::string folder, main;           // the second is in the first
  std::optional<std::string> schema;  // a JSON Schema of the values
  std::vector<std::string> jinja;     // options of Jinja2 to turn on
  Outputs outputs = {};               // the files that clusters may have outside of their folders
};

// "argocd", "flux", "kubectl", as in capwright.yaml.
std::string_view delivery_name(Delivery delivery);

// `argocd:` of capwright.yaml; empty: not set.
struct ArgoCdConfig {
  std::string repo_url, revision, namespace_name, destination, image;
};

struct Config {
  std::vector<std::string> values = {"values"};
  std::vector<Span> values_places;  // of each entry of `values`, in the run's sources; empty: it is the default
  std::string output = ".";
  std::string templates = "templates";
  std::optional<PlainFolder> own_templates;  // they render all clusters; empty: template sets do
  std::vector<LayerRule> layers;
  std::vector<TargetRule> targets;
  std::vector<GateRule> feature_gates;
  std::vector<ManifestSource> sources;
  LintConfig lint;
  std::uint32_t retain = 1;  // generations of replaced templates that stay in the tree
  Delivery delivery = Delivery::ArgoCd;
  ArgoCdConfig argocd;
  std::string publish_branch;                 // publish/settings.h has the other keys; empty: not set
  Span revision_where, publish_branch_where;  // of `argocd.revision` and `publish.branch`, in the run's sources
  OwnCatalogue catalogue;
  std::string own_objects;     // the source of `patches` and `resources`; empty: there are none
  bool tombstones = true;      // list removed objects, so that Argo CD deletes them
  FileId file = FileId::None;  // None: no capwright.yaml

  // Only Argo CD supports tombstones; other tools would try to create the objects.
  bool writes_tombstones() const { return tombstones && delivery == Delivery::ArgoCd; }
};

inline constexpr std::string_view kConfigName = "capwright.yaml";

// For a layer with a pattern in its path.
inline constexpr std::string_view kAdviceOnLayerPaths =
    "a layer's path has neither placeholders nor patterns: name each file, with a condition such as "
    "`{file: layers/prod.yaml, when: {path: values/prod-*.yaml}}`";

// Searches from the working directory (`absolute`) up to the first folder with `.git`. Without a capwright.yaml, the
// workspace is the working directory.
Workspace find_workspace(FileSystem&, std::string_view absolute_working_directory);

// Reads and validates the file; reports errors. `shown` is its path relative to the root. `program`: the version of
// capwright that has to meet `required_version`; empty for a revision that only has to be read.
Config read_config(FileSystem&, const Workspace&, const std::string& shown, std::string_view program, Stage&);

// Whether `program`, such as "1.2.3", meets the constraints of `written`, such as ">= 1.2, < 2". Reports an error at
// `written` if it doesn't or if a constraint is invalid.
bool meets_required_version(const Value& written, std::string_view program, Stage&);

}  // namespace capwright
