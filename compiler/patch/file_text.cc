// The mark is the highest bit of an OriginId: tables are dense, and a cluster has far fewer origins.
#include "patch/file_text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace capwright::patch {
namespace {

constexpr std::uint32_t kOfDocument = 0x80000000;

bool is_of_document(const Value& value) { return (static_cast<std::uint32_t>(value.origin()) & kOfDocument) != 0; }

OriginId own_id(const Value& value) {
  return static_cast<OriginId>(static_cast<std::uint32_t>(value.origin()) & ~kOfDocument);
}

Value with_mark(const Value& value) {
  return value.with_origin(static_cast<OriginId>(static_cast<std::uint32_t>(value.origin()) | kOfDocument));
}

}  // namespace

FileText::FileText(MappedText body, const Limits& limits) : body_(std::move(body)), own_(limits) {
  const FileId file = own_.sources.add_borrowed("", body_.text());
  documents_ = read_yaml_documents(file, own_.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  if (own_.sink.failed()) documents_.clear();
  for (YamlDocument& document : documents_) document.value = marked(document.value);
}

Value FileText::marked(const Value& value) {
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(marked(item));
    return with_mark(make_list(own_.arena, items).with_origin(value.origin()));
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries()) entries.push_back({with_mark(entry.key), marked(entry.value)});
    return with_mark(make_map(own_.arena, entries).with_origin(value.origin()));
  }
  return with_mark(value);
}

Span FileText::place(const Value& value) const {
  return is_of_document(value) ? own_.origins[own_id(value)].span : Span();
}

Value FileText::adopted_leaf(const Value& value, Stage& cluster) const {
  if (!is_of_document(value)) return value;
  const Span bytes = place(value);
  OriginId origin = OriginId::None;
  bool tainted = false;
  for (std::uint32_t at = bytes.begin; at < bytes.end; ++at) {
    const Segment* segment = body_.segment_at(at);
    origin = cluster.origins.combine(origin, segment->value);
    tainted = tainted || segment->tainted;
  }
  return value.with_origin(origin).with_taint(tainted);
}

Value FileText::adopted(const Value& value, Stage& cluster) const {
  const OriginId origin = is_of_document(value) ? OriginId::None : value.origin();
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(adopted(item, cluster));
    return make_list(cluster.arena, items).with_origin(origin).with_taint(value.tainted());
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries())
      entries.push_back({adopted_leaf(entry.key, cluster), adopted(entry.value, cluster)});
    return make_map(cluster.arena, entries).with_origin(origin).with_taint(value.tainted());
  }
  return adopted_leaf(value, cluster);
}

std::uint32_t FileText::line_begin(std::uint32_t offset) const {
  const std::size_t found = offset == 0 ? std::string::npos : body_.text().rfind('\n', offset - 1);
  return found == std::string::npos ? 0 : static_cast<std::uint32_t>(found + 1);
}

std::uint32_t FileText::line_end(std::uint32_t offset) const {
  const std::size_t found = body_.text().find('\n', offset);
  return found == std::string::npos ? body_.size() : static_cast<std::uint32_t>(found + 1);
}

bool FileText::is_blank(std::uint32_t begin, std::uint32_t end) const {
  return text().substr(begin, end - begin).find_first_not_of(' ') == std::string_view::npos;
}

}  // namespace capwright::patch
