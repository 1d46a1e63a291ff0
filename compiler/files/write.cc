// Writes one cluster: decide, stage, swap. Nothing is visible to others before the last step. Files outside of the
// cluster's directory can't be swapped with it, so a journal moves them.
#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"
#include "diag/catalog/tree.h"
#include "files/compare_directory.h"
#include "files/journal.h"
#include "files/output_tree.h"
#include "text/kubectl.h"

namespace capwright {
namespace {

constexpr std::uint64_t kLargestShown = 16u << 20;  // bytes of a file that is searched for conflicts

class ClusterWriter {
 public:
  ClusterWriter(OutputTree& tree, const FileSet& files, DirectoryComparison comparison, Sink& sink)
      : tree_(tree), fs_(tree.fs()), files_(files), comparison_(std::move(comparison)), sink_(sink) {}

  WriteResult write(WriteOptions options) {
    list_work();
    if (!may_change(options)) return finish(WriteResult::Outcome::Refused);
    stage_ = tree_.stage(sink_);
    const bool done = stage_ != nullptr && stage_all() && swap();
    if (made_) clean_up(done);
    return finish(done ? WriteResult::Outcome::Written : WriteResult::Outcome::Failed);
  }

 private:
  bool fail(IoTask task, std::string_view path, IoError error) {
    const std::string below = path.empty() ? "clusters/" + files_.cluster() : path_in_output(files_.cluster(), path);
    report_io_fault(sink_, task, tree_.shown_path(below), error);
    return false;
  }

  WriteResult finish(WriteResult::Outcome outcome) {
    result_.outcome = outcome;
    return std::move(result_);
  }

  static bool is_written(const ComparedFile& file) { return file.rendered != nullptr && file.state != DiskState::Same; }
  static bool is_deleted(const ComparedFile& file) {
    return file.rendered == nullptr && file.state != DiskState::Missing && file.state != DiskState::Barred;
  }

  void list_work() {
    for (const ComparedFile& file : comparison_.files) {
      const bool is_new = is_written(file);
      if (!is_new && !is_deleted(file)) continue;
      (is_new ? result_.written : result_.deleted).push_back(path_in_output(files_.cluster(), file.path));
      in_place_ = in_place_ || is_outside(file.path);
    }
    std::sort(result_.written.begin(), result_.written.end());
    std::sort(result_.deleted.begin(), result_.deleted.end());
  }

  // Whether all files to change or delete are ours, and nothing else is in the way.
  bool may_change(WriteOptions options) {
    const std::size_t before = sink_.error_count();
    const std::string shown = tree_.shown_path(files_.directory());
    if (!options.force) {
      if (!comparison_.index_fault.empty()) {
        sink_.report(diag::unreadable_index, {}, shown + std::string(kIndexName), comparison_.index_fault)
            .advise("rewrite it, and every file that differs, with `--force`");
      }
      for (const ComparedFile& file : comparison_.files) refuse_foreign(file);
    }
    if (comparison_.directory.is_open()) survey_ = survey_cluster(fs_, comparison_, shown, sink_);
    if (!comparison_.index_exists) list_unrendered();
    report_obstacles(tree_, comparison_, sink_);
    return sink_.error_count() == before;
  }

  void list_unrendered() {
    for (const std::string& path : survey_.files) {
      if (!path.starts_with('.') && path.find("/.") == std::string::npos)
        result_.unrendered.push_back(path_in_output(files_.cluster(), path));
    }
  }

  std::string help_for_edited(const ComparedFile& file) {
    if (has_conflict(file))
      return "resolve the merge conflict: take one side with `git checkout --ours` or `--theirs`, then render";
    if (file.rendered == nullptr) return "it is no longer rendered; delete it with `--force`";
    return "move the change into values or templates, then overwrite the file with `--force`";
  }

  void refuse_foreign(const ComparedFile& file) {
    const bool is_foreign = file.state == DiskState::Edited || file.state == DiskState::Foreign;
    if (!is_foreign && file.state != DiskState::Barred) return;
    const std::string shown = tree_.shown_path(path_in_output(files_.cluster(), file.path));
    if (file.state == DiskState::Barred) {
      sink_.report(diag::output_not_allowed, {}, shown)
          .advise(fmt::format("delete it with `rm {}` and commit that, or add its pattern to `template.outputs` again",
                              shell_word(shown)));
    }
    if (!is_foreign) return;
    FileStat stat;
    const bool is_file = !fs_.stat(comparison_.file_at(file.path), stat) && stat.type == FileType::Regular;
    if (!is_file) return;  // the survey reports it if it isn't a file
    if (file.state == DiskState::Edited) {
      sink_.report(diag::edited_by_hand, {}, shown).advise(help_for_edited(file));
    } else {
      explain_foreign(file, sink_.report(diag::not_rendered_by_us, {}, shown));
    }
  }

