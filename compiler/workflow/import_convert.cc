// `plan` can't tell what a field does that changes together with its version, so the proof starts from the result: the
// API server converts the live objects in the same way.
#include "workflow/import_convert.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <utility>

#include "migrate/convert.h"
#include "workflow/migrate_files.h"

namespace capwright::workflow {
namespace {

std::string decision_words(const ImportedObject& object, const migrate::Step& step) {
  std::string words = fmt::format("{} {} is in {}, and its field `{}` needs a decision: {}", object.kind, object.name,
                                  object.value.text_at("apiVersion"), migrate::shown(step.from), step.blocked);
  if (!step.move->choices.empty()) words += fmt::format(" (choices: {})", fmt::join(step.move->choices, "; or "));
  return words;
}

}  // namespace

Conversions convert_objects(Session& session, const diff::Side& rendered, ImportedCluster& cluster, Arena& arena) {
  std::map<std::pair<std::string, std::string>, std::string> versions;  // by group and kind
  for (const diff::Object& object : rendered.objects())
    versions[{std::string(object.group), std::string(object.kind)}] = object.version;
  migrate::Goal goal = goal_of(session, "");
  goal.stored = [&, stored = goal.stored](std::string_view group, std::string_view kind) -> std::string_view {
    const auto found = versions.find({std::string(group), std::string(kind)});
    return found == versions.end() ? stored(group, kind) : found->second;
  };
  Conversions result;
  for (ImportedObject& object : cluster.objects) {
    const std::string from(object.value.text_at("apiVersion"));
    const migrate::Converted converted = migrate::convert(object.value, goal, arena);
    if (!converted.changed) continue;
    const bool is_rendered = versions.contains({std::string(object.group), std::string(object.kind)});
    if (!converted.blocked.empty()) {
      if (is_rendered && result.undecided.empty()) result.undecided = decision_words(object, converted.blocked.front());
      continue;
    }
    object.value = converted.object;
    const std::string to(object.value.text_at("apiVersion"));
    if (from != to) result.done.push_back({fmt::format("{} {}", object.kind, object.name), from, to});
  }
  return result;
}

}  // namespace capwright::workflow
