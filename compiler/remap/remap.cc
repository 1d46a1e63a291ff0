// The tool has seen the file on disk; if that equals the current render, the render knows the origin of each byte.
#include "remap/remap.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/engine/present.h"
#include "lint/facts/credential_places.h"

namespace capwright::remap {
namespace {

constexpr std::size_t kLongestCode = 80;  // bytes

// Another program's message, on one line.
std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_space) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out.empty() ? "the report has no message" : out;
}

// For an object that isn't found.
std::string about_object(const ForeignFinding& finding) {
  return fmt::format("{} `{}`: {}", finding.kind, finding.name, one_line(finding.message));
}

// "kubeconform/invalid": keeps the characters that are usual in names of tools and rules; other bytes become `-`.
std::string code_of(const ForeignFinding& finding) {
  std::string code = finding.rule.empty() ? finding.tool : finding.tool + "/" + finding.rule;
  if (code.size() > kLongestCode) code.resize(kLongestCode);
  for (char& c : code) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_letter && c != '/' && c != '_' && c != '.' && c != ':') c = '-';
  }
  return code;
}

}  // namespace

std::vector<TreePath> tree_paths_of(std::string_view path, const Outputs& outputs) {
  constexpr std::string_view kFolder = "clusters/";
  std::vector<TreePath> found;
  if (path.find("/../") != std::string_view::npos) return found;  // a report must not choose other files to read
  for (std::size_t at = path.find(kFolder); at != std::string_view::npos; at = path.find(kFolder, at + 1)) {
    if (at != 0 && path[at - 1] != '/') continue;
    const std::string_view rest = path.substr(at + kFolder.size());
    const std::size_t slash = rest.find('/');
    if (slash != std::string_view::npos && slash != 0)
      found.push_back({std::string(rest.substr(0, slash)), std::string(path.substr(at))});
  }
  for (std::string_view rest = path;; rest.remove_prefix(rest.find('/') + 1)) {
    if (const std::string_view owner = outputs.owner(rest); !owner.empty())
      found.push_back({std::string(owner), std::string(rest)});
    if (rest.find('/') == std::string_view::npos) return found;
  }
}

Remapper::Remapper(std::span<const std::unique_ptr<lint::Cluster>> clusters, const Outputs& outputs, ReadTree read,
                   lint::Blame blame, const lint::Context& context)
    : outputs_(outputs), read_(std::move(read)), blame_(blame), context_(context) {
  for (const auto& cluster : clusters) {
    find_credentials(*cluster);
    clusters_.emplace(cluster->name(), cluster.get());
  }
}

const DiagInfo& Remapper::info_of(const ForeignFinding& finding) {
  const auto [known, is_new] = infos_.try_emplace(code_of(finding));
  Info& info = known->second;
  if (is_new) {
    info.code = known->first;
    info.name = known->first;
    for (char& c : info.name) c = c == '/' || c == '.' || c == ':' ? '-' : c;
    info.explanation = fmt::format("A finding of {} on a rendered file, shown where that was made.", info.code);
    info.info = {info.code, info.name, finding.severity, "{0}", info.explanation};
  }
  return info.info;
}

const Remapper::OnDisk& Remapper::on_disk(const TreePath& path, const lint::Cluster* cluster, const lint::File* file) {
  const auto [known, is_new] = on_disk_.try_emplace(path.path);
  OnDisk& entry = known->second;
  if (!is_new) return entry;
  entry.rendered = cluster;
  std::optional<std::string> text = read_(path.path);
  if (!text || (file != nullptr && *text == cluster->sources().text(file->source))) return entry;
  entry.file = std::make_unique<lint::Cluster>(path.cluster, context_);
  entry.file->add_manifest(path.path, std::move(*text));
  entry.file->sink().diagnostics().clear();  // a file that isn't YAML has no objects; the tool reports it
  find_credentials(*entry.file);
  return entry;
}

