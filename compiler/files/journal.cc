// The journal's text, one path per line, and its steps, each of which may already be done.
#include "files/journal.h"

#include <cerrno>

#include "files/below.h"
#include "files/index.h"
#include "files/output_tree.h"
#include "files/path_rules.h"
#include "source/file_batch.h"

namespace capwright {
namespace {

constexpr std::string_view kHeader = "capwright journal 1\n";
constexpr std::string_view kUnfinishedName = ".capwright-journal-new";
constexpr std::uint64_t kLargestJournal = 16u << 20;   // bytes
constexpr std::uint64_t kLargestLeftOver = 16u << 20;  // bytes; the maximum of a render (Limits::output_bytes)
constexpr std::string_view kStagedOutputs = ".capwright-outputs";

// Of a folder on another file system, to which no file can be renamed. The file still changes in one step.
IoError copy_file(FileSystem& fs, PathAt staged, PathAt target) {
  FileStat stat;
  std::string bytes;
  if (const IoError error = fs.stat(staged, stat)) return error;
  if (const IoError error = fs.read(staged, bytes, stat.size)) return error;
  if (const IoError error = create_beside(fs, target, bytes, stat.mode)) return error;
  const std::string beside = path_beside(target.path);
  if (const IoError error = fs.rename(PathAt(target.dir, beside), target)) return error;
  return fs.remove(staged);
}

IoError move_file(FileSystem& fs, PathAt staged, const Dir& directory, std::string_view path) {
  const auto [folder, name] = split_path(path);
  Dir parent;
  if (const IoError error = open_made_folder(fs, directory, folder, parent)) return error;
  IoError error = fs.rename(staged, parent / name);
  if (error.code == EXDEV) error = copy_file(fs, staged, parent / name);
  return is_done_before(error) ? IoError{} : error;
}

// A directory of the cluster's files, and a path in it.
struct FilePlace {
  const Dir* directory = nullptr;  // null: the file must not be touched
  std::string_view path;
};

// The journal may be hostile: paths that capwright wouldn't write are rejected.
bool is_valid_path(std::string_view path) {
  return path == kIndexName || !find_path_fault(path.substr(is_outside(path) ? 1 : 0), "");
}

// Adds the step of a line; false if there is none.
bool parse_step(std::string_view line, Journal& journal) {
  if (line.size() < 2 || line[1] != ' ') return false;
  const std::string_view step = line.substr(2), path = step.substr(step.rfind(' ') + 1);
  if (!is_valid_path(path)) return false;
  const std::string_view digest = step.substr(0, step.size() - path.size());
  switch (line.front()) {
    case '=': journal.left_over.push_back({std::string(digest.substr(0, digest.find(' '))), std::string(path)}); break;
    case '-': journal.remove.emplace_back(path); break;
    case '+': journal.move.emplace_back(path); break;
    default: return false;
  }
  return (line.front() == '=') == !digest.empty();
}

std::optional<Journal> parse(std::string_view text) {
  if (!text.starts_with(kHeader)) return std::nullopt;
  Journal journal;
  std::string_view rest = text.substr(kHeader.size());
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos || !parse_step(rest.substr(0, end), journal)) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
  return journal;
}

bool is_no_file(IoError error) { return error.code == EISDIR || error.code == ELOOP || error.code == ENXIO; }

// The index in a directory; empty if there is no valid one.
IoError read_index_in(FileSystem& fs, const Dir& directory, Index& index) {
  std::string text, why;
  const IoError error = fs.read(directory / kIndexName, text, kLargestJournal);
  if (error) return is_done_before(error) || is_no_file(error) ? IoError{} : error;
  index = read_index(text, why).value_or(Index{});
  return {};
}

// Carries out the steps of a journal for one cluster.
class JournalSteps {
 public:
  JournalSteps(const OutputTree& tree, const Dir& staged, const std::string& cluster, const Dir& directory)
      : tree_(tree), staged_(staged), cluster_(cluster), directory_(directory) {}

