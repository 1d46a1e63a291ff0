// Splits, checks and formats URLs as Go's net/url does.
#include "cel/url.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/ip_address.h"

namespace capwright::cel {
namespace {

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
bool is_unreserved(char c) { return is_letter(c) || is_digit(c) || is_one_of(c, "-_.~"); }
bool stays_in_path(char c) { return is_unreserved(c) || is_one_of(c, "$&+,/:;=@"); }

enum class Part { Path, Host, Query, Zone };

bool allowed_in_host(char c) { return is_unreserved(c) || is_one_of(c, "!$&'()*+,;=:[]<>\""); }

// Decodes %XX (and `+` in a query); empty if an escape or, in a host, a character is invalid.
std::optional<std::string> decode(std::string_view text, Part part) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool host = part == Part::Host || part == Part::Zone;
    if (c == '%') {
      if (i + 2 >= text.size() || !is_hex_digit(text[i + 1]) || !is_hex_digit(text[i + 2])) return std::nullopt;
      const std::string_view escape = text.substr(i, 3);
      const auto byte = static_cast<char>(hex_value(escape[1]) << 4 | hex_value(escape[2]));
      if (part == Part::Host && hex_value(escape[1]) < 8 && escape != "%25") return std::nullopt;
      if (part == Part::Zone && escape != "%25" && byte != ' ' && !allowed_in_host(byte)) return std::nullopt;
      out += byte;
      i += 2;
    } else if (host && static_cast<unsigned char>(c) < 0x80 && !allowed_in_host(c)) {
      return std::nullopt;
    } else {
      out += c == '+' && part == Part::Query ? ' ' : c;
    }
  }
  return out;
}

std::string encode_path(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    if (stays_in_path(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

std::optional<std::string> escaped_path(std::string_view path) {
  const std::optional<std::string> plain = decode(path, Part::Path);
  if (!plain) return std::nullopt;
  const bool valid =
      std::all_of(path.begin(), path.end(), [](char c) { return stays_in_path(c) || is_one_of(c, "!'()*[]%"); });
  return valid ? std::string(path) : encode_path(*plain);
}

bool is_port(std::string_view text) {
  if (text.empty()) return true;
  return text[0] == ':' && std::all_of(text.begin() + 1, text.end(), is_digit);
}

// `[address%25zone]:port`, starting at the bracket.
std::optional<std::string> read_literal_host(std::string_view host) {
  const std::size_t close = host.rfind(']');
  if (close == std::string_view::npos || !is_port(host.substr(close + 1))) return std::nullopt;
  const std::string_view name = host.substr(1, close - 1);
  const std::size_t zone = name.find("%25");
  const std::optional<std::string> address = decode(name.substr(0, zone), Part::Host);
  const std::optional<std::string> rest = zone == std::string_view::npos ? "" : decode(name.substr(zone), Part::Zone);
  if (!address || !rest || rest->size() == 1 || !ip::parse_address(*address, ip::Family::V6)) return std::nullopt;
  return "[" + *address + *rest + "]" + std::string(host.substr(close + 1));
}

std::optional<std::string> read_host(std::string_view scheme, std::string_view host) {
  const std::size_t open = host.rfind('[');
  if (open == 0) return read_literal_host(host);
  if (open != std::string_view::npos) return std::nullopt;
  const bool strict = scheme == "http" || scheme == "https";
  const std::size_t colon = strict ? host.find(':') : host.rfind(':');
  if (colon != std::string_view::npos && !is_port(host.substr(colon))) return std::nullopt;
  return decode(host, Part::Host);
}

bool is_user(std::string_view text) {
  const auto allowed = [](char c) { return is_letter(c) || is_digit(c) || is_one_of(c, "-._:~!$&'()*+,;=%@"); };
  return std::all_of(text.begin(), text.end(), allowed) && decode(text, Part::Path).has_value();
}

// Removes the scheme; false for `:x`.
bool take_scheme(std::string_view& text, std::string& scheme) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_letter(c)) continue;
    if (c == ':') {
      if (i == 0) return false;
      for (const char s : text.substr(0, i)) scheme += s >= 'A' && s <= 'Z' ? static_cast<char>(s - 'A' + 'a') : s;
      text.remove_prefix(i + 1);
      return true;
    }
    if (i == 0 || !(is_digit(c) || is_one_of(c, "+-."))) return true;
  }
  return true;
}