  // The first render over the files of another tool often differs by white space only.
  void explain_foreign(const ComparedFile& file, Diagnostic& diagnostic) {
    constexpr std::string_view kOverwrite = "overwrite it with `--force`";
    std::string found;
    const bool is_known = file.rendered != nullptr && !fs_.read(comparison_.file_at(file.path), found, kLargestShown);
    const std::string_view rendered = is_known ? std::string_view(file.rendered->body.text()) : "";
    if (is_known && found == std::string(rendered) + "\n") {
      diagnostic.note("it differs from the render only by the line break at its end")
          .advise(
              fmt::format("with your own templates, set `jinja: {{keep_trailing_newline: true}}`; or {}", kOverwrite));
    } else if (is_known && without_blanks(found) == without_blanks(rendered)) {
      diagnostic.note("it differs from the render only by white space")
          .advise(fmt::format("with your own templates, set `trim_blocks`, `lstrip_blocks` and `keep_trailing_newline` "
                              "in `jinja` as the other tool does; or {}",
                              kOverwrite));
    } else if (file.rendered != nullptr && is_of_program(*file.rendered)) {
      diagnostic.advise(fmt::format(
          "delete it, or {}; under another name, the tool that applies the folder reads it, too", kOverwrite));
    } else {
      diagnostic.advise(fmt::format("rename it, or {}", kOverwrite));
    }
  }

