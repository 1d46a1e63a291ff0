// Follows `clusterctl generate`: the same checks, defaults and order.
#include "workflow/clusterctl.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "cel/named_format.h"
#include "cel/semver.h"
#include "cel/text_forms.h"
#include "diag/catalog/envsubst.h"
#include "diag/suggest.h"
#include "files/io_fault.h"
#include "pipeline/read_source.h"
#include "report/printable.h"
#include "secrets/lines.h"
#include "text/utf8.h"
#include "workflow/clusterctl_variables.h"
#include "workflow/shown_path.h"
#include "workflow/standard_input.h"

namespace capwright::workflow {
namespace {

constexpr std::string_view kControlPlanes = "CONTROL_PLANE_MACHINE_COUNT", kWorkers = "WORKER_MACHINE_COUNT",
                           kVersion = "KUBERNETES_VERSION", kName = "CLUSTER_NAME", kNamespace = "NAMESPACE";

bool has_format(std::string_view format, std::string_view text) {
  return cel::find_format(format)->faults(text).empty();
}

class Generation {
 public:
  Generation(OpenProject& open, const ClusterctlRequest& request)
      : open_(open),
        request_(request),
        cluster_(std::make_unique<CompiledCluster>()),
        stage_{cluster_->sources, cluster_->sink, cluster_->arena, cluster_->origins, open.limits},
        variables_(stage_, request.env) {}

  ClusterctlOutput run(bool list_only) && {
    ClusterctlOutput output;
    std::optional<FileId> file;
    output.stop = read_inputs(file);
    if (!output.stop && !list_only) output.stop = take_options();
    if (output.stop) return output;
    const auto parsed = file ? envsubst::parse(*file, stage_) : std::nullopt;
    if (parsed && !cluster_->sink.failed()) {
      output.variable_list = list(*parsed);
      if (!list_only) substitute(*parsed);
    }
    if (cluster_->sink.failed())
      cluster_->secrets.places = unread_secrets(cluster_->sources, open_.project->secret_names());
    output.cluster = std::move(cluster_);
    return output;
  }

 private:
  std::optional<FileId> read(const std::string& typed) {
    if (open_.bounds) open_.bounds->add_work_tree_of(open_.here, typed);
    const Workspace& workspace = open_.project->workspace();
    return read_source(open_.fs, workspace, shown_path(workspace, typed), Span(), stage_);
  }

  std::optional<Stop> read_inputs(std::optional<FileId>& file) {
    for (const std::string& set : request_.sets) {
      const std::size_t equal = set.find('=');
      if (equal == 0 || equal == std::string::npos)
        return Stop::because(fmt::format("`--set` takes NAME=VALUE, not `{}`", report::printable(set)));
      variables_.set("<--set>", set.substr(0, equal), set.substr(equal + 1));
    }
    for (const std::string& typed : request_.variable_files) {
      if (const auto variables = read(typed)) variables_.add_file(*variables);
    }
    if (request_.templates == "-") {
      std::string text = standard_input().read_all(open_.limits.input_bytes);
      if (text.size() > open_.limits.input_bytes)
        return Stop::because(fmt::format("standard input has more than {} bytes", open_.limits.input_bytes));
      file = cluster_->sources.add("<stdin>", std::move(text));
      return std::nullopt;
    }
    std::string path = request_.templates;
    if (std::optional<Stop> stop = find_template(path)) return stop;
    file = read(path);
    return std::nullopt;
  }

