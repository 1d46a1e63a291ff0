// Prints YAML line by line, because a comment belongs to a line and the common writer knows only values.
#include "report/values_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "pipeline/value_sources.h"
#include "report/json_values.h"
#include "report/printable.h"
#include "secrets/redact.h"
#include "secrets/urls.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::report {
namespace {

constexpr std::size_t kWidestAligned = 56;  // columns; comments of longer lines follow their text
constexpr std::size_t kLongestText = 20;    // lines of a vendored text that are shown with origins

// Redacts secrets: tainted values, and any repetition of their texts in other values and in keys.
class ShownValues {
 public:
  explicit ShownValues(const CompiledCluster& cluster) : texts_(cluster.redactor().all_texts()) {}

  Value of(const Value& value) { return without_texts(secrets::redact(value, arena_)); }

 private:
  Value without_texts(const Value& value) {
    if (value.is(Kind::List)) {
      std::vector<Value> items;
      for (const Value& item : value.items()) items.push_back(without_texts(item));
      return make_list(arena_, items).with_origin(value.origin());
    }
    if (value.is(Kind::Map)) {
      std::vector<Entry> entries;
      for (const Entry& entry : value.entries()) {
        const Value key = make_key(arena_, texts_.redact(entry.key.text()));
        entries.push_back({key.with_origin(entry.key.origin()), without_texts(entry.value)});
      }
      return make_map(arena_, entries).with_origin(value.origin());
    }
    if (!value.is(Kind::String)) return value;
    const std::string text = redact_urls(texts_.redact(value.text()));
    return text == value.text() ? value : make_string(arena_, text).with_origin(value.origin());
  }

