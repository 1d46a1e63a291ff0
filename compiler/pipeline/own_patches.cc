// Patches become data before references are resolved: text that a value inserts can't change their structure.
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "diag/catalog/patches.h"
#include "pipeline/own_resources.h"
#include "pipeline/read_source.h"
#include "yaml/read.h"

namespace capwright {
namespace {

constexpr std::string_view kPatches = "patches", kPatch = "patch", kPath = "path";

class PatchReader {
 public:
  PatchReader(Project& project, Stage& stage) : project_(project), stage_(stage) {}

  Value read(const Value& patches) {
    for (const Value& patch : patches.items()) add(patch);
    return make_list(stage_.arena, read_).with_origin(patches.origin());
  }

 private:
  void add(const Value& written) {
    const Value* patch = written.is(Kind::Map) ? written.find(kPatch) : nullptr;
    const Value* path = written.is(Kind::Map) ? written.find(kPath) : nullptr;
    if (!written.is(Kind::Map)) {
      read_.push_back(written);  // reported by the schema
    } else if ((patch == nullptr) == (path == nullptr)) {
      const char* what =
          patch == nullptr ? "an entry has neither `patch` nor `path`" : "an entry has `patch` and `path`";
      stage_.sink.report(diag::malformed_patch, stage_.span_of(written), what)
          .advise("write the patch below `patch`, or the name of its file after `path`");
    } else if (path != nullptr && path->is(Kind::String)) {
      add_file(written, *path);
    } else if (patch != nullptr && patch->is(Kind::String)) {
      const ReadOptions options{ScalarRules::Kubernetes, TextSyntax::Yaml};
      add_documents(written, *patch, [&] { return read_yaml_documents_inside(*patch, stage_, options); });
    } else {
      read_.push_back(written);
    }
  }

  void add_file(const Value& written, const Value& path) {
    if (!is_own_file(std::string(path.text()), stage_.span_of(path), project_, stage_)) return;
    const std::optional<FileId> file =
        read_source(project_.fs(), project_.workspace(), std::string(path.text()), stage_.span_of(path), stage_);
    if (file)
      add_documents(written, path, [&] { return read_yaml_documents(*file, stage_, {ScalarRules::Kubernetes}); });
  }

  // One entry for each document.
  template <class Read>
  void add_documents(const Value& written, const Value& text, const Read& read) {
    const std::size_t errors = stage_.sink.error_count();
    const std::vector<YamlDocument> documents = read();
    if (stage_.sink.error_count() != errors) return;
    std::size_t found = 0;
    for (const YamlDocument& document : documents) {
      if (document.value.is(Kind::Null)) continue;
      ++found;
      read_.push_back(with_content(written, document.value));
    }
    if (found == 1) return;
    if (found == 0) {
      stage_.sink.report(diag::malformed_patch, stage_.span_of(text), "the patch is empty");
    } else if (written.find("target") != nullptr) {
      stage_.sink
          .report(diag::malformed_patch, stage_.span_of(text),
                  fmt::format("a patch with {} documents has a `target`", found))
          .note("kustomize rejects this, too")
          .advise("write an entry for each document, or remove the `target`");
    }
  }

  Value with_content(const Value& written, const Value& content) {
    std::vector<Entry> entries;
    for (const Entry& entry : written.entries()) {
      const std::string_view key = entry.key.text();
      if (key != kPatch && key != kPath) entries.push_back(entry);
      else entries.push_back({make_key(stage_.arena, kPatch).with_origin(entry.key.origin()), content});
    }
    return make_map(stage_.arena, entries).with_origin(written.origin());
  }

  Project& project_;
  Stage& stage_;
  std::vector<Value> read_;
};

}  // namespace

Value read_patches(const Value& values, Project& project, Stage& stage) {
  const Value* patches = values.find(kPatches);
  if (patches == nullptr || !patches->is(Kind::List)) return values;
  std::vector<Entry> entries;
  for (const Entry& entry : values.entries()) {
    const bool is_patches = entry.key.text() == kPatches;
    entries.push_back({entry.key, is_patches ? PatchReader(project, stage).read(entry.value) : entry.value});
  }
  return make_map(stage.arena, entries).with_origin(values.origin()).with_taint(values.tainted());
}

}  // namespace capwright
