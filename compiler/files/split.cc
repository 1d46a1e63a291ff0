// Finds the markers, checks each path, then the paths against each other.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "diag/catalog/files.h"
#include "diag/catalog/limits.h"
#include "diag/suggest.h"
#include "files/blame.h"
#include "files/file_set.h"
#include "files/lost_break.h"
#include "files/path_faults.h"
#include "files/path_rules.h"

namespace capwright {
namespace {

constexpr std::string_view kMarker = "# FILE: ";
constexpr std::string_view kBlank = " \t\r\n";

struct Marker {
  std::uint32_t begin = 0;  // of `#`
  std::uint32_t path_begin = 0, path_end = 0;
  std::uint32_t body_begin = 0, body_end = 0;
};

bool is_literal(const MappedText& rendered, std::uint32_t begin, std::uint32_t end) {
  const auto segments = rendered.segments();
  const Segment* segment = rendered.segment_at(begin);
  for (; segment != segments.data() + segments.size() && segment->begin < end; ++segment) {
    if (!segment->literal) return false;
  }
  return true;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(kBlank) == std::string_view::npos; }

// `#file: clusters/…` in any spelling: probably meant as a marker, but invalid. Without a colon, a sentence in a
// comment can begin like this, so capitals and a path alone are required.
bool looks_like_marker(std::string_view line) {
  const auto skip = [&](std::string_view chars) {
    line.remove_prefix(std::min(line.find_first_not_of(chars), line.size()));
  };
  skip(" \t#");
  constexpr std::string_view kWord = "file";
  const bool word = line.size() > kWord.size() && std::equal(kWord.begin(), kWord.end(), line.begin(),
                                                             [](char a, char b) { return a == (b | 0x20); });
  if (!word) return false;
  const bool is_capital = line.starts_with("FILE");
  line.remove_prefix(kWord.size());
  if (line[0] == 's' || line[0] == 'S') line.remove_prefix(1);
  skip(" \t");
  const bool has_colon = line.starts_with(':');
  if (has_colon) line.remove_prefix(1);
  skip(" \t");
  const bool is_path = line.find_first_of(" \t") == std::string_view::npos;
  return line.starts_with("clusters/") && (has_colon || (is_capital && is_path));
}

// Whether the text has the keys of an object, in block style or as JSON.
bool has_object(std::string_view text) {
  const auto has_line = [&](std::string_view key) {
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
      if (at == 0 || text[at - 1] == '\n') return true;
    }
    return false;
  };
  const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
  return (has_line("apiVersion:") && has_line("kind:")) || (has("\"apiVersion\"") && has("\"kind\""));
}

// The extension of manifests that `extension` is likely meant to be; empty: none. Other kinds of files, such as
// templates (`.tpl`), are further away; JSON Lines and JSON5 aren't.
std::string_view meant_extension(std::string_view extension) {
  constexpr std::string_view kExtensions[] = {"yaml", "yml", "json"}, kOthers[] = {"jsonl", "json5"};
  if (std::find(std::begin(kOthers), std::end(kOthers), extension) != std::end(kOthers)) return {};
  const std::string written = lowered(extension);
  std::string_view best;
  std::size_t least = written.size();
  for (const std::string_view known : kExtensions) {
    const std::size_t distance = edit_distance(written, known);
    if (distance >= least || distance > known.size() - 2) continue;
    least = distance;
    best = known;
  }
  return best;
}

class Splitter {
 public:
  Splitter(const MappedText& rendered, std::string_view cluster, Stage& stage, const RenderTrace* trace,
           const Outputs* outputs)
      : rendered_(rendered),
        text_(rendered.text()),
        cluster_(cluster),
        stage_(stage),
        trace_(trace),
        outputs_(outputs) {}

  FileSet split() {
    find_markers();
    check_lead_in();
    if (!check_cluster()) return FileSet(std::string(cluster_), {});
    std::vector<RenderedFile> files;
    std::vector<PathPlace> places;
    for (const Marker& marker : markers_) {
      const PathPlace place{rendered_, marker.path_begin, marker.path_end, stage_, trace_};
      if (!check_marker(marker, place)) continue;
      files.push_back(cut(marker));
      warn_of_extension(marker, files.back());
      places.push_back(place);
    }
    drop_clashing_files(files, places);
    return FileSet(std::string(cluster_), std::move(files));
  }

