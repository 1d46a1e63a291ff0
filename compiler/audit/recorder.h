// From a publication to rows: the one call that whoever publishes has to make.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "audit/record.h"

namespace capwright::audit {

// Where rows are kept, and whether with the texts of files.
struct Place {
  std::string database;  // as database::connect() takes it; the folder of a file exists
  bool keeps_text = false;
};

// What a publication was of.
struct Fleet {
  std::span<const CompiledCluster* const> clusters;
  std::span<const GoneCluster> gone = {};
};

// Adds a row for each of the clusters whose render is another one than that of its newest row of this remote and
// branch, and for each that is gone, if its newest row doesn't say so; so calling it again adds nothing. All or none of
// them are kept. How many were; nothing: it failed, and `why` says it.
std::optional<std::size_t> record(const Place& place, const Publication& publication, const Fleet& fleet,
                                  std::string& why);

}  // namespace capwright::audit
