// `capwright schema add`: converts CRDs, from files or from a cluster, to digests for checking manifests.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>

#include "cli/console.h"
#include "cli/faults.h"
#include "cli/schema_options.h"
#include "crd/digest.h"
#include "diag/catalog/schemas.h"
#include "pipeline/schemas.h"
#include "source/file_batch.h"
#include "source/real_fs.h"
#include "workflow/open_project.h"
#include "workflow/standard_input.h"

namespace capwright::cli {
namespace {

namespace fs = std::filesystem;

// "capo-v0.14.7": a valid name for a folder of digests.
bool is_release_name(std::string_view name) {
  const std::size_t mark = name.find("-v");
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
  return plain && mark != std::string_view::npos && mark > 0 && mark + 2 < name.size() && name[mark + 2] >= '0' &&
         name[mark + 2] <= '9';
}

using Digests = std::map<std::string, std::vector<crd::DigestText>>;  // by release

// Created folders, which are removed again if they stay empty.
class NewFolders {
 public:
  explicit NewFolders(FileSystem& files) : files_(files) {}
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::sort(made_.begin(), made_.end(), std::greater<>());  // nested folders first
    for (const std::string& folder : made_) static_cast<void>(files_.remove_dir(folder));
  }
  IoError make(const std::string& folder) {
    FileStat stat;
    for (std::string_view path = folder; !path.empty() && files_.stat(std::string(path), stat);) {
      made_.emplace_back(path);
      const std::size_t slash = path.rfind('/');
      path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    return make_dirs(files_, folder);
  }

 private:
  FileSystem& files_;
  std::vector<std::string> made_;
};

class Addition {
 public:
  Addition(const SchemaOptions& options, workflow::OpenProject& open, Console& console)
      : options_(options), open_(open), console_(console) {}

  // Returns false after reporting an error; then nothing was written.
  bool run() {
    for (const std::string& input : options_.inputs) {
      if (!read(input)) return false;
    }
    Digests digests;
    for (const auto& [release, documents] : documents_) {
      digests[release] = crd::make_digests(documents, stage_);
      if (digests[release].empty() && !open_.sink.failed()) stage_.sink.report(diag::no_crd_found, {}, release);
      for (const crd::DigestText& digest : digests[release]) check(digest);
    }
    if (open_.sink.failed()) return false;
    return write(digests);
  }

 private:
  bool fail(const std::string& message) {
    console_.fail(message);
    return false;
  }

  bool read(const std::string& input) {
    if (input == "-") {
      const std::string text = workflow::standard_input().read_all(open_.limits.input_bytes);
      if (const IoError error = workflow::standard_input().error())
        return fail(fmt::format("<stdin>: {}", describe(error)));
      return options_.release ? take("<stdin>", text, *options_.release)
                              : fail("name the release of standard input: `--release NAME-vVERSION`");
    }
    FileStat stat;
    if (const IoError error = open_.fs.stat(input, stat)) return fail(fmt::format("{}: {}", input, describe(error)));
    const fs::path path = fs::path(input).lexically_normal();
    if (stat.type != FileType::Directory) {
      return options_.release ? read_file(input, *options_.release)
                              : fail(fmt::format("name the release of {}: `--release NAME-vVERSION`", input));
    }
    const fs::path folder = path.has_filename() ? path : path.parent_path();
    return read_folder(folder.string(), options_.release.value_or(folder.filename().string()));
  }

  bool read_folder(const std::string& folder, const std::string& release) {
    std::vector<DirEntry> entries;
    if (const IoError error = open_.fs.list(folder, entries))
      return fail(fmt::format("{}: {}", folder, describe(error)));
    for (const DirEntry& entry : entries) {
      const std::string extension = fs::path(entry.name).extension().string();
      if (extension != ".yaml" && extension != ".yml" && extension != ".json") continue;
      if (!read_file(folder + "/" + entry.name, release)) return false;
    }
    return true;
  }

  bool read_file(const std::string& path, const std::string& release) {
    std::string text;
    if (const IoError error = open_.fs.read(path, text, open_.limits.input_bytes))
      return fail(fmt::format("{}: {}", path, describe(error)));
    return take(path, text, release);
  }

