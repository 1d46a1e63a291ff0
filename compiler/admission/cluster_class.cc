// ClusterClasses: templates of the right form, patches whose targets exist, and changes that are safe for Clusters.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "admission/edit.h"
#include "admission/pattern.h"
#include "admission/special.h"

namespace capwright::admission {
namespace {

using crd::Place;
using crd::Reason;

// The places of references to templates, and their names in the server's messages.
struct TemplatePlace {
  std::string_view at, shown;
};
constexpr TemplatePlace kTemplates[] = {
    {"spec.infrastructure.templateRef", "spec.infrastructure.ref"},
    {"spec.controlPlane.templateRef", "spec.controlPlane.ref"},
    {"spec.controlPlane.machineInfrastructure.templateRef", "spec.controlPlane.machineInfrastructure.ref"},
    {"spec.workers.machineDeployments[].bootstrap.templateRef",
     "spec.workers.machineDeployments[].template.bootstrap.ref"},
    {"spec.workers.machineDeployments[].infrastructure.templateRef",
     "spec.workers.machineDeployments[].template.infrastructure.ref"},
    {"spec.workers.machinePools[].bootstrap.templateRef", "spec.workers.machinePools[].template.bootstrap.ref"},
    {"spec.workers.machinePools[].infrastructure.templateRef",
     "spec.workers.machinePools[].template.infrastructure.ref"},
};
constexpr std::string_view kTemplate = "Template";

// The fields of `builtin` that a patch may read.
constexpr std::string_view kBuiltins[] = {
    "builtin",
    "builtin.cluster",
    "builtin.cluster.name",
    "builtin.cluster.namespace",
    "builtin.cluster.uid",
    "builtin.cluster.metadata.labels",
    "builtin.cluster.metadata.annotations",
    "builtin.cluster.topology",
    "builtin.cluster.topology.classRef.name",
    "builtin.cluster.topology.classRef.namespace",
    "builtin.cluster.topology.class",
    "builtin.cluster.topology.classNamespace",
    "builtin.cluster.topology.version",
    "builtin.cluster.network",
    "builtin.cluster.network.serviceDomain",
    "builtin.cluster.network.services",
    "builtin.cluster.network.pods",
    "builtin.controlPlane",
    "builtin.controlPlane.name",
    "builtin.controlPlane.replicas",
    "builtin.controlPlane.version",
    "builtin.controlPlane.metadata.labels",
    "builtin.controlPlane.metadata.annotations",
    "builtin.controlPlane.machineTemplate.infrastructureRef.name",
    "builtin.machineDeployment",
    "builtin.machineDeployment.class",
    "builtin.machineDeployment.name",
    "builtin.machineDeployment.replicas",
    "builtin.machineDeployment.topologyName",
    "builtin.machineDeployment.version",
    "builtin.machineDeployment.metadata.labels",
    "builtin.machineDeployment.metadata.annotations",
    "builtin.machineDeployment.bootstrap.configRef.name",
    "builtin.machineDeployment.infrastructureRef.name",
    "builtin.machinePool",
    "builtin.machinePool.class",
    "builtin.machinePool.name",
    "builtin.machinePool.replicas",
    "builtin.machinePool.topologyName",
    "builtin.machinePool.version",
    "builtin.machinePool.metadata.labels",
    "builtin.machinePool.metadata.annotations",
    "builtin.machinePool.bootstrap.configRef.name",
    "builtin.machinePool.infrastructureRef.name",
};

bool is_true(const Value& map, std::string_view path) {
  const Value* flag = find(map, path);
  return flag != nullptr && flag->is(Kind::Bool) && flag->as_bool();
}

void check_template(Subject& subject, const Place& place, std::string_view shown) {
  const auto refuse = [&](Reason reason, std::string_view key, std::string_view why) {
    const Value* value = find(place.value, key);
    Arena arena;
    const Entry entry{make_key(arena, key), value != nullptr ? *value : Value()};
    subject.refuse_item(reason, Place::member(entry, place), fmt::format("{}.{}", shown, key), why);
  };
  if (text_at(place.value, "name").empty()) refuse(Reason::Required, "name", "template name must be defined");
  const std::string_view kind = text_at(place.value, "kind"), version = text_at(place.value, "apiVersion");
  if (kind.size() <= kTemplate.size() || !kind.ends_with(kTemplate))
    refuse(Reason::Invalid, "kind", "template kind must be of form \"<name>Template\"");
  if (version.empty()) refuse(Reason::Required, "apiVersion", "template apiVersion must be defined");
  else if (std::count(version.begin(), version.end(), '/') > 1)
    refuse(Reason::Invalid, "apiVersion", "template apiVersion must be a valid Kubernetes apiVersion");
}

void check_templates(Subject& subject) {
  for (const TemplatePlace& one : kTemplates) {
    const bool may_lack = one.at.find("machineInfrastructure") != std::string_view::npos;
    Pattern(one.at).each(subject.root(), !may_lack, [&](const Place& place) {
      if (may_lack && is_empty(place.value)) return;
      check_template(subject, place, reported_path(one.shown, place));
    });
  }
}

// A template may be replaced by another one of the same kind only.
void check_change_of(Subject& subject, const Value* before, const Value* now, const std::string& path) {
  const Value nothing;
  const Value& a = before != nullptr ? *before : nothing;
  const Value& b = now != nullptr ? *now : nothing;
  if (group_of(text_at(a, "apiVersion")) != group_of(text_at(b, "apiVersion")))
    subject.refuse(Reason::Forbidden, path + ".apiVersion",
                   "group of apiVersion cannot be changed to prevent incompatible changes in the Clusters");
  if (text_at(a, "kind") != text_at(b, "kind"))
    subject.refuse(
        Reason::Forbidden, path + ".kind",
        fmt::format("kind cannot be changed from \"{}\" to \"{}\" to prevent incompatible changes in the Clusters",
                    text_at(a, "kind"), text_at(b, "kind")));
}

void check_changes(Subject& subject) {
  for (const char* path : {"spec.infrastructure.templateRef", "spec.controlPlane.templateRef",
                           "spec.controlPlane.machineInfrastructure.templateRef"})
    check_change_of(subject, find(subject.old(), path), find(subject.object(), path), path);
  for (const std::string workers : {"spec.workers.machineDeployments", "spec.workers.machinePools"}) {
    const auto now = items_at(subject.object(), workers), before = items_at(subject.old(), workers);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto same_class = std::find_if(before.begin(), before.end(), [&](const Value& old) {
        return text_at(old, "class") == text_at(now[i], "class");
      });
      if (same_class == before.end()) continue;
      check_change_of(subject, find(*same_class, "infrastructure.templateRef"),
                      find(now[i], "infrastructure.templateRef"),
                      fmt::format("{}[{}].infrastructure.templateRef", workers, i));
    }
  }
}

class Patches {
 public:
  explicit Patches(Subject& subject) : subject_(subject), spec_(*find(subject.object(), "spec")) {}

