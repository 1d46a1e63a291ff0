// What is kept of one cluster's render that was published. No text in here has a byte of a secret, and no digest covers
// one: who knows how to guess could check a guess against it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/compile_cluster.h"

namespace capwright::audit {

// One publication: what was rendered, where it went, who did it.
struct Publication {
  std::string source;  // the commit that was rendered
  std::string commit;  // the one that was pushed
  std::string remote;  // its URL, as it may be shown
  std::string branch;
  std::string who, host;
  std::int64_t when = 0;  // seconds since 1970 in UTC
  std::string tool_version;
};

struct RecordedFile {
  std::string path;                 // `clusters/prod/cluster.yaml`
  std::uint64_t size = 0;           // bytes; 0 of one that has a secret
  std::string digest;               // SHA-256 in hexadecimal; empty: it has a secret
  std::optional<std::string> text;  // without secrets; if contents are kept
};

// A row: a render of a cluster, or that the cluster has left the branch. Such a removal has no values, digest and
// files; its template set is that of the last render, as far as that is known.
struct ClusterRender {
  std::string id;           // of the row: 16 hexadecimal digits, the same for the same cluster, commit and branch
  std::int64_t number = 1;  // among the rows of its cluster, remote and branch; the newest has the greatest
  std::string cluster, values_path, template_set, template_set_version;
  std::string input_digest;  // of values without secrets, and of the template set; SHA-256 in hexadecimal
  std::string values;        // as templates saw them, in JSON, without secrets
  Publication publication;
  std::vector<RecordedFile> files;  // by path

  bool is_removal() const { return values_path.empty(); }
};

// A cluster whose files have left the branch.
struct GoneCluster {
  std::string name;
  std::string template_set, template_set_version;  // of its last render; empty: not known
};

// `compiled` has no errors.
ClusterRender record_of(const CompiledCluster& compiled, const Publication& publication, bool keeps_text);
ClusterRender removal_of(const GoneCluster& gone, const Publication& publication);

// `files` as a row has them.
std::string files_json(const std::vector<RecordedFile>& files);
// Nothing: it isn't what files_json() writes.
std::optional<std::vector<RecordedFile>> read_files(const std::string& json);

}  // namespace capwright::audit
