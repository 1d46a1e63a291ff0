// `capwright images`: the container images that clusters need, for a mirror.
#include <algorithm>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "pipeline/compile_fleet.h"
#include "report/images_report.h"
#include "workflow/needed_images.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

struct ImagesOptions {
  CommonOptions common;
  workflow::ValueOptions values;
  std::optional<workflow::PlainTemplates> plain;
  std::vector<std::string> targets;
  bool strict = false;
  unsigned jobs = 0;  // 0: one per processor
};

std::string registry_of(const CompiledCluster& cluster) {
  const Value* registries = cluster.values.find("registries");
  return registries == nullptr ? std::string() : std::string(registries->text_at("images"));
}

class ImagesRun {
 public:
  ImagesRun(const ImagesOptions& options, Console& console) : options_(options), console_(console) {}

  int run() {
    const auto open = open_with(options_.values);
    if (open->project == nullptr) return std::max<int>(show_faults(*open, console_), kUsageError);
    const std::vector<std::string> chosen = workflow::choose_clusters(*open, options_.targets);
    if (open->sink.failed()) return std::max<int>(show_faults(*open, console_), kUsageError);
    const int code = find(chosen, *open, !open->project->plain_folder());
    return code == kClean ? print() : code;
  }

 private:
  struct Found {
    report::Images images;
    std::string registry;  // in place of the images' own
  };

  std::unique_ptr<workflow::OpenProject> open_with(const workflow::ValueOptions& values) const {
    return workflow::open_project({.repository = options_.common,
                                   .values = values,
                                   .plain = options_.plain,
                                   .writes = false,
                                   .output = std::nullopt,
                                   .keeps_manifests = true});
  }

  // Images of clusters with `registries.images` are rendered again with their own registries: mirrors copy from there.
  int find(const std::vector<std::string>& chosen, workflow::OpenProject& open, bool has_registries) {
    std::vector<Found> found(chosen.size());
    if (const int code = compile(chosen, open, found); code != kClean) return code;
    std::vector<std::string> again;
    std::vector<std::string> registries;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (has_registries && !found[i].registry.empty()) {
        again.push_back(chosen[i]);
        registries.push_back(found[i].registry);
      } else {
        images_.add(found[i].images);
      }
    }
    if (again.empty()) return kClean;
    workflow::ValueOptions values = options_.values;
    values.sets.push_back({"registries.images=", true});
    values.sets.push_back({"registries.air_gapped=false", false});
    const auto other = open_with(values);
    if (other->project == nullptr) return std::max<int>(show_faults(*other, console_), kUsageError);
    std::vector<Found> named(again.size());
    if (const int code = compile(again, *other, named); code != kClean) return code;
    for (std::size_t i = 0; i < again.size(); ++i) {
      workflow::name_pulled(named[i].images, registries[i]);
      images_.add(named[i].images);
    }
    return kClean;
  }

  int compile(const std::vector<std::string>& paths, workflow::OpenProject& open, std::vector<Found>& found) {
    FleetOptions fleet;
    fleet.jobs = options_.jobs;
    fleet.keep = true;
    fleet.visit = [&](std::size_t number, ClusterOutcome& outcome) {
      if (!outcome.clean || outcome.cluster == nullptr) return;
      found[number] = {workflow::needed_images(*outcome.cluster, known_), registry_of(*outcome.cluster)};
      outcome.cluster = nullptr;
    };
    for (const ClusterOutcome& outcome : compile_fleet(paths, *open.project, fleet)) {
      if (outcome.clean) continue;
      const int code =
          outcome.cluster != nullptr ? show_faults(*outcome.cluster, console_) : show_faults(open, console_);
      return std::max<int>(code, kFindings);
    }
    return open.sink.failed() ? std::max<int>(show_faults(open, console_), kFindings) : kClean;
  }

  int print() {
    const bool json = options_.common.format == Format::Json;
    console_.print(json ? report::images_as_json(images_) : report::images_as_text(images_));
    if (!json) {
      std::string unlisted = report::unlisted_as_text(images_);
      if (!unlisted.empty()) unlisted.pop_back();  // the last line break
      if (!unlisted.empty()) console_.say(unlisted);
    }
    const int code = console_.finish();
    return code == kClean && options_.strict && !images_.unlisted.empty() ? kFindings : code;
  }

  const ImagesOptions& options_;
  Console& console_;
  const workflow::KnownImages known_;
  report::Images images_;
};

class ImagesCommand final : public CommandWith<ImagesOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("target", options_.targets, "Clusters or values files (default: all in the repository)")
        ->type_name("CLUSTER|FILE");
    app.add_flag("--strict", options_.strict, "Exit with 1 if a chart or a distribution has images that aren't listed");
    app.add_option("-j,--jobs", options_.jobs, "Number of clusters to render in parallel")->type_name("N");
    add_values(app, options_.values);
    add_plain_templates(app, plain_);
    add_common(app, options_.common, {"text", "json"});
  }
  int run() override {
    Console console(options_.common);
    return ImagesRun(options_, console).run();
  }

 protected:
  std::string contradiction() const override {
    return options_.common.report_files.empty() ? "" : "`--format FORM=FILE` isn't supported here; redirect the output";
  }
};

}  // namespace

const CommandInfo images_command{
    "images",
    "List the container images that clusters need",
    make_command<ImagesCommand>,
    {{"List the images of a cluster, and what needs each", "capwright images prod-a"},
     {"Write the names of all clusters' images, for a program that copies them",
      "capwright images | cut -d ' ' -f 1 > images.txt"},
     {"Fail if the list isn't complete", "capwright images --strict -f json > images.json"}}};

}  // namespace capwright::cli
