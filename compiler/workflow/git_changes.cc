// Four calls of git: for the root of the working tree, whether the revision exists, the list of files, and the changes.
#include "workflow/git_changes.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace capwright::workflow {
namespace {

// Hooks run with the first of these set, for another folder; the others would change the output of `git diff`.
const std::vector<std::string> kUnset = {"GIT_DIR",    "GIT_WORK_TREE", "GIT_INDEX_FILE",
                                         "GIT_PREFIX", "GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF"};
constexpr std::uint64_t kMostOutput = 256u << 20;

class Git {
 public:
  Git(OpenProject& open, std::string folder) : open_(open), folder_(std::move(folder)) {}

  ProgramEnd run(std::vector<std::string> arguments) const {
    ProgramRun run;
    run.program = "git";
    // A program from the clone's configuration; and a partial clone fetches what it lacks.
    run.arguments = {"-c", "core.fsmonitor=false", "-c", "protocol.allow=never"};
    run.arguments.insert(run.arguments.end(), arguments.begin(), arguments.end());
    run.folder = folder_;
    run.unset = kUnset;
    run.most_output = kMostOutput;
    run.most_milliseconds = open_.limits.program_seconds * 1000;
    return open_.programs.run(run);
  }
  // The same for calls that normally can't fail.
  std::optional<std::string> ask(std::vector<std::string> arguments, std::string& fault) const {
    const std::string name = arguments.front();
    ProgramEnd end = run(std::move(arguments));
    if (end.succeeded()) return std::move(end.output);
    fault = fmt::format("`git {}` {}{}", name, describe(end), first_words(end));
    return std::nullopt;
  }
  static std::string first_words(const ProgramEnd& end) {
    const std::string line = end.errors.substr(0, end.errors.find('\n'));
    return line.empty() ? "" : ": " + line;
  }

 private:
  std::string describe(const ProgramEnd& end) const {
    ProgramRun run;
    run.most_milliseconds = open_.limits.program_seconds * 1000;
    return capwright::describe(end, run);
  }

