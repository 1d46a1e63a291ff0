// Each file has its own sources, which live as long as the program.
#include "facts/catalogue.h"

#include <algorithm>
#include <shared_mutex>
#include <unordered_map>

#include "base/check.h"
#include "facts/built_in.h"

namespace capwright {

const Value& credential_facts() {
  static const BuiltInYaml file("schemas/catalogue/credentials.yaml");
  return file.content();
}

const Value& fact(const Value& map, std::string_view key) {
  const Value* value = map.is(Kind::Map) ? map.find(key) : nullptr;
  CW_CHECK(value != nullptr, "a catalogue has what its README names");
  return *value;
}

namespace {

std::vector<std::string_view> split_words(const Value& text_or_list) {
  std::vector<std::string_view> words;
  if (text_or_list.is(Kind::List)) {
    for (const Value& item : text_or_list.items()) words.push_back(item.text());
    return words;
  }
  for (std::string_view rest = text_or_list.text(); !rest.empty();) {
    const std::size_t begin = std::min(rest.find_first_not_of(" \n"), rest.size());
    const std::size_t end = std::min(rest.find_first_of(" \n", begin), rest.size());
    if (begin != end) words.push_back(rest.substr(begin, end - begin));
    rest.remove_prefix(end);
  }
  return words;
}

}  // namespace

const std::vector<std::string_view>& words_of(const Value& text_or_list) {
  // Rules look up texts for each object, and the catalogue never changes, so the results are cached.
  static std::shared_mutex mutex;
  static std::unordered_map<const void*, std::vector<std::string_view>> known;
  const void* text =
      text_or_list.is(Kind::List) ? static_cast<const void*>(text_or_list.items().data()) : text_or_list.text().data();
  {
    const std::shared_lock reading(mutex);
    if (const auto found = known.find(text); found != known.end()) return found->second;
  }
  const std::lock_guard writing(mutex);
  const auto [found, is_new] = known.try_emplace(text);
  if (is_new) found->second = split_words(text_or_list);
  return found->second;
}

Regex fact_pattern(const Value& text) { return Regex::deferred(text.text(), {.dialect = RegexDialect::Re2}); }

}  // namespace capwright
