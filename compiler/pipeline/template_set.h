// A template set: the templates of one provider, their schema and their options. Loaded once, then shared by all
// threads. Built-in sets are in the binary; a folder in the repository's `templates/` adds or replaces one.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha.h"
#include "pipeline/config.h"
#include "pipeline/envsubst_set.h"
#include "pipeline/yaml_shapes.h"
#include "schema/schema.h"
#include "source/file_system.h"
#include "source/source.h"
#include "template/eval/render.h"
#include "template/syntax/template.h"
#include "values/addon_catalogue.h"

namespace capwright {

// The files of a set before parsing: shown path and text, sorted by name.
struct SetFile {
  std::string name;   // relative to the set's folder, as in `include`
  std::string shown;  // path as in diagnostics
  std::string text;
};

class TemplateSet final : public jinja::TemplateLoader {
 public:
  std::string id;
  std::string title;  // for lists
  std::string version;
  std::string provider;  // the cloud: `openstack`
  std::vector<std::string> kubernetes_types;
  std::vector<std::string> rotated;            // kinds whose objects are named by the digest of their specs
  bool built_in = false;                       // its version is that of the tool
  std::string main;                            // the main template
  std::optional<EnvsubstTemplate> envsubst;    // the main template, if it is in the language of clusterctl's templates
  Outputs outputs;                             // files outside of clusters' folders that it may write
  bool plain = false;                          // a folder without capwright's conventions: only validated and rendered
  SourceSet sources{SourceSet::Role::Shared};  // templates, schemas, catalogue
  Arena arena;
  OriginTable origins;                           // of values that were read from `sources`
  Sink sink;                                     // errors of the set itself; a set with errors renders nothing
  std::shared_ptr<const schema::Schema> schema;  // null: values aren't validated
  bool has_faulty_schema = false;                // of a plain folder: it only marks secrets
  Value schema_document;                         // the source of `schema`, for `schema print`
  values::AddonCatalogue catalogue;
  Value images;                // schemas/catalogue/images.yaml
  Sha256 digest{};             // of all its sources
  mutable KnownShapes shapes;  // of a plain folder: what no thread needs to parse again

  const jinja::Template* find(std::string_view name) const override;
  bool exists(std::string_view name) const override { return templates.contains(name); }
  std::vector<std::string_view> names() const override;

  std::map<std::string, std::unique_ptr<jinja::Template>, std::less<>> templates;
};

// All available sets by id: built-in ones and those of `config.templates`. The folder `common` beside them isn't a set:
// its files belong to each set, unless the set has a file of the same name.
struct KnownSet {
  std::string id;
  std::string provider;
  std::vector<SetFile> files;
  bool built_in = false;
};
std::vector<KnownSet> known_sets(FileSystem&, const Workspace&, const Config&, Sink&);

// The built-in sets by id, each with its common files, independent of the repository.
std::vector<KnownSet> built_in_sets();

// Whether a file of a set is read: its manifest, its schema, its templates.
bool is_set_file(std::string_view name);

// Parses a complete set. Errors are in its sink.
std::unique_ptr<TemplateSet> load_set(const KnownSet&, const Limits&, const OwnCatalogue& = {});

std::unique_ptr<TemplateSet> load_plain_folder(const PlainFolder&, FileSystem&, const Workspace&, const Limits&);

// Compares the references of a set's templates with the keys that its schema declares. Adds warnings with suggestions
// to the set's sink. Doesn't report references whose absence the template handles, names that any template of the set
// defines, and completed add-ons, whose shape is the catalogue's. Copies of common partials are compared with the
// schemas of all built-in sets. A set without a schema isn't checked.
void check_references(TemplateSet&);

}  // namespace capwright