  void check() {
    const auto patches = items_at(spec_, "patches");
    for (std::size_t i = 0; i < patches.size(); ++i) check_patch(patches[i], fmt::format("spec.patches[{}]", i));
  }

 private:
  void refuse(const std::string& path, std::string_view why, Reason reason = Reason::Invalid) {
    subject_.refuse(reason, path, why);
  }

  void check_patch(const Value& patch, const std::string& path) {
    const Value* external = patch.find("external");
    const Value* definitions = patch.find("definitions");
    const bool has_external = external != nullptr && !external->is(Kind::Null);
    const bool has_definitions = definitions != nullptr && !definitions->is(Kind::Null);
    if (text_at(patch, "name").empty()) refuse(path + ".name", "patch name must be defined", Reason::Required);
    if (text_at(patch, "name") == "inline")
      refuse(path + ".name", "\"inline\" can not be used as the name of a patch", Reason::Required);
    if (!has_external && !has_definitions)
      refuse(path, "one of definitions or external must be defined", Reason::Required);
    if (has_external && has_definitions) refuse(path, "only one of definitions or external can be defined");
    if (has_external && text_at(*external, "validateTopologyExtension").empty() &&
        text_at(*external, "generatePatchesExtension").empty())
      refuse(path + ".external", "one of validateTopologyExtension and generatePatchesExtension must be defined");
    const auto list = items_at(patch, "definitions");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string at = fmt::format("{}.definitions[{}]", path, i);
      const auto steps = items_at(list[i], "jsonPatches");
      for (std::size_t j = 0; j < steps.size(); ++j) check_step(steps[j], fmt::format("{}.jsonPatches[{}]", at, j));
      if (const Value* selector = list[i].find("selector")) check_selector(*selector, at + ".selector");
    }
  }

  void check_step(const Value& step, const std::string& path) {
    const std::string_view op = text_at(step, "op"), target = text_at(step, "path");
    if (op != "add" && op != "replace" && op != "remove")
      refuse(path + ".op", "supported values: \"add\", \"remove\", \"replace\"", Reason::NotSupported);
    if (!target.starts_with("/spec")) refuse(path + ".path", "jsonPatch path must start with \"/spec\"");
    check_indexes(op, target, path + ".path");
    if (op == "add" || op == "replace") check_values(step, path);
  }

  void check_indexes(std::string_view op, std::string_view target, const std::string& path) {
    while (!target.empty()) {
      const std::size_t slash = std::min(target.find('/'), target.size());
      const std::string_view part = target.substr(0, slash);
      target.remove_prefix(std::min(slash + 1, target.size()));
      int index = 0;
      const auto read = std::from_chars(part.data(), part.data() + part.size(), index);
      if (part.empty() || read.ec != std::errc() || read.ptr != part.data() + part.size()) continue;
      if (op == "add" && index != 0)
        refuse(path, "arrays can only be accessed using \"0\" (prepend) or \"-\" (append)");
      if (op == "replace" || op == "remove")
        refuse(path, fmt::format("elements in arrays can not be accessed in a {} operation", op));
    }
  }

