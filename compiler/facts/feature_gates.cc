// schemas/catalogue/feature-gates.yaml, read at the first call.
#include <map>

#include "facts/built_in.h"
#include "facts/catalogue.h"

namespace capwright {
namespace {

using Gates = std::map<std::string_view, bool>;

const Gates& known_gates() {
  static const BuiltInYaml file("schemas/catalogue/feature-gates.yaml");
  static const Gates gates = [] {
    Gates found;
    for (const Value& gate : fact(file.content(), "gates").items()) {
      const Value* assumed = gate.find("assumed");
      found.emplace(fact(gate, "name").text(),
                    assumed != nullptr ? assumed->as_bool() : fact(gate, "default").as_bool());
    }
    return found;
  }();
  return gates;
}

}  // namespace

std::optional<bool> gate_default(std::string_view name) {
  const auto found = known_gates().find(name);
  return found == known_gates().end() ? std::nullopt : std::optional(found->second);
}

const std::vector<std::string_view>& gate_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> found;
    for (const auto& [name, is_on] : known_gates()) found.push_back(name);
    return found;
  }();
  return names;
}

}  // namespace capwright
