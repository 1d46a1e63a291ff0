// Compares a cluster's files on disk with the render: the basis for write_cluster() and check_cluster().
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "files/index.h"
#include "files/output_tree.h"

namespace capwright {

enum class DiskState : std::uint8_t {
  Same,      // the rendered bytes
  Missing,   // no readable file: it doesn't exist, or a directory or link has its name
  Rendered,  // other bytes, but those in an index, or a merge of such: ours
  Edited,    // other bytes than in the index
  Foreign,   // other bytes, and not in the index
  Barred,    // in the index, but outside of the cluster's directory where it may not have files now: never touched
};

// A file that is rendered, or that the index lists as rendered.
struct ComparedFile {
  std::string path;                        // as FileSet::path_in_cluster() returns it
  const RenderedFile* rendered = nullptr;  // null: not rendered any more
  DiskState state = DiskState::Missing;
  bool secret = false;  // the old or the new bytes contain one
};

struct DirectoryComparison {
  bool failed = false;          // a file system error, already reported
  Dir directory;                // of the cluster; not open: it doesn't exist yet
  const Dir* output = nullptr;  // the output folder; null: it doesn't exist yet
  std::string wanted_index;     // the text to write
  Index known;                  // as found; empty if it can't be read
  std::vector<Index> others;    // of other renders that files may come from; read only if needed
  bool index_exists = false;
  std::string index_fault;          // why it can't be read, if no other source lists the files
  bool index_current = false;       // it already lists these files and inputs
  bool index_tells_files = false;   // it lists these files by this template set, possibly from other inputs
  std::vector<ComparedFile> files;  // sorted by path

  // Whether nothing needs to be done.
  bool up_to_date() const;
  // Whether the folder that file_at() starts from exists.
  bool has_folder_of(std::string_view path) const { return is_outside(path) ? output != nullptr : directory.is_open(); }
  // Where a file of the cluster is. A view into `path`.
  PathAt file_at(std::string_view path) const { return is_outside(path) ? *output / path.substr(1) : directory / path; }
};

// Whether capwright makes the file, and no template marks it: removal entries and earlier templates.
bool is_of_program(const RenderedFile&);

DirectoryComparison compare_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp, Sink& sink);

// Reports what is in the place of rendered files outside of the cluster's directory, or of folders above them.
void report_obstacles(const OutputTree& tree, const DirectoryComparison& comparison, Sink& sink);

// The foreign files in a cluster's directory: they must be kept when the directory is replaced, and must not be in the
// place of a rendered file.

struct Survey {
  bool failed = false;                     // reported: a file system error, or a foreign file in the way
  std::vector<std::string> files;          // foreign files, links and so on; from the cluster's directory, sorted
  std::vector<std::string> empty_folders;  // foreign ones
};

// Walks the whole directory of `comparison`, which is open. Reports errors with paths below `shown` ("clusters/a/").
Survey survey_cluster(FileSystem& fs, const DirectoryComparison& comparison, const std::string& shown, Sink& sink);

}  // namespace capwright
