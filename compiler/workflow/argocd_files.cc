// Collects the settings of Argo CD and renders its files.
#include "workflow/argocd_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "cel/named_format.h"
#include "crd/registry.h"
#include "facts/built_in.h"
#include "files/path_rules.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/layers.h"
#include "pipeline/own_addons.h"
#include "pipeline/schemas.h"
#include "report/printable.h"
#include "rotation/naming.h"
#include "template/eval/render.h"
#include "template/syntax/parse.h"
#include "workflow/recorded_inputs.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

// Argo CD reads `**` as one folder or more, or as none or more, by its settings.
constexpr std::array kValuesFiles{"*.yaml", "**/*.yaml", "*.yml", "**/*.yml", "*.json", "**/*.json"};
constexpr std::string_view kRevision = "revision";
constexpr std::array kKeys{"repo_url", "revision", "namespace", "path", "management.destination"};

using Lists = std::map<std::string, std::vector<std::string>>;

// Renders a built-in template with texts and lists of texts.
std::string render_built_in(std::string_view path, const std::map<std::string, std::string>& texts,
                            const Lists& lists = {}) {
  OwnStage own;
  std::vector<Entry> entries;
  for (const auto& [name, list] : lists) {
    std::vector<Value> items;
    for (const std::string& text : list) items.push_back(make_string(own.arena, text));
    entries.push_back({make_key(own.arena, name), make_list(own.arena, items)});
  }
  for (const auto& [name, text] : texts) entries.push_back({make_key(own.arena, name), make_string(own.arena, text)});
  jinja::Options options;
  options.trim_blocks = options.lstrip_blocks = options.keep_trailing_newline = true;
  const FileId file = own.sources.add(std::string(path), std::string(built_in_text(path)));
  const auto parsed = jinja::parse(file, path, own.sources, options, own.sink);
  CW_CHECK(parsed != nullptr, "a built-in template has no errors");
  jinja::RenderInput input;
  input.main = parsed.get();
  input.context = make_map(own.arena, entries);
  const jinja::RenderResult result = jinja::render(input, own.stage);
  CW_CHECK(!own.sink.failed(), "a built-in template renders with these names");
  return std::string(result.text.text());
}

// "" for the root itself, otherwise with a slash at the end.
std::string as_folder(const std::string& path) {
  std::string normal = std::filesystem::path(path).lexically_normal().string();
  if (normal == "." || normal == "./") return {};
  if (!normal.empty() && !normal.ends_with('/')) normal += '/';
  return normal;
}

const Value* value_below(const Value& values, std::string_view path) {
  const Value* value = values.is(Kind::Map) ? values.find("argocd") : nullptr;
  while (value != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    value = value->is(Kind::Map) ? value->find(path.substr(0, dot)) : nullptr;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return value;
}

// Whether the cluster has add-ons that Argo CD installs, and nothing in the tree registers it there.
bool is_unregistered(const Value& values) {
  const Value* addons = values.find("addons");
  const Value* enabled = value_below(values, "registration.enabled");
  if (addons == nullptr || !addons->is(Kind::List) || values.text_at("addon_delivery") != "argocd") return false;
  return (enabled == nullptr || !enabled->is(Kind::Bool) || !enabled->as_bool()) &&
         std::any_of(addons->items().begin(), addons->items().end(),
                     [](const Value& addon) { return addon.text_at("delivery") == "application"; });
}

// The kinds in files that no built-in template renders: "<group> <kind>", or " <kind>" of the core group. A kind that
// no known release has may have namespaces or not, unless an object says so.
struct OwnKinds {
  std::set<std::string> namespaced, cluster_wide;

  void add(const CompiledCluster& cluster, const crd::Registry& registry, bool only_own) {
    for (const RenderedFile& file : cluster.files.files()) {
      if (!has_data_name(file.path) || (only_own && !file.own)) continue;
      OwnStage own;
      const FileId source = own.sources.add(file.path, std::string(file.body.text()));
      for (const YamlDocument& document : read_yaml_documents(source, own.stage)) add(document.value, registry);
    }
  }

 private:
  void add(const Value& object, const crd::Registry& registry) {
    const std::string_view version = object.is(Kind::Map) ? object.text_at("apiVersion") : std::string_view();
    if (version.empty() || object.text_at("kind").empty()) return;
    const std::string_view group = rotation::group_of(version);
    const auto known = registry.versions(group, object.text_at("kind"));
    const Value* metadata = object.find("metadata");
    const bool has_space = metadata != nullptr && metadata->is(Kind::Map) && metadata->find("namespace") != nullptr;
    const std::string kind = fmt::format("{} {}", group, object.text_at("kind"));
    if (known.empty() || known.front().namespaced) namespaced.insert(kind);
    if (known.empty() ? !has_space : !known.front().namespaced) cluster_wide.insert(kind);
  }
};

// Renders the clusters that have such files. Those with errors have findings already.
OwnKinds own_kinds(OpenProject& open) {
  OwnKinds kinds;
  const crd::Registry registry(built_in_digests(), {});
  for (const std::string& path : choose_clusters(open, {})) {
    const auto cluster = load_cluster(path, *open.project);
    if (!cluster->clean() || (cluster->set->built_in && cluster->own.resources.empty())) continue;
    finish_cluster(*cluster, *open.project, nullptr);
    kinds.add(*cluster, registry, cluster->set->built_in);
  }
  return kinds;
}

bool is_one_of(char c, std::string_view others) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != std::string_view::npos;
}