 private:
  template <class... Args>
  Diagnostic& report(const DiagSpec<Args...>& spec, std::uint32_t begin, std::uint32_t end,
                     const std::type_identity_t<Args>&... args) {
    const Blame blame = blame_bytes(rendered_, begin, end, stage_, trace_);
    Diagnostic& diagnostic = stage_.sink.report(spec, blame.where, args...);
    blame.explain(diagnostic);
    return diagnostic;
  }

  std::uint32_t end_of_line(std::uint32_t offset) const {
    return static_cast<std::uint32_t>(std::min(text_.find('\n', offset), text_.size()));
  }

  void find_markers() {
    for (std::size_t found = text_.find('#'); found != std::string_view::npos; found = text_.find('#', found + 1)) {
      if (found != 0 && text_[found - 1] != '\n') {
        if (!warn_of_indented(static_cast<std::uint32_t>(found))) check_glued(static_cast<std::uint32_t>(found));
        continue;
      }
      if (!take_line(static_cast<std::uint32_t>(found))) return;
    }
  }

  // An indented marker after the first one; false: it isn't one. In the text of a block scalar, such as a script, it is
  // an ordinary line.
  bool warn_of_indented(std::uint32_t begin) {
    const std::uint32_t start = start_of_line(begin);
    const std::string_view path = text_.substr(begin, end_of_line(begin) - begin);
    if (markers_.empty() || !path.starts_with(kMarker) || !is_blank(text_.substr(start, begin - start))) return false;
    const std::string_view named = path.substr(kMarker.size());
    const bool is_ours = named.starts_with("clusters/") || (outputs_ != nullptr && !outputs_->owner(named).empty());
    const auto end = static_cast<std::uint32_t>(begin + path.size());
    if (!is_ours || !is_literal(rendered_, start, begin + static_cast<std::uint32_t>(kMarker.size())) ||
        ++indented_ > kMostIndented || is_in_block_scalar(start, begin - start))
      return false;
    report(diag::misspelt_marker, begin, end).advise("start the `# FILE:` line in column 1");
    return true;
  }

  // The search takes time in proportion to the lines before, so only the first lines of this kind are judged.
  static constexpr int kMostIndented = 100;

  // Whether the line at `start` is below one that ends with `|` or `>`, by the indentation of the lines between them.
  bool is_in_block_scalar(std::uint32_t start, std::uint32_t indent) const {
    while (indent > 0 && start > markers_.back().body_begin) {
      start = start_of_line(start - 1);
      std::string_view line = text_.substr(start, end_of_line(start) - start);
      const std::size_t first = line.find_first_not_of(kBlank);
      if (first == std::string_view::npos || first >= indent) continue;
      indent = static_cast<std::uint32_t>(first);
      line = line.substr(0, line.find_last_not_of(kBlank) + 1);
      line = line.substr(0, line.find_last_not_of("+-0123456789") + 1);
      if (line.ends_with('|') || line.ends_with('>')) return true;
    }
    return false;
  }

  std::uint32_t start_of_line(std::uint32_t offset) const {
    const std::size_t before = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
    return before == std::string_view::npos ? 0 : static_cast<std::uint32_t>(before + 1);
  }

  // After a space, it is a comment. After another `#`, it is misspelt.
  void check_glued(std::uint32_t begin) {
    const std::string_view rest = text_.substr(begin);
    if (!rest.starts_with(kMarker) || !rest.substr(kMarker.size()).starts_with("clusters/")) return;
    const bool is_comment = text_[begin - 1] == '#' || kBlank.find(text_[begin - 1]) != std::string_view::npos;
    const auto end = static_cast<std::uint32_t>(begin + kMarker.size());
    if (is_comment || !is_literal(rendered_, begin, end)) return;
    Diagnostic& glued = report(diag::glued_marker, begin, end);
    explain_lost_break(find_lost_break(rendered_, begin - 1, end, stage_), glued,
                       "keep the line break before it: `jinja: {keep_trailing_newline: true}`");
  }

