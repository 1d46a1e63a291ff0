// Frames around source lines, in the layout of rustc.
#include "report/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <vector>

#include "report/palette.h"
#include "report/reading_order.h"

namespace capwright::report {
namespace {

constexpr std::size_t kWidestLine = 140;  // columns of a source line above which it is cut around the caret

std::string_view tint(const Palette& palette, Severity severity) {
  if (severity == Severity::Error) return palette.error;
  if (severity == Severity::Warning) return palette.warning;
  return palette.note;
}

// A source line and its underlined part, cut to a width that fits a terminal.
struct Excerpt {
  std::string before, marked, after;
};

// The first `columns` or last `columns` code points of UTF-8 text.
std::string_view keep_head(std::string_view text, std::size_t columns) {
  std::size_t i = 0;
  for (std::size_t seen = 0; i < text.size(); ++i) {
    if ((text[i] & 0xc0) != 0x80 && seen++ == columns) break;
  }
  return text.substr(0, i);
}
std::string_view keep_tail(std::string_view text, std::size_t columns) {
  std::size_t i = text.size();
  for (std::size_t seen = 0; i > 0 && seen < columns; --i) {
    if ((text[i - 1] & 0xc0) != 0x80) ++seen;
  }
  return text.substr(i);
}

class Frame {
 public:
  Frame(const ReadItem& item, const TextOptions& options)
      : finding_(*item.finding),
        others_(item.others),
        sources_(*item.finding->sources),
        palette_(palette_of(options.color)) {}

  std::string text() {
    const Diagnostic& diagnostic = *finding_.diagnostic;
    gutter_ = gutter_width(diagnostic);
    const std::string_view color = tint(palette_, diagnostic.severity);
    fmt::format_to(out(), "{}{}[{}]{}{}: {}{}\n", color, severity_name(diagnostic.severity), diagnostic.info->code,
                   palette_.reset, palette_.bold, printable(diagnostic.message), palette_.reset);
    if (diagnostic.where.known()) add_place("-->", diagnostic.where, diagnostic.label, '^', color);
    for (const Label& label : diagnostic.labels) add_place(":::", label.where, label.text, '-', palette_.frame);
    add_trace(diagnostic.trace);
    for (const std::string& other : finding_.others)
      fmt::format_to(out(), "{:{}}{}={} and here: {}\n", "", gutter_ + 1, palette_.frame, palette_.reset,
                     printable(other));
    if (finding_.repeats > finding_.others.size()) {
      fmt::format_to(out(), "{:{}}{}={} and {} more like this here\n", "", gutter_ + 1, palette_.frame, palette_.reset,
                     finding_.repeats - finding_.others.size());
    }
    if (!others_.empty())
      fmt::format_to(out(), "{:{}}{}={} also at {}\n", "", gutter_ + 1, palette_.frame, palette_.reset, other_places());
    for (const std::string& note : diagnostic.notes) {
      fmt::format_to(out(), "{:{}}{}={} {}\n", "", gutter_ + 1, palette_.frame, palette_.reset, printable(note));
    }
    if (!finding_.revision.empty()) {
      fmt::format_to(out(), "{:{}}{}={} in `{}`\n", "", gutter_ + 1, palette_.frame, palette_.reset,
                     printable(finding_.revision));
    }
    if (finding_.clusters.size() > 1) {
      fmt::format_to(out(), "{:{}}{}={} in {} clusters: {}\n", "", gutter_ + 1, palette_.frame, palette_.reset,
                     finding_.clusters.size(), clusters_of(finding_));
    } else if (finding_.elsewhere && !finding_.clusters.empty()) {
      fmt::format_to(out(), "{:{}}{}={} in cluster {}\n", "", gutter_ + 1, palette_.frame, palette_.reset,
                     clusters_of(finding_));
    }
    if (diagnostic.help)
      fmt::format_to(out(), "{}help{}: {}\n", palette_.bold, palette_.reset, printable(*diagnostic.help));
    text_ += '\n';
    return std::move(text_);
  }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  // Endless recursion has as many calls as the limit allows: shows only the first and the last ones.
  void add_trace(const std::vector<TraceFrame>& trace) {
    constexpr std::size_t kFirst = 10, kLast = 5;
    const std::size_t folded = trace.size() > kFirst + kLast + 1 ? trace.size() - kFirst - kLast : 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (folded != 0 && i == kFirst) {
        fmt::format_to(out(), "{:{}}{}={} … {} more calls\n", "", gutter_ + 1, palette_.frame, palette_.reset, folded);
        i += folded;
      }
      const TraceFrame& call = trace[i];
      fmt::format_to(out(), "{:{}}{}={} {} {}\n", "", gutter_ + 1, palette_.frame, palette_.reset, printable(call.what),
                     call.where.known() ? place(call.where) : "");
    }
  }

  std::size_t gutter_width(const Diagnostic& diagnostic) const {
    std::uint32_t last = diagnostic.where.known() ? sources_.line_col(diagnostic.where).line : 1;
    for (const Label& label : diagnostic.labels) {
      if (label.where.known()) last = std::max(last, sources_.line_col(label.where).line);
    }
    return fmt::formatted_size("{}", last);
  }

  std::string place(Span span) const { return place(span, sources_); }
  static std::string place(Span span, const SourceSet& sources) {
    const LineCol at = sources.line_col(span);
    return fmt::format("{}:{}:{}", printable(sources.path(span.file)), at.line, at.column);
  }

  // The first places of equal findings, and the number of the rest.
  std::string other_places() const {
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(others_.size(), kShown); ++i) {
      if (i != 0) text += ", ";
      text += place(others_[i]->diagnostic->where, *others_[i]->sources);
    }
    return others_.size() > kShown ? fmt::format("{} and {} more places", text, others_.size() - kShown) : text;
  }

