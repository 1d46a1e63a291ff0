// What is wrong with something that several clusters may have, such as a key of a layer: said once, of the first of
// them, and not at all if one of them denies it. None of them has to be there any more by then.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/finding.h"
#include "lint/present.h"

namespace capwright::lint {

// A digest of a thing: of two that have the same, which hardly happens, one may be left out.
using Denial = std::uint64_t;

// What one cluster says. A thing has a text that is the same in all clusters, and that no other thing has.
struct ClusterClaims {
  struct Claim {
    std::string thing;
    std::optional<Finding> finding;  // nothing: if the cluster is the first, nothing is said
  };
  std::vector<Claim> claims;
  std::vector<Denial> denials;

  void pass(std::string thing) { claims.push_back({std::move(thing), std::nullopt}); }
  void deny(std::string_view thing);
};

// What a rule reports into.
class ClaimReport {
 public:
  ClaimReport(const DiagInfo& info, ClusterClaims& claims) : info_(info), claims_(claims) {}

  // At a place in a values file or a template.
  template <class... Args>
  Finding& claim(std::string thing, const Cluster& cluster, Span span, fmt::format_string<Args...> format,
                 Args&&... args) {
    std::vector<Finding> one;
    Report(info_, one).at_source(cluster, span, format, std::forward<Args>(args)...);
    claims_.claims.push_back({std::move(thing), std::move(one.front())});
    return *claims_.claims.back().finding;
  }
  void deny(std::string_view thing) { claims_.deny(thing); }

 private:
  const DiagInfo& info_;
  ClusterClaims& claims_;
};

// A claim that outlives its cluster.
struct KeptClaim {
  std::string thing;
  std::shared_ptr<const KeptFindings> findings;  // of all claims of the cluster
  std::optional<std::size_t> number;             // which of them; nothing: it is not to be said
  std::vector<std::string> comments;             // that take it back: what nobody can claim of them then
};

// Those of all clusters.
class Claims {
 public:
  // In any order of clusters.
  void add(std::size_t cluster, std::vector<KeptClaim> claims, const std::vector<Denial>& denials);
  void deny(std::string_view thing);
  // Those that nobody denies, sorted; they stay where they are.
  std::vector<const KeptClaim*> standing();

 private:
  struct First {
    std::size_t cluster;
    KeptClaim claim;
  };
  std::map<std::string, First> firsts_;
  std::vector<Denial> denials_;
};

}  // namespace capwright::lint
