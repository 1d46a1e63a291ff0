// A resource is one file: its text isn't split, and its path doesn't come from a template.
#include "pipeline/own_resources.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "diag/catalog/patches.h"
#include "files/path_rules.h"
#include "patch/file_text.h"
#include "patch/identity.h"
#include "pipeline/read_source.h"
#include "pipeline/render_cluster.h"
#include "pipeline/repository_bounds.h"
#include "template/syntax/parse.h"

namespace capwright {
namespace {

constexpr std::string_view kTemplateSuffix = ".j2";

// `resources/quota.yaml.j2` → `clusters/prod/quota.yaml`: Argo CD applies the folder without the folders in it.
std::string path_in_tree(std::string_view shown, const std::string& cluster) {
  std::string name = std::filesystem::path(shown).filename().string();
  if (name.ends_with(kTemplateSuffix)) name.resize(name.size() - kTemplateSuffix.size());
  return cluster_directory(cluster) + name;
}

// Other files decide how Argo CD reads the folder: `.argocd-source.yaml`, Jsonnet, kustomization.yaml.
bool is_data_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return has_data_name(name) && !name.starts_with('.') && !name.starts_with("kustomization.");
}

// Appends the trace of a render to that of the cluster, and moves the frames of the text there.
MappedText moved(const MappedText& text, const RenderTrace& added, RenderTrace& trace) {
  if (trace.empty()) trace.emplace_back();
  const auto shift = static_cast<std::uint32_t>(trace.size()) - 1;
  const auto shifted = [&](FrameId id) {
    return id == FrameId::Root ? id : static_cast<FrameId>(static_cast<std::uint32_t>(id) + shift);
  };
  for (std::size_t i = 1; i < added.size(); ++i) {
    trace.push_back(added[i]);
    trace.back().parent = shifted(added[i].parent);
  }
  std::vector<Segment> segments(text.segments().begin(), text.segments().end());
  for (Segment& segment : segments) segment.frame = shifted(segment.frame);
  MappedText result;
  result.append(text.text(), segments);
  return result;
}

// The objects of the rendered files by what identifies them in the API: the version doesn't.
class KnownObjects {
 public:
  explicit KnownObjects(const Limits& limits) : limits_(limits) {}

  // Reports an object that another file has.
  void add(const RenderedFile& file, Span named, Sink* sink) {
    if (!has_yaml_name(file.path)) return;
    const patch::FileText text(file.body, limits_);
    for (const YamlDocument& document : text.documents()) {
      const auto id = patch::id_of(document.value);
      if (!id || id->name.empty()) continue;
      std::string key;
      for (const std::string_view part : {id->group(), id->kind, id->space, id->name}) key.append(part).append("\n");
      const auto [known, is_new] = paths_.try_emplace(std::move(key), file.path);
      if (!is_new && sink != nullptr && known->second != file.path)
        sink->report(diag::resource_rendered_twice, named, id->shown(), known->second)
            .advise("change the rendered object with a patch, or give this one another name");
    }
  }

 private:
  const Limits& limits_;
  std::map<std::string, std::string> paths_;
};

}  // namespace

bool is_own_file(const std::string& shown, Span named, Project& project, Stage& stage) {
  FileSystem& fs = project.fs();
  const Workspace& workspace = project.workspace();
  const std::string normal = std::filesystem::path(shown).lexically_normal().string();
  const bool is_spelled_inside = !normal.starts_with('/') && normal != ".." && !normal.starts_with("../");
  const std::string root = real_path_of(fs, workspace.prefix.empty() ? "." : workspace.prefix);
  if (is_spelled_inside && is_in(real_path_of(fs, workspace.io_path(shown)), root)) return true;
  stage.sink.report(diag::own_file_outside, named, shown)
      .advise("copy it into the repository, and name it relative to capwright.yaml");
  return false;
}

std::vector<OwnResource> read_resources(const Value* resources, const std::string& cluster, const TemplateSet& set,
                                        Project& project, Stage& stage) {
  std::vector<OwnResource> read;
  if (resources == nullptr || !resources->is(Kind::List)) return read;
  for (const Value& written : resources->items()) {
    if (!written.is(Kind::String)) continue;  // reported by the schema
    const std::string shown(written.text());
    OwnResource resource{path_in_tree(shown, cluster), FileId::None, nullptr, stage.span_of(written)};
    if (find_path_fault(resource.path, cluster_directory(cluster)) || !is_data_file(resource.path)) {
      stage.sink.report(diag::resource_path, resource.named, resource.path)
          .advise("name a file that ends in `.yaml`, `.yml` or `.json`, with or without `.j2`");
      continue;
    }
    if (!is_own_file(shown, resource.named, project, stage)) continue;
    const auto file = read_source(project.fs(), project.workspace(), shown, resource.named, stage);
    if (!file) continue;
    resource.file = *file;
    if (shown.ends_with(kTemplateSuffix)) {
      const jinja::Template* main = set.find(set.main);
      resource.parsed =
          jinja::parse(*file, shown, stage.sources, main == nullptr ? jinja::Options() : main->options, stage.sink);
      if (resource.parsed == nullptr) continue;
    }
    read.push_back(std::move(resource));
  }
  return read;
}

FileSet add_resources(FileSet files, std::span<const OwnResource> resources, const ResourceRender& render,
                      Stage& stage) {
  if (resources.empty()) return files;
  std::string cluster = files.cluster();
  KnownObjects known(stage.limits);
  std::map<std::string, std::string> paths;
  std::vector<RenderedFile> all = std::move(files).take_files();
  for (const RenderedFile& file : all) {
    known.add(file, {}, nullptr);
    paths.emplace(folded_path(file.path), file.path);
  }
  for (const OwnResource& resource : resources) {
    RenderedFile file;
    file.path = resource.path;
    file.marker = resource.named;
    file.own = true;
    if (resource.parsed != nullptr) {
      const jinja::RenderResult result =
          render_template(*resource.parsed, render.set, {render.values, render.delivery}, render.trace_control, stage);
      file.body = moved(result.text, result.trace, render.trace);
      render.secret_texts.insert(render.secret_texts.end(), result.secret_texts.begin(), result.secret_texts.end());
    } else {
      const std::string_view text = stage.sources.text(resource.file);
      Segment maker;
      maker.where = {resource.file, 0, static_cast<std::uint32_t>(text.size())};
      maker.literal = true;
      file.body.append(text, maker);
    }
    if (file.body.text().find_first_not_of(" \n\t\r") == std::string::npos) continue;
    if (const auto [other, is_new] = paths.emplace(folded_path(file.path), file.path); !is_new) {
      stage.sink.report(diag::resource_file_taken, resource.named, file.path).advise("rename the file");
      continue;
    }
    file.digest = sha256(file.body.text());
    const auto segments = file.body.segments();
    file.secret = std::any_of(segments.begin(), segments.end(), [](const Segment& s) { return s.tainted; });
    known.add(file, resource.named, &stage.sink);
    all.push_back(std::move(file));
  }
  return FileSet(std::move(cluster), std::move(all));
}

}  // namespace capwright
