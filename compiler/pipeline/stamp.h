// What a cluster was rendered from, as the ownership index records it.
#pragma once
#include "pipeline/compile_cluster.h"

namespace capwright {

// To be called when the values are known, before anything else adds sources. The digest covers path and text of every
// source the cluster read (layers in their order, templates, schemas, vendored files), what the configuration says
// about rotation and tombstones, and nothing of the machine. Secret values are left out: a digest of a guessable secret
// would give it away.
RenderStamp make_stamp(const CompiledCluster&, const Config&);

// Path and text of every file of `sources`, in their order, but for the bytes of `secrets`.
Sha256 digest_sources(const SourceSet& sources, std::vector<Span> secrets);

}  // namespace capwright
