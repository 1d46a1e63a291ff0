// `capwright schema print`: the effective schema of a template set, or the schema of lint rules, for editors and
// portals.
#include <fmt/format.h>

#include "cli/console.h"
#include "cli/faults.h"
#include "cli/schema_options.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "lint/own/read_rules.h"
#include "pipeline/own_addons.h"
#include "report/json_values.h"
#include "values/editor_schema.h"
#include "workflow/open_project.h"

namespace capwright::cli {

int run_schema_print(const SchemaOptions& options) {
  Console console(options.common);
  if (options.rules) {
    return console.finish(built_in_text(lint::own::kRuleSchema));
  }
  using File = SchemaOptions::File;
  if (options.file == File::Addon) return console.finish(built_in_text(kAddonSchema));
  const auto open = workflow::open_project({options.common, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return show_faults(*open, console);
  if (const auto& own = open->project->plain_folder()) {
    console.fail(fmt::format("this repository renders its own templates, not template sets\nhelp: {}",
                             own->schema ? "the schema of its values is `" + *own->schema + "`"
                                         : "name a schema of its values with `template.schema` in capwright.yaml"));
    return kUsageError;
  }
  const TemplateSet* set = open->project->template_set(options.template_set);
  if (set == nullptr) {
    console.fail("unknown template set `" + options.template_set +
                 "`; known: " + list_names(open->project->names_of_sets(), 20));
    return kUsageError;
  }
  if (options.file) {
    const BuiltInYaml flat("schemas/values/wizard.schema.json");
    Arena arena;
    const values::ValuesFile file =
        options.file == File::Layer ? values::ValuesFile::Layer : values::ValuesFile::Cluster;
    console.print(report::as_pretty_json(values::editor_schema(set->schema_document, flat.content(), file, arena)));
  } else {
    console.print(report::as_pretty_json(set->schema_document));
  }
  return console.finish();
}

}  // namespace capwright::cli
