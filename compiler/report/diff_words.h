// Phrases that all formats of a diff share.
#pragma once
#include <string>
#include <string_view>

#include "report/diff_report.h"

namespace capwright::report {

// "3 clusters", "1 cluster".
std::string counted(std::size_t count, std::string_view what);

// "v1.33.4 → v1.34.2"; only one side if a value was added or removed. On one line, truncated to about `most` bytes a
// side.
std::string values_text(const diff::Family& family, const diff::Variant& variant, std::size_t most);
std::string values_text(const diff::ChangeRecord& change, std::size_t most);

// For two texts of several lines: "Size is m1 → Size is m2 and 3 more lines". Empty for other changes.
std::string changed_lines_text(const diff::ChangeRecord& change, std::size_t most);

// `+`, `-`, `~`.
char sign_of(const diff::Family& family);
char sign_of(const diff::ChangeRecord& change);

// "KubeadmControlPlane <cluster>-control-plane", with the change to the object as a whole.
std::string family_title(const diff::Family& family);

// Whether the change is to objects as a whole. The text of a file without a structure, such as an inventory, has no
// path either.
bool is_whole(const diff::Family& family);

// "842 clusters", "1 cluster and 1 folder", "1 folder": `other_folders` of all aren't clusters.
std::string counted_clusters(std::size_t all, std::size_t other_folders, std::string_view unit);

// "842 clusters: a, b, c and 839 more", "3 objects in 1 cluster: a"; at most `most` names.
std::string clusters_text(const FleetDifferences& all, std::span<const diff::Occurrence> occurrences, std::size_t most);

// "1 cluster can't be compared: a"; the start of a report if `failed` isn't 0.
std::string failures_text(std::size_t failed, const std::vector<std::string>& names, std::string_view unit);

// "3 of 12 clusters differ; 2 changes ignored".
std::string summary_text(const FleetDifferences& all);

}  // namespace capwright::report
