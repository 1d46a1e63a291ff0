// What the list of clusters shows of each: counts of findings, and what a render would change.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "preview/live_repository.h"

namespace capwright::preview {

class FleetStates {
 public:
  // A list with an object for each cluster, in their order. Only clusters whose inputs or tree changed are computed.
  nlohmann::ordered_json of(std::span<const std::string> values_paths, Repository& repository);

 private:
  struct State {
    std::shared_ptr<const workflow::LintedCluster> linted;  // another one: its files changed
    std::uint64_t tree = 0;                                 // Repository::tree_generation()
    std::string json;
  };
  std::map<std::string, State> known_;  // by values file
};

}  // namespace capwright::preview
