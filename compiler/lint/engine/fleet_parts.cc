// The parts of a fleet: what one run records for another, and how that one continues.
#include <algorithm>
#include <utility>

#include "lint/engine/lint.h"

namespace capwright::lint {

void FleetLint::begin_records() {
  keys_.sort_by_cluster();
  noted_claims_ = claims_.noted();
  noted_comments_ = comments_.noted();
}

FleetRecord FleetLint::record(std::size_t number) const {
  const auto noted = [number](const std::map<std::size_t, std::vector<NotedClaim>>& all) {
    const auto found = all.find(number);
    return found == all.end() ? std::vector<NotedClaim>() : found->second;
  };
  FleetRecord record;
  record.is_alone = alone_.contains(number);
  record.is_first_of_set =
      std::any_of(sets_.begin(), sets_.end(), [number](const auto& set) { return set.second == number; });
  record.keys = keys_.of(static_cast<std::uint32_t>(number));
  record.claims = noted(noted_claims_);
  record.comments = noted(noted_comments_);
  return record;
}

void FleetLint::add(std::size_t number, const FleetRecord& record) {
  if (record.is_alone) alone_.insert(number);
  if (record.is_first_of_set) firsts_of_sets_.insert(number);
  keys_.add(static_cast<std::uint32_t>(number), record.keys);
  for (const NotedClaim& claim : record.claims) claims_.note(number, claim);
  for (const NotedClaim& claim : record.comments) comments_.note(number, claim);
}

void FleetLint::deny(const std::vector<Denial>& claims, const std::vector<Denial>& comments) {
  claims_.note(claims);
  comments_.note(comments);
}

std::vector<std::size_t> FleetLint::needed() {
  const std::vector<std::size_t> wanted = this->wanted();
  std::set<std::size_t> needed(wanted.begin(), wanted.end());
  needed.insert(firsts_of_sets_.begin(), firsts_of_sets_.end());
  needed.merge(claims_.needed());
  needed.merge(comments_.needed());
  return {needed.begin(), needed.end()};
}

void FleetLint::complete(std::size_t number, FleetNotes notes) {
  const std::lock_guard lock(lock_);
  add_set(number, notes.set);
  claims_.add(number, std::move(notes.claims), {});
  comments_.add(number, std::move(notes.comments), {});
}

}  // namespace capwright::lint
