// Two tables per page: the keys, and the rules that depend on other values.
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <vector>

#include "devtools/generated_docs.h"
#include "devtools/schema_rules.h"
#include "facts/built_in.h"
#include "pipeline/template_set.h"
#include "schema/schema.h"
#include "schema/words.h"
#include "yaml/read.h"

namespace capwright::devtools {
namespace {

constexpr std::string_view kCommonSchema = "schemas/values/common.schema.json";
constexpr std::string_view kConfigSchema = "schemas/config/capwright.schema.json";
constexpr std::string_view kOwnSchema = "values.schema.json";
// Keywords about the contents of a value instead of the value itself.
constexpr std::string_view kStructure[] = {"properties", "items", "allOf", "anyOf",   "oneOf",
                                           "if",         "then",  "else",  "required"};

constexpr std::string_view kAboveConfiguration = R"md(# capwright.yaml

Configure a repository with a file `capwright.yaml` in its root. capwright searches for it from the working directory
upwards; `--config FILE` selects another file, and `--isolated` reads none. All keys are optional, paths are relative to the
file, and an unknown key is an error. `./dev docs` generates this page from the schema.

```yaml
# capwright.yaml
layers:
  - file: layers/fleet.yaml
  - {file: layers/openstack.yaml, when: {provider: openstack}}
targets: {capi: 1.14, capo: 0.14}
lint:
  ignore: [CAP406]
  per_path_ignores: {values/lab/**: [CAP4]}
  severities: {CAP309: warning}
  externals: [Secret/registry-*]
```

)md";

constexpr std::string_view kBelowConfiguration = R"md(
`info` is another name for `note`. A values file in `per_path_ignores` covers all findings of its cluster, in any file. To
suppress a single finding, write a comment with a reason, such as `# capwright: ignore=CAP309 -- reached through a VPN`, on
its line or the line before, in values, templates and manifests; see [lint](lint.md#suppress-a-finding).
)md";

// A separate schema document.
struct SchemaText {
  SchemaText(std::string path, std::string text) {
    document = read_yaml(sources.add(std::move(path), std::move(text)), stage);
  }
  SchemaText(const SchemaText&) = delete;  // `stage` refers to other members
  SchemaText& operator=(const SchemaText&) = delete;

  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  Value document;
};

using PathSet = std::set<std::string, std::less<>>;

// The keys for which a schema document itself has keywords.
void collect_told(const Value& schema, const std::string& path, PathSet& told) {
  const Value* members = schema.find("properties");
  if (members != nullptr) {
    for (const Entry& member : members->entries()) {
      const std::string below =
          path.empty() ? std::string(member.key.text()) : path + "." + std::string(member.key.text());
      const auto says = [](const Entry& keyword) {
        return std::find(std::begin(kStructure), std::end(kStructure), keyword.key.text()) == std::end(kStructure);
      };
      if (!member.value.is(Kind::Map)) continue;
      const auto keywords = member.value.entries();
      if (std::any_of(keywords.begin(), keywords.end(), says)) told.insert(below);
      collect_told(member.value, below, told);
    }
  }
  if (const Value* items = schema.find("items"); items != nullptr && items->is(Kind::Map))
    collect_told(*items, path + "[]", told);
}

// A text for a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

constexpr std::string_view kInEditors = R"md(
## Check values in an editor

`capwright init --vscode` writes the schemas and the settings of VS Code into a new repository. In an existing one, print a schema
for values files and one for layers, and commit both:

```sh
capwright schema print --for values --template-set capo > schemas/values.schema.json
capwright schema print --for layer --template-set capo > schemas/layer.schema.json
```

Editors with the YAML language server, such as VS Code with its YAML extension, complete and check keys with a first line like
this. The path is relative to the file:

```yaml
# yaml-language-server: $schema=../schemas/values.schema.json
```

Instead of a comment in each file, VS Code also takes `"yaml.schemas": {"./schemas/values.schema.json": "values/*.yaml"}` in its
settings. In a pipeline, use `check-jsonschema --schemafile schemas/values.schema.json values/*.yaml`.

These schemas check one file as it is written. They accept short forms such as `worker_count`, `extends`, `${references}`, `null` to
delete a value of a lower layer, and values that `sops` encrypted. They require only `cluster_name`, and in a layer nothing, because
other layers can set the other keys. Rules that depend on several values are left out for the same reason: `capwright render --check`
checks the merged values. Print the schemas again after an upgrade of capwright.
)md";

std::string default_cell(const schema::PropertyPage& page) {
  if (page.required) return "required";
  if (page.default_value == nullptr) return "";
  const bool only_fills_in = page.default_value->is(Kind::Map) && page.default_value->entries().empty();
  return only_fills_in ? "" : cell(schema::quoted(*page.default_value));
}

