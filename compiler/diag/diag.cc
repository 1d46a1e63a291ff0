// The Sink's bookkeeping and the display order of diagnostics.
#include "diag/diag.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "base/hash.h"

namespace capwright {

namespace {

// The size of the UTF-8 character at the start of `text`; 0 if it is invalid.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  std::size_t size = 0;
  if (lead < 0x80) size = 1;
  else if (lead < 0xc2) size = 0;
  else if (lead < 0xe0) size = 2;
  else if (lead < 0xf0) size = 3;
  else if (lead < 0xf5) size = 4;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool outside = (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf4 && byte(1) >= 0x90);
  return overlong || outside ? 0 : size;
}

// A message may quote any input, but output must be UTF-8.
void escape_broken_utf8(std::string& message) {
  const bool is_ascii = std::none_of(message.begin(), message.end(), [](char c) { return (c & 0x80) != 0; });
  if (is_ascii) return;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t size = character_size(std::string_view(message).substr(at));
    if (size == 0) message.replace(at, 1, fmt::format("\\x{:02x}", static_cast<unsigned char>(message[at])));
    at += size == 0 ? 4 : size;
  }
}

bool is_same(const Diagnostic& known, const DiagInfo& info, Span where, std::string_view message) {
  return known.info == &info && known.where == where && known.message == message;
}

constexpr std::size_t kFew = 64;  // a linear search is as fast up to here

std::uint32_t hash_of(const DiagInfo& info, Span where, std::string_view message) {
  const std::uint32_t place = (where.begin ^ hash_text(info.code)) * 0x9e3779b1U;
  return place ^ where.end ^ hash_text(message);
}

}  // namespace

void Sink::enter(std::size_t number) {
  const Diagnostic& entry = diagnostics_[number];
  std::size_t at = hash_of(*entry.info, entry.where, entry.message) & (table_.size() - 1);
  while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
  table_[at] = static_cast<std::uint32_t>(number + 1);
  entered_ = number + 1;
}

Diagnostic* Sink::find(const DiagInfo& info, Span where, std::string_view message) {
  if (diagnostics_.size() < kFew) {
    for (Diagnostic& known : diagnostics_) {
      if (is_same(known, info, where, message)) return &known;
    }
    return nullptr;
  }
  // Never more than half full.
  if (entered_ == 0 || (diagnostics_.size() + 1) * 2 > table_.size()) {
    table_.assign(std::bit_ceil(diagnostics_.size() * 4), 0);
    entered_ = 0;
  }
  while (entered_ < diagnostics_.size()) enter(entered_);
  std::size_t at = hash_of(info, where, message) & (table_.size() - 1);
  for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
    Diagnostic& known = diagnostics_[table_[at] - 1];
    if (is_same(known, info, where, message)) return &known;
  }
  return nullptr;
}

Diagnostic& Sink::add(const DiagInfo& info, Span where, std::string message) {
  escape_broken_utf8(message);
  if (info.severity == Severity::Error) ++errors_;
  if (Diagnostic* known = where.known() ? find(info, where, message) : nullptr) {
    ++known->repeats;
    return repeated_ = Diagnostic{};  // notes and help chained to a repetition are discarded
  }
  Diagnostic& added = diagnostics_.emplace_back();
  added.info = &info;
  added.severity = info.severity;
  added.message = std::move(message);
  added.where = where;
  return added;
}

void sort_for_display(std::vector<const Diagnostic*>& diagnostics, const SourceSet& sources) {
  const auto key = [&](const Diagnostic* d) {
    return std::tuple(sources.path(d->where.file), sources.line_col(d->where.file, 0).line, d->where.begin,
                      d->where.end, d->info->code, std::string_view(d->message));
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic* a, const Diagnostic* b) { return key(a) < key(b); });
}

}  // namespace capwright