  Arena arena_;
  SecretTexts texts_;
};

bool is_full(const Value& value) {
  return (value.is(Kind::Map) && !value.entries().empty()) || (value.is(Kind::List) && !value.items().empty());
}

std::string double_quoted(const Value& text) {
  MappedText out;
  JsonStyle style;
  style.as_yaml = true;
  write_json(text, style, Segment(), Limits(), out);
  return out.text();
}

// A scalar or an empty container on one line, as any YAML reader reads it back.
std::string on_one_line(const Value& value) {
  if (value.is(Kind::String) && printable(value.text()) != value.text()) return double_quoted(value);
  MappedText out;
  YamlStyle style;
  style.width = -1;
  style.for_go = true;
  write_yaml(value, style, Segment(), Limits(), out);
  std::string text = out.text().substr(0, out.text().find_last_not_of('\n') + 1);
  const bool is_plain = value.is(Kind::String) && text == value.text();
  return is_plain && !resolve_plain(text, ScalarRules::Core).is(Kind::String) ? "'" + text + "'" : text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Whether each line can be written as it is, in a block after `|`.
bool fits_block(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  const bool is_clean =
      std::all_of(lines.begin(), lines.end(), [](std::string_view line) { return printable(line) == line; });
  return lines.size() > 1 && is_clean && text.find_first_not_of('\n') != std::string_view::npos;
}

class YamlPage {
 public:
  YamlPage(const CompiledCluster& cluster, Origins origins) : cluster_(cluster), origins_(origins) {}

  std::string of(const Value& value) {
    is_full(value) ? container(value, "", "") : leaf(value, "", "  ");
    std::size_t widest = 0;
    for (const Row& row : rows_) {
      const std::size_t width = display_width(row.text);
      if (!row.comment.empty() && width <= kWidestAligned) widest = std::max(widest, width);
    }
    std::string page;
    for (const Row& row : rows_) {
      page += row.text;
      if (!row.comment.empty()) {
        const std::size_t width = display_width(row.text);
        page += std::string(width < widest ? widest - width : 0, ' ') + "  # " + row.comment;
      }
      page += '\n';
    }
    return page;
  }

 private:
  struct Row {
    std::string text, comment;
  };

  // `first`: how the first line starts; `rest`: how the others do.
  void container(const Value& value, std::string first, const std::string& rest) {
    if (value.is(Kind::List)) {
      for (const Value& item : value.items()) {
        if (is_full(item)) container(item, first + "- ", rest + "  ");
        else leaf(item, first + "- ", rest + "  ");
        first = rest;
      }
      return;
    }
    for (const Entry& entry : value.entries()) {
      const std::string key = first + on_one_line(entry.key) + ":";
      if (is_full(entry.value)) {
        rows_.push_back({key, ""});
        container(entry.value, rest + "  ", rest + "  ");
      } else {
        leaf(entry.value, key + " ", rest + "  ");
      }
      first = rest;
    }
  }

  void leaf(const Value& value, const std::string& lead, const std::string& below) {
    const std::string comment = origins_ == Origins::Shown ? comment_of(value) : "";
    if (!value.is(Kind::String) || !fits_block(value.text())) {
      rows_.push_back({lead + on_one_line(value), comment});
      return;
    }
    std::string_view text = value.text();
    const std::size_t content = text.find_last_not_of('\n') + 1, breaks = text.size() - content;
    const bool needs_indent = text[text.find_first_not_of('\n')] == ' ';
    constexpr std::string_view kChomping[] = {"-", "", "+"};  // for no, one and several line breaks at the end
    const std::string_view chomping = kChomping[std::min<std::size_t>(breaks, 2)];
    rows_.push_back({fmt::format("{}|{}{}", lead, needs_indent ? "2" : "", chomping), comment});
    std::vector<std::string_view> lines = lines_of(text.substr(0, breaks == 0 ? content : text.size() - 1));
    const std::size_t all = lines.size();
    const bool is_shortened = origins_ == Origins::Shown && all > kLongestText &&
                              source_of(cluster_, value).kind == ValueSource::Kind::Computed;
    if (is_shortened) lines.resize(kLongestText / 4);
    for (const std::string_view line : lines) rows_.push_back({line.empty() ? "" : below + std::string(line), ""});
    if (is_shortened) rows_.push_back({fmt::format("{}… {} more lines", below, all - lines.size()), ""});
  }

  std::string place(Span span) const {
    return fmt::format("{}:{}", printable(cluster_.sources.path(span.file)), cluster_.sources.line_col(span).line);
  }

  std::string comment_of(const Value& value) const {
    std::string text;
    for (const ValueSource::Part& part : source_of(cluster_, value).parts) {
      const std::string path = printable(cluster_.sources.path(part.where.file));
      text += fmt::format("{}{}", text.empty() ? "" : ", ", part.is_default ? "default: " + path : place(part.where));
      for (const Span& below : part.overridden) text += fmt::format(" (overrides {})", place(below));
    }
    return text.empty() ? "computed" : text;
  }

  const CompiledCluster& cluster_;
  Origins origins_;
  std::vector<Row> rows_;
};

class JsonPage {
 public:
  explicit JsonPage(const CompiledCluster& cluster) : cluster_(cluster) {}

  // `original` has the taint that `shown` has lost.
  void add(const Value& original, const Value& shown, const std::string& path) {
    if (is_full(shown) && shown.is(Kind::List)) {
      for (std::size_t i = 0; i < shown.items().size(); ++i)
        add(original.items()[i], shown.items()[i], fmt::format("{}[{}]", path, i));
    } else if (is_full(shown)) {
      for (std::size_t i = 0; i < shown.entries().size(); ++i) {
        const values::PathStep step{shown.entries()[i].key.text(), -1};
        const std::string key = values::path_text({&step, 1});
        add(original.entries()[i].value, shown.entries()[i].value, path.empty() ? key : path + "." + key);
      }
    } else {
      list_.push_back(leaf(original, shown, path));
    }
  }

  Json take() { return std::move(list_); }

 private:
  Json place(Span span) const {
    const LineCol at = cluster_.sources.line_col(span);
    return {{"file", cluster_.sources.path(span.file)}, {"line", at.line}, {"column", at.column}};
  }

  Json leaf(const Value& original, const Value& shown, const std::string& path) const {
    constexpr std::string_view kKinds[] = {"layer", "values", "default", "computed"};
    const ValueSource source = source_of(cluster_, original);
    Json item = {{"path", path},
                 {"value", Json::parse(as_pretty_json(shown), nullptr, false)},
                 {"kind", kKinds[static_cast<std::size_t>(source.kind)]},
                 {"origin", source.parts.empty() ? Json() : place(source.parts.front().where)}};
    if (source.parts.size() > 1) {
      for (const ValueSource::Part& part : source.parts) item["inputs"].push_back(place(part.where));
    }
    Json overridden = Json::array();
    for (const ValueSource::Part& part : source.parts) {
      for (const Span& below : part.overridden) overridden.push_back(place(below));
    }
    if (!overridden.empty()) item["overrides"] = std::move(overridden);
    if (original.tainted()) item["secret"] = true;
    return item;
  }

  const CompiledCluster& cluster_;
  Json list_ = Json::array();
};

}  // namespace

std::string values_yaml(const CompiledCluster& cluster, const Value& value, Origins origins) {
  ShownValues shown(cluster);
  return YamlPage(cluster, origins).of(shown.of(value));
}

std::string values_json(const CompiledCluster& cluster, const Value& value, std::string_view path, Origins origins) {
  ShownValues redacted(cluster);
  const Value shown = redacted.of(value);
  if (origins == Origins::Hidden) return as_pretty_json(shown);
  JsonPage page(cluster);
  page.add(value, shown, std::string(path));
  const Json document = {{"version", 1}, {"cluster", cluster.name}, {"values", page.take()}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::report
