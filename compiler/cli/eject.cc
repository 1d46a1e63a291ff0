// `capwright eject`: copies a built-in template set to the repository, where it can be changed.
#include <filesystem>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/suggest.h"
#include "report/diff_words.h"
#include "source/real_fs.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

struct EjectOptions {
  CommonOptions common;
  std::string set;                    // empty with `list`
  std::optional<std::string> folder;  // otherwise `<templates>/<set>`
  bool list = false, force = false;
};

namespace fs = std::filesystem;

constexpr std::size_t kShownFiles = 12;

// The files of a set compared with the destination folder.
struct FolderComparison {
  std::vector<const SetFile*> missing;    // to be written
  std::vector<const SetFile*> different;  // changed by the user: not overwritten
  std::size_t same = 0;
  std::size_t from_common = 0;  // of `missing` and `different`
};

bool is_common(const SetFile& file) { return file.shown.starts_with("templates/common/"); }

// The folder `common` beside the set's contains the repository's own common files. The ejected set continues to use
// them.
std::string common_beside(const std::string& folder) { return (fs::path(folder).parent_path() / "common").string(); }

bool is_there(FileSystem& files, const std::string& path) {
  FileStat stat;
  return !files.stat(path, stat);
}

// Returns false if a file can't be read.
bool compare(const KnownSet& set, const std::string& folder, FileSystem& files, FolderComparison& comparison,
             Console& console) {
  for (const SetFile& file : set.files) {
    if (!is_set_file(file.name)) continue;
    if (is_common(file) && is_there(files, common_beside(folder) + "/" + file.name)) continue;
    std::string text;
    const std::string path = folder + "/" + file.name;
    const IoError error = files.read(path, text, file.text.size() + 1);
    if (!error && text == file.text) {
      ++comparison.same;
      continue;
    }
    if (error && error.code != ENOENT && error.code != EFBIG) {
      console.fail(fmt::format("{} can't be read: {}", path, describe(error)));
      return false;
    }
    (error.code == ENOENT ? comparison.missing : comparison.different).push_back(&file);
    comparison.from_common += is_common(file) ? 1 : 0;
  }
  return true;
}

bool write(const std::vector<const SetFile*>& chosen, const std::string& folder, FileSystem& files, Console& console) {
  for (const SetFile* file : chosen) {
    const std::string path = folder + "/" + file->name;
    if (const IoError error = make_dirs(files, fs::path(path).parent_path().string())) {
      console.fail(fmt::format("`{}` can't be created: {}", fs::path(path).parent_path().string(), describe(error)));
      return false;
    }
    if (!console.save(path, file->text)) return false;
  }
  return true;
}

std::string summary(const FolderComparison& comparison, const std::string& folder) {
  std::string line =
      report::counted(comparison.missing.size() + comparison.different.size(), "file") + " written to " + folder;
  if (comparison.from_common != 0) line += fmt::format(", {} of them shared by all sets", comparison.from_common);
  if (comparison.same != 0) line += fmt::format("; {} unchanged", comparison.same);
  return line;
}

std::string names(const std::vector<const SetFile*>& files) {
  std::string text;
  for (std::size_t i = 0; i < files.size() && i < kShownFiles; ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : ", ", files[i]->name);
  if (files.size() > kShownFiles) text += fmt::format(" and {} more", files.size() - kShownFiles);
  return text;
}

std::string without_trailing_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

int eject(const KnownSet& set, const EjectOptions& options, workflow::OpenProject& open, Console& console) {
  const Project& project = *open.project;
  const std::string sets = project.workspace().io_path(project.config().templates);
  const std::string folder = without_trailing_slashes(options.folder.value_or(sets + "/" + set.id));
  FolderComparison comparison;
  if (!compare(set, folder, open.fs, comparison, console)) return kUsageError;
  if (!comparison.different.empty() && !options.force) {
    console.fail(fmt::format("{} contains other versions of {}; nothing was written; overwrite them with `--force`",
                             folder, names(comparison.different)));
    return kUsageError;
  }
  if (!write(comparison.missing, folder, open.fs, console) || !write(comparison.different, folder, open.fs, console))
    return kUsageError;
  console.say(summary(comparison, folder));
  if (fs::path(folder).parent_path().lexically_normal() != fs::path(sets).lexically_normal())
    console.say(fmt::format("note: `render` searches for sets in {}", sets));
  return kClean;
}

// One line per set: id, version, title, and the types of control planes.
int list(const std::vector<KnownSet>& sets, const Limits& limits, Console& console) {
  for (const KnownSet& known : sets) {
    const auto set = load_set(known, limits);
    console.print(fmt::format("{:<8} {:<8} {} ({})\n", set->id, set->version, set->title,
                              fmt::join(set->kubernetes_types, ", ")));
  }
  return console.finish();
}

int run_eject(const EjectOptions& options) {
  Console console(options.common);
  const auto open = workflow::open_project({options.common, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return show_faults(*open, console);
  const std::vector<KnownSet> sets = built_in_sets();
  if (options.list) return list(sets, open->limits, console);
  std::vector<std::string_view> ids;
  for (const KnownSet& set : sets) {
    if (set.id == options.set) return eject(set, options, *open, console);
    ids.push_back(set.id);
  }
  std::string help = did_you_mean(options.set, ids);
  if (help.empty()) help = "known: " + list_names(ids);
  console.fail(options.set.empty() ? "name a built-in set: " + list_names(ids)
                                   : fmt::format("unknown built-in set `{}`; {}", options.set, help));
  return kUsageError;
}

class EjectCommand final : public CommandWith<EjectOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("set", options_.set, "Template set")->type_name("SET");
    app.add_option("folder", options_.folder, "Destination (default: the set's folder in the repository's `templates`)")
        ->type_name("DIR");
    app.add_flag("--list", options_.list, "Print the built-in sets; write nothing");
    app.add_flag("--force", options_.force, "Overwrite files with the same names");
    add_common(app, options_.common);
  }
  int run() override { return run_eject(options_); }
};

}  // namespace

const CommandInfo eject_command{
    "eject",
    "Copy a built-in template set into the repository to edit it",
    make_command<EjectCommand>,
    {{"List the built-in sets", "capwright eject --list"}, {"Copy a set into the repository", "capwright eject capo"}}};

}  // namespace capwright::cli