void Remapper::present(const ForeignFinding& finding, const lint::Place& place, lint::Cluster& cluster,
                       std::vector<std::string> notes) {
  lint::Finding shown;
  shown.info = &info_of(finding);
  shown.severity = finding.severity;
  shown.place = place;
  shown.is_foreign = true;
  const bool is_unknown = !finding.kind.empty() && place.object == nullptr;
  shown.message = is_unknown ? about_object(finding) : one_line(finding.message);
  shown.notes = std::move(notes);
  lint::present(std::move(shown), blame_, cluster);
}

void Remapper::add(const ForeignFinding& finding) {
  if (finding.is_input) return add_of_input(finding);
  const std::vector<TreePath> paths = tree_paths_of(finding.path, outputs_);
  for (const TreePath& path : paths) {
    const auto found = clusters_.find(path.cluster);
    lint::Cluster* cluster = found == clusters_.end() ? nullptr : found->second;
    const lint::File* file = cluster == nullptr ? nullptr : cluster->file(path.path);
    const OnDisk& disk = on_disk(path, cluster, file);
    // An encrypted file has the render's objects and fields, but not its lines.
    const bool by_field = file != nullptr && file->rendered->secret && finding.region.line == 0;
    if (disk.file == nullptr || by_field) {
      if (file != nullptr) return present(finding, place_of(finding, *cluster, file), *cluster, {});
      continue;
    }
    std::string why = "the file differs from the current render, so the source is unknown";
    if (cluster == nullptr) why = "no cluster with that name is rendered now, so the source is unknown";
    else if (file == nullptr) why = "this file is not rendered now";
    return present(finding, place_of(finding, *disk.file, &disk.file->files().front()), *disk.file, {why});
  }
  add_elsewhere(finding);
}

// For a finding in a stream: the only object of that kind and name in all clusters.
void Remapper::add_of_input(const ForeignFinding& finding) {
  lint::Place place;
  lint::Cluster* holder = nullptr;
  for (const auto& [name, cluster] : clusters_) {
    const lint::Place found = place_of(finding, *cluster, nullptr);
    if (found.cluster == nullptr) continue;
    if (place.cluster != nullptr) return add_elsewhere(finding);
    place = found;
    holder = cluster;
  }
  if (holder == nullptr) add_elsewhere(finding);
  else present(finding, place, *holder, {});
}

void Remapper::add_elsewhere(const ForeignFinding& finding) {
  Span where;
  if (!finding.path.empty() && !finding.is_input) {
    const FileId source = elsewhere_sources_.add(finding.path, "", std::max<std::uint32_t>(finding.region.line, 1));
    where = {source, 0, 0};
  }
  std::string message = finding.kind.empty() ? one_line(finding.message) : about_object(finding);
  Diagnostic& diagnostic = elsewhere_.add(info_of(finding), where, std::move(message));
  diagnostic.severity = finding.severity;
}

secrets::Redactor Remapper::redactor_elsewhere() const {
  secrets::Redactor redactor;
  for (const auto& [name, cluster] : clusters_) redactor.texts.add(redactor_of(*cluster).all_texts());
  return redactor;
}

std::vector<std::string_view> Remapper::stale() const {
  std::vector<std::string_view> paths;
  for (const auto& [path, disk] : on_disk_) {
    const bool is_rendered = disk.rendered != nullptr && disk.rendered->file(path) != nullptr;
    if (disk.file != nullptr && is_rendered && !disk.rendered->file(path)->rendered->secret) paths.push_back(path);
  }
  return paths;
}

std::vector<FileOnDisk> Remapper::on_disk() const {
  std::vector<FileOnDisk> files;
  for (const auto& [path, disk] : on_disk_) {
    if (disk.file == nullptr) continue;
    secrets::Redactor redactor = redactor_of(*disk.file);
    if (disk.rendered != nullptr) redactor.words.add(redactor_of(*disk.rendered).all_texts());
    files.push_back({disk.file.get(), std::move(redactor)});
  }
  return files;
}

}  // namespace capwright::remap
