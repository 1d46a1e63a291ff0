// Determines which generations are kept, and writes their file.
#include "rotation/keep.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "diag/catalog/manifest.h"
#include "rotation/naming.h"
#include "rotation/retired_manifest.h"

namespace capwright::rotation {
namespace {

constexpr std::string_view kKeptHeader =
    "# Earlier generations of templates, for machine sets that are still replaced. `capwright render` keeps this "
    "file.\n";

bool is_missing(const PreviousFile* file) { return file == nullptr || file->state == PreviousFile::State::Missing; }

// Of an earlier file that the commit lacks.
std::string where_to_find(std::string_view file) {
  return fmt::format(
      "run `git add {}` and commit it in the clone that rendered it; in another one, restore the cluster's folder from "
      "the commit before, commit it, and render again",
      file);
}

class Keeper {
 public:
  Keeper(FileSet files, const PreviousCluster& previous, KeepOptions options, RenderTrace& trace, Stage& stage)
      : files_(std::move(files)), previous_(previous), options_(options), trace_(trace), stage_(stage) {
    std::set<std::string> known;  // an index that was edited can list an object again and again
    for (const RotatedObject& each : previous_.index->rotation.objects) {
      if (known.insert(object_key(each.kind, each.group, each.name)).second) earlier_[key_of(each)].push_back(&each);
    }
  }

  FileSet keep() {
    std::vector<RotatedObject> objects = files_.rotation().objects;
    const bool has_class = std::any_of(objects.begin(), objects.end(),
                                       [](const RotatedObject& each) { return each.kind == kClusterClass; });
    if (has_class) options_.generations = 0;
    for (const RotatedObject& each : files_.rotation().objects) keep_generations_of(each, objects);
    std::string naming = files_.rotation().naming;
    std::string cluster = files_.cluster();
    std::vector<RenderedFile> files = std::move(files_).take_files();
    if (is_free(files) && text_.size() != 0) files.push_back(retired_file(cluster));
    return FileSet(std::move(cluster), std::move(files), {std::move(naming), std::move(objects)});
  }

 private:
  std::string_view digested_name(const RotatedObject& object) const {
    return rendered_name(options_.existing, object.kind, object.name);
  }
  std::string key_of(const RotatedObject& object) const {
    return object_key(object.kind, object.group, base_of(digested_name(object)));
  }

  // Newest first, including the one that was in use.
  std::vector<const RotatedObject*> earlier(const RotatedObject& now) const {
    const auto known = earlier_.find(key_of(now));
    if (known == earlier_.end()) return {};
    std::vector<const RotatedObject*> all = known->second;
    std::erase_if(all, [&](const RotatedObject* each) { return each->name == now.name; });
    std::sort(all.begin(), all.end(),
              [](auto* a, auto* b) { return std::tie(a->retired, a->name) < std::tie(b->retired, b->name); });
    return all;
  }

  void keep_generations_of(const RotatedObject& now, std::vector<RotatedObject>& objects) {
    std::uint32_t kept = 0, last = 0;  // number of generations, and the age of the last one
    for (const RotatedObject* each : earlier(now)) {
      // Specs that several sides of a merge used at the same time are one generation.
      const bool is_of_last = kept != 0 && each->retired == last;
      if (!is_of_last && kept == options_.generations) return;
      if (!take(*each)) continue;
      if (!is_of_last) ++kept;
      last = each->retired;
      objects.push_back(*each);
      objects.back().file = kRetiredFile;
      objects.back().retired = kept;
    }
  }

  bool take(const RotatedObject& object) {
    const PreviousFile* file = previous_.find(object.file);
    if (is_missing(file) && object.file == kRetiredFile) file = options_.written.find(object.file);
    const std::string shown = files_.directory() + object.file;
    const bool missing = is_missing(file);
    if (!missing && object.file == kRetiredFile && file->state == PreviousFile::State::Edited && !options_.force) {
      stage_.sink.report(diag::retired_file_edited, {}, shown)
          .advise("restore it from Git; `--force` keeps what is still as its name says");
      return true;
    }
    const std::optional<MappedText> manifest =
        missing ? std::nullopt
                : earlier_file(*file, shown)
                      .cut(object, {digested_name(object), keeping_options(options_.by_flux), frame()}, stage_);
    // Without an error, the next render wouldn't know of them, and nothing would report the loss.
    if (missing && object.file == kRetiredFile && !options_.force) {
      stage_.sink.report(diag::retired_file_missing, {}, shown)
          .advise(where_to_find(shown) + "; `capwright render --force` gives up what it held");
      return true;
    }
    if (!manifest) {
      Diagnostic& finding = stage_.sink.report(diag::generation_not_kept, {}, object.kind, object.name,
                                               "`" + shown + (missing ? "` is gone" : "` doesn't hold it"));
      if (missing) finding.advise(where_to_find(shown));
      return false;
    }
    append_manifest(*manifest);
    return true;
  }

  const EarlierFile& earlier_file(const PreviousFile& file, const std::string& shown) {
    std::unique_ptr<EarlierFile>& known = read_[file.path];
    if (known == nullptr) known = std::make_unique<EarlierFile>(shown, file.text, stage_);
    return *known;
  }

  FrameId frame() {
    if (frame_ == FrameId::Root) {
      frame_ = static_cast<FrameId>(trace_.size());
      trace_.push_back({Span(), FrameId::Root, "kept from the render before", RenderFrame::Kind::Kept});
    }
    return frame_;
  }

  void append_manifest(const MappedText& manifest) {
    Segment maker = manifest.segments().front();  // the text above it exists because of it
    maker.where.end = maker.where.begin;
    maker.literal = false;
    text_.append(text_.size() == 0 ? kKeptHeader : "---\n", maker);
    text_.append(manifest.text(), manifest.segments());
  }

  // Reserves the name even if nothing is retired: otherwise the next change would fail.
  bool is_free(const std::vector<RenderedFile>& files) {
    const std::string path = files_.directory() + std::string(kRetiredFile);
    const auto taken = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.path == path; });
    if (taken != files.end()) stage_.sink.report(diag::retired_file_taken, taken->marker, path);
    return taken == files.end();
  }

  RenderedFile retired_file(const std::string& cluster) {
    RenderedFile file;
    file.path = cluster_directory(cluster) + std::string(kRetiredFile);
    file.digest = sha256(text_.text());
    file.body = std::move(text_);
    return file;
  }

  FileSet files_;
  const PreviousCluster& previous_;
  KeepOptions options_;
  RenderTrace& trace_;
  Stage& stage_;
  std::map<std::string, std::vector<const RotatedObject*>> earlier_;  // by kind, group and base of their names
  std::map<std::string, std::unique_ptr<EarlierFile>, std::less<>> read_;
  FrameId frame_ = FrameId::Root;
  MappedText text_;
};

}  // namespace

FileSet keep_generations(FileSet files, const PreviousCluster& previous, KeepOptions options, RenderTrace& trace,
                         Stage& stage) {
  return Keeper(std::move(files), previous, options, trace, stage).keep();
}

}  // namespace capwright::rotation
