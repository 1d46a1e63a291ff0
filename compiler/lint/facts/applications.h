// Applications of Argo CD: their charts, destinations and order.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"
#include "values/addon_catalogue.h"

namespace capwright::lint {

// An item of `spec.sources`, or `spec.source`.
struct ChartSource {
  Node node;
  std::string_view repository, chart, path, ref, revision;

  Items value_files() const;
};

bool is_application(const Object& object);

// The Application that the object is, or the one in the template of an ApplicationSet, whose parameters are `{{ … }}`;
// absent for other objects.
Node application_in(const Object& object);
// Whether a text of such a template has parameters, so that it is unknown until an Application is generated.
bool is_generated(std::string_view text);

// For application_in(). `sources` come before `source`, which Argo CD ignores if both are set.
const std::vector<ChartSource>& sources_of(const Object& application);

// The catalogue's entry for the first chart that it lists; null when it lists none.
const values::Addon* addon_of(const Object& application);
// The chart of a HelmRelease of Flux or a HelmChartProxy of Cluster API, without folders; empty for other objects.
std::string_view chart_of_release(const Object& release);
// The catalogue's entry for it; null when it lists none.
const values::Addon* addon_of_release(const Object& release);

// Whether the destination is the cluster that Argo CD runs in.
bool is_in_cluster(const Object& application);

// `argocd.argoproj.io/sync-wave`; 0 if it is missing or, as in Argo CD, not a number.
std::int64_t wave_of(const Object& object);
std::optional<std::int64_t> whole_number(std::string_view text);

// Whether `spec.syncPolicy.syncOptions` contains the option, such as "ServerSideApply=true".
bool has_sync_option(const Object& application, std::string_view option);

// The finalizer of Argo CD that an unknown one probably means; an empty text when none is similar. nullopt if Argo CD
// has the finalizer, or if it belongs to another controller.
std::optional<std::string_view> meant_finalizer(std::string_view finalizer);

inline constexpr std::string_view kWaveAnnotation = "argocd.argoproj.io/sync-wave";
inline constexpr std::string_view kOptionsAnnotation = "argocd.argoproj.io/sync-options";

}  // namespace capwright::lint
