// Follows the steps of a path as far as they exist: a missing field is shown at the map that lacks it.
#include <algorithm>
#include <charconv>

#include "remap/remap.h"
#include "text/utf8.h"

namespace capwright::remap {
namespace {

using lint::Node;
using lint::Object;

// kubeconform names an object without a name by its `generateName`.
bool is_named(const Object& object, std::string_view name) {
  constexpr std::string_view kGenerated = "{{ generateName }}";
  if (object.name() == name) return true;
  return object.name().empty() && name.ends_with(kGenerated) &&
         object["metadata.generateName"].text() == name.substr(0, name.size() - kGenerated.size());
}

Node below(Node node, const std::vector<std::string>& steps) {
  for (const std::string& step : steps) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    const bool is_index = error == std::errc() && end == step.data() + step.size() && node.is(Kind::List);
    const Node next = is_index ? node.item(index) : node.member(step);
    if (!next) return is_index ? node : next;
    node = next;
  }
  return node;
}

// The object of the finding; of several in one file, the first that has the field. Null if there is none, or if it is
// unclear which of several files has it.
const Object* object_of(const ForeignFinding& finding, const lint::Cluster& cluster, const lint::File* file) {
  const Object* found = nullptr;
  for (const Object* object : cluster.of_kind(finding.kind)) {
    if ((file != nullptr && &object->file() != file) || !is_named(*object, finding.name)) continue;
    if (found != nullptr && file == nullptr) return nullptr;
    if (found == nullptr || (!below(found->root(), finding.field) && below(object->root(), finding.field)))
      found = object;
  }
  return found;
}

// The byte offset of the `number`th column (from 1) of a line.
std::size_t column_offset(std::string_view line, std::uint32_t number, Column unit) {
  std::size_t offset = 0;
  for (std::uint32_t column = 1; column < number && offset < line.size();) {
    const utf8::CodePoint next = utf8::decode(line, offset);
    column += unit == Column::Utf16 && next.value > 0xffff ? 2 : 1;
    offset += std::max<std::size_t>(next.size, 1);
  }
  return offset;
}

// The bytes of a region; for a whole line, its text. Beyond the end of the text: the last line.
Span span_of(const Region& region, FileId source, std::string_view text) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < region.line; ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos || end + 1 == text.size()) break;
    begin = end + 1;
  }
  const std::string_view line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  std::size_t first = std::min(line.find_first_not_of(" -"), line.size());
  std::size_t last = line.find_last_not_of(" \r") + 1;
  if (region.column != 0) {
    first = column_offset(line, region.column, region.unit);
    const bool ends_here =
        (region.end_line == 0 || region.end_line == region.line) && region.end_column > region.column;
    if (ends_here) last = column_offset(line, region.end_column, region.unit);
  }
  last = std::max(first, last);
  return {source, static_cast<std::uint32_t>(begin + first), static_cast<std::uint32_t>(begin + last)};
}

// The object whose document contains a place.
const Object* object_around(const lint::File& file, std::uint32_t offset, const lint::Cluster& cluster) {
  for (const lint::Document& document : file.documents) {
    if (document.span.begin <= offset && offset <= document.span.end) return cluster.object_of(document);
  }
  return nullptr;
}

}  // namespace

lint::Place place_of(const ForeignFinding& finding, const lint::Cluster& cluster, const lint::File* file) {
  if (!finding.kind.empty()) {
    if (const Object* object = object_of(finding, cluster, file)) {
      const Node node = below(object->root(), finding.field);
      return finding.field.empty() ? lint::Place::of(*object) : lint::Place::of(node);
    }
  }
  if (file == nullptr) return {};
  const Span span = span_of(finding.region, file->source, cluster.sources().text(file->source));
  const Object* around = finding.kind.empty() ? object_around(*file, span.begin, cluster) : nullptr;
  return {&cluster, file, span, around, {}};
}

}  // namespace capwright::remap
