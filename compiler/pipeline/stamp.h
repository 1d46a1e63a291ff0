// The inputs of a cluster's render, as the ownership index records them.
#pragma once
#include <vector>

#include "base/sha.h"
#include "files/index.h"
#include "pipeline/config.h"
#include "pipeline/template_set.h"
#include "source/source.h"

namespace capwright {

// Call it when the values are known, before other steps add sources. The digest covers path and text of every source
// that the cluster read (layers in order, templates, schemas, vendored files) and the configuration of rotation,
// patches, resources and tombstones, but nothing of the machine. It excludes secret values: a digest could be used to
// verify guesses.
RenderStamp make_stamp(const SourceSet& sources, const std::vector<Span>& secrets, const TemplateSet&, const Config&);

// Path and text of every file of `sources`, in order, without the bytes of `secrets`.
Sha256 digest_sources(const SourceSet& sources, std::vector<Span> secrets);

}  // namespace capwright
