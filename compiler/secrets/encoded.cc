// Adds three Base64 texts for a secret: its digits depend on the number of other bytes in its first group.
#include <fmt/format.h>
#include <string>

#include "secrets/texts.h"
#include "text/base64.h"

namespace capwright::secrets {
namespace {

// The digits that depend only on the secret, if `before` bytes of its first group belong to other text.
std::string inner_base64(std::string_view secret, std::size_t before, std::string_view alphabet) {
  const std::string whole = to_base64(std::string(before, '\0').append(secret), alphabet);
  const std::size_t bits = 8 * before, size = before + secret.size();
  const std::size_t begin = (bits + 5) / 6, end = 8 * size / 6;
  return begin < end ? whole.substr(begin, end - begin) : std::string();
}

bool is_unreserved(char c) {  // RFC 3986, section 2.3
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

std::string url_escaped(std::string_view secret) {
  std::string text;
  for (const char c : secret) {
    if (is_unreserved(c)) text += c;
    else text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

// Like Go's encoding/json, which also escapes characters that are special in HTML.
std::string json_escaped(std::string_view secret) {
  std::string text;
  for (const char c : secret) {
    if (c == '"' || c == '\\') text.append(1, '\\').append(1, c);
    else if (c == '\n') text += "\\n";
    else if (c == '\t') text += "\\t";
    else if (c == '\r') text += "\\r";
    else if (c == '<' || c == '>' || c == '&' || static_cast<unsigned char>(c) < 0x20)
      text += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else text += c;
  }
  return text;
}

}  // namespace

void add_encoded(std::string_view secret, SecretTexts& texts) {
  texts.add(secret);
  if (secret.size() < SecretTexts::kShortestSecret) return;
  for (const std::string_view alphabet : {kBase64, kBase64Url}) {
    for (std::size_t before = 0; before < 3; ++before) texts.add(inner_base64(secret, before, alphabet));
  }
  std::string lower, upper;
  for (const char c : secret) {
    lower += fmt::format("{:02x}", static_cast<unsigned char>(c));
    upper += fmt::format("{:02X}", static_cast<unsigned char>(c));
  }
  texts.add(lower);
  texts.add(upper);
  texts.add(url_escaped(secret));
  texts.add(json_escaped(secret));
}

void add_encoded(const Value& value, SecretTexts& texts) {
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) add_encoded(item, texts);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) add_encoded(entry.value, texts);
  } else if (value.tainted() && value.is(Kind::String)) {
    add_encoded(value.text(), texts);
  } else if (value.tainted() && value.is(Kind::Int)) {
    add_encoded(std::to_string(value.as_int()), texts);
  }
}

}  // namespace capwright::secrets
