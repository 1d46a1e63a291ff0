// The commit with the values is a draft: it exists so that the pipeline can read a commit, as always, and has a fixed
// author and time, so that equal values give an equal one.
#include "workflow/requested_values.h"

#include <algorithm>
#include <fmt/format.h>

#include "pipeline/config.h"
#include "pipeline/fleet_names.h"
#include "pipeline/layers.h"
#include "workflow/base_project.h"

namespace capwright::workflow {
namespace {

const git::Signature kDrafter{{"capwright", "capwright@localhost"}, 0, 0};

// The values files of a cluster in a commit, as it configures their folders. A file that states no name in block style
// is of the cluster that it is named after. `fault`: the cluster's file has the values of another one.
std::optional<std::vector<std::string>> files_of(const std::string& cluster, git::CommitFiles& files,
                                                 const Project& now, std::string& fault, Sink& sink) {
  const auto base = open_base(files, Workspace(), now, ValuesFolders::Optional);
  if (base->project == nullptr) {
    for (const Diagnostic& each : base->sink.diagnostics()) sink.add(*each.info, Span(), each.message);
    return std::nullopt;
  }
  std::vector<std::string> found;
  for (const std::string& path : base->clusters) {
    const std::string stated = name_in_text(path, *base->project);
    const bool is_named = cluster_stem(path) == cluster;
    if (stated == cluster || (stated.empty() && is_named)) found.push_back(path);
    else if (is_named) fault = fmt::format("`{}` has the values of cluster `{}`", path, stated);
  }
  return found;
}

bool holds(const RequestedValues& values, git::CommitFiles* base, const std::string& path) {
  using Condition = RequestedValues::Condition;
  if (values.condition == Condition::None) return true;
  git::ObjectId id;
  const bool is_there = base != nullptr && !path.empty() && !base->object_id(path, id);
  if (values.condition == Condition::IsMissing) return !is_there;
  return is_there && git::hex(id) == values.expected_id;
}

}  // namespace

std::optional<PlacedValues> place_values(const RequestedValues& values, const publish::Commits& commits,
                                         const ValuesPlace& place, Sink& sink) {
  const auto source = place.repository.files(commits.source, place.folder, sink);
  const auto base = commits.base ? place.repository.files(*commits.base, place.folder, sink) : nullptr;
  if (source == nullptr || (commits.base && base == nullptr)) return std::nullopt;
  PlacedValues placed;
  const auto before = files_of(values.cluster, *(base != nullptr ? base : source), place.now, placed.fault, sink);
  const auto known = files_of(values.cluster, *source, place.now, placed.fault, sink);
  if (!before || !known) return std::nullopt;
  placed.breaks_condition = !placed.fault.empty() || !holds(values, base.get(), before->empty() ? "" : before->front());
  if (placed.breaks_condition) return placed;
  const std::string old = known->empty() ? values.folder + "/" + values.cluster + "." : known->front();
  placed.path = old.substr(0, old.rfind('.')) + (values.is_json ? ".json" : ".yaml");
  if (!known->empty() && old != placed.path) placed.replaced = old;
  const std::string below = place.folder.empty() ? "" : place.folder + "/";
  std::vector<git::FileChange> changes{{below + placed.path, values.text}};
  if (!placed.replaced.empty()) changes.push_back({below + placed.replaced, std::nullopt});
  const auto draft =
      place.repository.make_commit({commits.source, changes, "Draft values\n", kDrafter, kDrafter, {}}, sink);
  if (!draft) return std::nullopt;
  placed.source = *draft;
  return placed;
}

}  // namespace capwright::workflow
