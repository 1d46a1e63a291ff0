// Applications, and templates of ApplicationSets, that apply the folders of clusters or have clusters rendered.
#pragma once
#include <vector>

#include "lint/facts/applications.h"

namespace capwright::lint {

// All `git` generators of an ApplicationSet, also those that others combine.
std::vector<Node> git_generators(const Object& set);

// Whether a path of an Application or generator is below a folder `clusters/`.
bool is_below_clusters(std::string_view path);
// Whether the source is the folder of a cluster itself, whose objects make its machines, or of all clusters.
bool reads_cluster(const ChartSource& source);
// Whether the source is the folder of a cluster's add-ons, or is that for some Applications of an ApplicationSet.
bool may_read_addons(const ChartSource& source);
// Whether the plugin of the source is one that `capwright argocd plugin` prints.
bool has_own_plugin(const ChartSource& source);

// Whether it makes Applications for the parts of a cluster, by the parameter `part`.
bool has_parts(const Object& set);
// Whether Applications of this ApplicationSet apply the objects of clusters.
bool generates_clusters(const Object& set);
// Whether this is an ApplicationSet as `capwright argocd applicationset` prints it, by what its source reads.
bool is_printed_set(const Object& object);

}  // namespace capwright::lint
