// Kubernetes' named formats. Rules: RFC 1123 and 1035 as the API server applies them to names and labels.
#include "cel/named_format.h"

#include <algorithm>

#include "base/ascii.h"
#include "cel/time.h"
#include "cel/url.h"

namespace capwright::cel {
namespace {

using Faults = std::vector<std::string>;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_lower_or_digit(char c) { return is_lower(c) || is_digit(c); }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }
bool is_in_key(char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; }

constexpr std::size_t kLabelLength = 63, kSubdomainLength = 253;

void check_length(std::string_view text, std::size_t most, Faults& faults) {
  if (text.size() > most) faults.push_back("must be no more than " + std::to_string(most) + " bytes");
}

// Lower-case letters, digits and `-`, which can't be first or last.
bool is_label(std::string_view text) {
  return !text.empty() && is_lower_or_digit(text.front()) && is_lower_or_digit(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

bool is_subdomain(std::string_view text) {
  while (true) {
    const std::size_t point = text.find('.');
    if (!is_label(text.substr(0, point))) return false;
    if (point == std::string_view::npos) return true;
    text.remove_prefix(point + 1);
  }
}

bool is_key(std::string_view text) {
  return !text.empty() && is_letter_or_digit(text.front()) && is_letter_or_digit(text.back()) &&
         std::all_of(text.begin(), text.end(), is_in_key);
}

constexpr std::string_view kLabelRule =
    "must consist of lower-case letters, digits and `-`, and start and end with a letter or digit";
constexpr std::string_view kSubdomainRule =
    "must consist of lower-case letters, digits, `-` and `.`, and start and end with a letter or digit";
constexpr std::string_view kKeyRule =
    "must consist of letters, digits, `-`, `_` and `.`, and start and end with a letter or digit";

Faults label_faults(std::string_view text) {
  Faults faults;
  check_length(text, kLabelLength, faults);
  if (!is_label(text)) faults.emplace_back(is_subdomain(text) ? "must not contain dots" : kLabelRule);
  return faults;
}

Faults subdomain_faults(std::string_view text) {
  Faults faults;
  check_length(text, kSubdomainLength, faults);
  if (!is_subdomain(text)) faults.emplace_back(kSubdomainRule);
  return faults;
}

Faults label_1035_faults(std::string_view text) {
  Faults faults;
  check_length(text, kLabelLength, faults);
  if (!is_label(text) || !is_lower(text.front())) {
    faults.emplace_back(
        "must consist of lower-case letters, digits and `-`, start with a letter and end with a letter or digit");
  }
  return faults;
}

// A prefix to which the server appends text may end with `-`.
std::string with_suffix(std::string_view text) {
  if (text.size() < 2 || !text.ends_with('-')) return std::string(text);
  return std::string(text.substr(0, text.size() - 2)) + "a";
}

Faults label_prefix_faults(std::string_view text) { return label_faults(with_suffix(text)); }
Faults subdomain_prefix_faults(std::string_view text) { return subdomain_faults(with_suffix(text)); }
Faults label_1035_prefix_faults(std::string_view text) { return label_1035_faults(with_suffix(text)); }

Faults qualified_name_faults(std::string_view text) {
  Faults faults;
  if (std::count(text.begin(), text.end(), '/') > 1) return {"a name has at most one `/`, after its DNS prefix"};
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    if (slash == 0) faults.emplace_back("the prefix must not be empty");
    else
      for (const std::string& fault : subdomain_faults(text.substr(0, slash))) faults.push_back("the prefix " + fault);
    text.remove_prefix(slash + 1);
  }
  if (text.empty()) faults.emplace_back("the name must not be empty");
  else check_length(text, kLabelLength, faults);
  if (!is_key(text)) faults.push_back("the name " + std::string(kKeyRule));
  return faults;
}

Faults label_value_faults(std::string_view text) {
  Faults faults;
  check_length(text, kLabelLength, faults);
  if (!text.empty() && !is_key(text)) faults.emplace_back(kKeyRule);
  return faults;
}

Faults fault_unless(bool good, std::string_view what) { return good ? Faults() : Faults{std::string(what)}; }

Faults uri_faults(std::string_view text) {
  return fault_unless(is_url(text), "must be a URL with a scheme or an absolute path");
}

Faults uuid_faults(std::string_view text) {
  constexpr std::size_t kGroups[] = {8, 4, 4, 4, 12};
  bool good = true;
  for (const std::size_t size : kGroups) {
    if (size != 8 && text.starts_with('-')) text.remove_prefix(1);
    good = good && text.size() >= size &&
           std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size), is_hex_digit);
    if (good) text.remove_prefix(size);
  }
  return fault_unless(good && text.empty(), "must be a UUID");
}