std::string meaning_cell(const schema::PropertyPage& page) {
  std::string text;
  if (!page.title.empty()) text += fmt::format("**{}.** ", page.title);
  if (page.secret) text += "A secret. ";
  if (page.deprecated) text += "Deprecated. ";
  text += page.description;
  std::vector<std::string> flat;
  for (const Value& key : page.normalized_from) flat.push_back(fmt::format("`{}`", key.text()));
  if (!flat.empty()) text += fmt::format(" Flat form: {}.", fmt::join(flat, ", "));
  return cell(text);
}

std::string takes_cell(const schema::PropertyPage& page) {
  std::string text = page.takes;
  if (page.default_value == nullptr && !page.examples.empty() && text.find("such as") == std::string::npos)
    text += ", such as " + schema::quoted(page.examples.front());
  return cell(text);
}

std::string key_table(const std::vector<schema::PropertyPage>& pages) {
  std::string table = "| key | takes | default | meaning |\n|---|---|---|---|\n";
  for (const schema::PropertyPage& page : pages) {
    if (page.forbidden || page.path.ends_with('*')) continue;
    table +=
        fmt::format("| `{}` | {} | {} | {} |\n", page.path, takes_cell(page), default_cell(page), meaning_cell(page));
  }
  return table;
}

// Rules with the same condition and expectation share a row.
std::string rule_table(const std::vector<SchemaRule>& rules) {
  std::string table = "| where | key | takes |\n|---|---|---|\n";
  for (auto rule = rules.begin(); rule != rules.end();) {
    std::vector<std::string> keys;
    const auto first = rule;
    for (; rule != rules.end() && rule->when == first->when && rule->takes == first->takes; ++rule) {
      const std::string key = rule->path.empty() ? "the values" : fmt::format("`{}`", rule->path);
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    table += fmt::format("| {} | {} | {} |\n", first->when.empty() ? "always" : cell(first->when),
                         fmt::join(keys, ", "), cell(first->takes));
  }
  return table;
}

std::string tables(const std::vector<schema::PropertyPage>& pages, const std::vector<SchemaRule>& rules) {
  if (rules.empty()) return key_table(pages);
  return fmt::format("{}\nRules that depend on other values:\n\n{}", key_table(pages), rule_table(rules));
}

SchemaText common_schema() { return {std::string(kCommonSchema), std::string(built_in_text(kCommonSchema))}; }

}  // namespace

std::string values_document() {
  SchemaText common = common_schema();
  const auto shape = schema::compile(common.document, common.stage);
  return "# Values\n\n"
         "The keys of a values file on every cloud. The pages in [providers](providers) list the keys that each cloud\n"
         "adds or narrows. [schemas/values](../schemas/values/README.md) describes how files, layers and short forms\n"
         "become these keys. [Trace values](explain.md) shows what a cluster has, and\n"
         "[below](#check-values-in-an-editor) is how editors check these keys. `./dev docs` generates this page.\n\n" +
         tables(schema::property_pages(*shape), schema_rules(common.document, *common.document.find("$defs"))) +
         std::string(kInEditors);
}

std::string configuration_document() {
  SchemaText config{std::string(kConfigSchema), std::string(built_in_text(kConfigSchema))};
  const auto shape = schema::compile(config.document, config.stage);
  return std::string(kAboveConfiguration) + key_table(schema::property_pages(*shape)) +
         std::string(kBelowConfiguration);
}

std::optional<std::string> values_of_set(std::string_view id) {
  const std::vector<KnownSet> sets = built_in_sets();
  const auto known = std::find_if(sets.begin(), sets.end(), [&](const KnownSet& set) { return set.id == id; });
  if (known == sets.end()) return std::nullopt;
  const auto own_file = std::find_if(known->files.begin(), known->files.end(),
                                     [](const SetFile& file) { return file.name == kOwnSchema; });
  if (own_file == known->files.end()) return std::nullopt;
  const SchemaText own(own_file->shown, own_file->text);
  SchemaText common = common_schema();
  const auto common_shape = schema::compile(common.document, common.stage);
  PathSet shared, told;
  for (const schema::PropertyPage& page : schema::property_pages(*common_shape)) shared.insert(page.path);
  collect_told(own.document, "", told);

  const Limits limits;
  const auto set = load_set(*known, limits);
  std::vector<schema::PropertyPage> pages = schema::property_pages(*set->schema);
  std::erase_if(pages, [&](const auto& page) { return shared.contains(page.path) && !told.contains(page.path); });
  return tables(pages, schema_rules(own.document, *set->schema_document.find("$defs")));
}

}  // namespace capwright::devtools