bool is_git_url(std::string_view url) {
  if (url.find_first_of(" \t\r\n\"'") != std::string_view::npos) return false;
  for (const std::string_view scheme : {"https://", "http://", "ssh://"}) {
    if (url.starts_with(scheme)) return url.size() > scheme.size();
  }
  const std::size_t at = url.find('@'), colon = url.find(':');
  return at != 0 && at < colon && colon != std::string_view::npos && colon + 1 < url.size();
}

// What a setting has to be; empty: it is.
std::string_view expected(std::string_view key, std::string_view value) {
  const auto consists_of = [&](std::string_view others) {
    return std::all_of(value.begin(), value.end(), [&](char c) { return is_one_of(c, others); });
  };
  if (key == "namespace" && !cel::find_format("dns1123Label")->faults(value).empty())
    return "a DNS label, such as `argocd`";
  if (key == "repo_url" && !is_git_url(value))
    return "the URL of a Git repository, such as `https://git.example.com/platform/clusters.git`";
  if (key == "revision" && (!consists_of("._/-") || !is_one_of(value.front(), "")))
    return "a branch, a tag or a commit, such as `main`";
  if (key == "management.destination" && !consists_of("._-"))
    return "the name of a cluster in Argo CD, such as `in-cluster`";
  return {};
}

}  // namespace

std::string ArgoCdFiles::checked(const std::string& key, const std::string& value) {
  if (const std::string_view wanted = expected(key, value); !wanted.empty() && error_.empty())
    error_ = fmt::format("`{}` is `{}`; expected {}", key.substr(key.rfind('.') + 1), report::printable(value), wanted);
  return value;
}

void ArgoCdFiles::read_clusters() {
  if (std::exchange(has_read_, true)) return;
  for (const std::string& path : choose_clusters(open_, {})) {
    auto cluster = load_cluster(path, *open_.project);
    // Values may have errors that don't matter here: the secrets of the form `sops` may be known elsewhere only.
    const Value& values = cluster->values.is(Kind::Map) ? cluster->values : cluster->unchecked;
    for (const char* key : kKeys) {
      const Value* value = value_below(values, key);
      if (value == nullptr || !value->is(Kind::String)) continue;
      const bool is_default = cluster->origins[value->origin()].kind == Origin::Kind::SchemaDefault;
      const bool has_better = key == kRevision && !published_.empty() && is_default;
      if (!has_better) found_[key].emplace(value->text(), cluster->name);
      if (key == kRevision && !published_.empty() && value->text() != published_ && stray_.first.empty())
        stray_ = {report::printable(value->text()), cluster->name};
    }
    const SecretForm form = secret_form_of(values, cluster->origins, false);
    if (!form.name.empty()) found_["secrets.form"].emplace(form.name, report::printable(cluster->name));
    if (is_unregistered(values)) unregistered_.push_back(report::printable(cluster->name));
    for (const FileId file : cluster->sources.files()) read_files_.emplace(cluster->sources.path(file));
    read_files_.erase(path);
    if (!cluster->clean()) broken_.push_back(std::move(cluster));
  }
}

