// The ownership index `clusters/<name>/.capwright-index`: the rendered files of the directory with their digests, and
// their inputs. Only files in the index are ever changed or deleted.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha.h"
#include "files/file_set.h"

namespace capwright {

inline constexpr std::string_view kIndexName = ".capwright-index";
// An index is written in the oldest format that can represent it; all are read.
inline constexpr int kPlainIndexFormat = 1;
inline constexpr int kRotatedIndexFormat = 2;  // with rotated names
inline constexpr int kIndexFormat = 3;         // with files outside of the cluster's directory

// The tool and the inputs of a cluster's files.
struct RenderStamp {
  std::string tool_version;
  std::string template_set;          // its id; empty for a plain template folder
  std::string template_set_version;  // may be empty
  Sha256 input_digest{};             // of everything that the render read; once sealed, also of its files

  bool same_templates(const RenderStamp& other) const {
    return template_set == other.template_set && template_set_version == other.template_set_version;
  }
  // Equal except for the tool's version: a newer tool that renders the same bytes doesn't change the tree.
  bool same_inputs(const RenderStamp& other) const {
    return same_templates(other) && input_digest == other.input_digest;
  }
};

struct IndexedFile {
  std::string path;  // as FileSet::path_in_cluster() returns it
  std::uint64_t size = 0;
  Sha256 digest{};
  bool secret = false;

  friend bool operator==(const IndexedFile&, const IndexedFile&) = default;
};

struct Index {
  RenderStamp stamp;
  Rotation rotation;
  std::vector<IndexedFile> files;  // sorted by path

  const IndexedFile* find(std::string_view path_in_cluster) const;
};

Index make_index(const FileSet& files, const RenderStamp& stamp);

// The stamp for an index: its digest also covers the files, so that an index whose list was changed by hand, or by a
// merge, doesn't match these inputs. `silent`: the render had no findings.
RenderStamp sealed(RenderStamp inputs, const FileSet& files, bool silent);

// Whether a silent render of `inputs` by the same tool wrote `index`.
bool comes_from(const Index& index, const RenderStamp& inputs);

// JSON, one file per line, deterministic.
std::string index_text(const Index& index);

// Parses the output of index_text(), with any white space and any order of keys. Any other text, including a path that
// violates the rules, gives an empty result and the reason in `why` ("line 7: `size` is missing").
std::optional<Index> read_index(std::string_view text, std::string& why);

}  // namespace capwright