  // Names the tag that removed a line break and the edit; `otherwise`: the edit if it isn't known.
  static void explain_lost_break(const std::optional<LostBreak>& lost, Diagnostic& diagnostic, std::string otherwise) {
    if (lost) diagnostic.also(lost->where, lost->what);
    diagnostic.advise(lost ? lost->edit : std::move(otherwise));
  }

  void warn_of_misspelt(std::uint32_t begin) {
    const std::uint32_t end = end_of_line(begin);
    if (text_.substr(begin, end - begin) == kMarker.substr(0, kMarker.size() - 1) &&
        is_literal(rendered_, begin, end)) {
      report(diag::marker_without_path, begin, end);
      return;
    }
    const bool misspelt =
        looks_like_marker(text_.substr(begin, end - begin)) && is_literal(rendered_, begin, begin + 1);
    if (misspelt) report(diag::misspelt_marker, begin, end).advise("write `# FILE: ` and the path");
  }

  // Handles a line that starts with `#`; false if there are too many files.
  bool take_line(std::uint32_t begin) {
    const std::uint32_t end = end_of_line(begin);
    const std::string_view line = text_.substr(begin, end - begin);
    if (!line.starts_with(kMarker)) {
      warn_of_misspelt(begin);
      return true;
    }
    const auto path_begin = static_cast<std::uint32_t>(begin + kMarker.size());
    if (!is_literal(rendered_, begin, path_begin)) {
      report(diag::marker_in_value, begin, end).advise("a space before the `#` makes it an ordinary comment");
      return true;
    }
    if (markers_.size() == stage_.limits.files) {
      report(diag::too_many_files, begin, end, stage_.limits.files);
      return false;
    }
    if (!markers_.empty()) markers_.back().body_end = begin;
    const auto size = static_cast<std::uint32_t>(text_.size());
    markers_.push_back({begin, path_begin, end, std::min(end + 1, size), size});
    return true;
  }

  // Only blank lines and comments may precede the first marker.
  void check_lead_in() {
    const std::uint32_t limit = markers_.empty() ? rendered_.size() : markers_.front().begin;
    std::optional<std::uint32_t> indented;  // a line that would be a marker without its blanks
    for (std::uint32_t begin = 0; begin < limit;) {
      const std::uint32_t end = end_of_line(begin);
      const std::string_view line = text_.substr(begin, end - begin);
      const std::size_t start = std::min(line.find_first_not_of(kBlank), line.size());
      if (start != 0 && line.substr(start).starts_with(kMarker)) indented = begin;
      if (start != line.size() && line[start] != '#') {
        const auto first = begin + static_cast<std::uint32_t>(start);
        explain_lead_in(report(diag::text_before_first_file, first, end), indented);
        return;
      }
      begin = end + 1;
    }
    if (!markers_.empty() || stage_.sink.failed()) return;
    Diagnostic& missing = stage_.sink.report(diag::no_file_rendered, first_place());
    if (indented) explain_lead_in(missing, indented);
    else missing.advise(fmt::format("add a line such as `{}` to the main template", first_marker()));
  }

  std::string first_marker() const { return fmt::format("{}{}cluster.yaml", kMarker, cluster_directory(cluster_)); }

  void explain_lead_in(Diagnostic& diagnostic, std::optional<std::uint32_t> indented) const {
    if (indented) {
      const std::uint32_t end = end_of_line(*indented);
      diagnostic.also(blame_bytes(rendered_, *indented, end, stage_, trace_).where, "this line is indented");
      diagnostic.advise("start the `# FILE:` line in column 1");
    } else if (markers_.empty()) {
      diagnostic.advise(fmt::format("write a line such as `{}` above it", first_marker()));
    } else {
      diagnostic.advise(fmt::format("move it below a line such as `{}`", first_marker()));
    }
  }

  Span first_place() const { return rendered_.segments().empty() ? Span{} : rendered_.segments().front().where; }

  // The name comes from the values: without a schema it may be any text.
  bool check_cluster() {
    const bool usable = cluster_.find('/') == std::string_view::npos && !find_path_fault(cluster_, "");
    if (usable || markers_.empty()) return usable;
    const Marker& first = markers_.front();
    report(diag::unusable_cluster_name, first.begin, first.path_end, std::string(cluster_));
    return false;
  }