  bool take(const std::string& name, const std::string& text, const std::string& release) {
    if (!is_release_name(release))
      return fail(fmt::format("`{}` isn't the name of a release, such as `capo-v0.14.7`", release));
    const FileId file = stage_.sources.add(name, text);
    std::vector<YamlDocument>& all = documents_[release];
    for (const YamlDocument& document : read_yaml_documents(file, stage_, {ScalarRules::Kubernetes}))
      all.push_back(document);
    return true;
  }

  void check(const crd::DigestText& digest) {
    if (digest.name == crd::kKindsFile) return;
    for (const std::string& fault : crd::digest_faults(digest.text))
      stage_.sink.report(diag::broken_crd, digest.where, fault);
  }

  // Writes all releases, or none if there is not enough space, or if one of the new files can't be created. An
  // interrupted run leaves no list of kinds that names missing files: the list of each release is written last,
  // followed by deleting files that only the earlier release had.
  bool write(const Digests& releases) {
    NewFolders folders(open_.fs);
    FileBatch batch(open_.fs);
    for (const auto& [release, digests] : releases) {
      const std::string folder = folder_of_releases() + release;
      if (const IoError error = folders.make(folder)) return fail(fmt::format("{}: {}", folder, describe(error)));
      for (const bool is_list : {false, true}) {
        for (const crd::DigestText& digest : digests) {
          if ((digest.name == crd::kKindsFile) == is_list && !prepare(folder + "/" + digest.name, digest, batch))
            return false;
        }
      }
    }
    std::string failed;
    if (const IoError error = batch.put(failed)) return fail(fmt::format("{}: {}", failed, describe(error)));
    return std::all_of(releases.begin(), releases.end(),
                       [&](const auto& one) { return finish(one.first, one.second); });
  }

  bool prepare(const std::string& name, const crd::DigestText& digest, FileBatch& batch) {
    std::string path = name;
    IoError error = follow_links(path);
    if (!error) error = batch.add(path, digest.text);
    return !error || fail(fmt::format("{}: {}", name, describe(error)));
  }

  bool finish(const std::string& release, const std::vector<crd::DigestText>& digests) {
    const std::string folder = folder_of_releases() + release;
    if (!remove_others(folder, digests)) return false;
    const std::size_t schemas = digests.size() - 1;
    console_.say(fmt::format("{}: {} schema{}", folder, schemas, schemas == 1 ? "" : "s"));
    return true;
  }

  // Removes files that only an earlier release of the same name had, or that an interrupted run left.
  bool remove_others(const std::string& folder, const std::vector<crd::DigestText>& digests) {
    std::vector<DirEntry> entries;
    if (const IoError error = open_.fs.list(folder, entries))
      return fail(fmt::format("{}: {}", folder, describe(error)));
    for (const DirEntry& entry : entries) {
      const bool kept = std::any_of(digests.begin(), digests.end(),
                                    [&](const crd::DigestText& digest) { return digest.name == entry.name; });
      const bool is_digest = entry.name.ends_with(".json") || entry.name.ends_with(path_beside(".json"));
      if (kept || (!is_digest && entry.name != path_beside(crd::kKindsFile))) continue;
      const std::string path = folder + "/" + entry.name;
      if (const IoError error = open_.fs.remove(path)) return fail(fmt::format("{}: {}", path, describe(error)));
    }
    return true;
  }

  std::string folder_of_releases() const {
    const std::string folder = options_.to.value_or(open_.project->workspace().io_path(std::string(kDigestFolder)));
    return folder.ends_with('/') ? folder : folder + "/";
  }

  const SchemaOptions& options_;
  workflow::OpenProject& open_;
  Console& console_;
  Stage stage_{open_.sources, open_.sink, open_.arena, open_.origins, open_.limits};
  std::map<std::string, std::vector<YamlDocument>> documents_;  // by release
};

}  // namespace

int run_schema_add(const SchemaOptions& options) {
  Console console(options.common);
  const auto open = workflow::open_project({options.common, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return show_faults(*open, console);
  const bool done = Addition(options, *open, console).run();
  if (open->sink.failed()) return show_faults(*open, console);
  return done && console.flush() ? kClean : kUsageError;
}

}  // namespace capwright::cli