std::optional<Url> read_authority(std::string_view rest, Url url, Arena& arena) {
  std::string_view authority = rest.substr(0, rest.find('/'));
  rest.remove_prefix(authority.size());
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    if (!is_user(authority.substr(0, at))) return std::nullopt;
    url.user = arena.text(authority.substr(0, at));
    authority.remove_prefix(at + 1);
  }
  const std::optional<std::string> host = read_host(url.scheme, authority);
  const std::optional<std::string> path = escaped_path(rest);
  if (!host || !path) return std::nullopt;
  url.host = arena.text(*host);
  url.escaped_path = arena.text(*path);
  return url;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; });
}

// Without fragment. `by_request`: a `#` is part of the path, and a relative reference is rejected.
std::optional<Url> parse(std::string_view text, bool by_request, Arena& arena) {
  if (has_control(text) || (text.empty() && by_request)) return std::nullopt;
  if (text == "*") return Url{.escaped_path = "*"};
  Url url;
  std::string scheme;
  std::string_view rest = text;
  if (!take_scheme(rest, scheme)) return std::nullopt;
  url.scheme = arena.text(scheme);
  if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    url.query = arena.text(rest.substr(mark + 1));
    rest = rest.substr(0, mark);
  }
  if (!rest.starts_with('/')) {
    if (!scheme.empty()) {
      url.opaque = arena.text(rest);
      return url;
    }
    if (by_request || rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) return std::nullopt;
  }
  const bool with_host = rest.starts_with("//") && (!scheme.empty() || (!by_request && !rest.starts_with("///")));
  if (with_host) return read_authority(rest.substr(2), url, arena);
  const std::optional<std::string> path = escaped_path(rest);
  if (!path) return std::nullopt;
  url.escaped_path = arena.text(*path);
  return url;
}

}  // namespace

std::optional<Url> parse_url(std::string_view text, Arena& arena) {
  if (!parse(text, true, arena)) return std::nullopt;
  const std::size_t mark = text.find('#');
  std::optional<Url> url = parse(text.substr(0, mark), false, arena);
  if (!url || mark == std::string_view::npos) return url;
  if (!decode(text.substr(mark + 1), Part::Path)) return std::nullopt;
  url->fragment = arena.text(text.substr(mark + 1));
  return url;
}

bool is_url(std::string_view text) {
  Arena arena;
  return parse(text, true, arena).has_value();
}

std::string_view hostname(const Url& url) {
  std::string_view host = url.host;
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && is_port(host.substr(colon))) host = host.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

std::string_view port(const Url& url) {
  const std::size_t colon = url.host.rfind(':');
  if (colon == std::string_view::npos || !is_port(url.host.substr(colon))) return "";
  return url.host.substr(colon + 1);
}

std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view part = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    if (part.empty() || part.find(';') != std::string_view::npos) continue;
    const std::size_t equals = part.find('=');
    const std::optional<std::string> key = decode(part.substr(0, equals), Part::Query);
    const std::optional<std::string> value =
        equals == std::string_view::npos ? "" : decode(part.substr(equals + 1), Part::Query);
    if (key && value) pairs.emplace_back(*key, *value);
  }
  return pairs;
}

std::string to_text(const Url& url) {
  std::string text;
  if (!url.scheme.empty()) text += std::string(url.scheme) + ":";
  if (!url.opaque.empty()) {
    text += url.opaque;
  } else {
    if (!url.host.empty() || !url.user.empty()) text += "//";
    if (!url.user.empty()) text += std::string(url.user) + "@";
    text += url.host;
    text += url.escaped_path;
  }
  if (!url.query.empty()) text += "?" + std::string(url.query);
  if (!url.fragment.empty()) text += "#" + std::string(url.fragment);
  return text;
}

}  // namespace capwright::cel
