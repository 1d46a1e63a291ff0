// Refuses early what needs no render.
#include "portal/cluster_request.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "diag/suggest.h"
#include "portal/problem.h"

namespace capwright::portal {
namespace {

using PointedError = nlohmann::ordered_json;

constexpr std::string_view kDefaultSuffix = "-default";
constexpr std::string_view kUnnamed = "unnamed";  // the stem of a values file without a cluster's name

Response invalid_value(std::string_view pointer, const std::string& detail) {
  return problem(ProblemKind::InvalidValues, detail,
                 PointedError::array({PointedError{{"detail", detail}, {"pointer", pointer}}}));
}

// Who may set a key in a request.
enum class Setter {
  Nobody,
  Secrets,      // callers with the action `secrets`
  AllClusters,  // callers for all clusters
  OwnName       // if the value fits the caller's names of clusters
};

// A key that not every request can set. Own templates may have values of any name; their patches are in capwright.yaml.
struct RefusedKey {
  std::string_view path;  // keys from the uppermost map on
  Setter setter = Setter::Nobody;
};
// `extends` may name the values of a cluster that the token isn't for. Layers have secrets that the caller can't see,
// and `secrets.sealed` and `secrets.sops` decide who can decrypt them. The others say where objects go: into another
// cluster's namespace, under the name of its credentials, or into its workload cluster.
constexpr std::array kRefused{RefusedKey{"patches"},
                              RefusedKey{"resources"},
                              RefusedKey{"existing_names"},
                              RefusedKey{"extends"},
                              RefusedKey{"secrets/sealed", Setter::Secrets},
                              RefusedKey{"secrets/sops", Setter::Secrets},
                              RefusedKey{"argocd/namespace", Setter::AllClusters},
                              RefusedKey{"argocd/project", Setter::AllClusters},
                              RefusedKey{"argocd/destination", Setter::OwnName},
                              RefusedKey{"secrets/management/name", Setter::OwnName},
                              RefusedKey{"namespace", Setter::OwnName}};

// Whether the caller can't set the key, or only to some values.
bool is_limited(const RefusedKey& key, const Project& project, const Caller& caller) {
  if (project.plain_folder()) return false;
  if (key.setter == Setter::Nobody) return true;
  return key.setter == Setter::Secrets ? !caller.may(Action::Secrets) : !caller.may_use_all();
}

bool is_refused(const RefusedKey& key, const RequestValues& values, const Project& project, const Caller& caller) {
  if (!values.has(key.path) || !is_limited(key, project, caller)) return false;
  return key.setter != Setter::OwnName || !caller.may_use(values.text_at(key.path));
}

std::string pointer_of(const RefusedKey& key) { return fmt::format("#/{}", key.path); }

// The template of a path: a set, or a set and one of its types of Kubernetes.
struct TemplateId {
  std::string set, kubernetes_type;
};

// `capo`, `capo-rke2` or `capo-rke2-default`. Empty: there is none of this name.
std::optional<TemplateId> find_template(std::string_view id, const Project& project) {
  const auto has_set = [&](std::string_view name) {
    const KnownSet* set = project.known_set(name);
    return set != nullptr && set->id == name;
  };
  if (has_set(id)) return TemplateId{std::string(id), ""};
  if (id.ends_with(kDefaultSuffix)) id.remove_suffix(kDefaultSuffix.size());
  if (has_set(id)) return TemplateId{std::string(id), ""};
  const std::size_t hyphen = id.rfind('-');
  if (hyphen == std::string_view::npos || !has_set(id.substr(0, hyphen))) return std::nullopt;
  return TemplateId{std::string(id.substr(0, hyphen)), std::string(id.substr(hyphen + 1))};
}

// The values that contradict the template of the path.
std::optional<Response> contradiction(const TemplateId& wanted, const RequestValues& values, Project& project) {
  const std::string_view provider = values.text_at("provider"), type = values.text_at("kubernetes_type");
  const std::vector<std::string_view> sets = project.sets_for(provider);
  const bool fits = provider == wanted.set || std::find(sets.begin(), sets.end(), wanted.set) != sets.end();
  if (!fits && project.known_set(provider) != nullptr) {
    return invalid_value("#/provider", fmt::format("`provider: {}` is not of template set `{}`", provider, wanted.set));
  }
  if (wanted.kubernetes_type.empty() || type.empty() || type == wanted.kubernetes_type) return std::nullopt;
  return invalid_value("#/kubernetes_type", fmt::format("`kubernetes_type` is `{}`; the template is for `{}`", type,
                                                        wanted.kubernetes_type));
}

std::optional<Response> check_template(const Call& call, ClusterRequest& request) {
  Project& project = *request.project->project;
  if (project.plain_folder()) {
    request.set = project.plain_set()->id;
    if (call.id == kOwnTemplates) return std::nullopt;
    return problem(ProblemKind::NotFound,
                   fmt::format("unknown template `{}`; this repository has `{}`", call.id, kOwnTemplates));
  }
  const auto wanted = find_template(call.id, project);
  if (!wanted) {
    return problem(ProblemKind::NotFound, fmt::format("unknown template `{}`; known sets: {}", call.id,
                                                      list_names(project.names_of_sets(), 20)));
  }
  if (!wanted->kubernetes_type.empty()) {
    const TemplateSet* set = project.template_set(wanted->set);
    const auto& types = set->kubernetes_types;
    if (std::find(types.begin(), types.end(), wanted->kubernetes_type) == types.end()) {
      return problem(ProblemKind::NotFound, fmt::format("template set `{}` has no type `{}`; it has `{}`", wanted->set,
                                                        wanted->kubernetes_type, fmt::join(types, "`, `")));
    }
  }
  request.set = wanted->set;
  return contradiction(*wanted, request.values, project);
}

std::string refusal_of(const RefusedKey& refused, const Caller& caller) {
  std::string key(refused.path);
  std::replace(key.begin(), key.end(), '/', '.');
  if (refused.setter == Setter::OwnName)
    return fmt::format("`{}` isn't a name that token `{}` is for; another one belongs into a layer of the repository",
                       key, caller.name);
  return fmt::format("`{}` isn't accepted; it belongs into a layer of the repository", key);
}

// The cluster's name decides whether the token may see any of it.
std::optional<Response> check_cluster(const Call& call, const ClusterRequest& request) {
  if (!request.values.is_map()) return std::nullopt;
  if (request.cluster.empty()) {
    return invalid_value(request.values.has("cluster_name") ? "#/cluster_name" : "#",
                         "`cluster_name` must be a text of lower-case letters, digits and hyphens, at most 63");
  }
  if (request.values.has("sops"))
    return invalid_value("#/sops", "encrypted values aren't accepted; they belong into a layer of the repository");
  for (const RefusedKey& refused : kRefused) {
    if (!is_refused(refused, request.values, *request.project->project, call.caller)) continue;
    return invalid_value(pointer_of(refused), refusal_of(refused, call.caller));
  }
  if (call.caller.may_use(request.cluster)) return std::nullopt;
  return problem(ProblemKind::Forbidden,
                 fmt::format("token `{}` isn't for cluster `{}`", call.caller.name, request.cluster));
}

}  // namespace

std::vector<std::string> refused_keys(const Project& project, const Caller& caller) {
  std::vector<std::string> pointers{"#/sops"};
  for (const RefusedKey& refused : kRefused) {
    if (refused.setter != Setter::OwnName && is_limited(refused, project, caller))
      pointers.push_back(pointer_of(refused));
  }
  return pointers;
}

Response repository_problem(const report::Findings& faults) {
  return problem(ProblemKind::Repository, "`capwright lint` in the repository shows the same errors",
                 errors_json(faults));
}

std::unique_ptr<ClusterRequest> cluster_request(const Call& call, Purpose purpose, bool has_template,
                                                Response& refused) {
  if (!RequestValues::has_known_type(call.request.content_type)) {
    refused = problem(ProblemKind::UnsupportedMediaType, "send `application/json`, or `application/yaml`");
    return nullptr;
  }
  workflow::OpenProject* const project = call.checkout.open(purpose);
  if (project == nullptr) {
    refused = repository_problem(call.checkout.faults());
    return nullptr;
  }
  std::unique_ptr<ClusterRequest> request(
      new ClusterRequest{{call.request.body, call.request.content_type}, {}, "", "", project});
  request->cluster = request->values.cluster();
  request->file = {
      call.checkout.values_path(request->cluster.empty() ? kUnnamed : request->cluster, request->values.is_json()),
      call.request.body};
  auto refusal = has_template ? check_template(call, *request) : std::nullopt;
  if (!refusal) refusal = check_cluster(call, *request);
  if (refusal) {
    refused = std::move(*refusal);
    return nullptr;
  }
  call.exchange.cluster = request->cluster;
  return request;
}

std::optional<Response> wrong_name(const ClusterRequest& request, std::string_view name) {
  if (name == request.cluster) return std::nullopt;
  return invalid_value("#/cluster_name", fmt::format("another layer names the cluster `{}`; the request names `{}`",
                                                     name, request.cluster));
}

std::optional<Response> refusal(const ClusterRequest& request, const CompiledCluster& compiled) {
  if (compiled.set != nullptr && compiled.set->sink.failed()) {
    report::Findings of_set;
    of_set.add(compiled.set->sink.diagnostics(), compiled.set->sources, {}, "");
    return repository_problem(of_set);
  }
  if (!compiled.clean()) {
    report::Findings findings;
    findings.add(compiled);
    const std::size_t count = findings.count(Severity::Error);
    return problem(request.values.is_map() ? ProblemKind::InvalidValues : ProblemKind::MalformedValues,
                   fmt::format("{} error{}", count, count == 1 ? "" : "s"),
                   errors_json(findings, request.values, request.file.path));
  }
  if (auto wrong = wrong_name(request, compiled.name)) return wrong;
  if (request.set.empty() || compiled.set->id == request.set) return std::nullopt;
  return invalid_value("#/provider", fmt::format("the values are for template set `{}`; the request is for `{}`",
                                                 compiled.set->id, request.set));
}

}  // namespace capwright::portal
