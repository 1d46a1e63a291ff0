// Secrets are never stored: a placeholder replaces them, so that a golden tree can always be committed.
#include "golden/kept_tree.h"

#include <algorithm>

#include "diff/compare.h"
#include "files/below.h"
#include "files/io_fault.h"
#include "secrets/redact.h"
#include "secrets/sops_document.h"

namespace capwright::golden {
namespace {

constexpr int kDeepestFolder = 32;

class KeptReader {
 public:
  KeptReader(FileSystem& fs, const Case& golden, const KeptOutputs& of, const Limits& limits, Sink& sink)
      : fs_(fs), shown_(golden.folder + "/"), of_(of), limits_(limits), sink_(sink) {
    if (const IoError error = open_case(fs, golden, case_)) report_io_fault(sink, IoTask::List, golden.folder, error);
  }

  Texts read() {
    if (!case_.is_open()) return {};
    if (fs_.exists(case_ / "clusters")) read_below("clusters", 0);
    for (const OutputPattern& pattern : of_.outputs->patterns()) {
      const std::string folder = pattern.folder();
      if (fs_.exists(case_ / folder)) read_below(folder, 0);
    }
    return std::move(texts_);
  }

 private:
  void read_below(const std::string& below, int depth) {
    std::vector<DirEntry> entries;
    if (const IoError error = fs_.list(case_ / below, entries)) {
      report_io_fault(sink_, IoTask::List, shown_ + below, error);
      return;
    }
    for (const DirEntry& entry : entries) {
      if (entry.name.starts_with('.')) continue;
      const std::string path = below + "/" + entry.name;
      if (entry.type == FileType::Directory && depth < kDeepestFolder) read_below(path, depth + 1);
      if (entry.type != FileType::Regular && entry.type != FileType::Symlink) continue;
      if (!path.starts_with("clusters/") && !of_.outputs->allow(of_.cluster, path)) continue;
      if (const IoError error = fs_.read(case_ / path, texts_[path], limits_.input_bytes))
        report_io_fault(sink_, IoTask::Read, shown_ + path, error);
    }
  }

  FileSystem& fs_;
  const std::string shown_;  // the case's directory, with a trailing slash
  const KeptOutputs& of_;
  Dir case_;
  const Limits& limits_;
  Sink& sink_;
  Texts texts_;
};

// In an encrypted file only the encrypted values differ, and `sops` adds its metadata.
bool is_by_encryption(const diff::Change& change) {
  if (!change.counts()) return true;
  if (change.kind == diff::Change::Kind::Remove) return change.path.size() == 1 && change.path[0].text == "sops";
  return change.kind == diff::Change::Kind::Replace && change.before.is(Kind::String) &&
         change.before.text().starts_with("ENC[");
}

}  // namespace

Texts read_kept(FileSystem& fs, const Case& golden, const KeptOutputs& of, const Limits& limits, Sink& sink) {
  return KeptReader(fs, golden, of, limits, sink).read();
}

Texts texts_to_keep(const FileSet& files) {
  Texts texts;
  for (const RenderedFile& file : files.files()) texts[file.path] = secrets::redact(file);
  return texts;
}

bool is_same_but_encrypted(const std::string& path, const std::string& kept, const std::string& rendered,
                           const Limits& limits) {
  const secrets::ReadStream stream(path, kept, ScalarRules::Kubernetes, limits);
  if (stream.failed() || !secrets::is_encrypted(stream)) return false;
  diff::Side before("kept", limits), after("kept", limits);
  before.add_file(path, kept);
  after.add_file(path, rendered);
  const diff::ClusterDiff diff = diff::compare(&before, &after, {});
  return std::all_of(diff.pairs.begin(), diff.pairs.end(), [](const diff::ObjectPair& pair) {
    return pair.kind == diff::ObjectPair::Kind::Changed &&
           std::all_of(pair.changes.begin(), pair.changes.end(), is_by_encryption);
  });
}

bool carry_out(const std::vector<FileEdit>& edits, FileSystem& fs, const Case& golden, Sink& sink) {
  const std::size_t errors = sink.error_count();
  Dir kept;
  if (const IoError error = open_case(fs, golden, kept)) report_io_fault(sink, IoTask::Write, golden.folder, error);
  for (const FileEdit& edit : edits) {
    if (!kept.is_open()) break;
    const auto [folder, name] = split_path(edit.path);
    IoError error;
    if (edit.text) {
      Dir parent;
      error = open_made_folder(fs, kept, folder, parent);
      if (!error) error = replace_file(fs, parent / name, *edit.text);
    } else {
      error = remove_file(fs, kept, edit.path);
      if (!error) remove_empty_folders(fs, kept, folder);
    }
    const IoTask task = edit.text ? IoTask::Write : IoTask::Remove;
    if (error) report_io_fault(sink, task, golden.folder + "/" + edit.path, error);
  }
  return sink.error_count() == errors;
}

}  // namespace capwright::golden
