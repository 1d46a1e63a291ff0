// Digests that belong to all clusters come in lines of a few thousand, so that no line gets long.
#include "workflow/claims_file.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "text/base64.h"

namespace capwright::workflow {
namespace {

constexpr std::string_view kFirstWords = "capwright-claims";
constexpr unsigned kFormat = 1;
constexpr std::size_t kDenialsInLine = 4096;
constexpr std::string_view kNoFile = "isn't a claims file; write one with `capwright lint --shard I/N --claims FILE`";
constexpr std::string_view kDamaged = "is incomplete or damaged; lint its part again";

// A field of a line: paths may have any byte.
std::string field_of(std::string_view text) {
  std::string field;
  for (const char c : text) {
    if (c == '\t') field += "\\t";
    else if (c == '\n') field += "\\n";
    else if (c == '\\') field += "\\\\";
    else field += c;
  }
  return field;
}

std::string text_of_field(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      text += field[i];
      continue;
    }
    ++i;
    if (field[i] == 't') text += '\t';
    else if (field[i] == 'n') text += '\n';
    else text += field[i];
  }
  return text;
}

// Takes the text up to `end` off the front, and `end`.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return taken;
}

template <class Number>
bool read_number(std::string_view digits, Number& number) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size();
}

// Reads the lines of the head off the front.
std::string take_head(std::string_view& text, ClaimsHead& head) {
  const auto value_of = [&](std::string_view key) {
    std::string_view line = take_until(text, '\n');
    return take_until(line, '\t') == key ? line : std::string_view();
  };
  unsigned format = 0;
  if (!text.starts_with(kFirstWords) || !read_number(value_of(kFirstWords), format)) return std::string(kNoFile);
  head.tool = text_of_field(value_of("tool"));
  if (format != kFormat)
    return fmt::format("has version {} of the format, and this capwright reads version {}", format, kFormat);
  std::string_view shard = value_of("shard");
  head.commit = value_of("commit");
  head.state = value_of("state");
  Shard& part = head.shard;
  const bool is_complete = read_number(take_until(shard, '/'), part.number) && read_number(shard, part.count) &&
                           part.number != 0 && part.number <= part.count && !head.tool.empty() &&
                           !head.commit.empty() && !head.state.empty();
  return is_complete ? std::string() : std::string(kDamaged);
}

std::optional<std::vector<lint::Denial>> denials_in(std::string_view field) {
  const std::optional<std::string> bytes = from_base64(field);
  return bytes ? lint::unpacked_denials(*bytes) : std::nullopt;
}

std::optional<ClaimsOfCluster> cluster_in(std::string_view line, bool is_source) {
  ClaimsOfCluster cluster;
  cluster.is_source = is_source;
  cluster.path = text_of_field(take_until(line, '\t'));
  cluster.name = text_of_field(take_until(line, '\t'));
  cluster.inputs = take_until(line, '\t');
  cluster.was_linted = cluster.inputs != "-";
  if (line.empty()) return cluster;
  const std::optional<std::string> bytes = from_base64(line);
  std::optional<lint::FleetRecord> record = bytes ? lint::unpacked_record(*bytes) : std::nullopt;
  if (!record) return std::nullopt;
  cluster.record = std::move(*record);
  return cluster;
}

}  // namespace

ClaimsText::ClaimsText(const ClaimsHead& head)
    : text_(fmt::format("{}\t{}\ntool\t{}\nshard\t{}/{}\ncommit\t{}\nstate\t{}\n", kFirstWords, kFormat,
                        field_of(head.tool), head.shard.number, head.shard.count, head.commit, head.state)) {}

void ClaimsText::add(const ClaimsOfCluster& cluster) {
  ++clusters_;
  text_ += fmt::format("{}\t{}\t{}\t{}\t{}\n", cluster.is_source ? "source" : "cluster", field_of(cluster.path),
                       field_of(cluster.name), cluster.was_linted ? cluster.inputs : "-",
                       cluster.record.is_empty() ? "" : to_base64(lint::packed(cluster.record)));
}

std::string ClaimsText::finish(const std::vector<lint::Denial>& denials,
                               const std::vector<lint::Denial>& used_comments) {
  const auto add_lines = [&](std::string_view word, const std::vector<lint::Denial>& all) {
    for (auto first = all.begin(); first != all.end();) {
      const auto end = static_cast<std::size_t>(all.end() - first) > kDenialsInLine
                           ? first + static_cast<std::ptrdiff_t>(kDenialsInLine)
                           : all.end();
      text_ += fmt::format("{}\t{}\n", word, to_base64(lint::packed(std::vector<lint::Denial>(first, end))));
      first = end;
    }
  };
  add_lines("denied", denials);
  add_lines("used", used_comments);
  text_ += fmt::format("end\t{}\n", clusters_);
  return std::move(text_);
}

std::string read_claims_head(std::string_view text, ClaimsHead& head) { return take_head(text, head); }

std::string read_claims(std::string_view text, const ClaimsVisitor& visitor) {
  ClaimsHead head;
  if (std::string fault = take_head(text, head); !fault.empty()) return fault;
  std::size_t clusters = 0;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    const std::string_view word = take_until(line, '\t');
    if (word == "end") {
      std::size_t count = 0;
      const bool is_complete = read_number(line, count) && count == clusters && text.empty();
      return is_complete ? std::string() : std::string(kDamaged);
    }
    if (word == "denied" || word == "used") {
      const auto denials = denials_in(line);
      if (!denials) return std::string(kDamaged);
      (word == "used" ? visitor.used_comments : visitor.denials)(*denials);
      continue;
    }
    std::optional<ClaimsOfCluster> cluster = cluster_in(line, word == "source");
    if (!cluster || (word != "cluster" && word != "source")) return std::string(kDamaged);
    ++clusters;
    if (std::string fault = visitor.cluster(std::move(*cluster)); !fault.empty()) return fault;
  }
  return std::string(kDamaged);
}

}  // namespace capwright::workflow
