// The journal's text, one path per line, and its steps, each of which may already be done.
#include "files/journal.h"

#include <cerrno>

#include "files/below.h"
#include "files/index.h"
#include "files/path_rules.h"

namespace capwright {
namespace {

constexpr std::string_view kHeader = "capwright journal 1\n";
constexpr std::string_view kUnfinishedName = ".capwright-journal-new";
constexpr std::uint64_t kLargestJournal = 16u << 20;  // bytes

IoError move_file(FileSystem& fs, const Dir& staged, const Dir& cluster, std::string_view path) {
  const auto [folder, name] = split_path(path);
  Dir parent;
  if (const IoError error = open_made_folder(fs, cluster, folder, parent)) return error;
  const IoError error = fs.rename(staged / path, parent / name);
  return is_done_before(error) ? IoError{} : error;
}

std::optional<Journal> parse(std::string_view text) {
  if (!text.starts_with(kHeader)) return std::nullopt;
  Journal journal;
  std::string_view rest = text.substr(kHeader.size());
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    const bool listed = end != std::string_view::npos && (line.starts_with("- ") || line.starts_with("+ "));
    // The journal may be hostile: paths that capwright wouldn't write are rejected.
    if (!listed || (find_path_fault(line.substr(2), "") && line.substr(2) != kIndexName)) return std::nullopt;
    (line.front() == '-' ? journal.remove : journal.move).emplace_back(line.substr(2));
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

}  // namespace

IoError write_journal(FileSystem& fs, const Dir& staged, const Journal& journal) {
  std::string text(kHeader);
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

IoError apply_journal(FileSystem& fs, const Dir& staged, PathAt cluster, const Journal& journal) {
  if (const IoError error = fs.make_dir(cluster, kDirectoryMode); error && error.code != EEXIST) return error;
  Dir directory;
  if (const IoError error = directory.open(fs, cluster)) return error;
  // Both indexes are in place until the last move: if one of them is missing, the steps for its files are done.
  Index present, wanted;
  if (const IoError error = read_index_in(fs, directory, present)) return error;
  if (const IoError error = read_index_in(fs, staged, wanted)) return error;
  for (const std::string& path : journal.remove) {
    if (present.find(path) == nullptr) continue;
    if (const IoError error = remove_file(fs, directory, path)) return error;
    remove_empty_folders(fs, directory, split_path(path).first);
  }
  for (const std::string& path : journal.move) {
    if (path != kIndexName && wanted.find(path) == nullptr) continue;
    if (const IoError error = move_file(fs, staged, directory, path)) return error;
  }
  return fs.remove(staged / kJournalName);
}

}  // namespace capwright
