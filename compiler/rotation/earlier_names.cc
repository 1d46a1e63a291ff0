// Parses an earlier manifest on the first template with its name.
#include "rotation/earlier_names.h"

#include <algorithm>

#include "rotation/naming.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::rotation {
std::string EarlierNames::suffix(std::string_view kind, std::string_view group, std::string_view base,
                                 const Value& spec) {
  const std::string text = canonical_json(spec);
  std::vector<const RotatedObject*> earlier;
  if (previous_.index) {
    if (by_base_.empty()) {
      for (const RotatedObject& each : previous_.index->rotation.objects)
        by_base_[object_key(each.kind, each.group, base_of(each.name))].push_back(&each);
    }
    const auto known = by_base_.find(object_key(kind, group, base));
    if (known != by_base_.end()) earlier = known->second;
  }
  std::optional<std::uint32_t> usable;
  for (std::uint32_t attempt = 0; attempt < kDigestAttempts && !earlier.empty(); ++attempt) {
    const std::string name = std::string(base) + name_suffix(text, attempt);
    const auto known =
        std::find_if(earlier.begin(), earlier.end(), [&](const auto* each) { return each->name == name; });
    const auto known_spec = known == earlier.end() ? std::nullopt : spec_of(**known);
    if (known_spec == text) return name_suffix(text, attempt);
    if (!known_spec && !usable) usable = attempt;
  }
  return name_suffix(text, usable.value_or(0));
}

std::optional<std::string_view> EarlierNames::spec_of(const RotatedObject& object) {
  const SpecsByName& specs = specs_in(object.file);
  const auto found = specs.find(object_key(object.kind, object.group, object.name));
  if (found == specs.end()) return std::nullopt;
  return found->second;
}

const EarlierNames::SpecsByName& EarlierNames::specs_in(const std::string& path) {
  const auto [known, is_new] = read_.try_emplace(path);
  const PreviousFile* file = is_new ? previous_.find(path) : nullptr;
  if (file == nullptr || file->state == PreviousFile::State::Missing) return known->second;
  OwnStage own(limits_);  // ignored: an unreadable manifest counts as missing
  const FileId text = own.sources.add(path, file->text);
  for (const YamlDocument& document :
       read_yaml_documents(text, own.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml})) {
    const Value* metadata = document.value.is(Kind::Map) ? document.value.find("metadata") : nullptr;
    const auto name = metadata != nullptr ? string_at(*metadata, "name") : std::nullopt;
    const Value* spec = named_spec(document.value);
    if (!name || spec == nullptr || !is_named_after(*name, canonical_json(*spec))) continue;
    const std::string_view group = group_of(string_at(document.value, "apiVersion").value_or(""));
    known->second.try_emplace(object_key(string_at(document.value, "kind").value_or(""), group, *name),
                              canonical_json(*spec));
  }
  return known->second;
}

}  // namespace capwright::rotation
