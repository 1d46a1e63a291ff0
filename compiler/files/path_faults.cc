// One report per error: its code, the bytes of the path, and further notes.
#include "files/path_faults.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "diag/catalog/files.h"
#include "files/blame.h"
#include "files/path_rules.h"

namespace capwright {
namespace {

// The place of a part of the path, which may be empty.
Blame blame_part(const PathPlace& place, std::uint32_t begin, std::uint32_t end) {
  if (begin == end) ++end;
  if (end > place.path().size()) --begin, --end;
  return blame_bytes(place.rendered, place.begin + begin, place.begin + end, place.stage, place.trace);
}

std::string character_name(std::string_view bytes) {
  if (bytes == " ") return "a space";
  if (bytes == "\t") return "a tab";
  if (bytes == "\r") return "a carriage return";
  if (bytes.size() == 1) {
    const auto byte = static_cast<unsigned char>(bytes[0]);
    return byte < 0x80 ? fmt::format("the control character U+{:04X}", byte)
                       : fmt::format("the byte 0x{:02X}, which isn't UTF-8", byte);
  }
  std::uint32_t code_point = static_cast<unsigned char>(bytes[0]) & (0x7fu >> bytes.size());
  for (const char c : bytes.substr(1)) code_point = code_point << 6 | (static_cast<unsigned char>(c) & 0x3fu);
  return fmt::format("the invisible character U+{:04X}", code_point);
}

bool ends_with_slash(const PathPlace& place, const PathFault& fault) {
  return fault.begin == fault.end && fault.end == place.path().size();
}

// Whether the slashes around an empty part are one text of the template, and no expression is between them.
bool is_one_text(const PathPlace& place, const PathFault& fault) {
  const std::uint32_t at = place.begin + fault.begin;
  return fault.begin != 0 && place.rendered.segment_at(at - 1) == place.rendered.segment_at(at);
}

std::string part_name(const PathPlace& place, const PathFault& fault, const std::string& part) {
  if (ends_with_slash(place, fault)) return "no file name after the last `/`";
  return part.empty() ? "an empty part" : fmt::format("the part `{}`", part);
}

// The edit for white space in the path.
std::string advice_for_space(std::string_view rest, bool by_value) {
  const std::size_t text = rest.find_first_not_of(" \t\r");
  if (text == std::string_view::npos) return "remove the white space after the path";
  if (rest[text] == '#') return "a `# FILE:` line has only the path: move the comment to the next line";
  return by_value && rest[0] == ' ' ? "change the value, or print it through `replace(\" \", \"-\")`" : "";
}

// Text of a template is the same in all clusters.
std::string start_of_path(std::string_view directory, bool by_value) {
  return fmt::format("start the path with the cluster's folder: `{}`",
                     by_value ? directory : "clusters/{{ cluster_name }}/");
}

std::string advice_for_part(const PathPlace& place, const PathFault& fault, std::string_view directory, bool by_value) {
  if (!by_value && place.path().starts_with("../")) return start_of_path(directory, by_value);
  if (ends_with_slash(place, fault)) return fmt::format("add the name of the file: `{}NAME.yaml`", place.shown());
  if (by_value) return "change the value";
  if (fault.begin != fault.end) return "write the path without this part";
  return is_one_text(place, fault) ? "remove one `/`" : "give the expression between the two `/` a value";
}

// `name`: the part in the place of the cluster's name, if that is wrong.
std::string advice_for_cluster(std::string_view path, std::string_view directory, std::string_view name,
                               bool by_value) {
  if (directory.substr(0, directory.size() - 1) == path)
    return fmt::format("add the name of the file: `{}NAME.yaml`", directory);
  if (name.empty()) return start_of_path(directory, by_value);
  if (!by_value) return fmt::format("write `{{{{ cluster_name }}}}` instead of `{}`", name);
  const std::string_view folder = directory.substr(0, directory.size() - 1);
  return fmt::format("write `{}`, the name of this cluster", folder.substr(folder.rfind('/') + 1));
}

// The edit; empty: the message says it, or none is sure.
std::string advice_for(const PathPlace& place, const PathFault& fault, std::string_view directory, bool by_value) {
  const std::string_view path = place.path();
  const std::string_view rest = path.substr(fault.begin);
  switch (fault.rule) {
    case PathRule::Text: return advice_for_space(rest, by_value);
    case PathRule::Relative: return start_of_path(directory, by_value);
    case PathRule::Slashes: return "write `/`";
    case PathRule::Parts: return advice_for_part(place, fault, directory, by_value);
    case PathRule::Ending: return "remove the dot";
    case PathRule::Windows: return rest.starts_with('"') ? "write the path without quotes" : "";
    case PathRule::Cluster: break;
    default: return "";
  }
  return advice_for_cluster(path, directory, path.substr(fault.begin, fault.begin == 0 ? 0 : fault.end - fault.begin),
                            by_value);
}

Diagnostic& report_rule(const PathPlace& place, const PathFault& fault, Span where, std::string_view directory) {
  Sink& sink = place.stage.sink;
  const std::string path = place.shown();
  const std::string part = shown_bytes(place.rendered, place.begin + fault.begin, place.begin + fault.end);
  switch (fault.rule) {
    case PathRule::Text:
      return sink.report(diag::odd_character_in_path, where, path,
                         character_name(place.path().substr(fault.begin, fault.end - fault.begin)));
    case PathRule::Relative: return sink.report(diag::absolute_path, where, path);
    case PathRule::Slashes: return sink.report(diag::backslash_in_path, where, path);
    case PathRule::Parts: return sink.report(diag::dots_in_path, where, path, part_name(place, fault, part));
    case PathRule::Ending: return sink.report(diag::trailing_dot_in_path, where, path, part);
    case PathRule::Length: return sink.report(diag::long_part_in_path, where, fault.end - fault.begin, kLongestPart);
    case PathRule::Git: return sink.report(diag::git_in_path, where, path, part);
    case PathRule::Windows: return sink.report(diag::windows_name_in_path, where, path, part);
    case PathRule::Reserved: return sink.report(diag::reserved_name_in_path, where, path);
    case PathRule::Cluster: break;
  }
  return sink.report(diag::path_outside_cluster, where, path, std::string(directory));
}

bool is_secret(const PathPlace& place) {
  const Segment* segment = place.rendered.segment_at(place.begin);
  const auto segments = place.rendered.segments();
  for (; segment != segments.data() + segments.size() && segment->begin < place.end; ++segment) {
    if (segment->tainted) return true;
  }
  return false;
}

// If the path is one of another cluster, its name is the wrong part.
void point_at_owner(std::string_view path, const Outputs& outputs, PathFault& fault) {
  const std::string_view owner = outputs.owner(path);
  if (owner.empty()) return;
  fault.begin = static_cast<std::uint32_t>(owner.data() - path.data());
  fault.end = fault.begin + static_cast<std::uint32_t>(owner.size());
}

// The pattern of `template.outputs` that would allow the path; empty: none does.
std::string pattern_for(std::string_view path, std::string_view cluster) {
  const std::size_t at = cluster.empty() ? std::string_view::npos : path.find(cluster);
  if (at == std::string_view::npos) return {};
  std::string text = fmt::format("{}${{cluster_name}}{}", path.substr(0, at), path.substr(at + cluster.size())), why;
  const auto pattern = OutputPattern::parse(text, why);
  return pattern && pattern->owner(path) == cluster ? text : "";
}

// Of a path outside of the cluster's directory: what `template.outputs` says.
void explain_outputs(const PathPlace& place, std::string_view cluster, const Outputs& outputs, Diagnostic& diagnostic) {
  const std::string_view path = place.path();
  if (const std::string_view owner = outputs.owner(path); !owner.empty())
    return static_cast<void>(diagnostic.note(fmt::format("by `template.outputs`, it belongs to cluster `{}`", owner)));
  std::string texts;
  for (const OutputPattern& pattern : outputs.patterns())
    texts += fmt::format("{}`{}`", texts.empty() ? "" : ", ", pattern.text());
  if (!texts.empty()) diagnostic.note("`template.outputs` has " + texts);
  if (const std::string pattern = pattern_for(path, cluster); !pattern.empty()) {
    diagnostic.advise(fmt::format("to allow it, add `{}` to `template.outputs` of capwright.yaml", pattern));
  } else if (may_be_output(path)) {
    diagnostic.advise(
        "`template.outputs` of capwright.yaml allows files elsewhere; a part of their path below a folder is the "
        "cluster's name");
  }
}

// Two files whose paths clash, and the length of their common part.
struct Clash {
  const DiagSpec<std::string, std::string>* kind;  // null: the paths are equal
  std::string_view name, other;
};

// Neighbours in the order of folded paths: they have all directories in common up to the first difference.
std::optional<Clash> find_clash(std::string_view first, std::string_view second) {
  if (first == second) return Clash{nullptr, first, second};
  for (std::size_t a = 0, b = 0;;) {
    const std::size_t a_end = std::min(first.find('/', a), first.size());
    const std::size_t b_end = std::min(second.find('/', b), second.size());
    const std::string_view part = first.substr(a, a_end - a), other = second.substr(b, b_end - b);
    if (part != other) {
      if (folded_path(part) != folded_path(other)) return std::nullopt;
      return Clash{&diag::ambiguous_path, first.substr(0, a_end), second.substr(0, b_end)};
    }
    const bool file = a_end == first.size(), other_file = b_end == second.size();
    if (file != other_file) return Clash{&diag::file_is_directory, file ? first : second, file ? second : first};
    a = a_end + 1;
    b = b_end + 1;
  }
}

void report_clash(const Clash& clash, const PathPlace& first, const PathPlace& second) {
  const Blame blame = blame_part(second, 0, static_cast<std::uint32_t>(second.path().size()));
  const Blame earlier = blame_part(first, 0, static_cast<std::uint32_t>(first.path().size()));
  Sink& sink = second.stage.sink;
  Diagnostic& diagnostic =
      clash.kind == nullptr ? sink.report(diag::duplicate_path, blame.where, std::string(clash.name))
                            : sink.report(*clash.kind, blame.where, std::string(clash.name), std::string(clash.other));
  blame.explain(diagnostic);
  if (earlier.where != blame.where) diagnostic.also(earlier.where, "the other one is written here");
  for (const Label& label : earlier.labels) {
    const bool shared = std::any_of(blame.labels.begin(), blame.labels.end(),
                                    [&](const Label& known) { return known.where == label.where; });
    if (!shared) diagnostic.also(label.where, "the other one is from here");
  }
  if (clash.kind == &diag::ambiguous_path) {
    diagnostic.note("they differ only in case, or in the encoding of an accented letter");
  }
  diagnostic.advise(clash.kind == nullptr
                        ? "give each file a path of its own, or write both contents below one `# FILE:` line"
                        : "rename one of the two");
}

}  // namespace

std::string PathPlace::shown() const { return shown_bytes(rendered, begin, end); }

bool check_path(const PathPlace& place, std::string_view cluster, const Outputs* outputs) {
  if (is_secret(place)) {
    const Blame blame = blame_part(place, 0, static_cast<std::uint32_t>(place.path().size()));
    blame.explain(place.stage.sink.report(diag::secret_in_path, blame.where));
    return false;
  }
  const std::string directory = cluster_directory(cluster);
  const bool is_output = outputs != nullptr && outputs->allow(cluster, place.path());
  auto fault = find_path_fault(place.path(), is_output ? "" : directory);
  if (!fault) return true;
  if (fault->rule == PathRule::Cluster && outputs != nullptr) point_at_owner(place.path(), *outputs, *fault);
  const Blame blame = blame_part(place, fault->begin, fault->end);
  Diagnostic& diagnostic = report_rule(place, *fault, blame.where, directory);
  // A line of a template is one error, for all the paths that it makes in different clusters. A repetition has no kind.
  if (diagnostic.info != nullptr) diagnostic.pattern = diagnostic.info->code;
  blame.explain(diagnostic);
  if (fault->rule == PathRule::Cluster && outputs != nullptr) explain_outputs(place, cluster, *outputs, diagnostic);
  if (diagnostic.help) return false;
  if (std::string advice = advice_for(place, *fault, directory, blame.by_value); !advice.empty())
    diagnostic.advise(std::move(advice));
  return false;
}

void drop_clashing_files(std::vector<RenderedFile>& files, const std::vector<PathPlace>& places) {
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t i = 0; i < files.size(); ++i) order.emplace_back(folded_path(files[i].path), i);
  std::sort(order.begin(), order.end());
  std::vector<bool> dropped(files.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto [first, second] = std::minmax(order[i - 1].second, order[i].second);
    const auto clash = find_clash(files[first].path, files[second].path);
    if (!clash) continue;
    report_clash(*clash, places[first], places[second]);
    dropped[second] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!dropped[i] && kept++ != i) files[kept - 1] = std::move(files[i]);
  }
  files.resize(kept);
}

}  // namespace capwright
