// Claims are stored by name, denials only by digest: most things in clusters are correct, and therefore denied.
#include "lint/engine/claims.h"

#include <algorithm>

#include "lint/engine/fleet_keys.h"

namespace capwright::lint {
namespace {

constexpr std::size_t kFewDenials = 1 << 14;

}  // namespace

void ClusterClaims::deny(std::string_view thing) { denials.push_back(digest_of({thing})); }

void Claims::add(std::size_t cluster, std::vector<KeptClaim> claims, const std::vector<Denial>& denials) {
  denials_.insert(denials_.end(), denials.begin(), denials.end());
  // Nearly all clusters deny the same things of their layers.
  if (denials_.size() > 2 * distinct_ + kFewDenials) drop_repeated_denials();
  for (KeptClaim& claim : claims) {
    const auto earlier = noted_.empty() ? noted_.end() : noted_.find(digest_of({claim.thing}));
    if (earlier != noted_.end() && earlier->second.first < cluster) continue;
    const auto [known, is_new] = firsts_.try_emplace(claim.thing, First{cluster, {}});
    if (!is_new && known->second.cluster <= cluster) continue;
    known->second = {cluster, std::move(claim)};
  }
}

void Claims::deny(std::string_view thing) { denials_.push_back(digest_of({thing})); }

void Claims::drop_repeated_denials() {
  std::sort(denials_.begin(), denials_.end());
  denials_.erase(std::unique(denials_.begin(), denials_.end()), denials_.end());
  distinct_ = denials_.size();
}

std::vector<const KeptClaim*> Claims::standing() {
  drop_repeated_denials();
  std::vector<const KeptClaim*> standing;
  for (const auto& [thing, first] : firsts_) {
    if (!is_denied(digest_of({thing}))) standing.push_back(&first.claim);
  }
  return standing;
}

bool Claims::is_denied(Denial thing) const { return std::binary_search(denials_.begin(), denials_.end(), thing); }

std::map<std::size_t, std::vector<NotedClaim>> Claims::noted() {
  std::map<std::size_t, std::vector<NotedClaim>> noted;
  for (const KeptClaim* claim : standing()) {
    const std::size_t cluster = firsts_.at(claim->thing).cluster;
    noted[cluster].push_back({digest_of({claim->thing}), claim->number.has_value()});
  }
  return noted;
}

const std::vector<Denial>& Claims::denials() {
  drop_repeated_denials();
  return denials_;
}

void Claims::note(std::size_t cluster, const NotedClaim& claim) {
  const auto [known, is_new] = noted_.try_emplace(claim.thing, cluster, claim.is_said);
  if (!is_new && cluster < known->second.first) known->second = {cluster, claim.is_said};
}

void Claims::note(const std::vector<Denial>& denials) {
  denials_.insert(denials_.end(), denials.begin(), denials.end());
  drop_repeated_denials();
}

std::set<std::size_t> Claims::needed() {
  drop_repeated_denials();
  std::set<std::size_t> needed;
  for (const auto& [thing, first] : noted_) {
    if (first.second && !is_denied(thing)) needed.insert(first.first);
  }
  return needed;
}

}  // namespace capwright::lint
