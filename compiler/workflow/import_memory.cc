// A place is general enough for all clusters of a kind. A gap that was given up includes the imported value.
#include "workflow/import_memory.h"

#include <algorithm>
#include <fmt/format.h>

#include "yaml/write.h"

namespace capwright::workflow {
namespace {

// Names of objects begin with the name of their cluster.
std::string shared_name(std::string_view name, std::string_view cluster) {
  return name.starts_with(cluster) ? fmt::format("*{}", name.substr(cluster.size())) : std::string(name);
}

std::string json_of(const Value* value) { return value == nullptr ? std::string() : canonical_json(*value); }

std::string given_up_key(const Gaps::value_type& gap) { return fmt::format("{}\n{}", gap.first, gap.second.second); }

}  // namespace

std::string shared_text(std::string json, std::string_view cluster) {
  const std::string quoted = fmt::format("\"{}", cluster);
  for (std::size_t at = json.find(quoted); at != std::string::npos; at = json.find(quoted, at + 1)) {
    const std::size_t end = at + quoted.size();
    if (end < json.size() && (json[end] == '"' || json[end] == '-')) json.replace(at + 1, cluster.size(), "*");
  }
  return json;
}

Gaps gaps_of(const Alignment& alignment, std::string_view cluster) {
  Gaps gaps;
  for (const AlignedPair& pair : alignment.pairs()) {
    if (pair.imported == nullptr)
      gaps[fmt::format("{} {}", pair.rendered->kind, shared_name(pair.rendered->name, cluster))].first += "+";
    if (pair.rendered == nullptr)
      gaps[fmt::format("{} {}", pair.imported->kind, shared_name(pair.imported->name, cluster))].second += "+";
  }
  for (const FieldDifference& difference : alignment.differences()) {
    std::string place = fmt::format("{} ", difference.pair->imported->kind);
    for (const Step& step : difference.path) place += step.index < 0 ? "." + step.key : "[]";
    auto& [rendered, imported] = gaps[std::move(place)];
    rendered += json_of(difference.rendered) + "\n";
    imported += json_of(difference.imported) + "\n";
  }
  return gaps;
}

void ProbeMemory::learn(const std::string& probe, const std::set<std::string>& beside, const Gaps& before,
                        const Gaps* after) {
  Effect& effect = effects_[probe];
  effect.beside.insert(beside.begin(), beside.end());
  if (after == nullptr) return;
  const auto add_changed = [&](const Gaps& from, const Gaps& to) {
    for (const auto& [place, values] : from) {
      const auto other = to.find(place);
      if (other == to.end() || other->second != values) effect.places.insert(place);
    }
  };
  add_changed(before, *after);
  add_changed(*after, before);
}

void ProbeMemory::give_up(const Gaps& gaps) {
  for (const auto& gap : gaps) given_up_.insert(given_up_key(gap));
}

bool ProbeMemory::may_help(const std::string& probe, const std::set<std::string>& beside, const Gaps& gaps) const {
  const auto known = effects_.find(probe);
  if (known == effects_.end()) return true;
  const auto& [places, tried] = known->second;
  if (places.empty()) return !std::includes(tried.begin(), tried.end(), beside.begin(), beside.end());
  return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
    const auto gap = gaps.find(place);
    return gap != gaps.end() && !given_up_.contains(given_up_key(*gap));
  });
}

}  // namespace capwright::workflow
