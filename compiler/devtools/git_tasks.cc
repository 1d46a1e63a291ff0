// The tasks of `capwright-dev git`, one function each; their output can be compared with that of `git`.
#include <fmt/format.h>
#include <map>

#include "devtools/tasks.h"
#include "git/repository.h"
#include "report/finding.h"
#include "source/real_fs.h"

namespace capwright::devtools {
namespace {

constexpr std::uint64_t kMostFileBytes = 1 << 20;  // of a file

// The environment of a task; `argument(n)` counts from the first one after the task's name.
struct GitTask {
  const std::vector<std::string>& arguments;
  git::Repository& repository;
  cli::Console& console;
  Sink sink;

  std::string argument(std::size_t n) const { return n + 1 < arguments.size() ? arguments[n + 1] : ""; }
};

void show_head(GitTask& task) {
  const std::optional<git::Head> head = task.repository.head(task.sink);
  const std::optional<git::Identity> who = task.repository.identity(task.sink);
  if (!head || !who) return;
  task.console.print(fmt::format("root {}\nprivate {}\nshared {}\nbranch {}\ncommit {}\nidentity {} <{}>\n",
                                 task.repository.root(), task.repository.private_folder(),
                                 task.repository.shared_folder(), head->branch(),
                                 head->commit ? hex(*head->commit) : "", who->name, who->email));
}

void show_commit(GitTask& task) {
  if (const auto commit = task.repository.commit(task.argument(0), task.sink)) task.console.print(hex(*commit) + "\n");
}

void show_remote(GitTask& task) {
  if (const auto url = task.repository.remote_url(task.argument(0), task.sink)) task.console.print(*url + "\n");
}

// The mode in the format of `git ls-tree -r`.
std::string_view mode_of(const FileStat& stat) {
  switch (stat.type) {
    case FileType::Symlink: return "120000";
    case FileType::Other: return "160000";
    default: return (stat.mode & 0100) != 0 ? "100755" : "100644";
  }
}

// All files below an open folder, in the order of a walk.
void print_below(GitTask& task, git::CommitFiles& files, DirId folder, const std::string& path) {
  std::vector<DirEntry> entries;
  const PathAt here(folder, path.empty() ? "." : std::string_view(path));
  if (const IoError error = files.list(here, entries)) {
    task.console.fail(path + ": " + describe(error));
    return;
  }
  for (const DirEntry& entry : entries) {
    const std::string below = path.empty() ? entry.name : path + "/" + entry.name;
    FileStat stat;
    git::ObjectId id;
    if (entry.type == FileType::Directory) print_below(task, files, folder, below);
    else if (files.stat({folder, below}, stat) || files.object_id({folder, below}, id)) task.console.fail(below);
    else task.console.print(fmt::format("{} {}\t{}\n", mode_of(stat), hex(id), below));
  }
}

// `files REVISION [FOLDER]`
void show_files(GitTask& task) {
  const auto commit = task.repository.commit(task.argument(0), task.sink);
  const auto files = commit ? task.repository.files(*commit, task.argument(1), task.sink) : nullptr;
  if (files == nullptr) return;
  Dir top;
  if (const IoError error = top.open(*files, ".")) {
    task.console.fail(describe(error));
    return;
  }
  print_below(task, *files, top.id(), "");
}

// `read REVISION PATH [FOLDER]`
void show_file(GitTask& task) {
  const auto commit = task.repository.commit(task.argument(0), task.sink);
  const auto files = commit ? task.repository.files(*commit, task.argument(2), task.sink) : nullptr;
  if (files == nullptr) return;
  std::string bytes;
  if (const IoError error = files->read(task.argument(1), bytes, kMostFileBytes)) task.console.fail(describe(error));
  else task.console.print(bytes);
}

// `changes REVISION [REVISION]`: to the files on disk without the second.
void show_changes(GitTask& task) {
  const auto before = task.repository.commit(task.argument(0), task.sink);
  if (!before) return;
  std::optional<std::vector<git::PathChange>> changes;
  if (task.argument(1).empty()) {
    changes = task.repository.changes_on_disk(*before, task.sink);
  } else if (const auto after = task.repository.commit(task.argument(1), task.sink)) {
    changes = task.repository.changes(*before, *after, task.sink);
  }
  if (!changes) return;
  constexpr std::string_view kLetters = "ADM";
  for (const git::PathChange& change : *changes)
    task.console.print(fmt::format("{}\t{}\n", kLetters[static_cast<std::size_t>(change.kind)], change.path));
}

void read_below(GitTask& task, FileSystem& fs, const std::string& path,
                std::vector<std::pair<std::string, std::string>>& read) {
  std::vector<DirEntry> entries;
  if (const IoError error = fs.list(path, entries)) {
    task.console.fail(path + ": " + describe(error));
    return;
  }
  for (const DirEntry& entry : entries) {
    const std::string below = path + "/" + entry.name;
    if (entry.type == FileType::Directory) read_below(task, fs, below, read);
    else if (const IoError error = fs.read(below, read.emplace_back(below, "").second, kMostFileBytes))
      task.console.fail(below + ": " + describe(error));
  }
}

// `commit FOLDER`: HEAD, with the folder as it is on disk. No branch refers to it.
void make_commit(GitTask& task) {
  const std::optional<git::Head> head = task.repository.head(task.sink);
  if (!head) return;
  RealFs fs;
  std::vector<std::pair<std::string, std::string>> files;
  read_below(task, fs, task.argument(0), files);
  git::CommitRequest request;
  request.parent = head->commit;
  for (const auto& [path, bytes] : files) request.changes.push_back({path, bytes});
  request.message = "Files of a folder\n";
  request.author = request.committer = {{"Test Author", "author@example.com"}, 0, 0};
  if (const auto commit = task.repository.make_commit(request, task.sink)) task.console.print(hex(*commit) + "\n");
}

const std::map<std::string_view, void (*)(GitTask&)>& tasks() {
  static const std::map<std::string_view, void (*)(GitTask&)> all{
      {"changes", show_changes}, {"commit", make_commit}, {"commit-id", show_commit}, {"files", show_files},
      {"head", show_head},       {"read", show_file},     {"remote", show_remote},
  };
  return all;
}

}  // namespace

int run_git_task(const std::vector<std::string>& arguments, cli::Console& console) {
  const auto task = tasks().find(arguments.empty() ? "" : arguments[0]);
  if (task == tasks().end()) {
    console.fail(
        "`git` knows changes A [B], commit DIR, commit-id REV, files REV [DIR], head, read REV PATH [DIR], remote "
        "NAME");
    return cli::kUsageError;
  }
  Sink opening;
  const SourceSet none;
  report::Findings findings;
  const auto repository = git::open_repository(".", opening);
  findings.add(opening.diagnostics(), none, {}, "");
  std::vector<Diagnostic> faults;
  if (repository != nullptr) {
    GitTask context{arguments, *repository, console, {}};
    task->second(context);
    faults = std::move(context.sink.diagnostics());
  }
  findings.add(faults, none, {}, "");
  console.show(findings, true);
  return console.flush() ? cli::exit_code(findings) : cli::kUsageError;
}

}  // namespace capwright::devtools
