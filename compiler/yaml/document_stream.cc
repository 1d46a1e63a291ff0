// Classifies lines by their first bytes; only documents that begin with a brace are scanned in full.
#include "yaml/document_stream.h"

#include <algorithm>
#include <cstring>

namespace capwright::yaml {
namespace {

constexpr std::size_t kBlock = 256u << 10;
constexpr std::size_t kMarker = 3;  // `---`, `...`

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

// Whether at least `least` more bytes are available; false only at the end of the stream.
bool DocumentStream::fill(std::size_t least) {
  while (buffer_.size() - at_ < least && !is_at_end_) {
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t used = buffer_.size();
    buffer_.resize(used + kBlock);
    const std::size_t count = read_(buffer_.data() + used, kBlock);
    buffer_.resize(used + count);
    is_at_end_ = count == 0;
  }
  return buffer_.size() - at_ >= least;
}

// The line up to its line break, or the part of it that is in the buffer.
std::string_view DocumentStream::piece() const {
  const char* begin = buffer_.data() + at_;
  const void* end = std::memchr(begin, '\n', buffer_.size() - at_);
  return {begin,
          end == nullptr ? buffer_.size() - at_ : static_cast<std::size_t>(static_cast<const char*>(end) - begin) + 1};
}

DocumentStream::Line DocumentStream::line_kind() {
  if (piece().back() != '\n') fill(kBlock);
  const std::string_view line = piece();
  if (line.size() == kMarker || (line.size() > kMarker && is_space(line[kMarker]))) {
    if (line.starts_with("---")) return Line::Start;
    if (line.starts_with("...")) return Line::End;
  }
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos ? line.size() < kBlock : line[first] == '#') return Line::Blank;
  return line[0] == '%' && !has_content_ ? Line::Directive : Line::Content;
}

// The number of bytes of `piece` that belong to the open object: all of them, unless another object begins there.
std::size_t DocumentStream::object_end(std::string_view piece) {
  for (std::size_t i = 0; i < piece.size() && is_json_; ++i) {
    const char c = piece[i];
    if (in_text_) {
      in_text_ = is_escaped_ || c != '"';
      is_escaped_ = !is_escaped_ && c == '\\';
    } else if (is_closed_ && !is_space(c)) {
      if (c == '{') return i;
      is_json_ = false;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      is_closed_ = depth_ <= 1;
      depth_ -= std::min<std::size_t>(depth_, 1);
    } else {
      in_text_ = c == '"';
    }
  }
  return piece.size();
}

// Moves the next `size` bytes, all of one line, to the document. False if the document ends within them.
bool DocumentStream::take(std::size_t size, StreamDocument& document) {
  const std::string_view all = std::string_view(buffer_).substr(at_, size);
  const std::string_view own = all.substr(0, object_end(all));
  const std::size_t room = most_bytes_ - std::min(most_bytes_, document.text.size());
  document.size += own.size();
  document.text.append(own.substr(0, room));
  at_ += own.size();
  if (own.empty()) return false;
  is_line_start_ = own.back() == '\n';
  line_number_ += is_line_start_ ? 1 : 0;
  return own.size() == size;
}

// False if there were only comments and markers.
bool DocumentStream::take_document(StreamDocument& document) {
  document = {{}, line_number_, 0};
  has_content_ = is_json_ = is_closed_ = in_text_ = is_escaped_ = false;
  depth_ = 0;
  bool is_worth_reading = false;
  while (fill(1)) {
    if (is_line_start_) line_ = line_kind();
    if (is_line_start_ && line_ == Line::Start && has_content_) break;
    const std::string_view line = piece();
    const std::size_t first = line.find_first_not_of(line_ == Line::Start ? "- \t\r\n" : " \t\r\n");
    const char begins_with = first == std::string_view::npos ? '#' : line[first];
    if (line_ == Line::Content && !is_worth_reading) is_json_ = begins_with == '{';
    has_content_ = has_content_ || line_ == Line::Content || line_ == Line::Start;
    is_worth_reading =
        is_worth_reading || line_ == Line::Content || (line_ == Line::Start && is_line_start_ && begins_with != '#');
    if (!take(line.size(), document) || (line_ == Line::End && is_line_start_)) break;
  }
  return is_worth_reading;
}

bool DocumentStream::next(StreamDocument& document) {
  while (fill(1)) {
    if (take_document(document)) return true;
  }
  return false;
}

std::vector<StreamDocument> json_objects(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{' || text.find("\n---") != std::string_view::npos) return {};
  std::size_t at = 0;
  const auto read = [&](char* buffer, std::size_t size) {
    const std::size_t count = text.copy(buffer, size, at);
    at += count;
    return count;
  };
  DocumentStream stream(read, text.size());
  std::vector<StreamDocument> objects(1);
  while (stream.next(objects.back())) objects.emplace_back();
  objects.pop_back();
  if (objects.size() < 2) objects.clear();
  return objects;
}

}  // namespace capwright::yaml
