// `capwright argocd`: the files that set up Argo CD (docs/argocd.md), filled in from capwright.yaml and the values.
#include <algorithm>

#include "cli/addons.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "facts/built_in.h"
#include "workflow/argocd_files.h"
#include "workflow/followed_branch.h"
#include "workflow/publish_settings.h"

namespace capwright::cli {
namespace {

using workflow::SidecarForm;

struct ArgoCdOptions {
  enum class Task : std::uint8_t { Project, ApplicationSet, Plugin, RepoServerPatch, Health, Image };
  CommonOptions common;
  Task task = Task::Project;
  ArgoCdConfig settings;
  workflow::ValueOptions values;
  bool by_plugin = false;
  SidecarForm form = SidecarForm::Kustomize;
  std::string credentials;  // the form that the plugin completes; empty: none does
  bool from_tree = false;
};

using ArgoCdTask = ArgoCdOptions::Task;

int run_argocd(const ArgoCdOptions& options) {
  Console console(options.common);
  if (options.task == ArgoCdTask::Plugin) {
    return console.finish(options.credentials.empty()
                              ? std::string(built_in_text("schemas/argocd/plugin.yaml"))
                              : workflow::credential_plugin(options.credentials, options.from_tree));
  }
  if (options.task == ArgoCdTask::Image) return console.finish(built_in_text("schemas/argocd/Containerfile"));
  const auto open = workflow::open_project(
      {.repository = options.common, .values = options.values, .plain = {}, .writes = false, .output = std::nullopt});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  if (options.task == ArgoCdTask::Health)
    return console.finish(health_checks(Catalogue(open->project->config().catalogue).addons));
  const Delivery delivery = open->project->config().delivery;
  const bool is_of_tree = options.task != ArgoCdTask::RepoServerPatch && !options.by_plugin;
  if (delivery != Delivery::ArgoCd && is_of_tree)
    console.say(fmt::format(
        "note: `delivery` is `{}` in capwright.yaml, so the tree isn't rendered for Argo CD; remove the key if Argo CD "
        "applies it",
        delivery_name(delivery)));
  const std::string published = workflow::publish_settings(*open, options.common).branch;
  workflow::ArgoCdFiles files(*open, options.settings, published);
  std::string text;
  if (options.task == ArgoCdTask::Project) text = files.project();
  else if (options.task == ArgoCdTask::ApplicationSet) text = files.application_set(options.by_plugin);
  else text = files.repo_server_patch(options.form);
  report::Findings findings;
  files.add_findings(findings);
  Sink branches;
  const bool is_chosen = options.by_plugin || !options.settings.revision.empty();
  if (options.task == ArgoCdTask::ApplicationSet && !is_chosen)
    workflow::FollowedBranches(open->project->config()).report(branches);
  findings.add(branches.diagnostics(), open->sources, {}, "");
  const bool has_errors = findings.count(Severity::Error) != 0;
  if (has_errors || !branches.diagnostics().empty()) console.show(findings, true);
  if (!files.error().empty()) return console.fail(files.error());
  if (!files.note().empty()) console.say(files.note());
  return std::max<int>(console.finish(text), has_errors ? exit_code(findings) : kClean);
}

class ArgoCdCommand final : public CommandWith<ArgoCdOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.require_subcommand(1);
    add_place(*task(app, "project", ArgoCdTask::Project, "Print the AppProject of all clusters"));
    CLI::App* set = task(app, "applicationset", ArgoCdTask::ApplicationSet, "Print the ApplicationSet of all clusters");
    set->add_flag("--plugin", options_.by_plugin,
                  "Let the plugin render values files, instead of applying the rendered tree");
    set->add_option("--revision", options_.settings.revision, "Branch, tag or commit that Argo CD follows")
        ->type_name("REV");
    add_place(*set);
    add_plugin(*task(app, "plugin", ArgoCdTask::Plugin, "Print the plugin.yaml that `capwright cmp run` uses"));
    CLI::App* patch = task(app, "repo-server-patch", ArgoCdTask::RepoServerPatch,
                           "Print the plugin's sidecar as a patch of argocd-repo-server");
    add_choice<SidecarForm>(*patch, "-f,--format", options_.form,
                            {{"kustomize", SidecarForm::Kustomize}, {"values", SidecarForm::Values}},
                            "A patch for kustomize (default), or values of the chart argo-cd");
    patch->add_option("--image", options_.settings.image, "Container image that has `capwright`")->type_name("IMAGE");
    add_common_but_format(*patch, options_.common);
    task(app, "health", ArgoCdTask::Health, "Print the health checks that make Argo CD wait between waves");
    task(app, "image", ArgoCdTask::Image, "Print the Containerfile of the plugin's image");
  }
  int run() override { return run_argocd(options_); }

 protected:
  std::string contradiction() const override {
    if (options_.task != ArgoCdTask::Plugin) return {};
    if (options_.from_tree && options_.credentials.empty()) return "`--tree` needs `--form`";
    if (options_.credentials == "sops" && !options_.from_tree)
      return "`--form sops` needs `--tree`, because the plugin doesn't decrypt what it renders";
    return {};
  }

 private:
  void add_plugin(CLI::App& command) {
    add_choice<std::string>(command, "--form", options_.credentials, {{"avp", "avp"}, {"sops", "sops"}},
                            "Complete the credentials of this form (`secrets.form`)");
    command.add_flag("--tree", options_.from_tree, "Read the rendered tree, instead of rendering values files");
  }

  CLI::App* task(CLI::App& app, const char* name, ArgoCdTask which, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->callback([this, which] { options_.task = which; });
    return command;
  }

  void add_place(CLI::App& command) {
    ArgoCdConfig& settings = options_.settings;
    command.add_option("--repo-url", settings.repo_url, "URL of the repository, as Argo CD reads it")->type_name("URL");
    command.add_option("--namespace", settings.namespace_name, "Namespace of Argo CD")->type_name("NAME");
    command
        .add_option("--destination", settings.destination,
                    "Name of the management cluster, where Argo CD runs, in Argo CD")
        ->type_name("NAME");
    add_values(command, options_.values);
    add_common_but_format(command, options_.common);
  }
};

}  // namespace

const CommandInfo argocd_command{
    "argocd",
    "Print the files that set up Argo CD",
    make_command<ArgoCdCommand>,
    {{"Print the AppProject of all clusters", "capwright argocd project > argocd/project.yaml"},
     {"Print the ApplicationSet of the rendered tree", "capwright argocd applicationset > argocd/clusters.yaml"},
     {"Let the plugin render all clusters", "capwright argocd applicationset --plugin > argocd/clusters.yaml"},
     {"Print the configuration of the plugin", "capwright argocd plugin > plugin.yaml"},
     {"Print a plugin that decrypts the rendered tree", "capwright argocd plugin --tree --form sops > plugin.yaml"},
     {"Add the plugin's sidecar by kustomize",
      "capwright argocd repo-server-patch --image registry.example.com/capwright:v1 > repo-server-patch.yaml"},
     {"Make Argo CD wait between waves", "capwright argocd health > argocd-health.yaml"},
     {"Print how to build the plugin's image", "capwright argocd image > Containerfile"}}};

}  // namespace capwright::cli
