// Matches part by part, so that a name can't contribute wildcards.
#include "files/outputs.h"

#include <algorithm>

#include "files/path_rules.h"
#include "text/glob.h"

namespace capwright {
namespace {

constexpr std::string_view kName = "${cluster_name}";
constexpr std::string_view kAnyParts = "**";
constexpr std::string_view kClustersFolder = "clusters";

using Parts = std::vector<std::string_view>;

Parts split_parts(std::string_view path) {
  Parts parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string with_name(std::string_view text, std::string_view name) {
  std::string filled(text);
  for (std::size_t at = filled.find(kName); at != std::string::npos; at = filled.find(kName, at + name.size()))
    filled.replace(at, kName.size(), name);
  return filled;
}

bool has_name(std::string_view part) { return part.find(kName) != std::string_view::npos; }
bool has_wildcard(std::string_view part) { return part.find('*') != std::string_view::npos; }
bool is_hidden(std::string_view part) { return part.starts_with('.'); }

bool same_name(std::string_view one, std::string_view other) { return folded_path(one) == folded_path(other); }

bool one_starts_with_the_other(std::string_view one, std::string_view other) {
  const std::string a = folded_path(one), b = folded_path(other);
  return a.starts_with(b) || b.starts_with(a);
}
bool one_ends_with_the_other(std::string_view one, std::string_view other) {
  const std::string a = folded_path(one), b = folded_path(other);
  return a.ends_with(b) || b.ends_with(a);
}

std::string_view reason_of(PathRule rule) {
  switch (rule) {
    case PathRule::Text: return "it contains white space or an invisible character";
    case PathRule::Relative: return "it is an absolute path";
    case PathRule::Slashes: return "it contains a backslash";
    case PathRule::Parts: return "a part of it is empty, `.` or `..`";
    case PathRule::Ending: return "a part of it ends with a dot";
    case PathRule::Length: return "a part of it is too long";
    case PathRule::Git: return "a part of it is reserved for Git";
    case PathRule::Windows: return "a part of it isn't a file name on Windows";
    case PathRule::Reserved: return "names that start with `.capwright-` are reserved";
    case PathRule::Cluster: break;
  }
  return "";
}

// Why a pattern without faults of its path is invalid; empty: it is valid.
std::string_view fault_of(const Parts& parts, std::size_t named) {
  if (named == parts.size()) return "it has no `${cluster_name}`, so all clusters would have one file";
  if (std::any_of(parts.begin(), parts.end(), is_hidden)) return "a part of it starts with a dot";
  if (named == 0) return "`${cluster_name}` can't be in its first part";
  if (same_name(parts[0], kClustersFolder)) return "`clusters/` has the clusters' own folders";
  if (std::count(parts.begin(), parts.end() - 1, kAnyParts) != 0) return "`**` must be its last part";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (has_wildcard(parts[i]) && (i <= named || has_name(parts[i])))
      return "only parts after the one with `${cluster_name}` may have wildcards";
    if (parts[i] != kAnyParts && parts[i].find(kAnyParts) != std::string_view::npos) return "`**` must be a whole part";
    if (with_name(parts[i], "").find("${") != std::string::npos) return "the only variable is `${cluster_name}`";
  }
  return parts[named].find(kName) != parts[named].rfind(kName) ? "a part of it has two names" : "";
}

bool fits(std::string_view pattern, std::string_view part, std::string_view name) {
  return has_name(pattern) ? with_name(pattern, name) == part : glob_matches(pattern, part);
}

}  // namespace

std::optional<OutputPattern> OutputPattern::parse(std::string_view text, std::string& why) {
  if (text.find("{{") != std::string_view::npos) {
    why = "it isn't a template; write `${cluster_name}`";
    return std::nullopt;
  }
  std::string path = with_name(text, "x");
  std::replace(path.begin(), path.end(), '*', 'x');
  if (const auto fault = find_path_fault(path, "")) {
    why = reason_of(fault->rule);
    return std::nullopt;
  }
  const Parts parts = split_parts(text);
  const auto named = std::find_if(parts.begin(), parts.end(), has_name);
  OutputPattern pattern;
  pattern.text_ = text;
  pattern.parts_.assign(parts.begin(), parts.end());
  pattern.named_ = static_cast<std::size_t>(named - parts.begin());
  why = fault_of(parts, pattern.named_);
  if (!why.empty()) return std::nullopt;
  const std::size_t at = named->find(kName);
  pattern.prefix_ = named->substr(0, at);
  pattern.suffix_ = named->substr(at + kName.size());
  return pattern;
}

std::string OutputPattern::folder() const {
  std::string folder = parts_.front();
  for (std::size_t i = 1; i < named_; ++i) folder += "/" + parts_[i];
  return folder;
}

bool OutputPattern::named_part_fits(std::string_view part) const {
  return part.size() > prefix_.size() + suffix_.size() && part.starts_with(prefix_) && part.ends_with(suffix_);
}

std::string_view OutputPattern::owner(std::string_view path) const {
  const Parts found = split_parts(path);
  const bool is_open = parts_.back() == kAnyParts;
  const bool has_size = is_open ? found.size() >= parts_.size() : found.size() == parts_.size();
  if (!has_size || std::any_of(found.begin(), found.end(), is_hidden)) return {};
  if (!std::equal(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(named_), parts_.begin())) return {};
  std::string_view name = found[named_];
  if (!named_part_fits(name)) return {};
  name = name.substr(prefix_.size(), name.size() - prefix_.size() - suffix_.size());
  for (std::size_t i = named_ + 1; i < parts_.size() - (is_open ? 1 : 0); ++i) {
    if (!fits(parts_[i], found[i], name)) return {};
  }
  return name;
}

bool OutputPattern::clashes_with(const OutputPattern& other) const {
  if (named_ > other.named_) return other.clashes_with(*this);
  for (std::size_t i = 0; i < named_; ++i) {
    if (!same_name(parts_[i], other.parts_[i])) return false;
  }
  if (named_ < other.named_) return reaches(other.folder());
  const bool same_owner = same_name(prefix_, other.prefix_) && same_name(suffix_, other.suffix_);
  return !same_owner && one_starts_with_the_other(prefix_, other.prefix_) &&
         one_ends_with_the_other(suffix_, other.suffix_);
}

bool OutputPattern::reaches(std::string_view path) const {
  const Parts parts = split_parts(path);
  for (std::size_t i = 0; i < named_; ++i) {
    if (i == parts.size()) return true;
    if (!same_name(parts[i], parts_[i])) return false;
  }
  if (parts.size() == named_) return true;
  const std::string part = folded_path(parts[named_]), prefix = folded_path(prefix_), suffix = folded_path(suffix_);
  return part.size() > prefix.size() + suffix.size() && part.starts_with(prefix) && part.ends_with(suffix);
}

std::string_view Outputs::owner(std::string_view path) const {
  for (const OutputPattern& pattern : patterns_) {
    if (const std::string_view name = pattern.owner(path); !name.empty()) return name;
  }
  return {};
}

bool may_be_output(std::string_view path) {
  const Parts parts = split_parts(path);
  return parts.size() > 1 && !same_name(parts[0], kClustersFolder) &&
         std::none_of(parts.begin(), parts.end(), is_hidden);
}

}  // namespace capwright
