// Reads, matches and writes baselines.
#include "lint/engine/baseline.h"

#include <algorithm>
#include <fmt/format.h>

#include "facts/built_in.h"
#include "lint/engine/selection.h"
#include "schema/schema.h"
#include "text/utf8.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::lint {
namespace {

constexpr const char* kSchemaPath = "schemas/config/baseline.schema.json";
constexpr std::string_view kHead =
    "# Findings that `capwright lint` ignores. Findings that aren't listed here are new.\n"
    "# Remove entries as you fix them, or run `capwright lint --write-baseline` to update this file.\n";

// A mistake in a template or layer is one finding, however many clusters use it.
std::string place_of(const Diagnostic& diagnostic, const SourceSet& sources) {
  const Span& where = diagnostic.where;
  return fmt::format("{}\n{}\n{}\n{}\n{}", diagnostic.info->code, where.known() ? sources.path(where.file) : "",
                     where.begin, where.end, diagnostic.message);
}

std::uint32_t times(const Diagnostic& diagnostic) { return 1 + diagnostic.repeats; }

// Characters that JSON writes unescaped but YAML rejects: DEL, C1 controls and noncharacters.
bool is_refused(char32_t c) { return (c >= 0x7f && c <= 0x9f) || c == 0xfeff || (c & 0xfffe) == 0xfffe; }

// YAML reads JSON strings if these characters are escaped.
std::string quoted(Arena& arena, std::string_view text) {
  const std::string json = canonical_json(make_string(arena, text));
  std::string all;
  for (std::size_t at = 0; at < json.size();) {
    const utf8::CodePoint c = utf8::decode(json, at);
    if (is_refused(c.value)) all += fmt::format("\\U{:08x}", static_cast<std::uint32_t>(c.value));
    else all += std::string_view(json).substr(at, c.size);
    at += c.size;
  }
  return all;
}

}  // namespace

BaselineKey key_of(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster) {
  BaselineKey key;
  key.rule = diagnostic.info->code;
  key.subject = diagnostic.subject;
  if (!key.subject.empty()) key.cluster = cluster;
  if (key.cluster.empty() && diagnostic.where.known()) key.file = sources.path(diagnostic.where.file);
  if (key.subject.empty()) key.message = diagnostic.message;
  return key;
}

std::optional<Baseline> Baseline::read(FileId file, Stage& stage) {
  const std::size_t errors = stage.sink.error_count();
  const Value document = read_yaml(file, stage);
  if (stage.sink.error_count() != errors) return std::nullopt;
  const FileId schema_file = stage.sources.add(kSchemaPath, std::string(built_in_text(kSchemaPath)));
  if (!schema::validate(*schema::compile(read_yaml(schema_file, stage), stage), document, stage)) return std::nullopt;
  Baseline baseline;
  for (const Value& entry : document.find("findings")->items()) {
    const Value* count = entry.find("count");
    double listed = 1;
    if (count != nullptr) listed = count->is(Kind::Int) ? static_cast<double>(count->as_int()) : count->as_float();
    BaselineKey key{std::string(entry.text_at("rule")), std::string(entry.text_at("cluster")),
                    std::string(entry.text_at("file")), std::string(entry.text_at("subject")),
                    std::string(entry.text_at("message"))};
    baseline.entries_[std::move(key)].listed += static_cast<std::uint32_t>(listed);
  }
  return baseline;
}

void Baseline::add(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster) {
  if (!is_removable(diagnostic)) return;
  if (diagnostic.subject.empty() && !places_.try_emplace(place_of(diagnostic, sources), true).second) return;
  entries_[key_of(diagnostic, sources, cluster)].listed += times(diagnostic);
}

bool Baseline::takes_back(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster) {
  if (!is_removable(diagnostic)) return false;
  bool* answer = nullptr;
  if (diagnostic.subject.empty()) {
    const auto [place, is_new] = places_.try_emplace(place_of(diagnostic, sources), false);
    if (!is_new) return place->second;
    answer = &place->second;
  }
  const auto found = entries_.find(key_of(diagnostic, sources, cluster));
  if (found == entries_.end()) return false;
  Count& count = found->second;
  count.met += times(diagnostic);
  const bool is_listed = count.met <= count.listed;
  if (answer != nullptr) *answer = is_listed;
  return is_listed;
}

void Baseline::keep(const Baseline& earlier, const std::function<bool(const BaselineKey&)>& may_occur) {
  for (const auto& [key, count] : earlier.entries_) {
    if (!may_occur(key)) continue;
    Count& kept = entries_[key];
    kept.listed = std::max(kept.listed, count.listed);
  }
}

std::vector<BaselineKey> Baseline::unused() const {
  std::vector<BaselineKey> keys;
  for (const auto& [key, count] : entries_) {
    if (count.met < count.listed) keys.push_back(key);
  }
  return keys;
}

std::vector<BaselineKey> Baseline::beyond(const Baseline& earlier) const {
  std::vector<BaselineKey> keys;
  for (const auto& [key, count] : entries_) {
    const auto known = earlier.entries_.find(key);
    if (known == earlier.entries_.end() || known->second.listed < count.listed) keys.push_back(key);
  }
  return keys;
}

std::size_t Baseline::size() const {
  std::size_t size = 0;
  for (const auto& [key, count] : entries_) size += count.listed;
  return size;
}

std::string Baseline::text() const {
  Arena arena;
  std::string text(kHead);
  text += entries_.empty() ? "version: 1\nfindings: []\n" : "version: 1\nfindings:\n";
  for (const auto& [key, count] : entries_) {
    text += fmt::format("  - {{rule: {}", key.rule);
    const auto add = [&](std::string_view name, const std::string& value) {
      if (!value.empty()) text += fmt::format(", {}: {}", name, quoted(arena, value));
    };
    add("cluster", key.cluster);
    add("file", key.file);
    add("subject", key.subject);
    add("message", key.message);
    if (count.listed != 1) text += fmt::format(", count: {}", count.listed);
    text += "}\n";
  }
  return text;
}

std::string describe(const BaselineKey& key) {
  std::string text = key.rule;
  for (const std::string* part : {&key.cluster, &key.file, &key.subject}) {
    if (!part->empty()) text += " " + *part;
  }
  return text;
}

}  // namespace capwright::lint
