// Checks formats as the server's OpenAPI library does: some with Go's parsers, most with a regular expression.
#include "crd/string_format.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>

#include "base/check.h"
#include "cel/time.h"
#include "cel/url.h"
#include "crd/program.h"
#include "text/ip_address.h"

namespace capwright::crd {
namespace {

struct Known {
  std::string_view name;
  Format format;
  std::string_view pattern;  // empty: a function checks the format, or nothing does
};

constexpr std::string_view kBase64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$";
constexpr std::string_view kHostname =
    R"(^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61})"
    R"([a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$)";
constexpr std::string_view kTimeOfDay =
    R"((?i)^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$)";

// Sorted by name.
constexpr Known kKnown[] = {
    {"bsonobjectid", Format::ObjectId, "^[0-9a-fA-F]{24}$"},
    {"byte", Format::Byte, kBase64},
    {"cidr", Format::Cidr, {}},
    {"creditcard", Format::CreditCard,
     "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|6(?:"
     "011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11}|6[27][0-9]{"
     "14})$"},
    {"date", Format::Date, {}},
    {"date-time", Format::DateTime, {}},
    {"datetime", Format::DateTime, {}},
    {"double", Format::Double, {}},
    {"duration", Format::Duration, {}},
    {"email", Format::Email, R"(^[^@\s<>]+@[^@\s<>.]+(\.[^@\s<>.]+)*$)"},
    {"float", Format::Float, {}},
    {"hexcolor", Format::HexColor, "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"},
    {"hostname", Format::Hostname, kHostname},
    {"int32", Format::Int32, {}},
    {"int64", Format::Int64, {}},
    {"ipv4", Format::Ipv4, {}},
    {"ipv6", Format::Ipv6, {}},
    {"isbn", Format::Isbn, "^(?:[0-9]{9}X|[0-9]{10}|[0-9]{13})$"},
    {"isbn10", Format::Isbn10, "^(?:[0-9]{9}X|[0-9]{10})$"},
    {"isbn13", Format::Isbn13, "^[0-9]{13}$"},
    {"k8s-long-name", Format::K8sLongName, R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)"},
    {"k8s-short-name", Format::K8sShortName, "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"},
    {"mac", Format::Mac, "^([0-9a-fA-F]{2}[:-]){5}([0-9a-fA-F]{2})$"},
    {"password", Format::Password, {}},
    {"rgbcolor", Format::RgbColor,
     R"(^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|)"
     R"(1\d\d?|2[0-4]\d|25[0-5])\s*\)$)"},
    {"ssn", Format::Ssn, R"(^\d{3}[- ]?\d{2}[- ]?\d{4}$)"},
    {"uri", Format::Uri, {}},
    {"uuid", Format::Uuid, "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$"},
    {"uuid3", Format::Uuid3, "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$"},
    {"uuid4", Format::Uuid4, "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"},
    {"uuid5", Format::Uuid5, "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"},
};

const Known& known(Format format) {
  const auto found =
      std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) { return k.format == format; });
  CW_CHECK(found != std::end(kKnown), "every Format but None is in the table");
  return *found;
}

// Compiles each pattern at its first use.
const Pattern& pattern_of(Format format) {
  static const std::deque<Pattern> all = [] {
    std::deque<Pattern> patterns;
    for (const Known& one : kKnown) patterns.emplace_back(one.pattern);
    return patterns;
  }();
  return all[static_cast<std::size_t>(&known(format) - kKnown)];
}

bool is_date_time(std::string_view text) {
  const std::size_t mark = text.find_first_of("tT");
  if (mark == std::string_view::npos || !cel::parse_date(text.substr(0, mark))) return false;
  const std::string_view time = text.substr(mark + 1, text.find_first_of("tT", mark + 1) - mark - 1);
  static const Pattern shape(kTimeOfDay);
  return shape.matches(time) && time.substr(0, 2) <= "23" && time.substr(3, 2) <= "59" && time.substr(6, 2) <= "59";
}

bool is_hostname(std::string_view text) { return text.size() <= 255 && pattern_of(Format::Hostname).matches(text); }

// Reads an address as Go did before 1.17 and as the server still does: octets may have leading zeros.
std::optional<ip::Address> read_lenient_address(std::string_view text) {
  std::string plain;
  bool at_start = true;  // of an octet
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit_follows = i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
    if (at_start && text[i] == '0' && digit_follows) continue;
    at_start = text[i] == '.' || text[i] == ':';
    plain += text[i];
  }
  return ip::parse_address(plain);
}

bool is_address(std::string_view text, ip::Family family) {
  const std::optional<ip::Address> address = read_lenient_address(text);
  return address && address->family == family;
}

// An address and a length; host bits may be set.
bool is_cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::optional<ip::Address> address = read_lenient_address(text.substr(0, slash));
  const std::string_view digits = text.substr(slash + 1);
  if (!address || digits.empty() || digits.size() > 3) return false;
  int length = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    length = length * 10 + (c - '0');
  }
  return length <= ip::width(address->family);
}

}  // namespace

Format format_by_name(std::string_view name) {
  const auto found = std::lower_bound(std::begin(kKnown), std::end(kKnown), name,
                                      [](const Known& one, std::string_view wanted) { return one.name < wanted; });
  return found != std::end(kKnown) && found->name == name ? found->format : Format::None;
}

std::string_view format_name(Format format) { return format == Format::None ? std::string_view() : known(format).name; }

bool matches_format(std::string_view text, Format format) {
  switch (format) {
    case Format::None:
    case Format::Int32:
    case Format::Int64:
    case Format::Float:
    case Format::Double:
    case Format::Password: return true;
    case Format::Cidr: return is_cidr(text);
    case Format::Date: return cel::parse_date(text).has_value();
    case Format::DateTime: return is_date_time(text);
    case Format::Duration: return cel::parse_open_api_duration(text).has_value();
    case Format::Hostname: return is_hostname(text);
    case Format::Ipv4: return is_address(text, ip::Family::V4);
    case Format::Ipv6: return is_address(text, ip::Family::V6);
    case Format::Uri: return cel::is_url(text);
    default: return pattern_of(format).matches(text);
  }
}

}  // namespace capwright::crd
