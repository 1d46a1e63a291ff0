// Maps offsets of a text to places in its file, also through the layout of a YAML scalar.
#include <algorithm>
#include <charconv>

#include "yaml/reading.h"

namespace capwright::yaml {

std::pair<std::uint32_t, std::uint32_t> Places::source(std::uint32_t offset) const {
  auto run = runs_.begin();
  if (runs_.size() > 1) {
    run = std::upper_bound(runs_.begin(), runs_.end(), offset,
                           [](std::uint32_t at, const Run& r) { return at < r.text; });
    if (run != runs_.begin()) --run;
  }
  if (run->escape != 0) return {run->source, run->source + run->escape};
  const std::uint32_t begin = run->source + (offset - run->text);
  return {begin, begin + 1};
}

Span Places::mapped_span(std::uint32_t begin, std::uint32_t end) const {
  if (!exact()) return where_;
  const std::uint32_t first = source(begin).first;
  // The byte before the end belongs to the span; the byte at the end may be on another line.
  const std::uint32_t last = end > begin ? source(end - 1).second : first;
  return {where_.file, first, std::max(first, last)};
}

// The place of a scalar that several expressions printed is the first of them; template text has no values.
OriginId Reading::printed_origin(std::uint32_t begin, std::uint32_t end) {
  auto segment = std::upper_bound(segments.begin(), segments.end(), begin,
                                  [](std::uint32_t at, const Segment& s) { return at < s.begin; });
  if (segment != segments.begin()) --segment;
  const Segment* printer = &*segment;
  OriginId value = OriginId::None;
  for (; segment != segments.end() && segment->begin < std::max(end, begin + 1); ++segment) {
    if (printer->value == OriginId::None && segment->value != OriginId::None) printer = &*segment;
    value = stage.origins.combine(value, segment->value);
  }
  if (!printer->where.known()) return value;
  Span where = printer->where;
  if (printer->literal) {
    where.begin = std::min(where.begin + (std::max(begin, printer->begin) - printer->begin), where.end);
    where.end = std::min(where.begin + (end - begin), where.end);
  }
  return stage.origins.printed(where, printer->frame, value);
}

Diagnostic& Reading::placed(Diagnostic& diagnostic, std::uint32_t begin) const {
  if (places.exact() || &diagnostic == &dropped) return diagnostic;
  const std::string_view before = text.substr(0, begin);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return diagnostic.note(fmt::format("in line {}, column {} of that text", line, column));
}

namespace {

// The text between the quotes or below the `|` of a scalar, cut into pieces that are copied or decoded.
class ScalarMapper {
 public:
  ScalarMapper(std::string_view source, std::uint32_t source_begin, std::string_view decoded)
      : source_(source), base_(source_begin), decoded_(decoded) {}

  // Every line of `source` from `start`, without its outer white space, occurs in the decoded text, in order.
  bool map_lines(std::size_t start, std::size_t end, bool keep_indent);
  bool map_escapes(std::size_t start, std::size_t end);
  std::vector<Run> runs() { return std::move(runs_); }

 private:
  void add(std::size_t text, std::size_t source, std::size_t escape = 0) {
    runs_.push_back({static_cast<std::uint32_t>(text), static_cast<std::uint32_t>(source) + base_,
                     static_cast<std::uint32_t>(escape)});
  }
  void skip_break(std::size_t& at);
  void skip_folded(std::size_t& text) const {
    while (text < decoded_.size() && (decoded_[text] == '\n' || decoded_[text] == ' ')) ++text;
  }

