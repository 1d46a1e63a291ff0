// What a cluster was rendered from, as the ownership index records it.
#pragma once
#include "pipeline/compile_cluster.h"

namespace capwright {

// The digest covers path and text of every source the cluster read (layers, templates, schemas, vendored files) and
// nothing of the machine. Secret values are left out: a digest of a guessable secret would give it away.
RenderStamp make_stamp(const CompiledCluster&);

// Path and text of every file of `sources` but for the bytes of `secrets`, in an order of its own.
Sha256 digest_sources(const SourceSet& sources, std::vector<Span> secrets);

}  // namespace capwright
