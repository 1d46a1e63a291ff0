// Events of YAML text: from the fast path if it supports all of it, otherwise from libfyaml, with additions: quotes and
// `|` in the spans, places of empty values, texts that outlive the parser.
#include <algorithm>
#include <libfyaml.h>
#include <string>

#include "base/check.h"
#include "diag/catalog/text.h"
#include "yaml/byte_checks.h"
#include "yaml/common_yaml.h"
#include "yaml/events.h"
#include "yaml/misreads.h"
#include "yaml/reading.h"
#include "yaml/scalar_text.h"

namespace capwright::yaml {
namespace {

void swallow(fy_diag*, void*, const char*, std::size_t) {}

std::uint32_t offset_of(const fy_mark* mark) { return static_cast<std::uint32_t>(mark->input_pos); }

bool is_blank_or_break(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Characters that are line breaks only in YAML 1.1: NEL, LS, PS.
bool has_old_breaks(std::string_view text) {
  for (const std::string_view line_break : {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    if (text.find(line_break) != std::string_view::npos) return true;
  }
  return false;
}

constexpr std::uint32_t kMostMasks = 64;

class LibfyamlEvents : public EventSource {
 public:
  LibfyamlEvents(Reading& reading, std::uint32_t start);
  ~LibfyamlEvents() override { close(); }
  LibfyamlEvents(const LibfyamlEvents&) = delete;
  LibfyamlEvents& operator=(const LibfyamlEvents&) = delete;

  const Event& next() override { return event_ = read(); }

 private:
  void open(std::string_view text);
  void close();
  Event read();
  bool is_at_error(const fy_event* event) const { return event == nullptr || fy_diag_got_error(diag_); }
  bool pass_over_empty_block(Event&);
  Event fault();
  Event translate(const fy_event&);
  void properties(Event&, fy_token* anchor, fy_token* tag);
  void scalar(Event&, fy_token* value);
  void quoted(Event&, fy_token* value);
  void block_scalar(Event&, fy_token* value);
  void collection(Event&, fy_token* bracket, const fy_event&);
  std::string_view tag_text(fy_token*);
  std::string_view decoded(std::string_view source, ScalarStyle style) {
    return reading_.stage.arena.text(flow_text(source, style, breaks_));
  }
  bool is_one_line(std::string_view source) const {
    return source.find_first_of("\n\r") == std::string_view::npos &&
           (breaks_ == LineBreaks::Yaml12 || !has_old_breaks(source));
  }
  std::uint32_t begin(const fy_token* token) const {
    return offset_of(fy_token_start_mark(const_cast<fy_token*>(token))) + start_;
  }
  std::uint32_t end(const fy_token* token) const {
    return offset_of(fy_token_end_mark(const_cast<fy_token*>(token))) + start_;
  }
  std::uint32_t skip_space_and_comments(std::uint32_t at) const;

  Reading& reading_;
  std::string_view text_;
  std::uint32_t start_;     // the offset of the library's text in ours: after a byte order mark
  std::uint32_t last_end_;  // of the last token
  fy_diag* diag_ = nullptr;
  fy_parser* parser_ = nullptr;
  bool ended_ = false;
  LineBreaks breaks_;
  Misreads misreads_;
  std::string masked_;  // the text without the headers of empty blocks; empty: no change
  std::uint32_t mask_count_ = 0;
  std::uint32_t read_ = 0;  // events of the library
  Event event_;
};

LibfyamlEvents::LibfyamlEvents(Reading& reading, std::uint32_t start)
    : reading_(reading),
      text_(reading.text),
      start_(start),
      last_end_(start),
      breaks_(reading.options.rules == ScalarRules::Core ? LineBreaks::Yaml12 : LineBreaks::Yaml11),
      misreads_(reading, start) {
  open(text_);
}

void LibfyamlEvents::open(std::string_view text) {
  fy_diag_cfg diag_config;
  fy_diag_cfg_default(&diag_config);
  diag_config.fp = nullptr;
  diag_config.output_fn = swallow;
  diag_config.colorize = false;
  diag_ = fy_diag_create(&diag_config);
  fy_diag_set_collect_errors(diag_, true);

  fy_parse_cfg config{};
  // Brackets may close at any column, as in PyYAML and go-yaml; the builder checks depth and duplicates. In YAML 1.1
  // the characters NEL, LS and PS are line breaks.
  config.flags = static_cast<fy_parse_cfg_flags>(
      FYPCF_JSON_NONE | FYPCF_SLOPPY_FLOW_INDENTATION | FYPCF_DISABLE_DEPTH_LIMIT | FYPCF_ALLOW_DUPLICATE_KEYS |
      (breaks_ == LineBreaks::Yaml11 ? FYPCF_DEFAULT_VERSION_1_1 : FYPCF_DEFAULT_VERSION_1_2));
  config.diag = diag_;
  config.search_path = "";
  parser_ = fy_parser_create(&config);
  CW_CHECK(parser_ != nullptr, "libfyaml makes no parser");
  fy_parser_set_string(parser_, text.data() + start_, text.size() - start_);
}

void LibfyamlEvents::close() {
  if (parser_ != nullptr) fy_parser_destroy(parser_);
  if (diag_ != nullptr) fy_diag_destroy(diag_);
}

Event LibfyamlEvents::read() {
  while (true) {
    fy_event* event = ended_ ? nullptr : fy_parser_parse(parser_);
    if (is_at_error(event)) {
      if (event != nullptr) fy_parser_event_free(parser_, event);
      return ended_ ? Event{} : fault();
    }
    ++read_;
    const bool stream_start = event->type == FYET_STREAM_START;
    Event result = stream_start ? Event{} : translate(*event);
    ended_ = event->type == FYET_STREAM_END;
    fy_parser_event_free(parser_, event);
    if (stream_start) continue;
    if (misreads_.has_siblings_in_block(result) && !pass_over_empty_block(result)) return fault();
    if (misreads_.refuses(result)) {
      ended_ = true;
      return Event{Event::Kind::Fault};
    }
    return result;
  }
}

// Replaces the block's header with a value on one line, restarts the library and skips the events up to the block.
// False for an error, also if the text has too many empty blocks.
bool LibfyamlEvents::pass_over_empty_block(Event& block) {
  if (++mask_count_ > kMostMasks) {
    reading_.report(diag::ambiguous_empty_block, block.begin, block.begin + 1).advise("write `\"\"` for an empty text");
    return false;
  }
  const std::uint32_t siblings = misreads_.end_of_empty_block(block);
  block.end = last_end_ = static_cast<std::uint32_t>(text_.find_first_of(" \t\r\n", block.begin));
  const std::string_view source = text_.substr(block.begin, siblings - block.begin);
  block.text = reading_.stage.arena.text(block_text(source, misreads_.column(), breaks_));
  if (masked_.empty()) masked_ = text_;
  masked_.replace(block.begin, block.end - block.begin, block.end - block.begin, ' ');
  masked_[block.begin] = '~';
  close();
  open(masked_);
  for (std::uint32_t i = 0; i < read_; ++i) {
    fy_event* event = fy_parser_parse(parser_);
    const bool is_error = is_at_error(event);
    if (event != nullptr) fy_parser_event_free(parser_, event);
    if (is_error) return false;
  }
  return true;
}

// Reports the error unless it is already reported.
Event LibfyamlEvents::fault() {
  if (mask_count_ > kMostMasks) {
    ended_ = true;
    return Event{Event::Kind::Fault};
  }
  void* iterator = nullptr;
  const fy_diag_error* error = fy_diag_errors_iterate(diag_, &iterator);
  std::uint32_t offset = last_end_;
  if (error != nullptr) {
    std::size_t line_begin = start_;
    for (int line = 1; line < error->line; ++line)
      line_begin = std::min(text_.find('\n', line_begin), text_.size() - 1) + 1;
    offset = static_cast<std::uint32_t>(line_begin);
    for (int column = 1; column < error->column && offset < text_.size() && text_[offset] != '\n'; ++offset) {
      if (offset + 1 >= text_.size() || (static_cast<unsigned char>(text_[offset + 1]) & 0xc0) != 0x80) ++column;
    }
  }
  report_syntax_fault(reading_, offset, error == nullptr ? "" : error->msg);
  ended_ = true;
  return {Event::Kind::Fault};
}

Event LibfyamlEvents::translate(const fy_event& event) {
  Event result;
  switch (event.type) {
    case FYET_DOCUMENT_START:
      result.kind = Event::Kind::DocumentStart;
      result.begin = result.end = last_end_;
      if (const fy_token* marker = event.document_start.document_start;
          marker != nullptr && !event.document_start.implicit) {
        result.begin = begin(marker);
        result.end = last_end_ = end(marker);
      }
      break;
    case FYET_DOCUMENT_END:
      result.kind = Event::Kind::DocumentEnd;
      result.begin = result.end = last_end_;
      break;
    case FYET_SCALAR:
      result.kind = Event::Kind::Scalar;
      properties(result, event.scalar.anchor, event.scalar.tag);
      scalar(result, event.scalar.value);
      last_end_ = std::max(last_end_, result.end);
      break;
    case FYET_ALIAS:
      result.kind = Event::Kind::Alias;
      result.begin = begin(event.alias.anchor) - 1;  // the `*`
      result.end = last_end_ = end(event.alias.anchor);
      result.text = text_.substr(result.begin + 1, result.end - result.begin - 1);
      break;
    case FYET_SEQUENCE_START:
      result.kind = Event::Kind::ListStart;
      properties(result, event.sequence_start.anchor, event.sequence_start.tag);
      collection(result, event.sequence_start.sequence_start, event);
      break;
    case FYET_MAPPING_START:
      result.kind = Event::Kind::MapStart;
      properties(result, event.mapping_start.anchor, event.mapping_start.tag);
      collection(result, event.mapping_start.mapping_start, event);
      break;
    case FYET_SEQUENCE_END:
      result.kind = Event::Kind::ListEnd;
      collection(result, event.sequence_end.sequence_end, event);
      break;
    case FYET_MAPPING_END:
      result.kind = Event::Kind::MapEnd;
      collection(result, event.mapping_end.mapping_end, event);
      break;
    default: break;
  }
  return result;
}

void LibfyamlEvents::properties(Event& result, fy_token* anchor, fy_token* tag) {
  for (const fy_token* token : {anchor, tag}) {
    if (token != nullptr) last_end_ = std::max(last_end_, end(token));
  }
  if (anchor != nullptr) result.anchor = text_.substr(begin(anchor), end(anchor) - begin(anchor));
  if (tag == nullptr) return;
  result.tag = tag_text(tag);
  result.tag_begin = begin(tag);
  result.tag_end = end(tag);
}

std::string_view LibfyamlEvents::tag_text(fy_token* token) {
  std::size_t size = 0;
  const char* text = fy_token_get_text(token, &size);
  return text == nullptr ? std::string_view() : reading_.stage.arena.text({text, size});
}

// Only brackets have exact places: a block collection spans its content.
void LibfyamlEvents::collection(Event& result, fy_token* bracket, const fy_event& event) {
  const fy_mark* mark = fy_event_start_mark(const_cast<fy_event*>(&event));
  result.begin = result.end = mark == nullptr ? last_end_ : offset_of(mark) + start_;
  if (event.type == FYET_SEQUENCE_START) last_end_ = std::max(last_end_, result.begin);
  if (bracket == nullptr) return;
  const std::uint32_t first = begin(bracket);
  if (end(bracket) != first + 1 || first >= text_.size() ||
      std::string_view("[]{}").find(text_[first]) == std::string_view::npos) {
    return;
  }
  result.flow = true;
  result.begin = first;
  result.end = last_end_ = first + 1;
}

std::uint32_t LibfyamlEvents::skip_space_and_comments(std::uint32_t at) const {
  while (at < text_.size()) {
    if (is_blank_or_break(text_[at])) {
      ++at;
    } else if (text_[at] == '#') {
      at = static_cast<std::uint32_t>(std::min(text_.find('\n', at), text_.size()));
    } else {
      break;
    }
  }
  return at;
}

void LibfyamlEvents::scalar(Event& result, fy_token* value) {
  if (value == nullptr) {  // an empty value: its place is after the `:` or `-`
    result.style = ScalarStyle::Plain;
    result.begin = result.end = last_end_;
    const std::uint32_t mark = skip_space_and_comments(last_end_);
    if (mark < text_.size() && (text_[mark] == ':' || text_[mark] == '-')) result.begin = result.end = mark + 1;
    return;
  }
  switch (fy_token_scalar_style(value)) {
    case FYSS_SINGLE_QUOTED: result.style = ScalarStyle::SingleQuoted; return quoted(result, value);
    case FYSS_DOUBLE_QUOTED: result.style = ScalarStyle::DoubleQuoted; return quoted(result, value);
    case FYSS_LITERAL: result.style = ScalarStyle::Literal; return block_scalar(result, value);
    case FYSS_FOLDED: result.style = ScalarStyle::Folded; return block_scalar(result, value);
    default: break;
  }
  result.style = ScalarStyle::Plain;
  result.begin = begin(value);
  result.end = end(value);
  result.text = text_.substr(result.begin, result.end - result.begin);
  if (!is_one_line(result.text)) result.text = decoded(result.text, result.style);
}

void LibfyamlEvents::quoted(Event& result, fy_token* value) {
  result.begin = begin(value) - 1;
  result.end = end(value) + 1;
  result.text = text_.substr(result.begin + 1, result.end - result.begin - 2);
  const char special = result.style == ScalarStyle::SingleQuoted ? '\'' : '\\';
  const bool verbatim = result.text.find(special) == std::string_view::npos && is_one_line(result.text);
  if (!verbatim) result.text = decoded(result.text, result.style);
}

// From the `|` to the end of the last line that has text.
void LibfyamlEvents::block_scalar(Event& result, fy_token* value) {
  std::uint32_t header = last_end_;
  while (header < text_.size() && text_[header] != '|' && text_[header] != '>') {
    header = skip_space_and_comments(header + (is_blank_or_break(text_[header]) || text_[header] == '#' ? 0 : 1));
  }
  const std::string_view content = text_.substr(0, end(value));
  const std::size_t last = content.find_last_not_of(" \t\r\n");
  result.begin = header;
  result.end =
      static_cast<std::uint32_t>(last >= begin(value) ? std::min(content.find_first_of("\r\n", last), content.size())
                                                      : std::min(text_.find_first_of(" \t\r\n", header), text_.size()));
  const std::string_view source = text_.substr(header, end(value) - header);
  result.text = reading_.stage.arena.text(block_text(source, misreads_.column(), breaks_));
}

// Events that are known in advance: of a whole text, or the error of a rejected one.
class KnownEvents : public EventSource {
 public:
  explicit KnownEvents(std::vector<Event> events) : events_(std::move(events)) {}
  const Event& next() override { return next_ < events_.size() ? events_[next_++] : end_; }

 private:
  std::vector<Event> events_;
  const Event end_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<EventSource> yaml_events(Reading& reading) {
  const std::uint32_t start = check_bytes(reading);
  if (start == kUnreadable) return std::make_unique<KnownEvents>(std::vector{Event{Event::Kind::Fault}});
  Stage& stage = reading.stage;
  if (reading.options.rules == ScalarRules::Core || !has_old_breaks(reading.text)) {
    if (auto events = read_common_yaml(reading.text, start, stage.limits.depth, stage.arena)) {
      return std::make_unique<KnownEvents>(std::move(*events));
    }
  }
  return library_yaml_events(reading, start);
}

std::unique_ptr<EventSource> library_yaml_events(Reading& reading, std::uint32_t start) {
  if (!check_shape(reading)) return std::make_unique<KnownEvents>(std::vector{Event{Event::Kind::Fault}});
  return std::make_unique<LibfyamlEvents>(reading, start);
}

}  // namespace capwright::yaml
