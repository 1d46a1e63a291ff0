// Compares versions, and reads the values that turn parts of a chart on and off.
#include "workflow/known_images.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <system_error>

#include "facts/catalogue.h"

namespace capwright::workflow {
namespace {

using Release = std::array<unsigned, 3>;

// `v1.35.8`, also with a suffix.
Release release_of(std::string_view text) {
  Release release{};
  if (text.starts_with('v')) text.remove_prefix(1);
  for (unsigned& number : release) {
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc()) break;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  return release;
}

// The value at `a.b`; null if there is none.
const Value* value_at(const Value& values, std::string_view path) {
  const Value* value = &values;
  while (value != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    value = value->find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return value;
}

bool is_on(const Value& image, const Value& values) {
  const std::string_view path = image.text_at("enabled_by");
  if (path.empty()) return true;
  const Value* given = value_at(values, path);
  if (given == nullptr || !given->is(Kind::Bool)) given = image.find("default");
  return given != nullptr && given->as_bool();
}

// The image of an entry, with the tag that the values set.
std::string name_of(const Value& image, const Value& values) {
  if (image.is(Kind::String)) return std::string(image.text());
  std::string name(image.text_at("image"));
  const std::string_view path = image.text_at("tag");
  const Value* tag = path.empty() ? nullptr : value_at(values, path);
  if (tag == nullptr || !tag->is(Kind::String) || tag->text().empty()) return name;
  return name.substr(0, name.rfind(':') + 1).append(tag->text());
}

}  // namespace

const Value* KnownImages::kubeadm(std::string_view release) const {
  const Release wanted = release_of(release);
  const Value* found = nullptr;
  for (const Value& known : fact(fact(facts_.content(), "kubeadm"), "releases").items()) {
    const Release from = release_of(fact(known, "from").text());
    if (from[0] == wanted[0] && from[1] == wanted[1] && from[2] <= wanted[2]) found = &known;
  }
  return found;
}

std::optional<KnownImages::OfChart> KnownImages::of_chart(std::string_view chart, std::string_view version,
                                                          const Value& values) const {
  for (const Value& known : fact(facts_.content(), "charts").items()) {
    if (known.text_at("chart") != chart || known.text_at("version") != version) continue;
    OfChart found;
    for (const Value& image : fact(known, "images").items()) {
      if (is_on(image, values)) found.images.push_back(name_of(image, values));
    }
    const Value* unlisted = known.find("unlisted");
    for (const Value& item : unlisted == nullptr ? std::span<const Value>() : unlisted->items()) {
      if (is_on(item, values))
        found.unlisted.push_back({std::string(fact(item, "what").text()), std::string(fact(item, "why").text())});
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace capwright::workflow
