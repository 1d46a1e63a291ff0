// Reads fields as Argo CD does.
#include "lint/facts/applications.h"

#include <algorithm>
#include <charconv>

#include "diag/suggest.h"
#include "lint/facts/catalogue.h"

namespace capwright::lint {
namespace {

ChartSource source_of(const Node& node) {
  return {node,
          node["repoURL"].text(),
          node["chart"].text(),
          node["path"].text(),
          node["ref"].text(),
          node["targetRevision"].text()};
}

std::vector<ChartSource> find_sources(const Object& object) {
  std::vector<ChartSource> sources;
  const Node application = application_in(object);
  for (const Node source : application["spec.sources"].items()) sources.push_back(source_of(source));
  if (sources.empty() && application["spec.source"]) sources.push_back(source_of(application["spec.source"]));
  return sources;
}

// From a registry, a chart's name may have folders before it.
std::string_view chart_name(std::string_view chart) { return chart.substr(chart.rfind('/') + 1); }

// The add-on `id` if it has this chart, or the first one that has.
const values::Addon* addon_of_chart(std::string_view chart, std::string_view id, const Cluster& cluster) {
  const values::Addon* first = nullptr;
  const std::string_view name = chart_name(chart);
  for (const values::Addon& addon : addon_catalogue(cluster).addons) {
    // Most differ in their last bytes already.
    if (addon.chart.empty() || !addon.chart.ends_with(name) || chart_name(addon.chart) != name) continue;
    if (addon.id == id) return &addon;
    if (first == nullptr) first = &addon;
  }
  return first;
}

}  // namespace

Items ChartSource::value_files() const { return node["helm.valueFiles"].items(); }

bool is_application(const Object& object) {
  return object.kind() == "Application" && (object.group() == "argoproj.io" || object.group().empty());
}

Node application_in(const Object& object) {
  if (is_application(object)) return object.root();
  return object.kind() == "ApplicationSet" && object.group() == "argoproj.io" ? object["spec.template"] : Node();
}

bool is_generated(std::string_view text) { return text.find("{{") != std::string_view::npos; }

const std::vector<ChartSource>& sources_of(const Object& application) { return application.memo(find_sources); }

namespace {

const values::Addon* find_addon_of(const Object& application) {
  const std::string_view id = application.label("app.kubernetes.io/name").text();
  for (const ChartSource& source : sources_of(application)) {
    if (const values::Addon* addon = addon_of_chart(source.chart, id, application.cluster())) return addon;
  }
  return nullptr;
}

}  // namespace

const values::Addon* addon_of(const Object& application) { return application.memo(find_addon_of); }

std::string_view chart_of_release(const Object& release) {
  if (release.kind() == "HelmRelease") return chart_name(release["spec.chart.spec.chart"].text());
  if (release.kind() == "HelmChartProxy") return chart_name(release["spec.chartName"].text());
  return {};
}

const values::Addon* addon_of_release(const Object& release) {
  const std::string_view chart = chart_of_release(release);
  const std::string_view id = release.label("app.kubernetes.io/name").text();
  return chart.empty() ? nullptr : addon_of_chart(chart, id, release.cluster());
}

namespace {

bool leads_to_own_cluster(const Object& application) {
  const Node destination = application["spec.destination"];
  std::string_view server = destination["server"].text();
  if (server.ends_with('/')) server.remove_suffix(1);
  return server == "https://kubernetes.default.svc" || destination["name"].text() == "in-cluster";
}

}  // namespace

bool is_in_cluster(const Object& application) { return application.memo(leads_to_own_cluster); }

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::int64_t wave_of(const Object& object) {
  return whole_number(object.annotation(kWaveAnnotation).text()).value_or(0);
}

bool has_sync_option(const Object& application, std::string_view option) {
  const Items options = application["spec.syncPolicy.syncOptions"].items();
  for (const Node each : options) {
    if (each.text() == option) return true;
  }
  return false;
}

std::optional<std::string_view> meant_finalizer(std::string_view finalizer) {
  const std::vector<std::string_view>& known = words_of(fact(argocd_facts(), "finalizers"));
  if (finalizer.empty() || std::find(known.begin(), known.end(), finalizer) != known.end()) return std::nullopt;
  const std::string_view best = nearest(finalizer, known);
  const bool is_of_argo_cd = !best.empty() || finalizer.find("argocd") != std::string_view::npos ||
                             finalizer.find("argoproj") != std::string_view::npos;
  return is_of_argo_cd ? std::optional(best) : std::nullopt;
}

}  // namespace capwright::lint
