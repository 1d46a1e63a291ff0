// The names of all clusters of a repository, and which of them may have an object of another one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "files/output_tree.h"
#include "pipeline/project.h"

namespace capwright {

// Scans the text of a values file for a plain name, which is cheap; empty: the values must be loaded.
std::string name_in_text(const std::string& values_path, const Project&);

// All clusters of the repository, by values file. Reads their names once per project. Thread-safe.
const std::vector<NamedCluster>& named_clusters(Project&);

// Which of `files` are of the cluster that a user names: those that are called like it, otherwise those whose values
// have that name. Most files are called like their cluster, so the names in them are only read if none is.
std::vector<std::string> values_files_named(std::string_view cluster, const std::vector<std::string>& files, Project&);

// The clusters whose names begin with that of `cluster` and a hyphen, or the other way round: an object may have the
// same name in both. Thread-safe.
std::vector<NamedCluster> related_clusters(std::string_view cluster, Project&);

// The first of them that may have an object with this name in the namespace; empty: none. Loads their values. A cluster
// with errors may have any namespace.
std::string other_owner(std::string_view cluster, std::string_view space, std::string_view name, Project&);

// Whether the folder of a cluster has removal entries that a new cluster may take away: then equal inputs don't mean an
// equal render.
bool may_lose_entries(const OutputTree&, const std::string& cluster, Project&);

// The name of a cluster from the text of its values file alone: all names must be known before the first is written.
// The scalar of `cluster_name: NAME` at the top level of block-style YAML, a view into `text`. Empty if a YAML parser
// is needed: for a name that is quoted, is a reference, or is set in a layer, and for a file in flow style.
std::string_view stated_name(std::string_view text);

}  // namespace capwright