  OpenProject& open_;
  std::string folder_;
};

std::string without_line_end(std::string text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return text;
}

// Names that each end with a NUL.
std::set<std::string, std::less<>> names_of(std::string_view list) {
  std::set<std::string, std::less<>> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\0'), list.size());
    names.emplace(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

std::string without_end_slash(std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

std::optional<std::string> commit_of(const std::string& revision, bool merge_base, const Git& git,
                                     GitChanges::Fault& fault) {
  const ProgramEnd commit = git.run({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (!commit.succeeded()) {
    fault.is_unknown = true;
    fault.text = fmt::format("unknown revision `{}`; `capwright explain G204` says more", revision);
    return std::nullopt;
  }
  if (!merge_base) return without_line_end(commit.output);
  const ProgramEnd common = git.run({"merge-base", without_line_end(commit.output), "HEAD"});
  if (common.succeeded()) return without_line_end(common.output);
  fault.text = fmt::format(
      "`{}` and HEAD have no commit in common here; in a shallow clone, as in most CI systems, fetch the others first: "
      "`git fetch --unshallow`, or `fetch-depth: 0` for GitHub's checkout",
      revision);
  return std::nullopt;
}

// An object of the commit that this clone lacks, because it was made with `--filter`. Doesn't fetch it.
std::optional<git::ObjectId> missing_object(const std::string& commit, const Git& git) {
  const ProgramEnd end = git.run({"rev-list", "--objects", "--no-walk", "--missing=print", commit});
  const std::size_t mark = end.output.starts_with('?') ? 0 : end.output.find("\n?");
  if (!end.succeeded() || mark == std::string::npos) return std::nullopt;
  const std::size_t begin = end.output.find('?', mark) + 1;
  return git::parse_object_id(std::string_view(end.output).substr(begin, end.output.find('\n', begin) - begin));
}

}  // namespace

std::optional<GitChanges> GitChanges::since(const std::string& revision, bool merge_base, OpenProject& open,
                                            Fault& fault) {
  const std::string root = without_end_slash(open.project->workspace().prefix);
  const Git here(open, root);
  const ProgramEnd place = here.run({"rev-parse", "--show-cdup", "--show-prefix"});
  if (place.how == ProgramEnd::How::NotFound) {
    fault.text = "changed lines are found by the program `git`; install it in a folder of PATH";
    return std::nullopt;
  }
  if (!place.succeeded()) {
    fault.text = "changed lines need a Git working tree, and this folder isn't in one" + Git::first_words(place);
    return std::nullopt;
  }
  GitChanges changes(open);
  const std::size_t middle = place.output.find('\n');
  const std::string to_top = place.output.substr(0, middle);
  if (middle != std::string::npos) changes.prefix_ = without_line_end(place.output.substr(middle + 1));
  const auto commit = commit_of(revision, merge_base, here, fault);
  if (!commit) return std::nullopt;
  std::string top_folder = root;
  if (!to_top.empty()) top_folder = root.empty() ? to_top : root + "/" + to_top;
  const Git top(open, without_end_slash(top_folder));
  const auto diff = top.ask({"diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames",
                             "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/", *commit, "--"},
                            fault.text);
  if (!diff) {
    fault.missing = missing_object(*commit, top);
    if (fault.missing) fault.text.clear();
    return std::nullopt;
  }
  const auto tracked = top.ask({"ls-files", "-z"}, fault.text);
  if (!tracked) return std::nullopt;
  const auto untracked = top.ask({"ls-files", "-z", "--others", "--exclude-standard"}, fault.text);
  if (!untracked) return std::nullopt;
  if (!changes.lines_.add_diff(*diff)) {
    fault.text = "`git diff` didn't print a diff; check Git's configuration (`git config --list`)";
    return std::nullopt;
  }
  changes.tracked_ = names_of(*tracked);
  changes.untracked_ = names_of(*untracked);
  return changes;
}

std::string GitChanges::path_in_git(std::string_view shown_path) const {
  return (std::filesystem::path(prefix_) / shown_path).lexically_normal().string();
}

bool GitChanges::is_new(std::string_view shown_path) {
  const std::string path = path_in_git(shown_path);
  if (tracked_.contains(path)) return false;
  FileStat stat;
  return untracked_.contains(path) || !files_.stat(workspace_.io_path(shown_path), stat);
}

bool GitChanges::has(Span span, const SourceSet& sources, bool is_rendered) {
  if (!span.known()) return false;
  const std::string_view shown = sources.path(span.file);
  const std::string path = path_in_git(shown);
  if (!tracked_.contains(path)) return is_rendered ? untracked_.contains(path) : is_new(shown);
  const std::uint32_t first = sources.line_col(span.file, span.begin).line;
  const std::uint32_t last = sources.line_col(span.file, std::max(span.begin + 1, span.end) - 1).line;
  const auto [known, is_first] = on_disk_.try_emplace(std::string(shown));
  OnDisk& file = known->second;
  if (is_first && files_.read(workspace_.io_path(shown), file.text, input_bytes_)) file.is_gone = true;
  if (file.is_gone) return true;  // deleted, but it was linted
  const std::string_view looked_at = sources.text(span.file);
  if (file.text == looked_at) return lines_.has(path, first, last);
  if (file.looked_at != looked_at) {
    file.changes = line_changes(file.text, looked_at);
    file.looked_at = looked_at;
  }
  return lines_.has(path, first, last, file.changes);
}

bool GitChanges::touches(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view values_path,
                         const std::set<std::string, std::less<>>& rendered) {
  if (!values_path.empty() && is_new(values_path)) return true;
  const auto touched = [&](Span span) {
    return has(span, sources, span.known() && rendered.contains(sources.path(span.file)));
  };
  return touched(diagnostic.where) ||
         std::any_of(diagnostic.labels.begin(), diagnostic.labels.end(),
                     [&](const Label& label) { return touched(label.where); }) ||
         std::any_of(diagnostic.trace.begin(), diagnostic.trace.end(),
                     [&](const TraceFrame& frame) { return touched(frame.where); });
}

}  // namespace capwright::workflow
