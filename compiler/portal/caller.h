// What a caller of the API may do.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::portal {

enum class Action : std::uint8_t { Render, Validate, Plan, Schemas, Audit, Publish, Secrets };

std::span<const Action> all_actions();
// "render"
std::string_view action_name(Action action);

// The caller with a token, or the anonymous one.
struct Caller {
  std::string name;                   // for logs
  std::vector<std::string> clusters;  // globs of names
  std::uint32_t actions = 0;          // a bit for each

  bool may(Action action) const { return (actions >> static_cast<unsigned>(action) & 1U) != 0; }
  bool may_use(std::string_view cluster) const;
  // Whether every name is the caller's, also those of clusters to come.
  bool may_use_all() const;
};

}  // namespace capwright::portal
