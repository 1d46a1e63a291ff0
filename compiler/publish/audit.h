// The data of a completed publication, for audit records.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "git/repository.h"
#include "pipeline/cluster.h"

namespace capwright::publish {

struct RenderedCluster {
  const CompiledCluster* compiled = nullptr;  // values, stamp, files and digests; never null
  bool changed = false;                       // the commit changes its files compared with the parent
};

// A cluster whose folder a publication removes from the branch.
struct GoneCluster {
  std::string name;
  std::string template_set, template_set_version;  // of its last render; empty: not in its index
};

struct Publication {
  git::ObjectId source;  // the rendered commit
  git::ObjectId commit;  // the pushed commit; `source` itself when the render changed nothing
  std::string remote;    // its redacted URL
  std::string branch;    // "main": the branch that was pushed to
  git::Identity who;
  std::string host;
  std::int64_t when = 0;  // seconds since 1970 in UTC
  std::string tool_version;
  // Valid while record() runs; both sorted by name.
  const std::vector<RenderedCluster>* clusters = nullptr;  // the complete fleet
  const std::vector<GoneCluster>* gone = nullptr;
  bool is_pushed = true;  // false: the branch had the commit before
};

class Audit {
 public:
  virtual ~Audit() = default;
  // Called after the push, and again by the next run if this one was interrupted or returned false: must not record the
  // same commit twice. Returns false after reporting an error to the Sink.
  virtual bool record(const Publication&, Sink&) = 0;
};

}  // namespace capwright::publish