  // Goes from a folder to the template of the flavor.
  std::optional<Stop> find_template(std::string& path) {
    constexpr std::string_view kPrefix = "cluster-template", kSuffix = ".yaml";
    if (open_.bounds) open_.bounds->add_work_tree_of(open_.here, path);
    const Workspace& workspace = open_.project->workspace();
    const std::string folder = workspace.io_path(shown_path(workspace, path));
    FileStat stat;
    if (open_.fs.stat(folder, stat) || stat.type != FileType::Directory) {
      if (request_.flavor.empty()) return std::nullopt;
      return Stop::because(fmt::format("`--flavor` needs a folder of templates, and `{}` isn't one", path));
    }
    const std::string name =
        fmt::format("{}{}{}{}", kPrefix, request_.flavor.empty() ? "" : "-", request_.flavor, kSuffix);
    std::vector<DirEntry> entries;
    if (const IoError error = open_.fs.list(folder, entries))
      return Stop::because(fmt::format("`{}` can't be read: {}", path, describe(error)));
    std::vector<std::string_view> flavors;
    for (const DirEntry& entry : entries) {
      std::string_view flavor = entry.name;
      if (entry.name == name) {
        path += "/" + name;
        return std::nullopt;
      }
      if (!flavor.starts_with("cluster-template-") || !flavor.ends_with(kSuffix)) continue;
      flavor.remove_prefix(kPrefix.size() + 1);
      flavors.push_back(flavor.substr(0, flavor.size() - kSuffix.size()));
    }
    std::string known = flavors.empty() ? "it has no flavors" : "its flavors: " + list_names(flavors, 20);
    if (const std::string near = did_you_mean(request_.flavor, flavors); !near.empty()) known = near;
    return Stop::because(fmt::format("`{}` has no `{}`\nhelp: {}", path, name, known));
  }

  // A count from an option, a variable, or clusterctl's default.
  std::optional<Stop> take_count(std::string_view option, std::string_view name, std::optional<std::int64_t> given,
                                 std::int64_t least) {
    if (!given) {
      const auto set = variables_.find(name);
      if (!set) {
        variables_.set("<default>", name, std::to_string(least));
        return std::nullopt;
      }
      std::int64_t count = 0;
      const auto [end, error] = std::from_chars(set->value.data(), set->value.data() + set->value.size(), count);
      if (error != std::errc() || end != set->value.data() + set->value.size())
        return Stop::because(fmt::format("invalid value for {} set: `{}` isn't a number", name, set->value));
      if (count >= least) return std::nullopt;
      given = count;
    }
    if (*given < least)
      return Stop::because(
          fmt::format("invalid `{}`: use a number greater than or equal to {}, not {}", option, least, *given));
    variables_.set(fmt::format("<{}>", option), name, std::to_string(*given));
    return std::nullopt;
  }

  std::optional<Stop> take_options() {
    if (request_.kubernetes_version) {
      const std::string_view version = *request_.kubernetes_version;
      if (!cel::parse_semver(version.substr(version.starts_with('v') ? 1 : 0), false, stage_.arena))
        return Stop::because(fmt::format("invalid `--kubernetes-version`: `{}` isn't a version such as `v1.34.2`",
                                         report::printable(version)));
      variables_.set("<--kubernetes-version>", kVersion, version);
    }
    if (!request_.cluster_name) return std::nullopt;
    const std::string space = request_.target_namespace.value_or("default");
    if (!has_format("dns1123Label", space))
      return Stop::because(fmt::format("invalid target-namespace: `{}` isn't a DNS label", report::printable(space)));
    variables_.set(request_.target_namespace ? "<--target-namespace>" : "<default>", kNamespace, space);
    if (!has_format("dns1123Subdomain", *request_.cluster_name))
      return Stop::because(
          fmt::format("invalid cluster name: `{}` isn't a DNS name", report::printable(*request_.cluster_name)));
    variables_.set("<cluster name>", kName, *request_.cluster_name);
    if (auto stop =
            take_count("--control-plane-machine-count", kControlPlanes, request_.control_plane_machine_count, 1))
      return stop;
    return take_count("--worker-machine-count", kWorkers, request_.worker_machine_count, 0);
  }

