// Where text came from: every input of a run is held once, never moves, and is named by byte ranges (Span).
// Lines and columns are computed only when something is shown.
#pragma once
#include <compare>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capwright {

// An index into a SourceSet; None is "no text at all" (a flag, the catalogue, the tool itself).
enum class FileId : std::uint32_t { None = 0xffffffff };

// A half-open range of bytes in one file.
struct Span {
  FileId file = FileId::None;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  constexpr bool known() const { return file != FileId::None; }
  constexpr std::uint32_t size() const { return end - begin; }
  friend constexpr auto operator<=>(const Span&, const Span&) = default;
};
static_assert(sizeof(Span) == 12);

// From the start of `first` to the end of `last`; both in one file.
constexpr Span cover(Span first, Span last) { return {first.file, first.begin, last.end}; }

// As shown to people: both start at 1, columns count code points.
struct LineCol {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend constexpr auto operator<=>(const LineCol&, const LineCol&) = default;
};

// Holds the input text of a run. Files are only ever added; views into them stay valid as long as the set.
//
// There are two kinds, told apart by their ids. A *shared* set holds what all clusters use (templates, schemas): it is
// filled once, then read by many threads. Each cluster has a set of its own, attached to the shared one that it needs.
class SourceSet {
 public:
  enum class Role : std::uint8_t { Own, Shared };
  explicit SourceSet(Role role = Role::Own) : role_(role) {}
  SourceSet(const SourceSet&) = delete;
  SourceSet& operator=(const SourceSet&) = delete;

  // Makes the files of a frozen shared set known here too; it must outlive this set.
  void attach(const SourceSet& shared);

  // `path` is what people see: relative to the repository, or a name such as `<stdin>` or `--set`. `first_line` is the
  // number of the text's first line: more than 1 for a document of a stream that is never held as a whole.
  FileId add(std::string path, std::string text, std::uint32_t first_line = 1);
  // The same of a text that somebody else holds, at least as long as this set.
  FileId add_borrowed(std::string path, std::string_view text, std::uint32_t first_line = 1);

  std::string_view path(FileId) const;
  std::string_view text(FileId) const;
  std::string_view text(Span) const;
  bool is_borrowed(FileId id) const { return file(id).own.size() != file(id).text.size(); }
  LineCol line_col(FileId, std::uint32_t offset) const;
  LineCol line_col(Span span) const { return line_col(span.file, span.begin); }
  // The whole line that holds `offset`, without its line break.
  std::string_view line_text(FileId, std::uint32_t offset) const;
  // Whether a file is of the shared set: one place in it is one place for all clusters.
  static bool is_shared(FileId id) { return (static_cast<std::uint32_t>(id) & kSharedBit) != 0 && id != FileId::None; }
  // The files of this set alone, in the order in which they were added.
  std::vector<FileId> files() const;

 private:
  struct File {
    File(std::string shown, std::string content, std::uint32_t number)
        : path(std::move(shown)), own(std::move(content)), text(own), first_line(number) {}
    File(std::string shown, std::string_view content, std::uint32_t number)
        : path(std::move(shown)), text(content), first_line(number) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    std::string path;
    std::string own;  // empty: the text is somebody else's
    std::string_view text;
    std::uint32_t first_line;
    // The places of every so many bytes, to count on from: of a long text, once somebody asks for one.
    mutable std::once_flag marked;
    mutable std::vector<LineCol> marks;
  };
  FileId id_at(std::size_t index) const;
  static constexpr std::uint32_t kSharedBit = 0x80000000;
  const File& file(FileId) const;

  Role role_;
  const SourceSet* shared_ = nullptr;
  std::deque<File> files_;
};

}  // namespace capwright
