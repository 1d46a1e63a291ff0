// Findings about things that several clusters share, such as a key of a layer. A finding is reported once, for the
// first cluster, and only if no cluster denies it. The clusters need not stay in memory.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/engine/lint_finding.h"
#include "lint/engine/present.h"

namespace capwright::lint {

// The digest of a thing. In a collision, which is unlikely, a finding may be lost.
using Denial = std::uint64_t;

// The claims of one cluster. A thing is identified by a text that is the same in all clusters.
struct ClusterClaims {
  struct Claim {
    std::string thing;
    std::optional<Finding> finding;  // empty: if this cluster is the first, nothing is reported
  };
  std::vector<Claim> claims;
  std::vector<Denial> denials;

  void pass(std::string thing) { claims.push_back({std::move(thing), std::nullopt}); }
  void deny(std::string_view thing);
};

// Collects the claims of a rule.
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
  std::optional<std::size_t> number;             // the index of the finding; empty: it isn't reported
  std::vector<std::string> comments;  // suppressions of the claim: the claims about them that then no longer hold
};

// A claim of another run.
struct NotedClaim {
  Denial thing = 0;      // its digest
  bool is_said = false;  // it is reported, if its cluster is the first
};

// The claims of all clusters.
class Claims {
 public:
  // Clusters may be added in any order. If claims were noted, add only clusters that needed() returns, and add() those
  // claims again.
  void add(std::size_t cluster, std::vector<KeptClaim> claims, const std::vector<Denial>& denials);
  void deny(std::string_view thing);
  // The claims that no cluster denies, sorted. Points into this.
  std::vector<const KeptClaim*> standing();

  // For another run: the claims that no cluster denies, by the first cluster with each; and all denials, each once.
  std::map<std::size_t, std::vector<NotedClaim>> noted();
  const std::vector<Denial>& denials();
  // From another run.
  void note(std::size_t cluster, const NotedClaim& claim);
  void note(const std::vector<Denial>& denials);
  // The clusters whose noted claims may be reported.
  std::set<std::size_t> needed();

 private:
  struct First {
    std::size_t cluster;
    KeptClaim claim;
  };
  void drop_repeated_denials();
  bool is_denied(Denial thing) const;  // after drop_repeated_denials()

  std::map<std::string, First> firsts_;
  std::map<Denial, std::pair<std::size_t, bool>> noted_;  // the first cluster, and NotedClaim::is_said
  std::vector<Denial> denials_;
  std::size_t distinct_ = 0;  // denials at the last drop_repeated_denials()
};

}  // namespace capwright::lint