std::string ArgoCdFiles::setting(std::string ArgoCdConfig::*member, const std::string& key, std::string_view fallback) {
  if (!(given_.*member).empty()) return checked(key, given_.*member);
  if (const std::string& configured = open_.project->config().argocd.*member; !configured.empty())
    return checked(key, configured);
  read_clusters();
  const auto& values = found_[key];
  if (values.size() == 1) return values.begin()->first;
  const std::string name = key.substr(key.rfind('.') + 1);  // as in capwright.yaml
  if (values.size() > 1) {
    const auto first = values.begin(), second = std::next(first);
    error_ = fmt::format("`argocd.{}` is `{}` in {}, and `{}` in {}\nhelp: set `argocd.{}` in capwright.yaml", key,
                         report::printable(first->first), first->second, report::printable(second->first),
                         second->second, name);
  } else if (fallback.empty() && error_.empty()) {
    error_ = fmt::format(
        "the URL of the repository is missing\nhelp: set `argocd.{}` in capwright.yaml, such as "
        "`argocd: {{repo_url: https://git.example.com/platform/clusters.git}}`",
        name);
  }
  return std::string(fallback);
}

ArgoCdFiles::Texts ArgoCdFiles::shared_settings() {
  return {{"namespace", setting(&ArgoCdConfig::namespace_name, "namespace", "argocd")},
          {"destination", setting(&ArgoCdConfig::destination, "management.destination", "in-cluster")},
          {"repo_url", setting(&ArgoCdConfig::repo_url, "repo_url", "")}};
}

std::string ArgoCdFiles::project() {
  const Texts texts = shared_settings();
  if (!error_.empty()) return {};
  const OwnKinds own = own_kinds(open_);
  return render_built_in("schemas/argocd/project.yaml.j2", texts,
                         {{"own_kinds", {own.namespaced.begin(), own.namespaced.end()}},
                          {"own_cluster_kinds", {own.cluster_wide.begin(), own.cluster_wide.end()}}});
}

std::string ArgoCdFiles::inputs() const {
  const Config& config = open_.project->config();
  const auto top_of = [](const std::string& path) { return path.substr(0, path.find('/')); };
  std::set<std::string> value_tops, tops;
  for (const std::string& place : config.values) value_tops.insert(top_of(as_folder(place)));
  // The other clusters' values aren't inputs.
  const auto add = [&](const std::string& path) {
    const std::string file = path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
    tops.insert(value_tops.contains(top_of(path)) ? file : top_of(path));
  };
  for (const std::string& path : read_files_) {
    FileStat stat;
    const bool is_here = !path.starts_with('/') && !path.starts_with("../");  // not a file of `--values`
    if (is_here && !open_.files.stat(open_.project->workspace().io_path(path), stat)) add(path);  // otherwise built in
  }
  for (const LayerRule& layer : config.layers) add(as_folder(layer.file));
  add(config.templates);
  add("catalogue");
  add(std::string(kOwnAddons));
  if (const auto& plain = open_.project->plain_folder()) {
    add(as_folder(plain->folder));
    if (plain->schema) add(as_folder(*plain->schema));
  }
  tops.erase("");
  tops.erase(std::string(kConfigName));
  const std::string root = open_.folder_in_git();
  std::string text = fmt::format("/{}{}", root, kConfigName);
  for (const std::string& top : tops) text += fmt::format(";/{}{}", root, top);
  return text;
}

std::string credential_plugin(const std::string& form, bool from_tree) {
  return render_built_in("schemas/argocd/secrets-plugin.yaml.j2",
                         {{"form", form}, {"mode", from_tree ? "tree" : "plugin"}});
}

void ArgoCdFiles::add_findings(report::Findings& findings) const {
  std::set<const TemplateSet*> sets;
  for (const auto& cluster : broken_) {
    if (cluster->set != nullptr && cluster->set->sink.failed() && sets.insert(cluster->set).second)
      findings.add(cluster->set->sink.diagnostics(), cluster->set->sources, {}, "");
    findings.add(*cluster, cluster->values_path);
  }
}

void ArgoCdFiles::add_note(const std::string& note) { note_ += (note_.empty() ? "" : "\n") + note; }

