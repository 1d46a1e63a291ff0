// Colors bytes by the parsed documents and by the map of their origins, then cuts them into runs.
#include "preview/highlight.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/printable.h"
#include "secrets/manifest_text.h"
#include "secrets/redact.h"

namespace capwright::preview {
namespace {

constexpr std::size_t kMostOfLine = 2'000;  // bytes of a line that are shown

class Colors {
 public:
  Colors(const RenderedFile& file, const CompiledCluster& compiled)
      : text_(file.body.text()), syntax_(text_.size(), '.'), origin_(text_.size(), 't') {
    add_origins(file.body, compiled.origins);
  }

  void add_documents(const lint::File& file) {
    for (const lint::Document& document : file.documents) add(document.value, *document.origins, file.source, false);
  }

  // A `#` outside of values starts a comment if white space precedes it.
  void add_comments() {
    bool is_comment = false;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const bool is_start = i == 0 || text_[i - 1] == '\n' || text_[i - 1] == ' ' || text_[i - 1] == '\t';
      if (text_[i] == '\n') is_comment = false;
      else if (text_[i] == '#' && is_start && syntax_[i] == '.') is_comment = true;
      if (is_comment) syntax_[i] = 'c';
    }
  }

  bool hides(std::size_t begin, std::size_t end) const {
    return std::string_view(origin_).substr(begin, end - begin).find('x') != std::string_view::npos;
  }

  nlohmann::ordered_json lines() const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      list.push_back(runs(begin, end));
      begin = end + 1;
    }
    return list;
  }

 private:
  static bool is_default(OriginId value, const OriginTable& origins) {
    for (const OriginId leaf : origins.leaves(value)) {
      if (origins[leaf].kind == Origin::Kind::Input) return false;
    }
    return true;
  }

  void add_origins(const MappedText& body, const OriginTable& origins) {
    const auto segments = body.segments();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment& segment = segments[i];
      const std::size_t end = i + 1 < segments.size() ? segments[i + 1].begin : body.size();
      char letter = 't';
      if (segment.tainted) letter = 'x';
      else if (segment.value != OriginId::None) letter = is_default(segment.value, origins) ? 'd' : 'v';
      std::fill(origin_.begin() + segment.begin, origin_.begin() + static_cast<std::ptrdiff_t>(end), letter);
    }
  }

  void paint(std::string& layer, Span span, FileId file, char letter) {
    if (span.file != file || span.end > layer.size()) return;  // below an alias: the anchor's place in another text
    std::fill(layer.begin() + span.begin, layer.begin() + span.end, letter);
  }

  void add(const Value& value, const OriginTable& origins, FileId file, bool is_secret) {
    if (value.is(Kind::Map)) {
      const bool has_data = value.find("data") != nullptr || value.find("stringData") != nullptr;  // not a reference
      const bool is_object = has_data && secrets::means_secret(value.text_at("kind"));
      for (const Entry& entry : value.entries()) {
        paint(syntax_, origins[entry.key.origin()].span, file, 'k');
        const bool hides = is_secret || (is_object && !secrets::is_public_in_secret(entry.key.text()));
        add(entry.value, origins, file, hides);
      }
    } else if (value.is(Kind::List)) {
      for (const Value& item : value.items()) add(item, origins, file, is_secret);
    } else {
      const Span span = origins[value.origin()].span;
      char letter = value.is(Kind::String) ? 's' : 'l';
      if (value.is_number()) letter = 'n';
      paint(syntax_, span, file, letter);
      if (is_secret) paint(origin_, span, file, 'x');
    }
  }

  nlohmann::ordered_json runs(std::size_t begin, std::size_t end) const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const std::size_t shown_end = std::min(end, begin + kMostOfLine);
    for (std::size_t i = begin; i < shown_end;) {
      const bool is_secret = origin_[i] == 'x';
      std::size_t next = i + 1;
      while (next < shown_end && origin_[next] == origin_[i] && (is_secret || syntax_[next] == syntax_[i])) ++next;
      const std::string text = is_secret ? "<secret>" : report::printable(text_.substr(i, next - i));
      list.push_back({i - begin, std::string{is_secret ? '.' : syntax_[i], origin_[i]}, text});
      i = next;
    }
    if (shown_end < end) list.push_back({shown_end - begin, "mt", fmt::format("… {} more bytes", end - shown_end)});
    return list;
  }

  std::string_view text_;
  std::string syntax_, origin_;  // a letter for each byte
};

Colors colors_of(const RenderedFile& file, const CompiledCluster& compiled, const lint::Cluster& objects) {
  Colors colors(file, compiled);
  for (const lint::File& each : objects.files()) {
    if (each.rendered == &file) colors.add_documents(each);
  }
  return colors;
}

}  // namespace

nlohmann::ordered_json highlighted(const RenderedFile& file, const CompiledCluster& compiled,
                                   const lint::Cluster& objects) {
  Colors colors = colors_of(file, compiled, objects);
  colors.add_comments();
  return colors.lines();
}

bool hides_bytes(const RenderedFile& file, const CompiledCluster& compiled, const lint::Cluster& objects,
                 std::size_t begin, std::size_t end) {
  return colors_of(file, compiled, objects).hides(begin, end);
}

}  // namespace capwright::preview
