// Scans the source text; a match counts only if it parses to the value read before.
#include "lint/model/written.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "files/blame.h"
#include "yaml/read.h"

namespace capwright::lint {
namespace {

constexpr std::string_view kBlank = " \t";

bool is_same(const Value& a, const Value& b) {
  if (a.is(Kind::Int) && b.is(Kind::Int)) return a.as_int() == b.as_int();
  if (a.is(Kind::Bool) && b.is(Kind::Bool)) return a.as_bool() == b.as_bool();
  return a.is(Kind::Float) && b.is(Kind::Float) && a.as_float() == b.as_float();
}

std::optional<double> number_of(const Value& value) {
  if (value.is(Kind::Int)) return static_cast<double>(value.as_int());
  return value.is(Kind::Float) ? std::optional(value.as_float()) : std::nullopt;
}

// The place in a values file that alone made the rendered scalar; empty if the cluster's user can't edit it.
std::optional<Span> written_in_values(const Cluster& cluster, const File& file, Span where) {
  if (file.rendered == nullptr) return std::nullopt;
  const MappedText& body = file.rendered->body;
  if (where.begin >= where.end || where.end > body.size()) return std::nullopt;
  const auto found = editable_place(body, where.begin, where.end, cluster.makers());
  const bool is_values = found && found->what == EditablePlace::What::Input && !SourceSet::is_shared(found->where.file);
  return is_values ? std::optional(found->where) : std::nullopt;
}

}  // namespace

Properties properties_of(std::string_view source, std::uint32_t begin) {
  Properties found;
  for (std::string_view before = source.substr(0, begin);;) {
    const std::size_t last = before.find_last_not_of(kBlank);
    if (last == std::string_view::npos || last + 1 == before.size()) return found;
    before = before.substr(0, last + 1);
    const std::size_t start = before.find_last_of(" \t\r\n[{,") + 1;  // 0 if there is none
    if (start == before.size() || (before[start] != '!' && before[start] != '&')) return found;
    (before[start] == '!' ? found.tag : found.anchor) = true;
    before = before.substr(0, start);
  }
}

Span scalar_at_anchor(std::string_view source, Span alias, const Value& value) {
  const std::string anchor = fmt::format("&{}", source.substr(alias.begin + 1, alias.size() - 1));
  for (std::size_t at = alias.begin; at != 0;) {
    at = source.rfind(anchor, at - 1);
    if (at == std::string_view::npos) return {};
    const std::size_t behind = at + anchor.size();
    const std::size_t begin = source.find_first_not_of(kBlank, behind);
    if (begin == behind || begin == std::string_view::npos) continue;  // another anchor with the same prefix
    const std::size_t end = std::min(source.find_first_of(" \t\r\n,]}", begin), source.size());
    if (is_same(resolve_plain(source.substr(begin, end - begin), ScalarRules::Kubernetes), value))
      return {alias.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  return {};
}

std::optional<Span> number_in_values(const Cluster& cluster, const File& file, Span where) {
  const std::optional<Span> found = written_in_values(cluster, file, where);
  if (!found) return std::nullopt;
  const std::string_view written = cluster.sources().text(*found);
  const std::string_view printed = std::string_view(file.rendered->body.text()).substr(where.begin, where.size());
  const auto number = number_of(resolve_plain(written, ScalarRules::Core));
  const bool is_it = written != printed && number && number == number_of(resolve_plain(printed, ScalarRules::Core));
  return is_it ? found : std::nullopt;
}

// Called for every key, so the first characters decide for most.
std::optional<std::string_view> retyped_key(const Node& member) {
  constexpr std::string_view kNumbers = "0123456789+-.";
  const std::string_view key = member.key();
  if (key.empty()) return std::nullopt;
  const bool is_number = kNumbers.find(key.front()) != std::string_view::npos || key == "NaN";
  if (!is_number && key != "true" && key != "false") return std::nullopt;
  const Span span = member.key_span();
  if (!span.known()) return std::nullopt;
  const std::string_view written = member.document()->cluster->sources().text(span);
  const bool stays = written == key || resolve_plain(written, ScalarRules::Kubernetes).is(Kind::String);
  return stays ? std::nullopt : std::optional(written);
}

bool is_text_of_values(const Cluster& cluster, const File& file, Span where) {
  const std::optional<Span> found = written_in_values(cluster, file, where);
  if (!found || found->size() == 0) return false;
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  const std::string_view written = cluster.sources().text(*found);
  if (written.front() == '|' || written.front() == '>') return false;  // quotes inside of it are printed
  const std::string_view source = cluster.sources().text(found->file);
  const bool is_quoted = is_quote(written.front()) || (found->begin > 0 && is_quote(source[found->begin - 1]));
  return is_quoted || resolve_plain(written, ScalarRules::Core).is(Kind::String);
}

}  // namespace capwright::lint
