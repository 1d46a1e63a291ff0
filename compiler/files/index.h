// The ownership index `clusters/<name>/.capwright-index`: which files of the directory are rendered, with their
// digests, and what they were rendered from. Only files that it names are ever changed or deleted.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "files/file_set.h"

namespace capwright {

inline constexpr std::string_view kIndexName = ".capwright-index";
// An index is written in the oldest format that can say it; both are read.
inline constexpr int kPlainIndexFormat = 1;
inline constexpr int kIndexFormat = 2;  // with rotated names

// What a cluster's files were made by and from.
struct RenderStamp {
  std::string tool_version;
  std::string template_set;          // its id; empty for a plain template folder
  std::string template_set_version;  // may be empty
  Sha256 input_digest{};             // of everything that the render read; once sealed, of what came of it too

  bool same_templates(const RenderStamp& other) const {
    return template_set == other.template_set && template_set_version == other.template_set_version;
  }
  // Equal but for the tool's version: a newer tool that renders the same bytes leaves the tree alone.
  bool same_inputs(const RenderStamp& other) const {
    return same_templates(other) && input_digest == other.input_digest;
  }
};

struct IndexedFile {
  std::string path;  // from the cluster's directory
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

// The stamp as an index has it: its digest covers the files too, so that an index whose list was changed by hand, or by
// a merge, is not taken for what these inputs give. `silent`: the render had nothing to say.
RenderStamp sealed(RenderStamp inputs, const FileSet& files, bool silent);

// Whether `index` is what a silent render of `inputs` by the same tool wrote.
bool comes_from(const Index& index, const RenderStamp& inputs);

// JSON, one file a line, the same bytes for the same index.
std::string index_text(const Index& index);

// Reads what index_text() writes, however it is spaced and whatever order its keys have. Anything else, a path that
// breaks the rules included, gives nothing and says `why` ("line 7: `size` is missing").
std::optional<Index> read_index(std::string_view text, std::string& why);

}  // namespace capwright