Faults byte_faults(std::string_view text) {
  std::string_view digits = text;
  for (int i = 0; i < 2 && digits.ends_with('='); ++i) digits.remove_suffix(1);
  const bool good = !text.empty() && text.size() % 4 == 0 && std::all_of(digits.begin(), digits.end(), [](char c) {
    return is_letter_or_digit(c) || c == '+' || c == '/';
  });
  return fault_unless(good, "must be base64");
}

Faults date_faults(std::string_view text) {
  return fault_unless(parse_date(text).has_value(), "must be a date such as 2026-01-02");
}

// `hh:mm:ss`, an optional fraction, then `z` or an offset.
bool is_time(std::string_view text) {
  const auto two = [&](std::size_t at, char limit_tens) {
    return at + 1 < text.size() && is_digit(text[at]) && is_digit(text[at + 1]) && text[at] <= limit_tens;
  };
  if (!two(0, '2') || text[2] != ':' || !two(3, '5') || text.size() < 8 || text[5] != ':' || !two(6, '5')) return false;
  if (text[0] == '2' && text[1] > '3') return false;
  text.remove_prefix(8);
  if (text.size() > 2 && is_digit(text[1]) &&
      (is_digit(text[2]) || text.find_first_of("z+-", 1) != std::string_view::npos)) {
    std::size_t end = 1;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (text.substr(end) == "z" || (end < text.size() && (text[end] == '+' || text[end] == '-')))
      text.remove_prefix(end);
  }
  if (text == "z") return true;
  return text.size() == 6 && (text[0] == '+' || text[0] == '-') && two(1, '9') && text[3] == ':' && two(4, '9');
}

Faults datetime_faults(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::size_t mark = lower.find('t');
  const bool good = mark != std::string::npos && parse_date(std::string_view(lower).substr(0, mark)) &&
                    is_time(std::string_view(lower).substr(mark + 1, lower.find('t', mark + 1) - mark - 1));
  return fault_unless(good, "must be a date and time such as 2026-01-02T03:04:05Z");
}

constexpr NamedFormat kFormats[] = {
    {"byte", "byte", 84, byte_faults},
    {"date", "date", 71, date_faults},
    {"datetime", "datetime", 71, datetime_faults},
    {"dns1035Label", "DNS1035Label", 30, label_1035_faults},
    {"dns1035LabelPrefix", "DNS1035LabelPrefix", 30, label_1035_prefix_faults},
    {"dns1123Label", "DNS1123Label", 30, label_faults},
    {"dns1123LabelPrefix", "DNS1123LabelPrefix", 30, label_prefix_faults},
    {"dns1123Subdomain", "DNS1123Subdomain", 60, subdomain_faults},
    {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60, subdomain_prefix_faults},
    {"labelValue", "LabelValue", 40, label_value_faults},
    {"qualifiedName", "QualifiedName", 60, qualified_name_faults},
    {"uri", "URI", 1103, uri_faults},
    {"uuid", "uuid", 70, uuid_faults},
};

}  // namespace

const NamedFormat* find_format(std::string_view function) {
  const auto found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                  [&](const NamedFormat& f) { return f.function == function; });
  return found == std::end(kFormats) ? nullptr : &*found;
}

}  // namespace capwright::cel
