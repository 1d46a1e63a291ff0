// The objects of `import`: read from manifests, without what the API server adds, by cluster.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diff/side.h"
#include "facts/built_in.h"
#include "value/value.h"

namespace capwright::workflow {

struct ImportedObject {
  std::string_view group, kind, space, name;
  Value value;
  std::size_t dropped = 0;  // fields of the server that were removed
};

// An object that isn't imported, and why.
struct LeftOut {
  std::string object, why;
};

// An object that one of a cluster's objects is made with, and that isn't imported.
struct MissingObject {
  std::string kind, group, name;
  std::string used_by;   // "MachineDeployment prod-general"
  std::string left_out;  // why it isn't imported; empty: no manifest has it
};

struct ImportedCluster {
  std::string name, space;
  std::vector<ImportedObject> objects;
  std::vector<MissingObject> missing;
};

// The sources must outlive what is read from them.
class ImportedManifests {
 public:
  explicit ImportedManifests(const Limits& limits) : side_("import", limits) {}

  // Adds the text of a file. Returns why it can't be used; otherwise empty.
  std::string add(const std::string& shown, std::string text);
  // Call it once, after all texts. Returns why they can't be used; otherwise empty.
  std::string group();

  const std::map<std::string, ImportedCluster>& clusters() const { return clusters_; }  // by name
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  const Value& rules() const { return rules_.content(); }
  Arena& arena() { return arena_; }

 private:
  bool takes(const diff::Object& object);
  void leave_out(const diff::Object& object, std::string why);
  std::string cluster_of(const ImportedObject& object) const;
  void follow_references(std::vector<ImportedObject>& loose);
  void find_missing(const std::vector<ImportedObject>& all);

  BuiltInYaml rules_{"schemas/import/manifests.yaml"};  // as in without_server_fields()
  Arena arena_;
  diff::Side side_;
  std::map<std::string, ImportedCluster> clusters_;
  std::vector<LeftOut> left_out_;
  std::set<const diff::SideFile*> retired_;     // files of capwright with earlier generations of templates
  std::map<std::string, std::string> reasons_;  // why objects are left out, by kind and name
};

// Without what the API server and controllers write into every object. Adds the number of those fields to `dropped`.
Value without_server_fields(const Value& object, std::size_t& dropped, Arena& arena);

// Whether machines of this kind are a pool of workers.
bool is_pool(std::string_view kind);

// Calls `visit` with every map below `value` that has texts `kind` and `name`.
void each_reference(const Value& value, const std::function<void(std::string_view kind, std::string_view name)>& visit);

// The path of the first one: a field named like a secret, a text with the form of a key, a command, an annotation or a
// file that sets a password or token, or a Secret inside of a text. Empty: there is none.
std::string readable_secret_in(const diff::Object& object, diff::Side& side);

}  // namespace capwright::workflow
