// The origin of text: every input of a run is stored once, never moves, and is referenced by byte ranges (Span). Lines
// and columns are computed only for display.
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

// An index into a SourceSet; None is for a place without text (a flag, the catalogue, the program itself).
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

// For display: both start at 1, columns count code points.
struct LineCol {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend constexpr auto operator<=>(const LineCol&, const LineCol&) = default;
};

// Stores the input text of a run. Files are only ever added; views into them stay valid as long as the set.
//
// There are two kinds, with separate ranges of ids. A *shared* set has the files that all clusters use (templates,
// schemas): it is filled once, then read by many threads. Each cluster has its own set, attached to the shared one that
// it needs.
class SourceSet {
 public:
  enum class Role : std::uint8_t { Own, Shared };
  explicit SourceSet(Role role = Role::Own) : role_(role) {}
  SourceSet(const SourceSet&) = delete;
  SourceSet& operator=(const SourceSet&) = delete;

  // Makes the files of a frozen shared set available in this set, too; `shared` must outlive this set.
  void attach(const SourceSet& shared);

  // `path` is for display: relative to the repository, or a name such as `<stdin>` or `--set`. `first_line` is the
  // number of the text's first line: more than 1 for a document of a stream that is read piece by piece.
  FileId add(std::string path, std::string text, std::uint32_t first_line = 1);
  // The same, without a copy: the caller keeps the text alive at least as long as this set.
  FileId add_borrowed(std::string path, std::string_view text, std::uint32_t first_line = 1);

  std::string_view path(FileId) const;
  std::string_view text(FileId) const;
  std::string_view text(Span) const;
  bool is_borrowed(FileId id) const { return file(id).own.size() != file(id).text.size(); }
  LineCol line_col(FileId, std::uint32_t offset) const;
  LineCol line_col(Span span) const { return line_col(span.file, span.begin); }
  // The whole line that contains `offset`, without its line break.
  std::string_view line_text(FileId, std::uint32_t offset) const;
  // Whether a file belongs to the shared set: a place in it is the same place for all clusters.
  static bool is_shared(FileId id) { return (static_cast<std::uint32_t>(id) & kSharedBit) != 0 && id != FileId::None; }
  // The files of this set, without the attached one, in the order in which they were added.
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
    std::string own;  // empty: the text is borrowed
    std::string_view text;
    std::uint32_t first_line;
    // The line and column at regular byte offsets of a long text, to count from; computed on first use.
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