  IoError remove(const std::string& path) const {
    const FilePlace place = place_of(path);
    if (place.directory == nullptr) return {};
    if (const IoError error = remove_file(tree_.fs(), *place.directory, place.path)) return error;
    remove_empty_folders(tree_.fs(), *place.directory, split_path(place.path).first);
    return {};
  }

  IoError remove_left_over(const Journal::LeftOver& file) const {
    const FilePlace place = place_of(file.path);
    std::string bytes;
    if (place.directory == nullptr) return {};
    const IoError error = tree_.fs().read(*place.directory / place.path, bytes, kLargestLeftOver);
    if (is_done_before(error) || is_no_file(error) || error.code == EFBIG) return {};
    if (error) return error;
    return to_hex(sha256(bytes)) == file.digest ? remove(file.path) : IoError{};
  }

  IoError move(const std::string& path) const {
    const FilePlace place = place_of(path);
    if (place.directory == nullptr) return {};
    const std::string staged = staged_path(path);
    return move_file(tree_.fs(), staged_ / staged, *place.directory, place.path);
  }

 private:
  FilePlace place_of(std::string_view path) const {
    if (!is_outside(path)) return {&directory_, path};
    const bool is_allowed = tree_.outputs().allow(cluster_, path.substr(1));
    return {is_allowed ? tree_.folder() : nullptr, path.substr(1)};
  }

  const OutputTree& tree_;
  const Dir& staged_;
  const std::string& cluster_;
  const Dir& directory_;
};

}  // namespace

std::string staged_path(std::string_view path_in_cluster) {
  return std::string(is_outside(path_in_cluster) ? kStagedOutputs : "").append(path_in_cluster);
}

IoError write_journal(FileSystem& fs, const Dir& staged, const Journal& journal) {
  std::string text(kHeader);
  for (const Journal::LeftOver& file : journal.left_over)
    text.append("= ").append(file.digest).append(" ").append(file.path).append("\n");
  for (const std::string& path : journal.remove) text.append("- ").append(path).append("\n");
  for (const std::string& path : journal.move) text.append("+ ").append(path).append("\n");
  // It contains only paths, so every user who may write the tree can finish it.
  if (const IoError error = fs.create(staged / kUnfinishedName, text, kFileMode)) return error;
  return fs.rename(staged / kUnfinishedName, staged / kJournalName);
}

IoError read_journal(FileSystem& fs, const Dir& staged, std::optional<Journal>& found) {
  std::string text;
  const IoError error = fs.read(staged / kJournalName, text, kLargestJournal);
  const bool none = error.code == ENOENT || is_no_file(error) || error.code == EFBIG;
  if (!error) found = parse(text);
  return none ? IoError{} : error;
}

IoError apply_journal(const OutputTree& tree, const Dir& staged, const std::string& cluster, const Journal& journal) {
  FileSystem& fs = tree.fs();
  const auto lock = tree.lock_moves();
  const PathAt folder = tree.clusters() / cluster;
  if (const IoError error = fs.make_dir(folder, kDirectoryMode); error && error.code != EEXIST) return error;
  Dir directory;
  if (const IoError error = directory.open(fs, folder)) return error;
  // Both indexes are in place until the last move: if one of them is missing, the steps for its files are done.
  Index present, wanted;
  if (const IoError error = read_index_in(fs, directory, present)) return error;
  if (const IoError error = read_index_in(fs, staged, wanted)) return error;
  const JournalSteps steps(tree, staged, cluster, directory);
  for (const Journal::LeftOver& file : journal.left_over) {
    if (const IoError error = steps.remove_left_over(file)) return error;
  }
  for (const std::string& path : journal.remove) {
    if (present.find(path) == nullptr) continue;
    if (const IoError error = steps.remove(path)) return error;
  }
  for (const std::string& path : journal.move) {
    if (path != kIndexName && wanted.find(path) == nullptr) continue;
    if (const IoError error = steps.move(path)) return error;
  }
  return fs.remove(staged / kJournalName);
}

}  // namespace capwright
