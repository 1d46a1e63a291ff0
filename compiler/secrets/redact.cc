// Values and rendered files of which any part may be secret.
#include "secrets/redact.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

namespace capwright::secrets {

// Rebuilds containers, because any leaf may be secret.
Value redact(const Value& value, Arena& arena) {
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(redact(item, arena));
    return make_list(arena, items).with_origin(value.origin());
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries()) entries.push_back({entry.key, redact(entry.value, arena)});
    return make_map(arena, entries).with_origin(value.origin());
  }
  return value.tainted() ? make_string(arena, "<secret>").with_origin(value.origin()) : value;
}

// Adjacent bytes of one secret may have several origins; they form one run.
std::string redact(const RenderedFile& file) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
  each_secret(file.body, [&](std::uint32_t begin, std::uint32_t end) {
    if (!runs.empty() && runs.back().second == begin) runs.back().second = end;
    else runs.emplace_back(begin, end);
  });
  const std::string_view all = file.body.text();
  std::string text;
  std::uint32_t done = 0;
  for (const auto& [begin, end] : runs) {
    const std::string_view run = all.substr(begin, end - begin);
    text += all.substr(done, begin - done);
    text += fmt::format("<secret, {} B>{}", run.size(), run.ends_with('\n') ? "\n" : "");
    done = end;
  }
  return text += all.substr(done);
}

}  // namespace capwright::secrets