  // The default of a variable for which clusterctl has its own; otherwise nothing.
  std::optional<std::string> own_default(std::string_view name) {
    const auto counted = [&](std::optional<std::int64_t> given, const char* fallback) {
      return given ? std::to_string(*given) : variables_.without_files(name).value_or(fallback);
    };
    if (name == kName) return request_.cluster_name;
    if (name == kNamespace) return request_.target_namespace.value_or("current Namespace in the KubeConfig file");
    if (name == kControlPlanes) return counted(request_.control_plane_machine_count, "1");
    if (name == kWorkers) return counted(request_.worker_machine_count, "0");
    if (name == kVersion)
      return request_.kubernetes_version ? request_.kubernetes_version : variables_.without_files(name);
    return std::nullopt;
  }

  std::string list(const envsubst::Template& parsed) {
    const std::vector<envsubst::Variable> variables = envsubst::variables(parsed, cluster_->sources);
    return request_.cluster_name ? list_for_cluster(variables) : list_names_only(variables);
  }

  // As `clusterctl generate yaml --list-variables`.
  static std::string list_names_only(const std::vector<envsubst::Variable>& variables) {
    std::string text = variables.empty() ? "\n" : "Variables:\n";
    for (const envsubst::Variable& variable : variables) text += fmt::format("  - {}\n", variable.name);
    return text;
  }

  // As `clusterctl generate cluster --list-variables`.
  std::string list_for_cluster(const std::vector<envsubst::Variable>& variables) {
    std::string required;
    std::vector<std::pair<std::string, std::string>> optional;
    std::size_t widest = 0;
    for (const envsubst::Variable& variable : variables) {
      std::optional<std::string> fallback = own_default(variable.name);
      if (!fallback && !variable.fallback.empty())
        fallback = variable.fallback.starts_with('"') ? variable.fallback : cel::quoted(variable.fallback);
      if (!fallback) {
        required += fmt::format("  - {}\n", variable.name);
        continue;
      }
      optional.emplace_back(variable.name, *fallback);
      widest = std::max(widest, utf8::length(variable.name));
    }
    std::string text = required.empty() ? "" : "Required Variables:\n" + required;
    if (!optional.empty()) text += "\nOptional Variables:\n";
    for (const auto& [name, fallback] : optional)
      text +=
          fmt::format("  - {}{}(defaults to {})\n", name, std::string(widest + 2 - utf8::length(name), ' '), fallback);
    return text + "\n";
  }

  void substitute(const envsubst::Template& parsed) {
    std::vector<envsubst::Variable> missing;
    for (envsubst::Variable& variable : envsubst::variables(parsed, cluster_->sources)) {
      if (variable.fallback.empty() && !variables_.find(variable.name)) missing.push_back(std::move(variable));
    }
    if (!missing.empty()) return report_missing(missing);
    const auto lookup = [&](std::string_view name) { return variables_.find(name); };
    MappedText text = envsubst::substitute(parsed, lookup, stage_);
    cluster_->name = request_.cluster_name.value_or("template");
    cluster_->values = variables_.used();
    cluster_->trace.emplace_back().what = "template";
    if (text.size() == 0) return;  // a rendered file is never empty
    std::vector<RenderedFile> files(1);
    files.front().path = "output.yaml";
    files.front().body = std::move(text);
    cluster_->files = FileSet(cluster_->name, std::move(files));
  }

  void report_missing(const std::vector<envsubst::Variable>& missing) {
    std::string names;
    for (const envsubst::Variable& variable : missing) names += (names.empty() ? "" : ", ") + variable.name;
    Diagnostic& report = stage_.sink.report(diag::variables_not_set, missing.front().where, names);
    report.advise(fmt::format("set {} with `--set {}=…` or in a file for `--variables`, or pass `--env`",
                              missing.size() == 1 ? "it" : "them", missing.front().name));
    for (std::size_t i = 1; i < missing.size(); ++i) report.also(missing[i].where, "");
  }

  OpenProject& open_;
  const ClusterctlRequest& request_;
  std::unique_ptr<CompiledCluster> cluster_;
  Stage stage_;
  ClusterctlVariables variables_;
};

}  // namespace

ClusterctlOutput generate_from_template(OpenProject& open, const ClusterctlRequest& request, bool list_only) {
  return Generation(open, request).run(list_only);
}

}  // namespace capwright::workflow