  static std::string without_blanks(std::string_view text) {
    std::string rest(text);
    std::erase_if(rest, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
    return rest;
  }

  // Whether a file contains conflict markers of `git merge`.
  bool has_conflict(const ComparedFile& file) {
    std::string bytes;
    if (fs_.read(comparison_.file_at(file.path), bytes, kLargestShown)) return false;
    return bytes.find("\n<<<<<<< ") != std::string::npos && bytes.find("\n>>>>>>> ") != std::string::npos;
  }

  // ---- staging ----
  bool stage_all() {
    if (!make_staged_directory()) return false;
    if (!create(kIndexName, comparison_.wanted_index, kFileMode)) return false;
    for (const ComparedFile& file : comparison_.files) {
      if (file.rendered != nullptr && !stage_rendered(file)) return false;
    }
    for (const std::string& path : survey_.files) {
      if (!stage_link(path)) return false;
    }
    for (const std::string& folder : survey_.empty_folders) {
      if (!make_folders(folder + "/")) return false;
    }
    return true;
  }

  bool make_staged_directory() {
    std::uint32_t mode = kDirectoryMode;
    FileStat stat;
    const std::string& name = files_.cluster();
    if (comparison_.directory.is_open() && !fs_.stat(tree_.clusters() / name, stat)) mode = stat.mode;
    IoError error = fs_.make_dir(*stage_ / name, mode);
    made_ = !error;
    if (made_ && comparison_.directory.is_open()) fs_.take_after(*stage_ / name, tree_.clusters() / name);
    if (made_) error = staged_.open(fs_, *stage_ / name);
    return !error || fail(IoTask::Write, "", error);
  }

  bool stage_rendered(const ComparedFile& file) {
    if (file.state == DiskState::Same) return is_outside(file.path) || stage_link(file.path);
    return create(file.path, file.rendered->body.text(), mode_of(file));
  }

  // Keeps changed permissions of an existing file; a file with plain-text secrets is private to its owner.
  std::uint32_t mode_of(const ComparedFile& file) {
    if (file.rendered->secret && !file.rendered->encrypted) return kPrivateFileMode;
    FileStat stat;
    const bool exists = file.state != DiskState::Missing && !fs_.stat(comparison_.file_at(file.path), stat);
    return exists ? stat.mode : kFileMode;
  }

  bool create(std::string_view path, std::string_view bytes, std::uint32_t mode) {
    const std::string staged = staged_path(path);
    if (!make_folders(staged)) return false;
    const IoError error = fs_.create(staged_ / staged, bytes, mode);
    return !error || fail(IoTask::Write, path, error);
  }

  // Links unchanged files. If that isn't possible, the directory is changed in place and needs no links.
  bool stage_link(std::string_view path) {
    if (in_place_) return true;
    if (!make_folders(path)) return false;
    in_place_ = static_cast<bool>(fs_.link(comparison_.directory / path, staged_ / path));
    return true;
  }

  // Creates the directories above `path` in the staged directory.
  bool make_folders(std::string_view path) {
    const std::string_view folder = path.substr(0, std::min(path.rfind('/'), path.size()));
    if (folder.size() == path.size() || folder == last_folder_) return true;
    for (std::size_t end = folder.find('/');; end = folder.find('/', end + 1)) {
      const auto [made, added] = folders_.emplace(folder.substr(0, end));
      if (added && !make_folder(*made)) return false;
      if (end == std::string_view::npos) break;
    }
    last_folder_ = folder;
    return true;
  }

  // Copies the permissions of the directory that it replaces, if any.
  bool make_folder(const std::string& folder) {
    FileStat stat;
    const bool replaces = comparison_.directory.is_open() && !fs_.stat(comparison_.directory / folder, stat) &&
                          stat.type == FileType::Directory;
    if (const IoError error = fs_.make_dir(staged_ / folder, replaces ? stat.mode : kDirectoryMode))
      return fail(IoTask::Write, folder, error);
    if (replaces) fs_.take_after(staged_ / folder, comparison_.directory / folder);
    return true;
  }

  // ---- the swap ----
  bool swap() {
    const std::string& name = files_.cluster();
    if (!comparison_.directory.is_open()) {
      // The directory of a journal is made first, so that it is known to be new.
      const IoError error = in_place_ ? fs_.make_dir(tree_.clusters() / name, kDirectoryMode)
                                      : fs_.rename(*stage_ / name, tree_.clusters() / name);
      if (in_place_ && !error) return change_in_place();
      if (error.code != ENOTEMPTY && error.code != EEXIST) return !error || fail(IoTask::Write, "", error);
      // There was no `clusters/` to lock at the start: two runs have created it at the same time.
      sink_.report(diag::tree_in_use, {}, tree_.shown_path("clusters"));
      return false;
    }
    if (!in_place_ && !fs_.exchange(*stage_ / name, tree_.clusters() / name)) return true;
    return change_in_place();
  }

  bool change_in_place() {
    Journal journal;
    if (!list_steps(journal)) return false;
    IoError error = write_journal(fs_, staged_, journal);
    if (error) return fail(IoTask::Write, "", error);
    error = apply_journal(tree_, staged_, files_.cluster(), journal);
    journal_pending_ = static_cast<bool>(error);
    if (!error) return true;
    fail(IoTask::Write, "", error);
    sink_.diagnostics().back().note(
        "some of its files are already new; run `capwright render` again to write the others");
    return false;
  }

  bool list_steps(Journal& journal) {
    for (const ComparedFile& file : comparison_.files) {
      if (is_written(file)) journal.move.push_back(file.path);
      if (!is_deleted(file)) continue;
      if (comparison_.known.find(file.path) != nullptr) {
        journal.remove.push_back(file.path);
        continue;
      }
      std::string bytes;
      if (const IoError error = fs_.read(comparison_.file_at(file.path), bytes, kLargestShown))
        return fail(IoTask::Read, file.path, error);
      journal.left_over.push_back({to_hex(sha256(bytes)), file.path});
    }
    journal.move.emplace_back(kIndexName);
    return true;
  }

  // Removes the rest of the stage: the old directory after an exchange, or files that were staged in vain.
  void clean_up(bool done) {
    staged_.close();
    if (journal_pending_) return tree_.leave_stage();
    const IoError error = remove_tree(fs_, *stage_ / files_.cluster());
    if (!error || error.code == ENOENT) return;
    tree_.leave_stage();
    if (done) {
      const std::string path = "clusters/.capwright-stage/" + files_.cluster();
      sink_.report(diag::stage_left_behind, {}, tree_.shown_path(path), describe(error));
    }
  }

  OutputTree& tree_;
  FileSystem& fs_;
  const FileSet& files_;
  DirectoryComparison comparison_;
  Sink& sink_;
  Survey survey_;
  const Dir* stage_ = nullptr;
  Dir staged_;
  bool made_ = false;      // the staged directory exists
  bool in_place_ = false;  // by a journal: directories can't be exchanged, or files outside of them change
  bool journal_pending_ = false;
  std::set<std::string, std::less<>> folders_;  // created in the staged directory
  std::string last_folder_;
  WriteResult result_;
};

}  // namespace

WriteResult write_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp, WriteOptions options,
                          Sink& sink) {
  CW_CHECK(!files.files().empty(), "a cluster without files would delete all that it has");
  DirectoryComparison comparison = compare_cluster(tree, files, stamp, sink);
  if (comparison.failed) return {WriteResult::Outcome::Failed, {}, {}, {}};
  if (comparison.up_to_date()) return {};
  return ClusterWriter(tree, files, std::move(comparison), sink).write(options);
}

}  // namespace capwright
