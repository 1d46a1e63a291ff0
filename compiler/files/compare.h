// What the directory of a cluster on disk holds, seen from what was rendered: the ground on which write_cluster()
// decides and check_cluster() reports.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "files/index.h"
#include "files/write.h"

namespace capwright {

enum class DiskState : std::uint8_t {
  Same,      // the rendered bytes
  Missing,   // no file that can be read: nothing, or a folder or link is in the way
  Rendered,  // other bytes, the ones that an index tells, or a merge made of such: ours
  Edited,    // other bytes than the index tells
  Foreign,   // other bytes, and not in the index
};

// A file that is rendered, or that the index says was rendered.
struct ComparedFile {
  std::string_view path;                   // from the cluster's directory
  const RenderedFile* rendered = nullptr;  // null: is rendered no more
  DiskState state = DiskState::Missing;
  bool secret = false;  // the old or the new bytes are
};

struct Comparison {
  bool failed = false;        // the file system refused; reported
  Dir directory;              // of the cluster; not open: there is none yet
  std::string wanted_index;   // the text to be written
  Index known;                // as found; empty when there is none that can be read
  std::vector<Index> others;  // of other renders that files may be from; asked for only where it matters
  bool index_exists = false;
  std::string index_fault;          // why it can't be read, if nothing else says whose files these are
  bool index_current = false;       // it tells of these files and inputs already
  bool index_tells_files = false;   // of these files by this template set, if from other inputs
  std::vector<ComparedFile> files;  // sorted by path

  // Nothing is to be done.
  bool up_to_date() const;
};

Comparison compare_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp, Sink& sink);

}  // namespace capwright
