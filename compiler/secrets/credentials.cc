// Applies the patterns of credentials.yaml.
#include "secrets/credentials.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "facts/catalogue.h"
#include "secrets/placeholders.h"
#include "text/literals.h"
#include "text/trim.h"

namespace capwright::secrets {
namespace {

struct KeyForm {
  explicit KeyForm(const Value& item)
      : what(fact(item, "what").text()), holds(literals_of(item)), pattern(fact_pattern(fact(item, "pattern"))) {
    if (const Value* known = item.find("example")) example = fact_pattern(*known);
  }

  static std::vector<std::string> literals_of(const Value& item) {
    std::vector<std::string> literals;
    for (const Value& literal : fact(item, "holds").items()) literals.emplace_back(literal.text());
    return literals;
  }

  std::string_view what;
  std::vector<std::string> holds;  // every match contains one of these
  Regex pattern;
  std::optional<Regex> example;  // matches examples from documentation
};

// The contents of credentials.yaml.
struct Forms {
  std::vector<Regex> unset;
  std::set<std::string, std::less<>> public_keys;
  std::vector<KeyForm> keys;
  Literals in_keys;  // all `keys`, up to a space, where YAML may break a line: very few texts contain one
  std::vector<std::string_view> secret_names;
  std::bitset<256> last_of_names;  // the last bytes of these names, in both cases: few names end in one
  Regex bootstrap_token;
};

Forms read_forms() {
  const Value& facts = credential_facts();
  const std::span<const Value> keys = fact(facts, "key_material").items();
  std::vector<std::string> in_keys;
  for (const Value& item : keys) {
    for (const std::string& literal : KeyForm::literals_of(item))
      in_keys.push_back(literal.substr(0, literal.find(' ')));
  }
  Forms forms{{},
              {},
              {},
              Literals(std::move(in_keys)),
              words_of(fact(facts, "secret_names")),
              {},
              fact_pattern(fact(facts, "bootstrap_token"))};
  for (const Value& pattern : fact(facts, "unset").items()) forms.unset.push_back(fact_pattern(pattern));
  for (const std::string_view key : words_of(fact(facts, "public_keys"))) forms.public_keys.emplace(key);
  for (const std::string_view name : forms.secret_names) {
    const auto last = static_cast<unsigned char>(name.back());
    forms.last_of_names.set(last);
    if (last >= 'a' && last <= 'z') forms.last_of_names.set(static_cast<unsigned char>(last - 'a' + 'A'));
  }
  for (const Value& item : keys) forms.keys.emplace_back(item);
  return forms;
}

const Forms& forms() {
  static const Forms known = read_forms();
  return known;
}

bool matches_any(const std::vector<Regex>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const Regex& pattern) { return pattern.matches(text); });
}

bool is_part_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

std::string lower(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return low;
}

// Whether a name equals or ends in such a word; a `-` of the word may be `_` or missing.
bool ends_in_word(std::string_view name, std::string_view word) {
  while (!word.empty()) {
    const char c = word.back();
    word.remove_suffix(1);
    const char last = name.empty() ? '\0' : name.back();
    const bool is_same =
        c == '-' ? last == '-' || last == '_' : last == c || (last >= 'A' && last <= 'Z' && last - 'A' + 'a' == c);
    if (is_same) name.remove_suffix(1);
    else if (c != '-') return false;
  }
  return name.empty() || is_part_of_name(name.back());
}

// Shannon entropy, in bits per character.
double entropy_of(std::string_view text) {
  std::array<double, 256> counts{};
  for (const char c : text) counts[static_cast<unsigned char>(c)] += 1;
  double bits = 0;
  for (const double count : counts) {
    if (count > 0)
      bits -= count / static_cast<double>(text.size()) * std::log2(count / static_cast<double>(text.size()));
  }
  return bits;
}

}  // namespace

bool is_secret_name(std::string_view name) {
  if (name.empty() || !forms().last_of_names[static_cast<unsigned char>(name.back())]) return false;
  const auto& words = forms().secret_names;
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return ends_in_word(name, word); });
}

// Configuration files contain more than secrets; any other text in a Secret is one.
bool is_configuration(std::string_view key) {
  constexpr std::string_view kEndings[] = {".yaml", ".yml", ".json", ".conf", ".cfg", ".ini", ".toml", ".properties"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view e) { return key.ends_with(e); });
}

bool is_public_key(std::string_view key) { return forms().public_keys.contains(lower(key)); }

bool holds_secret_document(std::string_view text) {
  constexpr std::string_view kKind = "Secret", kBetween = " \t\"':";
  for (std::size_t at = text.find(kKind); at != std::string_view::npos; at = text.find(kKind, at + 1)) {
    const std::string_view before = text.substr(0, at), behind = text.substr(at + kKind.size());
    const std::size_t end = before.find_last_not_of(kBetween);
    const bool is_kind = end != std::string_view::npos && end + 1 != at && before.substr(0, end + 1).ends_with("kind");
    if (is_kind && (behind.empty() || std::string_view(" \t\r\n\"',}").find(behind.front()) != std::string_view::npos))
      return true;
  }
  return false;
}

Exposure exposure_of(std::string_view key, std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return Exposure::Public;
  if (text.starts_with("ENC[") && text.ends_with(']')) return Exposure::Encrypted;
  if (!key_material_in(text).empty()) return Exposure::Readable;
  if (text.starts_with("-----BEGIN CERTIFICATE") || text.starts_with("-----BEGIN PUBLIC KEY")) return Exposure::Public;
  const bool configuration = is_configuration(key);
  const bool has_place = has_placeholder(text);
  if (has_place && is_placeholder(text)) return Exposure::Reference;
  const bool filled_in = has_place && has_placeholder_only(text, false);
  if ((configuration || filled_in) && has_secret_line(text)) return Exposure::Readable;
  if (filled_in && (configuration || has_placeholder_only(text, is_secret_name(key)))) return Exposure::Reference;
  if (is_public_key(key)) return Exposure::Public;
  if (matches_any(forms().unset, text)) return Exposure::Unset;
  return configuration ? Exposure::Public : Exposure::Readable;
}

std::string_view key_material_in(std::string_view text) {
  constexpr std::size_t kShortest = 12;  // the shortest secret that any pattern matches
  if (text.size() < kShortest || !forms().in_keys.stand_in(text)) return {};
  for (const KeyForm& form : forms().keys) {
    const auto stands_here = [&](const std::string& literal) { return text.find(literal) != std::string_view::npos; };
    if (std::none_of(form.holds.begin(), form.holds.end(), stands_here)) continue;
    const auto found = form.pattern.find(text);
    if (found && !(form.example && form.example->matches(found->front().in(text)))) return form.what;
  }
  return {};
}

// Escaped characters can't be checked here.
bool may_hold_key_material(std::string_view yaml) {
  return yaml.find('\\') != std::string_view::npos || forms().in_keys.stand_in(yaml);
}

bool is_random_secret(std::string_view name, std::string_view text) {
  constexpr std::size_t kShortest = 12;
  constexpr double kRandom = 3.0;         // bits per character; words of a language have less in such short texts
  const bool is_token = name == "token";  // also the name of many public things
  if (text.size() < kShortest || !(is_token || is_secret_name(name))) return false;
  bool letters = false, digits = false;
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '/') return false;
    letters = letters || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    digits = digits || (c >= '0' && c <= '9');
  }
  if (!letters || !digits || (is_token && !forms().bootstrap_token.matches(text))) return false;
  return entropy_of(text) >= kRandom && exposure_of({}, text) == Exposure::Readable;
}

}  // namespace capwright::secrets
