// A rendered file as runs of text, each with its syntax and its origin: the page only sets colors.
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "lint/model/cluster.h"
#include "pipeline/cluster.h"

namespace capwright::preview {

// Lines of runs: [[begin, class, text], …], with `begin` in bytes of the line. The class has a letter for the syntax,
//   k key, s string, n number, l true, false or null, c comment, m the rest of a long line, . other text
// and one for the origin of the bytes,
//   v a value, d a schema's default, t the template, x a secret, which is replaced.
nlohmann::ordered_json highlighted(const RenderedFile& file, const CompiledCluster& compiled,
                                   const lint::Cluster& objects);

// Whether any of the bytes [begin, end) is shown as a secret.
bool hides_bytes(const RenderedFile& file, const CompiledCluster& compiled, const lint::Cluster& objects,
                 std::size_t begin, std::size_t end);

}  // namespace capwright::preview
