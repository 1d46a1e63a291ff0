// A template set: the templates of one provider, their schema and how they are read. Loaded once, then shared by all
// threads. Built-in sets live in the binary; a folder of the repository's `templates/` adds or replaces one.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "pipeline/config.h"
#include "schema/schema.h"
#include "source/file_system.h"
#include "source/source.h"
#include "template/eval/render.h"
#include "template/syntax/template.h"
#include "values/catalogue.h"

namespace capwright {

// The files of a set before they are read: shown path and text, sorted by name.
struct SetFile {
  std::string name;   // relative to the set's folder, as `include` spells it
  std::string shown;  // path as diagnostics show it
  std::string text;
};

class TemplateSet final : public jinja::TemplateLoader {
 public:
  std::string id;
  std::string title;  // for lists
  std::string version;
  std::string provider;  // the cloud: `openstack`
  std::vector<std::string> kubernetes_types;
  std::vector<std::string> rotated;  // kinds whose objects are named after their specs
  bool built_in = false;             // its version is the tool's
  std::string main;                  // the template that is rendered
  bool plain = false;                // a folder that knows nothing of capwright: no stage but validate and render
  SourceSet sources{SourceSet::Role::Shared};  // templates, schemas, catalogue
  Arena arena;
  OriginTable origins;                           // of what was read from `sources`
  Sink sink;                                     // faults of the set itself; a set with errors renders nothing
  std::shared_ptr<const schema::Schema> schema;  // null: values are not checked
  Value schema_document;                         // what it was compiled from, for `schema print`
  values::AddonCatalogue catalogue;
  Value image_tags;  // schemas/catalogue/images.yaml: maps of tags by minor version of Kubernetes
  Sha256 digest{};   // of all its sources

  const jinja::Template* find(std::string_view name) const override;
  bool exists(std::string_view name) const override { return templates.contains(name); }
  std::vector<std::string_view> names() const override;

  std::map<std::string, std::unique_ptr<jinja::Template>, std::less<>> templates;
};

// Every set that can be used: built-in ones and those of `config.templates`, by id. The folder `common` beside the sets
// is none itself: each set has its files too, below those of its own that have the same name.
struct KnownSet {
  std::string id;
  std::string provider;
  std::vector<SetFile> files;
  bool built_in = false;
};
std::vector<KnownSet> known_sets(FileSystem&, const Workspace&, const Config&, Sink&);

// The sets that are in the binary, by id, each with all that it has of the common files, whatever a repository brings.
std::vector<KnownSet> built_in_sets();

// Whether a file of a set is read at all: its manifest, its schema, its templates.
bool is_set_file(std::string_view name);

// Parses all of a set. Faults are in its sink.
std::unique_ptr<TemplateSet> load_set(const KnownSet&, const Limits&, const OwnCatalogue& = {});

// A plain folder of Jinja2 templates, as `--template-dir DIR --main FILE --schema FILE --jinja …` names it.
struct PlainFolder {
  std::string folder, main;
  std::optional<std::string> schema;
  std::vector<std::string> jinja;
};
std::unique_ptr<TemplateSet> load_plain_folder(const PlainFolder&, FileSystem&, const Workspace&, const Limits&);

}  // namespace capwright
