// The audit record of one cluster's published render. No text contains a byte of a secret, and no digest covers one: it
// could be used to verify guesses.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster.h"

namespace capwright::audit {

// One publication: its source, its destination, and its author.
struct Publication {
  std::string source;  // the rendered commit
  std::string commit;  // the pushed commit
  std::string remote;  // its redacted URL
  std::string branch;
  std::string who, host;
  std::int64_t when = 0;  // seconds since 1970 in UTC
  std::string tool_version;
};

struct RecordedFile {
  std::string path;                 // `clusters/prod/cluster.yaml`
  std::uint64_t size = 0;           // bytes; 0 for a file with a secret
  std::string digest;               // SHA-256 in hexadecimal; empty for a file with a secret
  std::optional<std::string> text;  // without secrets; set if contents are stored
};

// A row: a render of a cluster, or the removal of a cluster from the branch. A removal has no values, digest and files;
// its template set is that of the last render, if known.
struct ClusterRender {
  std::string id;           // of the row: 16 hexadecimal digits, the same for the same cluster, commit and branch
  std::int64_t number = 1;  // among the rows of its cluster, remote and branch; the newest has the highest
  std::string cluster, values_path, template_set, template_set_version;
  std::string input_digest;  // of values without secrets, and of the template set; SHA-256 in hexadecimal
  std::string values;        // the values that templates saw, as JSON, without secrets
  Publication publication;
  std::vector<RecordedFile> files;  // by path

  bool is_removal() const { return values_path.empty(); }
};

// A cluster whose files were removed from the branch.
struct GoneCluster {
  std::string name;
  std::string template_set, template_set_version;  // of its last render; empty: unknown
};

// `compiled` must not have errors.
ClusterRender record_of(const CompiledCluster& compiled, const Publication& publication, bool keeps_text);
ClusterRender removal_of(const GoneCluster& gone, const Publication& publication);

// The form of `files` in a row.
std::string files_json(const std::vector<RecordedFile>& files);
// Empty if it isn't output of files_json().
std::optional<std::vector<RecordedFile>> read_files(const std::string& json);

// Without values and files.
nlohmann::ordered_json row_json(const ClusterRender& render);
nlohmann::ordered_json whole_row_json(const ClusterRender& render);

}  // namespace capwright::audit
