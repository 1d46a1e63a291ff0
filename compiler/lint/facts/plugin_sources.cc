// A plugin has the name of its plugin.yaml; that of the built-in one has no version.
#include "lint/facts/plugin_sources.h"

namespace capwright::lint {

std::vector<ChartSource> plugin_sources(const Object& application) {
  std::vector<ChartSource> found;
  for (const ChartSource& source : sources_of(application)) {
    if (source.node["plugin.name"].text() == "capwright") found.push_back(source);
  }
  return found;
}

std::vector<Node> plugin_parameters(const ChartSource& source, std::string_view name) {
  std::vector<Node> found;
  for (const Node parameter : source.node["plugin.parameters"].items()) {
    if (parameter["name"].text() == name) found.push_back(parameter);
  }
  return found;
}

}  // namespace capwright::lint
