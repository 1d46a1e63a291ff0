// Applications of Argo CD: what they install from where, into what, and when.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lint/cluster.h"
#include "values/catalogue.h"

namespace capwright::lint {

// One of `spec.sources`, or `spec.source`.
struct ChartSource {
  Node node;
  std::string_view repository, chart, path, ref, revision;

  Items value_files() const;
};

bool is_application(const Object& object);

// The Application that it is, or that an ApplicationSet makes by its template, in which `{{ … }}` stands for what
// differs; missing for all else.
Node application_in(const Object& object);
// Whether a text of such a template is only known when an Application is made.
bool is_generated(std::string_view text);

// Of application_in(). `sources` come before `source`, which Argo CD then passes over.
const std::vector<ChartSource>& sources_of(const Object& application);

// The catalogue's entry of the first chart that it knows; null when it knows none.
const values::Addon* addon_of(const Object& application);

// Goes to the cluster that Argo CD runs in.
bool is_in_cluster(const Object& application);

// `argocd.argoproj.io/sync-wave`; 0 when it has none, which is what Argo CD takes what is no number for, too.
std::int64_t wave_of(const Object& object);
std::optional<std::int64_t> whole_number(std::string_view text);

// Whether `spec.syncPolicy.syncOptions` has it, such as "ServerSideApply=true".
bool has_sync_option(const Object& application, std::string_view option);

// What a finalizer that Argo CD doesn't know is meant to be; empty when nothing is near.
// Nothing when Argo CD knows it, or when it is another controller's.
std::optional<std::string_view> meant_finalizer(std::string_view finalizer);

inline constexpr std::string_view kWaveAnnotation = "argocd.argoproj.io/sync-wave";
inline constexpr std::string_view kOptionsAnnotation = "argocd.argoproj.io/sync-options";

}  // namespace capwright::lint
