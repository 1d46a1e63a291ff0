// The lists of pods are in the objects of several kinds, so a table by kind and path is built once.
#include "patch/merge_keys.h"

#include <fmt/format.h>
#include <map>
#include <vector>

#include "facts/built_in.h"
#include "facts/catalogue.h"

namespace capwright::patch {
namespace {

// By group, kind and path, with spaces between them.
using MergedLists = std::map<std::string, std::vector<std::string>, std::less<>>;

void add(const Value& lists, const std::string& prefix, MergedLists& merged) {
  for (const Entry& list : lists.entries()) {
    std::vector<std::string>& keys = merged[prefix + std::string(list.key.text())];
    for (const Value& key : list.value.items()) keys.emplace_back(key.text());
  }
}

MergedLists read_lists() {
  const BuiltInYaml file("schemas/catalogue/merge-keys.yaml");
  const Value &metadata = fact(file.content(), "metadata"), &of_pod = fact(file.content(), "pod");
  MergedLists merged;
  for (const Value& entry : fact(file.content(), "kinds").items()) {
    for (const Value& kind : fact(entry, "kinds").items()) {
      const std::string object = fmt::format("{} {} ", entry.text_at("group"), kind.text());
      add(metadata, object + "metadata.", merged);
      if (const Value* lists = entry.find("lists")) add(*lists, object, merged);
      const Value* pod = entry.find("pod");
      if (pod == nullptr) continue;
      const std::string around = object + std::string(pod->text()) + (pod->text().empty() ? "" : ".");
      add(metadata, around + "metadata.", merged);
      add(of_pod, around + "spec.", merged);
    }
  }
  return merged;
}

}  // namespace

ListMerge list_merge_of(const ObjectId& object, std::string_view path) {
  static const MergedLists lists = read_lists();
  const auto found = lists.find(fmt::format("{} {} {}", object.group(), object.kind, path));
  if (found == lists.end()) return {};
  return {true, found->second};
}

}  // namespace capwright::patch
