// Origins and taint in operations: the inherited ones of a result, and the exact maps of strings assembled from parts.
#include <algorithm>

#include "template/runtime/objects.h"
#include "template/runtime/runtime.h"

namespace capwright::jinja {
namespace {

// The limit on texts kept for redaction; a render has few secrets and derives little from them.
constexpr std::size_t kMostSecretTexts = 10'000;
// The limit on visited values of a container: the set of leaves is capped anyway.
constexpr std::uint32_t kMostVisited = 4096;

class LineageWalk {
 public:
  explicit LineageWalk(Runtime& runtime) : runtime_(runtime) {}

  void visit(const Value& value) {
    found_.tainted = found_.tainted || value.tainted() || runtime_.is_changed(value);
    if (++visited_ < kMostVisited) found_.origin = runtime_.stage.origins.combine(found_.origin, value.origin());
    if (!value.is(Kind::List) && !value.is(Kind::Map) && !value.is(Kind::Object)) return;
    const Nesting level(runtime_, "values");
    if (!level.fits() || !runtime_.step() || open(identity(value))) return;
    open_.push_back(identity(value));
    if (value.is(Kind::List)) {
      for (const Value& item : value.items()) visit(item);
    } else if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) {
        visit(entry.key);
        visit(entry.value);
      }
    } else {
      visit(value.object_rep()->contents());
    }
    open_.pop_back();
  }
  const Lineage& found() const { return found_; }

 private:
  static const void* identity(const Value& value) {
    if (value.is(Kind::List)) return value.list_rep();
    if (value.is(Kind::Map)) return value.map_rep();
    return value.object_rep();
  }
  bool open(const void* container) const { return std::find(open_.begin(), open_.end(), container) != open_.end(); }

  Runtime& runtime_;
  std::vector<const void*> open_;  // containers that may contain themselves
  std::uint32_t visited_ = 0;
  Lineage found_;
};

}  // namespace

Lineage Runtime::lineage(const Value& value) {
  LineageWalk walk(*this);
  walk.visit(value);
  return walk.found();
}

Value Runtime::secret(Value value) {
  if (secret_texts_.size() > kMostSecretTexts) return value.with_taint();
  if (value.is(Kind::Int)) secret_texts_.push_back(arena().text(std::to_string(value.as_int())));
  if (!value.is(Kind::String)) return value.with_taint();
  const TextMap* map = value.text_rep()->map;
  const std::span<const Segment> parts = map != nullptr ? map->segments : std::span<const Segment>();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = i + 1 < parts.size() ? parts[i + 1].begin : value.text().size();
    if (parts[i].tainted) secret_texts_.push_back(value.text().substr(parts[i].begin, end - parts[i].begin));
  }
  if (map == nullptr) secret_texts_.push_back(value.text());
  return value.with_taint();
}

void TaintTracker::looked_at(const Value& value) {
  observed.secret = true;
  observed.origin = stage.origins.combine(observed.origin, value.origin());
}

bool TaintTracker::has_public_byte(const Value& value) {
  if (!value.is(Kind::String) || value.text_rep()->map == nullptr) return false;
  const auto& segments = value.text_rep()->map->segments;
  return std::any_of(segments.begin(), segments.end(), [](const Segment& segment) { return !segment.tainted; });
}

bool TaintTracker::holds_change(const Value& value) const {
  switch (value.kind()) {
    case Kind::List: return changed_.contains(value.list_rep());
    case Kind::Map: return changed_.contains(value.map_rep());
    case Kind::Object: return changed_.contains(value.object_rep());
    default: return false;
  }
}

// Only whole numbers are recorded for redaction: the secret parts of texts are recorded already.
Value Runtime::decided(Value result, OriginId by) {
  if (result.is_error()) return result;
  if (result.is(Kind::String) && result.text_rep()->map != nullptr) {
    const Text& text = *result.text_rep();
    const OriginId origin = result.origin();
    const bool markup = result.is_markup();
    result = Value::string(arena().make<Text>(text.data, text.size, text.hash, nullptr));
    result = result.with_origin(origin).as_markup(markup);
  }
  result = result.with_origin(stage.origins.combine(result.origin(), by));
  return result.is(Kind::Int) ? secret(result) : result.with_taint();
}

Value Runtime::name_of(const KeywordArgument& argument) {
  const Value name = string(argument.name.text);
  return argument.secret_name ? secret(name) : name;
}

Segment Runtime::segment_of(const Value& value) {
  Segment segment;
  segment.value = value.origin();
  segment.tainted = value.tainted();
  return segment;
}

void Runtime::append(MappedText& out, const Value& string) {
  const Text& text = *string.text_rep();
  if (text.map == nullptr) {
    out.append(text.view(), segment_of(string));
  } else {
    out.append(text.view(), text.map->segments);
  }
}

void Runtime::append_part(MappedText& out, const Value& string, std::size_t begin, std::size_t end) {
  const Text& text = *string.text_rep();
  const std::string_view bytes = text.view();
  if (text.map == nullptr) {
    out.append(bytes.substr(begin, end - begin), segment_of(string));
    return;
  }
  const auto& all = text.map->segments;
  auto segment = std::upper_bound(all.begin(), all.end(), begin,
                                  [](std::size_t offset, const Segment& s) { return offset < s.begin; });
  for (--segment; begin < end; ++segment) {
    const std::size_t segment_end = segment + 1 == all.end() ? bytes.size() : (segment + 1)->begin;
    const std::size_t stop = std::min(end, segment_end);
    Segment part = *segment;
    if (part.literal) {
      const bool is_aligned = part.where.size() == segment_end - part.begin;  // a tag may have trimmed the text
      part.where.begin += static_cast<std::uint32_t>(begin) - part.begin;
      if (is_aligned) part.where.end = part.where.begin + static_cast<std::uint32_t>(stop - begin);
    }
    out.append(bytes.substr(begin, stop - begin), part);
    begin = stop;
  }
}

Value Runtime::string(std::string_view bytes) { return make_string(arena(), bytes); }

Value Runtime::mapped_string(const MappedText& text) {
  Lineage all;
  for (const Segment& segment : text.segments()) {
    all.origin = stage.origins.combine(all.origin, segment.value);
    all.tainted = all.tainted || segment.tainted;
  }
  const TextMap* map = nullptr;
  const bool plain = text.segments().size() == 1 && !text.segments()[0].where.known();
  if (!plain && text.size() != 0) map = arena().make<TextMap>(arena().copy(text.segments()));
  const std::string_view bytes = arena().text(text.text());
  return derived(Value::string(arena().make<Text>(bytes.data(), text.size(), 0u, map)), all.origin, all.tainted);
}

Value Runtime::substring(const Value& string, std::size_t begin, std::size_t end) {
  const Text& text = *string.text_rep();
  if (text.map != nullptr && begin != end) {
    MappedText part;
    append_part(part, string, begin, end);
    return mapped_string(part).as_markup(string.is_markup());
  }
  const auto size = static_cast<std::uint32_t>(end - begin);
  const Text* part = arena().make<Text>(text.data + begin, size, 0u, nullptr);
  return derived(Value::string(part), string).as_markup(string.is_markup());
}

}  // namespace capwright::jinja
