// Records values after all layers, references and defaults.
#include "audit/row.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/sha.h"
#include "secrets/redact.h"
#include "yaml/write.h"

namespace capwright::audit {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kIdDigits = 16;

std::string id_of(const std::string& cluster, const Publication& publication) {
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", cluster, publication.commit, publication.remote, publication.branch);
  return to_hex(sha256(key)).substr(0, kIdDigits);
}

RecordedFile file_of(const RenderedFile& file, bool keeps_text) {
  RecordedFile recorded{file.path, 0, {}, {}};
  if (!file.secret && !file.encrypted) {
    recorded.size = file.body.size();
    recorded.digest = to_hex(file.digest);
  }
  if (keeps_text) recorded.text = secrets::redact(file);
  return recorded;
}

}  // namespace

ClusterRender record_of(const CompiledCluster& compiled, const Publication& publication, bool keeps_text) {
  Arena arena;
  ClusterRender render;
  render.id = id_of(compiled.name, publication);
  render.cluster = compiled.name;
  render.values_path = compiled.values_path;
  render.template_set = compiled.stamp.template_set;
  render.template_set_version = compiled.stamp.template_set_version;
  render.values = canonical_json(secrets::redact(compiled.values, arena));
  render.input_digest = to_hex(sha256(fmt::format("{}\n{}\n{}\n{}", render.template_set, render.template_set_version,
                                                  to_hex(compiled.set->digest), render.values)));
  render.publication = publication;
  for (const RenderedFile& file : compiled.files.files()) render.files.push_back(file_of(file, keeps_text));
  return render;
}

ClusterRender removal_of(const GoneCluster& gone, const Publication& publication) {
  ClusterRender removal;
  removal.id = id_of(gone.name, publication);
  removal.cluster = gone.name;
  removal.template_set = gone.template_set;
  removal.template_set_version = gone.template_set_version;
  removal.values = "null";
  removal.publication = publication;
  return removal;
}

std::string files_json(const std::vector<RecordedFile>& files) {
  Json json = Json::array();
  for (const RecordedFile& file : files) {
    Json entry{{"path", file.path}};
    if (file.digest.empty()) entry["secret"] = true;
    else entry.update({{"size", file.size}, {"sha256", file.digest}});
    if (file.text) entry["text"] = *file.text;
    json.push_back(std::move(entry));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::vector<RecordedFile>> read_files(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return std::nullopt;
  std::vector<RecordedFile> files;
  for (const Json& entry : json) {
    if (!entry.is_object() || !entry.contains("path") || !entry["path"].is_string()) return std::nullopt;
    RecordedFile& file = files.emplace_back();
    file.path = entry["path"].get<std::string>();
    if (const auto digest = entry.find("sha256"); digest != entry.end() && digest->is_string())
      file.digest = digest->get<std::string>();
    if (const auto size = entry.find("size"); size != entry.end() && size->is_number_unsigned())
      file.size = size->get<std::uint64_t>();
    if (const auto kept = entry.find("text"); kept != entry.end() && kept->is_string())
      file.text = kept->get<std::string>();
  }
  return files;
}

}  // namespace capwright::audit