  bool check_marker(const Marker& marker, const PathPlace& place) {
    if (marker.path_begin == marker.path_end) {
      report(diag::marker_without_path, marker.begin, marker.path_begin);
      return false;
    }
    if (!check_first_line(marker, place) || !check_path(place, cluster_, outputs_) || !check_line_break(marker, place))
      return false;
    const std::string_view body = text_.substr(marker.body_begin, marker.body_end - marker.body_begin);
    if (body.find_first_not_of(kBlank) == std::string_view::npos) {
      report(diag::empty_file, marker.begin, marker.path_end, place.shown());
      return false;
    }
    return true;
  }

  // Tools skip files with other extensions without a message.
  void warn_of_extension(const Marker& marker, const RenderedFile& file) {
    const std::size_t dot = file.path.rfind('.');
    if (has_manifest_name(file.path) || dot == std::string::npos || dot < file.path.rfind('/') + 1) return;
    const std::string written = file.path.substr(dot + 1);
    const std::string_view meant = meant_extension(written);
    if (meant.empty() || !has_object(file.body.text())) return;
    const auto begin = static_cast<std::uint32_t>(marker.path_begin + dot);
    report(diag::misspelt_extension, begin, marker.path_end, file.path, "." + written)
        .note("Argo CD, Flux and kubectl read `.yaml`, `.yml` and `.json`")
        .advise(fmt::format("write `.{}`", meant));
  }

  // Without a line break after the path, the first line of the file becomes part of it.
  bool check_first_line(const Marker& marker, const PathPlace& place) {
    constexpr std::size_t kMostShown = 40;
    const std::string_view path = text_.substr(marker.path_begin, marker.path_end - marker.path_begin);
    std::string start = path.ends_with("---") ? "---" : "#!";
    const auto lost = find_lost_break(rendered_, marker.path_begin, marker.path_end, stage_);
    if (path.find(start) == std::string_view::npos) {
      if (!lost || !find_path_fault(path, "")) return true;
      start = shown_bytes(rendered_, lost->at, marker.path_end);
    }
    const std::string shown = start.size() > kMostShown ? "" : fmt::format("`{}`, ", start);
    Diagnostic& diagnostic = report(diag::odd_character_in_path, marker.path_begin, marker.path_end, place.shown(),
                                    shown + "the start of the file's first line");
    diagnostic.pattern = diagnostic.info != nullptr ? diagnostic.info->code : std::string_view();
    explain_lost_break(lost, diagnostic, "keep the line break after the path: write `{%` instead of `{%-` after it");
    return false;
  }

  // The line break that ends a path must be template text: otherwise a value has inserted it.
  bool check_line_break(const Marker& marker, const PathPlace& place) {
    if (marker.path_end == rendered_.size() || is_literal(rendered_, marker.path_end, marker.path_end + 1)) return true;
    report(diag::odd_character_in_path, marker.path_end, marker.path_end + 1, place.shown(),
           "a line break from a value");
    return false;
  }

  RenderedFile cut(const Marker& marker) const {
    RenderedFile file;
    file.path = text_.substr(marker.path_begin, marker.path_end - marker.path_begin);
    file.body = rendered_.slice(marker.body_begin, marker.body_end);
    file.digest = sha256(file.body.text());
    const Segment& maker = *rendered_.segment_at(marker.begin);
    file.marker = {maker.where.file, maker.where.begin + (marker.begin - maker.begin), maker.where.end};
    file.marker.end = std::min(file.marker.end, file.marker.begin + static_cast<std::uint32_t>(kMarker.size()) - 1);
    const auto segments = file.body.segments();
    file.secret = std::any_of(segments.begin(), segments.end(), [](const Segment& s) { return s.tainted; });
    return file;
  }

  const MappedText& rendered_;
  std::string_view text_;
  std::string_view cluster_;
  Stage& stage_;
  const RenderTrace* trace_;
  const Outputs* outputs_;
  std::vector<Marker> markers_;
  int indented_ = 0;  // lines that would be markers in column 1
};

}  // namespace

FileSet split_files(const MappedText& rendered, std::string_view cluster, Stage& stage, const RenderTrace* trace,
                    const Outputs* outputs) {
  return Splitter(rendered, cluster, stage, trace, outputs).split();
}

}  // namespace capwright
