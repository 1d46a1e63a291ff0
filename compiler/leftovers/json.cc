// Version 1 of the JSON report.
#include <nlohmann/json.hpp>

#include "leftovers/leftovers.h"

namespace capwright::leftovers {

std::string as_json(const Findings& findings, std::size_t clusters) {
  using Json = nlohmann::ordered_json;
  Json leftovers = Json::array();
  for (const Leftover& leftover : findings.leftovers) {
    Json json = {{"what", what_name(leftover.what)},
                 {"cluster", leftover.cluster},
                 {"apiVersion", leftover.group.empty() ? leftover.version : leftover.group + "/" + leftover.version},
                 {"kind", leftover.kind},
                 {"namespace", leftover.space},
                 {"name", leftover.name}};
    if (leftover.machines) json["machines"] = *leftover.machines;
    if (const std::string_view note = note_of(leftover); !note.empty()) json["note"] = note;
    json["command"] = delete_command(leftover);
    leftovers.push_back(std::move(json));
  }
  const Json document = {{"version", 1},
                         {"compared", {{"clusters", clusters}, {"objects", findings.objects}}},
                         {"leftovers", std::move(leftovers)},
                         {"untracked", findings.untracked},
                         {"unproven", findings.unproven}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::leftovers