std::string ArgoCdFiles::form_of_credentials(bool by_plugin) {
  read_clusters();
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& [form, cluster] : found_["secrets.form"]) {
    if (form == "avp" || form == "sops") found.emplace_back(form, cluster);
  }
  if (found.empty()) return {};
  const auto& [form, cluster] = found.back();
  if (found.size() > 1) {
    error_ = fmt::format(
        "`secrets.form` is `{}` in {}, and `{}` in {}: each needs its plugin, and an Application has one\n"
        "help: use one of the two forms for all clusters",
        found.front().first, found.front().second, form, cluster);
  } else if (by_plugin && form == "sops") {
    error_ = fmt::format(
        "`secrets.form` is `sops` in {}, and the plugin doesn't decrypt what it renders\n"
        "help: commit the rendered tree, and print the ApplicationSet without `--plugin`; or use the form `external`",
        cluster);
  } else {
    add_note(fmt::format(
        "note: `secrets.form` is `{}` in {}; `capwright argocd plugin {}--form {}` prints the plugin that completes "
        "the credentials",
        form, cluster, by_plugin ? "" : "--tree ", form));
  }
  return form;
}

std::string ArgoCdFiles::application_set(bool by_plugin) {
  Texts texts = shared_settings();
  // The plugin renders values, which aren't on a separate branch of rendered files.
  const std::string followed = by_plugin || published_.empty() ? "main" : published_;
  if (by_plugin && !published_.empty()) {
    read_clusters();
    found_[std::string(kRevision)].erase(published_);  // for the add-ons
  }
  texts["revision"] = setting(&ArgoCdConfig::revision, std::string(kRevision), followed);
  const std::string form = form_of_credentials(by_plugin);
  if (!error_.empty()) return {};
  const Config& config = open_.project->config();
  if (!unregistered_.empty()) {
    const std::size_t others = unregistered_.size() - 1;
    add_note(fmt::format(
        "note: `argocd.registration.enabled` is false in {}{}; their add-ons wait until you register them in "
        "another way, such as `argocd cluster add`",
        unregistered_.front(), others == 0 ? std::string() : fmt::format(" and {} more", others)));
  }
  texts["mode"] = by_plugin ? "plugin" : "tree";
  texts["form"] = form;
  texts["root"] = open_.folder_in_git();
  texts["tree"] = texts["root"] + as_folder(config.output);
  texts["inputs"] = inputs();
  std::vector<std::string> patterns;
  for (const std::string& place : config.values) {
    FileStat stat;
    const bool is_folder =
        open_.files.stat(open_.project->workspace().io_path(place), stat) || stat.type == FileType::Directory;
    if (!is_folder) patterns.push_back(texts["root"] + place);
    for (const char* pattern : kValuesFiles) {
      if (is_folder) patterns.push_back(texts["root"] + as_folder(place) + pattern);
    }
  }
  if (!by_plugin && !stray_.first.empty())
    add_note(
        fmt::format("note: `argocd.revision` is `{0}` in {1}, but rendered files are published to `{2}`; the add-ons "
                    "read their values from `{0}`",
                    stray_.first, stray_.second, published_));
  for (const auto& [path, cluster] : found_["path"]) {
    if (as_folder(path) == texts["tree"]) continue;
    add_note(fmt::format(
        "note: `argocd.path` is `{}` in {}, but `clusters/` is in `{}`; the add-ons read their values from "
        "`argocd.path`",
        path.empty() ? "\"\"" : report::printable(path), cluster, texts["tree"].empty() ? "." : texts["tree"]));
  }
  return render_built_in("schemas/argocd/applicationset.yaml.j2", texts, {{"values_files", patterns}});
}

std::string ArgoCdFiles::repo_server_patch(SidecarForm form) {
  Texts texts{{"form", form == SidecarForm::Kustomize ? "kustomize" : "values"}};
  texts["image"] = given_.image.empty() ? open_.project->config().argocd.image : given_.image;
  if (!texts["image"].empty()) return render_built_in("schemas/argocd/repo-server-patch.yaml.j2", texts);
  error_ =
      "the plugin's image is missing\nhelp: pass `--image IMAGE`, or set `argocd.image` in capwright.yaml, such as "
      "`argocd: {image: "
      "registry.example.com/tools/capwright:v0.1.0}`; `capwright argocd image` prints how to build it";
  return {};
}

}  // namespace capwright::workflow