  void check_values(const Value& step, const std::string& path) {
    const Value* value = step.find("value");
    const Value* source = step.find("valueFrom");
    const bool has_value = value != nullptr && !value->is(Kind::Null),
               has_source = source != nullptr && !source->is(Kind::Null);
    if (!has_value && !has_source) refuse(path, "jsonPatch must define one of value or valueFrom");
    if (has_value && has_source) refuse(path, "jsonPatch can not define both value and valueFrom");
    if (!has_source) return;
    const std::string_view text = text_at(*source, "template"), variable = text_at(*source, "variable");
    if (text.empty() && variable.empty()) refuse(path + ".valueFrom", "valueFrom must set either template or variable");
    if (!text.empty() && !variable.empty())
      refuse(path + ".valueFrom", "valueFrom can not set both template and variable");
    if (!variable.empty()) check_variable(variable, path + ".valueFrom.variable");
  }

  void check_variable(std::string_view variable, const std::string& path) {
    if (variable.starts_with("builtin.")) {
      if (std::find(std::begin(kBuiltins), std::end(kBuiltins), variable) == std::end(kBuiltins))
        refuse(path, "not a defined builtin variable");
      return;
    }
    const std::string_view name = variable.substr(0, variable.find_first_of("[."));
    const auto variables = items_at(spec_, "variables");
    const bool known =
        std::any_of(variables.begin(), variables.end(), [&](const Value& one) { return text_at(one, "name") == name; });
    if (!known) refuse(path, fmt::format("variable with name {} cannot be found", variable));
  }

  static bool takes(const Value& selector, const Value* reference) {
    return reference != nullptr && text_at(selector, "kind") == text_at(*reference, "kind") &&
           text_at(selector, "apiVersion") == text_at(*reference, "apiVersion");
  }

  void check_selector(const Value& selector, const std::string& path) {
    const auto deployments = items_at(selector, "matchResources.machineDeploymentClass.names");
    const auto pools = items_at(selector, "matchResources.machinePoolClass.names");
    const bool cluster = is_true(selector, "matchResources.infrastructureCluster"),
               control_plane = is_true(selector, "matchResources.controlPlane");
    if (!cluster && !control_plane && deployments.empty() && pools.empty()) return refuse(path, "no selector enabled");
    if (cluster && !takes(selector, find(spec_, "infrastructure.templateRef")))
      refuse(path + ".matchResources.infrastructureCluster",
             "selector is enabled but does not match the infrastructure ref");
    if (control_plane && !takes(selector, find(spec_, "controlPlane.templateRef")) &&
        !takes(selector, find(spec_, "controlPlane.machineInfrastructure.templateRef")))
      refuse(path + ".matchResources.controlPlane",
             "selector is enabled but matches neither the controlPlane ref nor the controlPlane machineInfrastructure "
             "ref");
    check_names(selector, deployments, "workers.machineDeployments", path + ".matchResources.machineDeploymentClass");
    check_names(selector, pools, "workers.machinePools", path + ".matchResources.machinePoolClass");
  }

  void check_names(const Value& selector, std::span<const Value> names, std::string_view workers,
                   const std::string& path) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string_view name = text_of(names[i]);
      const std::string at = fmt::format("{}.names[{}]", path, i);
      if (std::count(name.begin(), name.end(), '*') > 1)
        return refuse(at, "selector can at most contain a single \"*\" rune");
      if (name.find('*') != std::string_view::npos && !name.starts_with('*') && !name.ends_with('*'))
        return refuse(at, "\"*\" rune can only appear at the beginning, or ending of the selector");
      const auto classes = items_at(spec_, workers);
      const bool found = std::any_of(classes.begin(), classes.end(), [&](const Value& one) {
        return fits(name, text_at(one, "class")) && (takes(selector, find(one, "infrastructure.templateRef")) ||
                                                     takes(selector, find(one, "bootstrap.templateRef")));
      });
      if (!found)
        refuse(at, "selector is enabled but matches neither the bootstrap ref nor the infrastructure ref of a class");
    }
  }

  static bool fits(std::string_view pattern, std::string_view name) {
    if (pattern == "*" || pattern == name) return true;
    if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
    return pattern.ends_with('*') && name.starts_with(pattern.substr(0, pattern.size() - 1));
  }

  Subject& subject_;
  const Value& spec_;
};

void check_cluster_class(Subject& subject) {
  const Value* spec = find(subject.object(), "spec");
  if (spec == nullptr || !spec->is(Kind::Map)) return;
  check_templates(subject);
  check_class_variables(subject);
  Patches(subject).check();
  if (!subject.is_update()) return;
  check_changes(subject);
  // Without the Clusters it is unknown whether one of them still needs the removed part.
  if (subject.stands_alone())
    subject.refuse(Reason::NotFound, "[]", "Clusters using the ClusterClass can not be retrieved");
}

constexpr Special kClassSpecials[] = {{"ClusterClass", check_cluster_class, nullptr}};

}  // namespace

std::span<const Special> cluster_class_specials() { return kClassSpecials; }

}  // namespace capwright::admission
