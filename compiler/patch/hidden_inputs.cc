// An input can make text in several places, and a patch may replace only one of them: then it still has an effect. So
// an input that a patch removes from a file is hidden only if no file has a byte of it in the end.
#include "patch/hidden_inputs.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "patch/identity.h"
#include "patch/patch_places.h"

namespace capwright::patch {
namespace {

// Where each input makes its first byte.
using FirstBytes = std::map<OriginId, std::uint32_t>;

template <class Skips>
void add_inputs(const MappedText& body, const Stage& stage, FirstBytes& found, const Skips& skips) {
  std::set<OriginId> seen;
  for (const Segment& segment : body.segments()) {
    const bool counts = segment.value != OriginId::None && !seen.contains(segment.value) && !skips(segment.begin);
    if (!counts) continue;
    seen.insert(segment.value);
    for (const OriginId leaf : stage.origins.leaves(segment.value)) {
      if (stage.origins[leaf].kind == Origin::Kind::Input) found.try_emplace(leaf, segment.begin);
    }
  }
}

bool has_byte(Span place, std::uint32_t offset) { return place.begin <= offset && offset < place.end; }

// The labels and annotations of the objects in a file.
std::vector<Span> marks_of(const FileText& file) {
  std::vector<Span> marks;
  for (const YamlDocument& document : file.documents()) {
    const Value* metadata = document.value.is(Kind::Map) ? document.value.find("metadata") : nullptr;
    if (metadata == nullptr || !metadata->is(Kind::Map)) continue;
    for (const std::string_view key : {"labels", "annotations"}) {
      if (const Value* map = metadata->find(key)) marks.push_back(file.place(*map));
    }
  }
  return marks;
}

bool is_in(std::span<const Span> places, std::uint32_t offset) {
  return std::any_of(places.begin(), places.end(), [&](Span place) { return has_byte(place, offset); });
}

// The steps to the value or key at a byte of a document.
std::vector<std::string> path_at(const FileText& file, const Value& document, std::uint32_t offset) {
  std::vector<std::string> path;
  for (const Value* at = &document; at != nullptr;) {
    const Value* below = nullptr;
    if (at->is(Kind::Map)) {
      for (const Entry& entry : at->entries()) {
        const bool is_key = has_byte(file.place(entry.key), offset),
                   is_value = has_byte(file.place(entry.value), offset);
        if (is_key || is_value) path.emplace_back(entry.key.text());
        if (is_value) below = &entry.value;
      }
    } else if (at->is(Kind::List)) {
      for (std::size_t i = 0; i < at->items().size(); ++i) {
        if (!has_byte(file.place(at->items()[i]), offset)) continue;
        path.push_back(std::to_string(i));
        below = &at->items()[i];
      }
    }
    at = below;
  }
  return path;
}

std::string shown(std::span<const std::string> path) {
  std::string text;
  for (const std::string& step : path) {
    const bool is_index = step.find_first_not_of("0123456789") == std::string::npos;
    if (is_index) text += fmt::format("[{}]", step);
    else text += (text.empty() ? "" : ".") + step;
  }
  return text;
}

const Value* item_at(const Value& list, std::string_view number) {
  std::size_t index = 0;
  std::from_chars(number.data(), number.data() + number.size(), index);
  return index < list.items().size() ? &list.items()[index] : nullptr;
}

bool has_field(const FileText& file, const ObjectId& id, std::span<const std::string> path) {
  for (const YamlDocument& document : file.documents()) {
    if (id_of(document.value) != id) continue;
    const Value* at = &document.value;
    for (const std::string& step : path) {
      if (at->is(Kind::List)) at = item_at(*at, step);
      else at = at->find(step);
      if (at == nullptr) return false;
    }
    return true;
  }
  return false;
}

HiddenInput hidden_at(const FileText& file, const FileText& after, std::uint32_t offset, const Value& content,
                      const Stage& stage) {
  HiddenInput hidden;
  for (const YamlDocument& document : file.documents()) {
    if (!has_byte(document.span, offset)) continue;
    std::vector<std::string> path = path_at(file, document.value, offset);
    const std::optional<ObjectId> id = id_of(document.value);
    const PlaceInPatch place = place_in_patch(content, path, stage);
    hidden.patch = place.where;
    if (place.steps != 0) path.resize(place.steps);
    hidden.removed = id && !has_field(after, *id, path);
    hidden.field = fmt::format("`{}`", shown(path));
    if (id) hidden.field += fmt::format(" of {}", id->shown());
  }
  return hidden;
}

}  // namespace

void HiddenInputs::compare(const FileText& before, const FileText& after, const std::set<std::size_t>& deleted,
                           const Value& content, Span where) {
  const auto documents = before.documents();
  const auto is_deleted = [&](std::uint32_t offset) {
    return std::any_of(deleted.begin(), deleted.end(),
                       [&](std::size_t number) { return has_byte(documents[number].span, offset); });
  };
  const std::vector<Span> old_marks = marks_of(before), marks = marks_of(after);
  FirstBytes old, old_fields, now, fields;
  add_inputs(before.body(), stage_, old, is_deleted);
  add_inputs(before.body(), stage_, old_fields,
             [&](std::uint32_t offset) { return is_deleted(offset) || is_in(old_marks, offset); });
  add_inputs(after.body(), stage_, now, [](std::uint32_t) { return false; });
  add_inputs(after.body(), stage_, fields, [&](std::uint32_t offset) { return is_in(marks, offset); });
  const auto add = [&](OriginId input, std::uint32_t offset, bool was_in_marks) {
    HiddenInput hidden = hidden_at(before, after, offset, content, stage_);
    hidden.input = input;
    if (!hidden.patch.known()) hidden.patch = where;
    candidates_.insert_or_assign(input, Candidate{std::move(hidden), was_in_marks});
  };
  for (const auto& [input, offset] : old) {
    const auto field = old_fields.find(input);
    if (field != old_fields.end() && !fields.contains(input)) add(input, field->second, false);
    else if (field == old_fields.end() && !now.contains(input)) add(input, offset, true);
  }
}

std::vector<HiddenInput> HiddenInputs::hidden_in(std::span<const PatchedFile> files) && {
  if (candidates_.empty()) return {};
  FirstBytes left, fields;
  for (const PatchedFile& file : files) {
    const std::vector<Span> marks = file.text == nullptr ? std::vector<Span>() : marks_of(*file.text);
    add_inputs(*file.body, stage_, left, [](std::uint32_t) { return false; });
    add_inputs(*file.body, stage_, fields, [&](std::uint32_t offset) { return is_in(marks, offset); });
  }
  std::vector<HiddenInput> hidden;
  for (auto& [input, candidate] : candidates_) {
    const bool is_left = candidate.was_in_marks ? left.contains(input) : fields.contains(input);
    if (is_left) continue;
    candidate.hidden.marks = left.contains(input);
    hidden.push_back(std::move(candidate.hidden));
  }
  return hidden;
}

}  // namespace capwright::patch
