// The pages that `--help` prints, before they are laid out.
#include <nlohmann/json.hpp>

#include "cli/command_tree.h"
#include "devtools/generated_docs.h"

namespace capwright::devtools {

std::string commands_json() {
  using Json = nlohmann::ordered_json;
  cli::CommandTree tree;
  Json pages = Json::array();
  for (const cli::HelpPage& page : tree.all_pages()) {
    Json json{{"name", page.name}, {"summary", page.summary}, {"usage", page.usage}};
    for (const char* list : {"commands", "groups", "examples"}) json[list] = Json::array();
    for (const cli::CommandSummary& command : page.commands)
      json["commands"].push_back({{"name", command.name}, {"summary", command.summary}, {"group", command.group}});
    for (const cli::HelpGroup& group : page.groups) {
      Json options = Json::array();
      for (const cli::HelpOption& option : group.options)
        options.push_back({{"name", option.title()}, {"text", option.full_text()}});
      json["groups"].push_back({{"title", group.title}, {"options", std::move(options)}});
    }
    for (const cli::Example& example : page.examples)
      json["examples"].push_back({{"purpose", example.purpose}, {"line", example.line}});
    pages.push_back(std::move(json));
  }
  return pages.dump(1) + "\n";
}

}  // namespace capwright::devtools
