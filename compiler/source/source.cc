// Look-ups in a SourceSet. Lines are counted on demand: only diagnostics and `explain` need them, but perhaps
// thousands.
#include "source/source.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace capwright {
namespace {

constexpr std::size_t kMarked = 1024;  // bytes from one mark to the next

void count_on(std::string_view text, LineCol& at) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    at = {at.line + 1, 1};
    text.remove_prefix(end + 1);
  }
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++at.column;  // a UTF-8 continuation byte isn't a column
  }
}

}  // namespace

void SourceSet::attach(const SourceSet& shared) {
  CW_CHECK(role_ == Role::Own && shared.role_ == Role::Shared, "only a cluster's own set is attached to a shared one");
  shared_ = &shared;
}

FileId SourceSet::add(std::string path, std::string text, std::uint32_t first_line) {
  CW_CHECK(text.size() < 0xffffffffu, "a source of 4 GiB or more must be refused before it is added");
  files_.emplace_back(std::move(path), std::move(text), first_line);
  return id_at(files_.size() - 1);
}

FileId SourceSet::add_borrowed(std::string path, std::string_view text, std::uint32_t first_line) {
  CW_CHECK(text.size() < 0xffffffffu, "a source of 4 GiB or more must be refused before it is added");
  files_.emplace_back(std::move(path), text, first_line);
  return id_at(files_.size() - 1);
}

FileId SourceSet::id_at(std::size_t index) const {
  const auto number = static_cast<std::uint32_t>(index);
  return static_cast<FileId>(role_ == Role::Shared ? number | kSharedBit : number);
}

std::vector<FileId> SourceSet::files() const {
  std::vector<FileId> ids;
  for (std::size_t i = 0; i < files_.size(); ++i) ids.push_back(id_at(i));
  return ids;
}

const SourceSet::File& SourceSet::file(FileId id) const {
  const auto number = static_cast<std::uint32_t>(id);
  const bool shared = (number & kSharedBit) != 0;
  const SourceSet* owner = shared == (role_ == Role::Shared) ? this : shared_;
  CW_CHECK(owner != nullptr && (number & ~kSharedBit) < owner->files_.size(), "a FileId belongs to another SourceSet");
  return owner->files_[number & ~kSharedBit];
}

std::string_view SourceSet::path(FileId id) const { return id == FileId::None ? std::string_view() : file(id).path; }
std::string_view SourceSet::text(FileId id) const { return id == FileId::None ? std::string_view() : file(id).text; }

std::string_view SourceSet::text(Span span) const {
  const std::string_view whole = text(span.file);
  const std::size_t begin = std::min<std::size_t>(span.begin, whole.size());
  return whole.substr(begin, std::min<std::size_t>(span.end, whole.size()) - begin);
}

LineCol SourceSet::line_col(FileId id, std::uint32_t offset) const {
  if (id == FileId::None) return {};
  const File& known = file(id);
  const std::string_view before = known.text.substr(0, offset);
  const std::size_t mark = before.size() / kMarked;
  LineCol at{known.first_line, 1};
  if (mark != 0) {
    std::call_once(known.marked, [&known, at]() mutable {
      for (std::string_view rest = known.text; rest.size() >= kMarked; rest.remove_prefix(kMarked)) {
        count_on(rest.substr(0, kMarked), at);
        known.marks.push_back(at);
      }
    });
    at = known.marks[mark - 1];
  }
  count_on(before.substr(mark * kMarked), at);
  return at;
}

std::string_view SourceSet::line_text(FileId id, std::uint32_t offset) const {
  const std::string_view whole = text(id);
  offset = std::min(offset, static_cast<std::uint32_t>(whole.size()));
  const std::size_t start = whole.substr(0, offset).rfind('\n') + 1;
  std::size_t end = whole.find('\n', offset);
  if (end == std::string_view::npos) end = whole.size();
  std::string_view line = whole.substr(start, end - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace capwright
