// A merge patch says everything: maps are merged, lists are replaced, and null deletes.
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "patch/identity.h"
#include "patch/merge_keys.h"
#include "workflow/import_align.h"

namespace capwright::workflow {
namespace {

class PatchMaker {
 public:
  PatchMaker(const Alignment& alignment, Arena& arena) : alignment_(alignment), arena_(arena) {}

  Value entry_for(const AlignedPair& pair) {
    const diff::Object& object = *pair.rendered;
    id_ = patch::id_of(object.value);
    const Value patch = pair.imported == nullptr ? map({{"$patch", text("delete")}})
                                                 : difference(object.value, pair.imported->value, "");
    if (patch.entries().empty()) return Value();
    std::vector<std::pair<std::string_view, Value>> target;
    if (!object.group.empty()) target.emplace_back("group", text(pattern(object.group)));
    target.emplace_back("kind", text(object.kind));
    target.emplace_back("name", text(pattern(object.base.empty() ? object.name : object.base)));
    return map({{"target", map(target)}, {"patch", patch}});
  }

 private:
  Value text(std::string_view bytes) { return make_string(arena_, bytes); }

  Value map(const std::vector<std::pair<std::string_view, Value>>& members) {
    std::vector<Entry> entries;
    for (const auto& [key, value] : members) entries.push_back({make_key(arena_, key), value});
    return make_map(arena_, entries);
  }

  // A regular expression for the text.
  static std::string pattern(std::string_view text) {
    std::string escaped;
    for (const char c : text) escaped += c == '.' ? "\\." : std::string(1, c);
    return escaped;
  }

  // `path`: of both in the object; empty for the object.
  Value difference(const Value& rendered, const Value& imported, const std::string& path) {
    const bool keeps_name = path == "metadata" || alignment_.is_renamed(rendered, imported);
    std::vector<std::pair<std::string_view, Value>> changes;
    for (const Entry& entry : imported.entries()) {
      const std::string_view key = entry.key.text();
      const Value* now = rendered.find(key);
      if (entry.value.is(Kind::Null) || (keeps_name && key == "name")) continue;
      if (now != nullptr && json_equal(*now, entry.value)) continue;
      const std::string at = path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
      const bool are_maps = now != nullptr && now->is(Kind::Map) && entry.value.is(Kind::Map);
      if (!are_maps) {
        changes.emplace_back(key, now == nullptr ? entry.value : whole(*now, entry.value, at));
        continue;
      }
      const Value below = difference(*now, entry.value, at);
      if (!below.entries().empty()) changes.emplace_back(key, below);
    }
    for (const Entry& entry : rendered.entries()) {
      const std::string_view key = entry.key.text();
      const Value* wanted = imported.find(key);
      const bool is_gone = wanted == nullptr || wanted->is(Kind::Null);
      if (is_gone && !entry.value.is(Kind::Null) && !(keeps_name && key == "name")) changes.emplace_back(key, Value());
    }
    return map(changes);
  }

  // A list that a patch would merge says that it replaces the rendered one.
  Value whole(const Value& rendered, const Value& imported, const std::string& path) {
    const bool are_lists = rendered.is(Kind::List) && imported.is(Kind::List) && !rendered.items().empty();
    if (!are_lists || !id_ || !patch::list_merge_of(*id_, path).merges) return imported;
    std::vector<Value> items{map({{"$patch", text("replace")}})};
    items.insert(items.end(), imported.items().begin(), imported.items().end());
    return make_list(arena_, items);
  }

  const Alignment& alignment_;
  Arena& arena_;
  std::optional<patch::ObjectId> id_;  // of the rendered object
};

constexpr std::size_t kLongestFileName = 120;

// Only lower-case letters, digits, `-` and `.`, and no `..`.
std::string file_name(std::string_view kind, std::string_view name) {
  std::string result;
  for (const char c : fmt::format("{}-{}", kind, name)) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_dot = c == '.' && !result.ends_with('.') && !result.ends_with('-');
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || is_dot;
    if (is_upper) result += static_cast<char>(c - 'A' + 'a');
    else result += is_plain ? c : '-';
  }
  return result.substr(0, kLongestFileName);
}

}  // namespace

Value patches_for(const Alignment& alignment, Arena& arena) {
  std::vector<Value> entries;
  PatchMaker maker(alignment, arena);
  for (const AlignedPair& pair : alignment.pairs()) {
    if (pair.rendered == nullptr) continue;
    const Value entry = maker.entry_for(pair);
    if (!entry.is(Kind::Null)) entries.push_back(entry);
  }
  return make_list(arena, entries);
}

std::map<std::string, std::string> resources_for(const Alignment& alignment, const std::string& cluster) {
  std::map<std::string, std::string> files;
  for (const AlignedPair& pair : alignment.pairs()) {
    if (pair.rendered != nullptr) continue;
    const std::string stem =
        fmt::format("resources/{}/{}", cluster, file_name(pair.imported->kind, pair.imported->name));
    std::string path = stem + ".yaml";
    for (std::size_t i = 2; files.contains(path); ++i) path = fmt::format("{}-{}.yaml", stem, i);
    files[path] = yaml_of(pair.imported->value);
  }
  return files;
}

Value existing_names_for(const Alignment& alignment, Arena& arena) {
  std::vector<Value> entries;
  for (const AlignedPair& pair : alignment.pairs()) {
    if (pair.rendered == nullptr || pair.imported == nullptr || pair.rendered->name == pair.imported->name) continue;
    const Entry members[] = {{make_key(arena, "kind"), make_string(arena, pair.rendered->kind)},
                             {make_key(arena, "name"), make_string(arena, pair.rendered->name)},
                             {make_key(arena, "existing"), make_string(arena, pair.imported->name)}};
    entries.push_back(make_map(arena, members));
  }
  return make_list(arena, entries);
}

}  // namespace capwright::workflow
