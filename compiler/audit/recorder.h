// From a publication to rows: the one call that whoever publishes has to make.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "audit/record.h"

namespace capwright::audit {

// Where rows are kept, and whether with the texts of files.
struct Place {
  std::string database;  // as database::connect() takes it; the folder of a file exists
  bool keeps_text = false;
};

// Adds a row for each of the clusters whose render is another one than that of its newest row of this remote and
// branch; so calling it again adds nothing. All or none of them are kept. How many were; nothing: it failed, and `why`
// says it.
std::optional<std::size_t> record(const Place& place, const Publication& publication,
                                  const std::vector<const CompiledCluster*>& clusters, std::string& why);

}  // namespace capwright::audit
