// Splits a stream of manifests into documents as it arrives, so that at most one of them is in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::yaml {

struct StreamDocument {
  std::string text;              // with its `---`, and the comments and directives before that
  std::uint32_t first_line = 1;  // in the stream
  std::uint64_t size = 0;        // of the document; `text` has its first bytes if it is truncated
  bool is_whole() const { return size == text.size(); }
};

// A document ends before a line `---` and after a line `...`, also inside block scalars and quotes, as in YAML. It also
// ends after an object in braces that another one follows: `kubectl` accepts concatenated JSON. `---` also ends a
// document if a space, a comment or a value follows it on its line.
class DocumentStream {
 public:
  // Fills the buffer with the available bytes; returns 0 at the end.
  using Read = std::function<std::size_t(char* buffer, std::size_t size)>;

  // Documents of more than `most_bytes` are truncated.
  DocumentStream(Read read, std::size_t most_bytes) : read_(std::move(read)), most_bytes_(most_bytes) {}

  // The next document that has content other than comments; false at the end.
  bool next(StreamDocument& document);

 private:
  enum class Line : std::uint8_t { Blank, Directive, Start, End, Content };

  bool fill(std::size_t least);
  std::string_view piece() const;
  Line line_kind();
  bool take_document(StreamDocument& document);
  bool take(std::size_t size, StreamDocument& document);
  std::size_t object_end(std::string_view piece);

  Read read_;
  std::size_t most_bytes_;
  std::string buffer_;
  std::size_t at_ = 0;  // in the buffer
  bool is_at_end_ = false;
  bool is_line_start_ = true;
  Line line_ = Line::Blank;  // the kind of the current line
  std::uint32_t line_number_ = 1;
  bool has_content_ = false;  // of the document: a `---`, or a line that isn't a comment
  // State of a document that begins with a brace.
  bool is_json_ = false, is_closed_ = false, in_text_ = false, is_escaped_ = false;
  std::size_t depth_ = 0;
};

// The objects of a text of concatenated JSON; empty for any other text, such as a single object.
std::vector<StreamDocument> json_objects(std::string_view text);

}  // namespace capwright::yaml
