// Version 1 of the source map. Offsets are bytes; a segment starts at the end of the previous one.
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/explanation.h"

namespace capwright::report {
namespace {

using Json = nlohmann::ordered_json;

class SourceMap {
 public:
  explicit SourceMap(const CompiledCluster& cluster) : cluster_(cluster) {}

  Json document() {
    Json files = Json::array();
    for (const RenderedFile& file : cluster_.files.files()) {
      files.push_back({{"path", file.path}, {"segments", segments(file.body)}});
    }
    Json frames = Json::array();
    for (const RenderFrame& frame : cluster_.trace) {
      frames.push_back({{"what", frame.what},
                        {"call", place(frame.call_site)},
                        {"parent", static_cast<std::uint32_t>(frame.parent)}});
    }
    return {{"version", 1}, {"cluster", cluster_.name}, {"sources", sources_}, {"frames", frames}, {"files", files}};
  }

 private:
  // [source, begin, end]; null for text without a source.
  Json place(Span span) {
    if (!span.known()) return nullptr;
    return Json::array({source(span.file), span.begin, span.end});
  }

  std::size_t source(FileId file) {
    const auto [known, is_new] = numbers_.try_emplace(file, sources_.size());
    if (is_new) sources_.emplace_back(cluster_.sources.path(file));
    return known->second;
  }

  Json inputs(OriginId id) {
    Json list = Json::array();
    for (const OriginId leaf : cluster_.origins.leaves(id)) list.push_back(place(cluster_.origins[leaf].span));
    return list;
  }

  Json segments(const MappedText& body) {
    Json list = Json::array();
    const auto segments = body.segments();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment& segment = segments[i];
      const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : body.size();
      Json entry = Json::array({end - segment.begin, place(segment.where), static_cast<std::uint32_t>(segment.frame)});
      if (!segment.literal) entry.push_back(inputs(segment.value));
      list.push_back(std::move(entry));
    }
    return list;
  }

  const CompiledCluster& cluster_;
  std::vector<std::string> sources_;
  std::map<FileId, std::size_t> numbers_;
};

}  // namespace

std::string source_map(const CompiledCluster& cluster) {
  return SourceMap(cluster).document().dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::report
