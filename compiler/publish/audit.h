// What is known of a publication when it is done, for whoever keeps records of it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "git/repository.h"
#include "pipeline/compile_cluster.h"

namespace capwright::publish {

struct RenderedCluster {
  const CompiledCluster* compiled = nullptr;  // values, stamp, files and digests; never null
  bool changed = false;                       // the commit has other files of it than its parent
};

// A cluster whose folder leaves the branch with a publication.
struct GoneCluster {
  std::string name;
  std::string template_set, template_set_version;  // of its last render; empty: its index doesn't say
};

struct Publication {
  git::ObjectId source;  // the commit that was rendered
  git::ObjectId commit;  // what was pushed; `source` itself when the render changed nothing
  std::string remote;    // its URL, as it may be shown
  std::string branch;    // "main"; the one that was pushed to
  git::Identity who;
  std::string host;
  std::int64_t when = 0;  // seconds since 1970 in UTC
  std::string tool_version;
  // As long as record() runs, both by name.
  const std::vector<RenderedCluster>* clusters = nullptr;  // all of the fleet
  const std::vector<GoneCluster>* gone = nullptr;
};

class Audit {
 public:
  virtual ~Audit() = default;
  // Called after the push, and again by the next run when this one was cut off or answered false: what is recorded
  // already (the same commit) is not recorded twice. False: it could not be kept, the Sink says why.
  virtual bool record(const Publication&, Sink&) = 0;
};

}  // namespace capwright::publish
