// Reads the catalogue once; pairs resources by the identity that Azure Service Operator uses.
#include "lint/facts/immutable_fields.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/check.h"
#include "lint/facts/catalogue.h"

namespace capwright::lint {
namespace {

// Adds a field for each path of an entry.
void add_fields(const Value& entry, std::string_view why, std::vector<ImmutableField>& fields) {
  CW_CHECK(fact(immutable_facts(), "sources").find(fact(entry, "source").text()) != nullptr,
           "every entry of the catalogue names its source");
  const Value& at = fact(entry, "at");
  for (const std::string_view path : words_of(at)) {
    ImmutableField& field = fields.emplace_back(ImmutableField{fact(entry, "kind").text(),
                                                               entry.text_at("resource"),
                                                               Path::of_catalogue(path),
                                                               entry.text_at("by"),
                                                               entry.text_at("what"),
                                                               why,
                                                               {}});
    field.gone = fmt::format("[kind={}].{}", field.resource, path);
  }
}

std::vector<ImmutableField> read_cloud_fields() {
  std::vector<ImmutableField> fields;
  for (const Value& entry : fact(immutable_facts(), "clouds").items()) add_fields(entry, {}, fields);
  return fields;
}

std::vector<ImmutableField> read_network_fields() {
  std::vector<ImmutableField> fields;
  for (const Value& group : fact(immutable_facts(), "networks").items()) {
    for (const Value& entry : fact(group, "fields").items()) add_fields(entry, fact(group, "why").text(), fields);
  }
  return fields;
}

std::vector<Node> resources_of(const Object& object, std::string_view kind) {
  std::vector<Node> resources;
  for (const Node resource : object["spec.resources"].items())
    if (resource["kind"].text() == kind) resources.push_back(resource);
  return resources;
}

void add_sides(const Node& was, const Node& is, std::vector<FieldSides>& sides) {
  if (was.exists()) sides.push_back({was, is});
}

}  // namespace

const std::vector<ImmutableField>& immutable_cloud_fields() {
  static const std::vector<ImmutableField> fields = read_cloud_fields();
  return fields;
}

const std::vector<ImmutableField>& immutable_network_fields() {
  static const std::vector<ImmutableField> fields = read_network_fields();
  return fields;
}

std::vector<FieldSides> sides_of(const ImmutableField& field, const Object& old, const Object& now) {
  std::vector<FieldSides> sides;
  if (field.resource.empty()) {
    add_sides(old[field.path], now[field.path], sides);
    return sides;
  }
  const std::vector<Node> resources = resources_of(now, field.resource);
  for (const Node& was : resources_of(old, field.resource)) {
    const auto is = std::find_if(resources.begin(), resources.end(), [&](const Node& each) {
      return each["metadata.name"].text() == was["metadata.name"].text();
    });
    if (is != resources.end()) add_sides(was[field.path], (*is)[field.path], sides);
    else if (resources.empty()) add_sides(was[field.path], now["spec.resources"].member(field.gone), sides);
  }
  return sides;
}

}  // namespace capwright::lint
