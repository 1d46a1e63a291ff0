// Keys of values that an editor renames, or looks up from a template.
#include "lsp/repository_view.h"

namespace capwright::lsp {

Place RepositoryView::place_of(const workflow::FilePlace& place, std::string_view text) const {
  SourceSet sources;
  return place_of(Span{sources.add_borrowed(place.path, text), place.begin, place.end}, sources);
}

RenameTarget RepositoryView::rename_target(const std::string& path, std::size_t offset) {
  RenameTarget target;
  if (session_.open().project == nullptr) return target;
  workflow::KeysOfRepository keys(session_);
  const workflow::NamedKey key = keys.key_at(path, static_cast<std::uint32_t>(offset));
  if (key.key.empty()) return target;
  target.refusal = keys.refusal(key);
  target.where = place_of(key.where, keys.text_of_file(path));
  target.name = key.key.back();
  return target;
}

Renaming RepositoryView::rename(const std::string& path, std::size_t offset, const std::string& name,
                                const workflow::FileTexts& edits) {
  Renaming renaming;
  if (session_.open().project == nullptr) return {"the configuration has errors", {}};
  workflow::KeysOfRepository keys(session_);
  const workflow::NamedKey key = keys.key_at(path, static_cast<std::uint32_t>(offset));
  if (key.key.empty()) return {"there is no key of values here", {}};
  workflow::KeysOfRepository::Rename found = keys.rename(key, name, request_, edits);
  renaming.refusal = std::move(found.error);
  for (const workflow::FilePlace& place : found.places)
    renaming.changes.push_back({place_of(place, keys.text_of_file(place.path)), name});
  return renaming;
}

std::vector<Place> RepositoryView::definition_in_template(const std::string& path, std::size_t offset) {
  std::vector<Place> places;
  if (session_.open().project == nullptr || !session_.is_of_project(path)) return places;
  workflow::KeysOfRepository keys(session_);
  const auto at = static_cast<std::uint32_t>(offset);
  if (const std::string named = keys.template_named_at(path, at); keys.is_of_repository(named))
    places.push_back({named, {1, 1}, {1, 1}});
  const workflow::NamedKey key = keys.key_at(path, at);
  if (key.key.empty()) return places;
  for (const workflow::FilePlace& place : keys.places_that_set(key))
    places.push_back(place_of(place, keys.text_of_file(place.path)));
  return places;
}

}  // namespace capwright::lsp
