// `capwright schema`: the schemas of values files, and those of the kinds that clusters target.
#include "cli/command.h"
#include "cli/schema_options.h"
#include "cli/shared_options.h"

namespace capwright::cli {
namespace {

class SchemaCommand final : public CommandWith<SchemaOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.require_subcommand(1);
    add_print(app);
    add_add(app);
    finish(*app.add_subcommand("list", "List the provider releases with known schemas"), Task::List);
  }
  int run() override {
    switch (options_.task) {
      case Task::Print: return run_schema_print(options_);
      case Task::Add: return run_schema_add(options_);
      case Task::List: return run_schema_list(options_);
    }
    return 0;
  }

 protected:
  std::string contradiction() const override {
    return options_.rules && options_.file ? "`--rules` and `--for` exclude each other" : "";
  }

 private:
  using Task = SchemaOptions::Task;

  void add_print(CLI::App& schema) {
    CLI::App* print = schema.add_subcommand("print", "Print the schema for the values of a template set");
    print->add_option("--template-set", options_.template_set, "Template set")->type_name("SET");
    using File = SchemaOptions::File;
    add_choice<std::optional<File>>(
        *print, "--for", options_.file, {{"values", File::Values}, {"layer", File::Layer}, {"addon", File::Addon}},
        "Print the schema for editors of these files. That of values and layers has short forms and references, and "
        "no required keys that layers can set; `addon` is an add-on's `addon.yaml`");
    print->add_flag("--rules", options_.rules, "Print the schema for files of lint rules instead");
    finish(*print, Task::Print);
  }

  void add_add(CLI::App& schema) {
    CLI::App* command = schema.add_subcommand("add", "Store digests of CRDs to check manifests against");
    command
        ->add_option("input", options_.inputs,
                     "Files of CRDs, folders of such files, or `-`; other objects are ignored")
        ->type_name("FILE|DIR|-")
        ->required();
    command->add_option("--release", options_.release, "Release of the CRDs (default: name of the folder)")
        ->type_name("NAME-vVERSION");
    command->add_option("--to", options_.to, "Folder of all releases (default: the repository's `schemas/crds`)")
        ->type_name("DIR");
    finish(*command, Task::Add);
  }

  void finish(CLI::App& command, Task task) {
    add_common(command, options_.common);
    command.callback([this, task] { options_.task = task; });
  }
};

}  // namespace

const CommandInfo schema_command{
    "schema",
    "Manage the schemas of values files and manifests",
    make_command<SchemaCommand>,
    {{"Let an editor complete values files",
      "capwright schema print --for values --template-set capo > values.schema.json"},
     {"Check manifests against the CRDs of another release", "capwright schema add capo-v0.14.7/"},
     {"List the known releases", "capwright schema list"}}};

}  // namespace capwright::cli
