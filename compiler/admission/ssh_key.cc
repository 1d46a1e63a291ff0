// The lines of authorized_keys (sshd(8)) and the keys in them (RFC 4253 section 6.6, RFC 5656, RFC 8709).
#include <algorithm>
#include <cstdint>
#include <optional>

#include "admission/embedded_texts.h"
#include "text/base64.h"
#include "text/trim.h"

namespace capwright::admission {
namespace {

constexpr std::string_view kBlanks = " \t";

// The parts after the algorithm's name in a key: this number of length-prefixed strings.
struct Algorithm {
  std::string_view name;
  int parts;
};
constexpr Algorithm kAlgorithms[] = {{"ssh-rsa", 2},
                                     {"ssh-dss", 4},
                                     {"ecdsa-sha2-nistp256", 2},
                                     {"ecdsa-sha2-nistp384", 2},
                                     {"ecdsa-sha2-nistp521", 2},
                                     {"ssh-ed25519", 1},
                                     {"sk-ecdsa-sha2-nistp256@openssh.com", 3},
                                     {"sk-ssh-ed25519@openssh.com", 2}};

// Removes a length-prefixed string; empty if the bytes end too early.
std::optional<std::string_view> take_string(std::string_view& bytes) {
  constexpr std::size_t kLengthBytes = 4;
  if (bytes.size() < kLengthBytes) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  bytes.remove_prefix(kLengthBytes);
  if (bytes.size() < length) return std::nullopt;
  const std::string_view text = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return text;
}

bool is_key(std::string_view base64) {
  const std::optional<std::string> key = from_base64(base64);
  if (!key) return false;
  std::string_view bytes = *key;
  const std::optional<std::string_view> name = take_string(bytes);
  if (!name) return false;
  const auto algorithm = std::find_if(std::begin(kAlgorithms), std::end(kAlgorithms),
                                      [&](const Algorithm& one) { return one.name == *name; });
  // Certificates, which contain more than a key, are recognized only by name.
  if (algorithm == std::end(kAlgorithms)) return name->ends_with("-cert-v01@openssh.com");
  for (int i = 0; i < algorithm->parts; ++i) {
    const std::optional<std::string_view> part = take_string(bytes);
    if (!part || part->empty()) return false;
  }
  return bytes.empty();
}

// `<type> <key> <comment>`; the type may be any word.
bool holds_key(std::string_view line) {
  const std::size_t blank = line.find_first_of(kBlanks);
  if (blank == std::string_view::npos) return false;
  const std::string_view rest = trimmed(line.substr(blank), " \t\r");
  return is_key(rest.substr(0, rest.find_first_of(kBlanks)));
}

// The line without its options, whose quotes may contain blanks.
std::string_view without_options(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
    if (!quoted && kBlanks.find(line[i]) != std::string_view::npos) return trimmed(line.substr(i), " \t\r");
  }
  return {};
}

}  // namespace

std::string ssh_key_fault(std::string_view text) {
  const std::optional<std::string> lines = from_base64(text);
  if (!lines) return "the SSH public key is not properly base64 encoded";
  for (std::string_view rest = *lines; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = trimmed(rest.substr(0, end), " \t\r");
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (holds_key(line) || holds_key(without_options(line))) return "";
  }
  return "the SSH public key is not valid";
}

}  // namespace capwright::admission
