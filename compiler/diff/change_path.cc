// Paths as text, and the matching of patterns, part by part.
#include "diff/change_path.h"

#include <algorithm>
#include <fmt/format.h>

#include "text/glob.h"

namespace capwright::diff {
namespace {

bool is_plain_key(std::string_view key) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), is_plain);
}

std::string written(const Path& path, bool numbers) {
  std::string text;
  for (const Step& step : path) {
    if (step.kind == Step::Kind::Item) text += numbers ? fmt::format("[{}]", step.index) : "[*]";
    else if (step.kind != Step::Kind::Key) text += fmt::format("[{}]", step.text);
    else if (is_plain_key(step.text)) text += (text.empty() ? "" : ".") + step.text;
    else text += fmt::format("[\"{}\"]", step.text);
  }
  return text;
}

// In a part of a path, a slash is an ordinary character, unlike in globs of file names.
bool part_matches(std::string_view glob, std::string text) {
  std::string pattern(glob);
  std::replace(pattern.begin(), pattern.end(), '/', '\x01');
  std::replace(text.begin(), text.end(), '/', '\x01');
  return glob_matches(pattern, text);
}

// The position of the bracket that closes the one at `at`; quotes may contain brackets. npos: there is none.
std::size_t closing(std::string_view text, std::size_t at) {
  if (at + 1 < text.size() && text[at + 1] == '"') {
    const std::size_t quote = text.find("\"]", at + 2);
    return quote == std::string_view::npos ? quote : quote + 1;
  }
  return text.find(']', at);
}

// The colon between object and path: the first one outside of brackets.
std::size_t colon_of(std::string_view text) {
  const std::size_t colon = text.find(':'), bracket = text.find('[');
  return colon < bracket ? colon : std::string_view::npos;
}

}  // namespace

std::string text_of(const Path& path) { return written(path, true); }
std::string shape_of(const Path& path) { return written(path, false); }

std::optional<PathPattern> PathPattern::read(std::string_view text, std::string& why) {
  PathPattern pattern;
  pattern.text_ = text;
  if (const std::size_t colon = colon_of(text); colon != std::string_view::npos) {
    const std::string_view object = text.substr(0, colon);
    const std::size_t slash = object.find('/');
    pattern.kind_ = object.substr(0, slash);
    if (slash != std::string_view::npos) pattern.name_ = object.substr(slash + 1);
    text.remove_prefix(colon + 1);
    if (pattern.kind_.empty()) {
      why = "there is no kind before the colon";
      return std::nullopt;
    }
  } else if (text.empty()) {
    why = "it is empty";
    return std::nullopt;
  }
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '[') {
      const std::size_t end = closing(text, at);
      if (end == std::string_view::npos) {
        why = "a bracket is not closed";
        return std::nullopt;
      }
      std::string_view inner = text.substr(at + 1, end - at - 1);
      if (inner.size() >= 2 && inner.front() == '"') inner = inner.substr(1, inner.size() - 2);
      pattern.parts_.push_back({std::string(inner), true});
      at = end + 1;
      if (at < text.size() && text[at] == '.') ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(".[", at), text.size());
    if (end == at) {
      why = "a part of the path is empty";
      return std::nullopt;
    }
    pattern.parts_.push_back({std::string(text.substr(at, end - at)), false});
    at = end < text.size() && text[end] == '.' ? end + 1 : end;
  }
  return pattern;
}

bool PathPattern::matches_object(std::string_view kind, std::string_view name) const {
  return part_matches(kind_, std::string(kind)) && part_matches(name_, std::string(name));
}

bool PathPattern::matches(const Path& path) const { return matches_from(0, path, 0); }

bool PathPattern::matches_from(std::size_t part, const Path& path, std::size_t step) const {
  if (part == parts_.size()) return true;  // the rest of the path is below the pattern
  if (!parts_[part].bracketed && parts_[part].glob == "**") {
    for (std::size_t next = step; next <= path.size(); ++next) {
      if (matches_from(part + 1, path, next)) return true;
    }
    return false;
  }
  if (step == path.size()) return false;
  const Step& here = path[step];
  const bool is_item = here.kind != Step::Kind::Key;
  if (is_item && !parts_[part].bracketed) return false;
  const std::string text = here.kind == Step::Kind::Item ? std::to_string(here.index) : here.text;
  return part_matches(parts_[part].glob, text) && matches_from(part + 1, path, step + 1);
}

}  // namespace capwright::diff