  void add_place(std::string_view arrow, Span span, const std::string& label, char mark, std::string_view color) {
    if (!span.known()) return;
    fmt::format_to(out(), "{:{}}{}{}{} {}\n", "", gutter_ + 1, palette_.frame, arrow, palette_.reset, place(span));
    if (sources_.text(span.file).empty()) return;  // there is no line to show
    const Excerpt excerpt = cut(span);
    const std::size_t width = std::max<std::size_t>(display_width(excerpt.marked), 1);
    fmt::format_to(out(), "{:{}} {}|{}\n", "", gutter_ + 1, palette_.frame, palette_.reset);
    fmt::format_to(out(), "{}{:>{}}  |{} {}{}{}\n", palette_.frame, sources_.line_col(span).line, gutter_,
                   palette_.reset, excerpt.before, excerpt.marked, excerpt.after);
    fmt::format_to(out(), "{:{}} {}|{} {:{}}{}{}{}{}{}\n", "", gutter_ + 1, palette_.frame, palette_.reset, "",
                   display_width(excerpt.before), color, std::string(width, mark), label.empty() ? "" : " ",
                   printable(label), palette_.reset);
  }

  Excerpt cut(Span span) const {
    const std::string_view whole = sources_.text(span.file);
    const std::string_view line = sources_.line_text(span.file, span.begin);
    const auto line_begin = static_cast<std::uint32_t>(line.data() - whole.data());
    const std::size_t from = std::min<std::size_t>(span.begin - line_begin, line.size());
    const std::size_t to = std::clamp<std::size_t>(std::size_t{span.end} - line_begin, from, line.size());
    const auto shown = [&](std::size_t begin, std::size_t end) {
      const std::string_view part = line.substr(begin, end - begin);
      const auto at = static_cast<std::uint32_t>(line_begin + begin);
      std::string text =
          finding_.secrets == nullptr ? std::string(part) : finding_.secrets->redact(part, span.file, at);
      std::replace(text.begin(), text.end(), '\t', ' ');
      return printable(text);
    };
    Excerpt excerpt{shown(0, from), shown(from, to), shown(to, line.size())};
    if (display_width(excerpt.before) > kWidestLine / 2) {
      excerpt.before = "…" + std::string(keep_tail(excerpt.before, kWidestLine / 2));
    }
    if (display_width(excerpt.marked) > kWidestLine / 2) {
      excerpt.marked = std::string(keep_head(excerpt.marked, kWidestLine / 2)) + "…";
    }
    const std::size_t used = display_width(excerpt.before) + display_width(excerpt.marked);
    if (used + display_width(excerpt.after) > kWidestLine) {
      excerpt.after = std::string(keep_head(excerpt.after, kWidestLine - std::min(used, kWidestLine))) + "…";
    }
    return excerpt;
  }

  const Finding& finding_;
  const std::vector<const Finding*>& others_;
  const SourceSet& sources_;
  const Palette& palette_;
  std::size_t gutter_ = 1;
  std::string text_;
};

// `file:line:col: note[CAP406] message`.
void append_line(std::string& text, const ReadItem& item) {
  const Finding& finding = *item.finding;
  const Diagnostic& diagnostic = *finding.diagnostic;
  if (diagnostic.where.known()) {
    const LineCol at = finding.sources->line_col(diagnostic.where);
    append_printable(text, finding.sources->path(diagnostic.where.file));
    fmt::format_to(std::back_inserter(text), ":{}:{}: ", at.line, at.column);
  }
  const bool names_clusters = finding.clusters.size() > 1 || (finding.elsewhere && !finding.clusters.empty());
  fmt::format_to(std::back_inserter(text), "{}[{}] ", severity_name(diagnostic.severity), diagnostic.info->code);
  append_printable(text, diagnostic.message);
  if (names_clusters) text += " (in " + clusters_of(finding) + ")";
  if (!item.others.empty()) fmt::format_to(std::back_inserter(text), " (and {} more places)", item.others.size());
  text += '\n';
}

}  // namespace

std::string as_text(std::span<const Finding> findings, const TextOptions& options) {
  std::string text;
  std::map<std::string_view, std::size_t> shown;  // by code, sorted
  bool is_after_line = false;
  for (const ReadItem& item : in_reading_order(findings)) {
    if (++shown[item.finding->diagnostic->info->code] > options.most_per_code) continue;
    const bool is_line = item.finding->diagnostic->severity == Severity::Note && !options.whole_notes;
    if (is_after_line && !is_line) text += '\n';
    if (is_line) append_line(text, item);
    else text += Frame(item, options).text();
    is_after_line = is_line;
  }
  bool is_cut = false;
  for (const auto& [code, count] : shown) {
    if (count <= options.most_per_code) continue;
    text += fmt::format("… and {} more {}\n", count - options.most_per_code, code);
    is_cut = true;
  }
  if (is_cut) text += "`--format concise` lists them all\n";
  return text;
}

std::string as_concise(std::span<const Finding> findings) {
  constexpr std::size_t kUsualLine = 150;
  std::string text;
  text.reserve(findings.size() * kUsualLine);
  for (const Finding& finding : findings) append_line(text, {&finding, {}});
  return text;
}

std::string summary(std::size_t errors, std::size_t warnings) {
  const auto count = [](std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  if (errors != 0 && warnings != 0) return count(errors, "error") + ", " + count(warnings, "warning");
  if (errors != 0) return count(errors, "error");
  return warnings != 0 ? count(warnings, "warning") : std::string();
}

}  // namespace capwright::report
