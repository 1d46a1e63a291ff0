// Parses a text only if a rule asks for something that it mentions: most are long and irrelevant to rules.
#include "lint/model/inner_objects.h"

#include "yaml/read.h"

namespace capwright::lint {

std::vector<Node> InnerObjects::of_kind(std::string_view kind, std::string_view mark) {
  std::vector<Node> found;
  for (const Object* object : cluster_.of_kind(kind)) found.push_back(object->root());
  for (const std::string_view holder : {"ConfigMap", "Secret"}) {
    for (const Object* object : cluster_.of_kind(holder)) {
      for (const Node& data : {(*object)["data"], (*object)["stringData"]}) {
        for (const auto& [key, text] : data.members()) {
          const bool manifests = text.text().find("kind:") != std::string_view::npos;
          if (manifests && text.text().find(mark) != std::string_view::npos) read(text, kind, found);
        }
      }
    }
  }
  return found;
}

void InnerObjects::read(const Node& text, std::string_view kind, std::vector<Node>& found) {
  Stage stage = cluster_.stage();
  const ReadOptions options{ScalarRules::Kubernetes, TextSyntax::Yaml};
  for (const YamlDocument& document : read_yaml_documents_inside(text.value(), stage, options)) {
    if (!document.value.is(Kind::Map)) continue;
    documents_.push_back({document.value, text.span(), &stage.origins, &cluster_, text.document()->file, &text.value(),
                          text.document()});
    if (Node(documents_.back())["kind"].text() == kind) found.push_back(Node(documents_.back()));
  }
}

}  // namespace capwright::lint
