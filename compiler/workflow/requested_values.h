// The values that a client wants to publish, on top of a commit.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "git/repository.h"
#include "pipeline/project.h"
#include "publish/world.h"

namespace capwright::workflow {

struct RequestedValues {
  std::string cluster;
  std::string text;
  bool is_json = true;
  std::string folder;  // of a new file; like all paths here, from the folder of capwright.yaml

  // What must be true of the cluster's values file on the branch.
  enum class Condition : std::uint8_t { None, IsMissing, HasId };
  Condition condition = Condition::None;
  std::string expected_id;  // Git's id of the file, in hexadecimal digits
};

// The repository of the commits.
struct ValuesPlace {
  git::Repository& repository;
  const std::string& folder;  // of capwright.yaml, from the root of the repository
  const Project& now;         // of the working tree, whose options apply
};

// Where they are in a commit.
struct PlacedValues {
  std::string path, replaced;     // the file; another one of the same cluster, which it replaces; empty: none
  git::ObjectId source;           // a commit with the values, which no branch has; or the given one, if it has them
  bool breaks_condition = false;  // then the rest but `fault` is undefined
  std::string fault;              // the file has the values of another cluster; breaks the condition, too
};

// The file of a cluster keeps its folder. The condition is about `commits.base`. Empty after an error in the sink.
std::optional<PlacedValues> place_values(const RequestedValues& values, const publish::Commits& commits,
                                         const ValuesPlace& place, Sink& sink);

}  // namespace capwright::workflow