  std::string_view source_;
  std::uint32_t base_;
  std::string_view decoded_;
  std::vector<Run> runs_;
};

bool ScalarMapper::map_lines(std::size_t start, std::size_t end, bool keep_indent) {
  std::size_t text = 0;
  while (start < end) {
    const std::size_t line_end = std::min(source_.find('\n', start), end);
    std::string_view line = source_.substr(start, line_end - start);
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(indent);
    while (line.ends_with('\r') || (!keep_indent && line.ends_with(' '))) line.remove_suffix(1);
    if (!line.empty()) {
      while (text < decoded_.size() && (decoded_[text] == '\n' || decoded_[text] == ' ' || decoded_[text] == '\t'))
        ++text;
      if (decoded_.substr(text, line.size()) != line) return false;
      add(text, start + indent);
      text += line.size();
    }
    start = line_end + 1;
  }
  skip_folded(text);
  return text == decoded_.size();
}

// Skips a line break inside double quotes and the white space around it.
void ScalarMapper::skip_break(std::size_t& at) {
  while (at < source_.size() && std::string_view(" \t\r\n").find(source_[at]) != std::string_view::npos) ++at;
}

// An escape: the sizes of its source and of its decoded bytes.
struct Escape {
  std::size_t source = 2;
  std::size_t text = 1;
};

Escape escape_at(std::string_view source) {
  const char kind = source.size() > 1 ? source[1] : ' ';
  if (kind == 'N' || kind == '_') return {2, 2};
  if (kind == 'L' || kind == 'P') return {2, 3};
  std::size_t digits = 0;
  if (kind == 'x') digits = 2;
  else if (kind == 'u') digits = 4;
  else if (kind == 'U') digits = 8;
  if (digits == 0) return {};
  const std::string_view hex = source.substr(2, digits);
  std::uint32_t code_point = 0;
  std::from_chars(hex.data(), hex.data() + hex.size(), code_point, 16);
  if (code_point >= 0xd800 && code_point < 0xdc00) return {12, 4};  // JSON's pair of surrogates
  const std::uint32_t bytes = 1u + (code_point >= 0x80) + (code_point >= 0x800) + (code_point >= 0x10000);
  return {2 + digits, bytes};
}

bool ScalarMapper::map_escapes(std::size_t at, std::size_t end) {
  std::size_t text = 0;
  add(0, at);
  while (at < end) {
    const std::size_t word = std::min(source_.find_first_not_of(" \t\r", at), end);
    if (word < end && source_[word] == '\n') {
      skip_break(at);
      skip_folded(text);
      add(text, at);
      continue;
    }
    if (source_[at] != '\\') {
      const std::size_t size = std::max<std::size_t>(word - at, 1);
      if (decoded_.substr(std::min(text, decoded_.size()), size) != source_.substr(at, size)) return false;
      at += size;
      text += size;
      continue;
    }
    if (at + 1 < end && (source_[at + 1] == '\n' || source_[at + 1] == '\r')) {
      skip_break(++at);
    } else {
      const Escape escape = escape_at(source_.substr(at, end - at));
      add(text, at, escape.source);
      at += escape.source;
      text += escape.text;
    }
    add(text, at);
  }
  return text == decoded_.size();
}

}  // namespace

std::vector<Run> map_scalar(const SourceSet& sources, Span source, ScalarStyle style, std::string_view decoded) {
  const std::string_view text = sources.text(source);
  ScalarMapper mapper(text, source.begin, decoded);
  bool known = false;
  switch (style) {
    case ScalarStyle::Plain: known = mapper.map_lines(0, text.size(), false); break;
    case ScalarStyle::SingleQuoted:
      known = text.size() >= 2 && text.substr(1).find('\'') == text.size() - 2 &&
              mapper.map_lines(1, text.size() - 1, false);
      break;
    case ScalarStyle::DoubleQuoted: known = text.size() >= 2 && mapper.map_escapes(1, text.size() - 1); break;
    case ScalarStyle::Literal:
    case ScalarStyle::Folded: {
      const std::size_t header = text.find('\n');
      known = header != std::string_view::npos && mapper.map_lines(header + 1, text.size(), true);
      break;
    }
    case ScalarStyle::None: break;
  }
  return known ? mapper.runs() : std::vector<Run>();
}

}  // namespace capwright::yaml
