// The parsed rendered files of a cluster, before names are changed in them.
#pragma once
#include <cstddef>
#include <vector>

#include "base/arena.h"
#include "value/provenance.h"
#include "yaml/read.h"

namespace capwright::rotation {

struct ReadFile {
  std::size_t number = 0;  // in FileSet::files()
  FileId text = FileId::None;
  std::vector<YamlDocument> documents;
};

// The values live in `arena`; their places, in `origins`, are byte ranges of ReadFile::text.
struct ReadManifests {
  Arena arena;
  OriginTable origins;
  std::vector<ReadFile> files;

  Span span(const Value& value) const { return origins[value.origin()].span; }
};

}  // namespace capwright::rotation
