// Splits a URI at its separators; normalizes only dot segments.
#include "schema/uri.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/ascii.h"

namespace capwright::schema {
namespace {

struct Parts {
  std::optional<std::string_view> scheme, authority, query, fragment;
  std::string_view path;
};

// The end of the scheme: at a `:` before any of `/?#`.
std::size_t scheme_size(std::string_view uri) {
  const std::size_t end = uri.find_first_of(":/?#");
  return end == std::string_view::npos || uri[end] != ':' ? 0 : end;
}

Parts take_apart(std::string_view uri) {
  Parts parts;
  if (const std::size_t hash = uri.find('#'); hash != std::string_view::npos) {
    parts.fragment = uri.substr(hash + 1);
    uri = uri.substr(0, hash);
  }
  if (const std::size_t mark = uri.find('?'); mark != std::string_view::npos) {
    parts.query = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  if (const std::size_t size = scheme_size(uri); size != 0) {
    parts.scheme = uri.substr(0, size);
    uri = uri.substr(size + 1);
  }
  if (uri.starts_with("//")) {
    const std::size_t end = std::min(uri.find('/', 2), uri.size());
    parts.authority = uri.substr(2, end - 2);
    uri = uri.substr(end);
  }
  parts.path = uri;
  return parts;
}

// RFC 3986 §5.2.4.
std::string remove_dot_segments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(end);
    if (segment == "/." || segment == "/..") {
      if (segment == "/..") out.erase(std::min(out.rfind('/'), out.size()));
      if (path.empty()) out += '/';
    } else {
      out += segment;
    }
  }
  return out;
}

std::string merge_paths(const Parts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  return slash == std::string_view::npos ? std::string(path) : std::string(base.path.substr(0, slash + 1)).append(path);
}

std::string compose(const Parts& parts, std::string_view path, std::optional<std::string_view> query,
                    std::optional<std::string_view> fragment) {
  std::string uri;
  if (parts.scheme) uri.append(*parts.scheme).append(":");
  if (parts.authority) uri.append("//").append(*parts.authority);
  uri.append(path);
  if (query) uri.append("?").append(*query);
  if (fragment) uri.append("#").append(*fragment);
  return uri;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

std::string resolve_uri(std::string_view base, std::string_view reference) {
  const Parts target = take_apart(reference);
  if (target.scheme || base.empty()) return std::string(reference);
  Parts from = take_apart(base);
  if (target.authority) {
    from.authority = target.authority;
    return compose(from, remove_dot_segments(target.path), target.query, target.fragment);
  }
  if (target.path.empty()) return compose(from, from.path, target.query ? target.query : from.query, target.fragment);
  const std::string path = target.path.starts_with('/') ? std::string(target.path) : merge_paths(from, target.path);
  return compose(from, remove_dot_segments(path), target.query, target.fragment);
}

SplitUri split_fragment(std::string_view uri) {
  const std::size_t hash = uri.find('#');
  return hash == std::string_view::npos ? SplitUri{uri, {}} : SplitUri{uri.substr(0, hash), uri.substr(hash + 1)};
}

std::string percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low < 0) {
      out += text[i];
    } else {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

std::string percent_encode(std::string_view text, std::string_view plain) {
  std::string out;
  for (const char c : text) {
    const char lower = lowered(c);
    const bool is_plain =
        (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || plain.find(c) != std::string_view::npos;
    if (is_plain) out += c;
    else out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string unescape_token(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const std::string_view rest = token.substr(i);
    const bool is_escape = rest.starts_with("~0") || rest.starts_with("~1");
    if (is_escape) text += token[++i] == '0' ? '~' : '/';
    else text += token[i];
  }
  return text;
}

}  // namespace capwright::schema
