// capwright.yaml: what a repository says once for all its clusters. Its shape is schemas/config/capwright.schema.json.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/file_system.h"
#include "value/stage.h"

namespace capwright {

namespace schema {
class Schema;
}

// A layer below the clusters' own values; both conditions must hold, empty ones do. (No Span: what it would point into
// belongs to the run, not to the cluster that reads the layer.)
struct LayerRule {
  std::string file;
  std::string provider;
  std::string path_glob;

  friend bool operator==(const LayerRule&, const LayerRule&) = default;
};

// `capo: 0.14` below `targets`: which release of a provider the management cluster runs.
struct TargetRule {
  std::string provider;
  std::string version;
  Span where;  // in the run's sources
};

// Files of the repository's own rules of lint: a glob, relative to its root.
struct RuleFiles {
  std::string glob;
  Span where;  // in the run's sources
};

// `lint:` of capwright.yaml. Selectors are codes, beginnings of codes, or names of rules.
struct LintConfig {
  std::vector<std::string> select, ignore;
  std::vector<std::pair<std::string, std::vector<std::string>>> ignore_at;  // a glob of paths, and selectors
  std::vector<std::pair<std::string, Severity>> severities;                 // by selector
  std::vector<std::string> externals;  // objects that exist beside the tree: globs of `Kind/name`
  std::vector<RuleFiles> rules;        // empty: the default folder, if it is there
  std::string baseline;                // findings that don't count, from the root; empty: none
  Span baseline_where;                 // in the run's sources
};

// Newer facts than the built-in ones (pipeline/own_catalogue.h). Empty texts: the repository has none.
struct OwnCatalogue {
  struct File {
    std::string shown, text;
  };
  File addons, kubernetes;
};

// The tool that applies the tree to the management cluster, and so decides which objects are deleted when they leave
// it.
enum class Delivery : std::uint8_t { ArgoCd, Flux, Kubectl };

// "argocd", "flux", "kubectl", as capwright.yaml has them.
std::string_view delivery_name(Delivery delivery);

struct Config {
  std::vector<std::string> values = {"values"};
  std::string output = ".";
  std::string templates = "templates";
  std::vector<LayerRule> layers;
  std::vector<TargetRule> targets;
  LintConfig lint;
  std::uint32_t retain = 1;  // generations of replaced templates that stay in the tree
  Delivery delivery = Delivery::ArgoCd;
  OwnCatalogue catalogue;
  bool tombstones = true;      // whether removed objects are listed, so that Argo CD deletes them
  FileId file = FileId::None;  // None: there is no capwright.yaml

  // Only Argo CD reads tombstones; other tools would try to create what they name.
  bool writes_tombstones() const { return tombstones && delivery == Delivery::ArgoCd; }
};

// Where a repository is. All paths of a run are shown relative to `root`; `prefix` is what the process puts before
// them to reach the files ("" when it runs in the root, "../../" two folders below).
struct Workspace {
  std::string prefix;
  std::string below;  // the working directory as seen from the root: "", "values/lab/" or "../elsewhere/"

  std::string io_path(std::string_view shown) const;
  // A path as the user typed it, in the working directory, as it is shown: relative to the root.
  std::string shown_path(std::string_view typed) const;
};

inline constexpr std::string_view kConfigName = "capwright.yaml";

// Searches from the working directory (`absolute`) up to the first folder that holds `.git`. Without a capwright.yaml
// the workspace is the working directory itself.
Workspace find_workspace(FileSystem&, std::string_view absolute_working_directory);

// Reads and checks the file; faults are reported. `shown` is its path relative to the root.
Config read_config(FileSystem&, const Workspace&, const std::string& shown, Stage&);

}  // namespace capwright
