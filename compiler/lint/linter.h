// Runs the rules that are selected, and asks what the API server would say.
#pragma once
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "crd/validate.h"
#include "lint/finding.h"
#include "lint/rule.h"
#include "lint/selection.h"

namespace capwright::lint {

// What manifests are judged by beside the rules; null: not at all.
struct Server {
  const crd::Registry* registry = nullptr;
  const crd::Admission* admission = nullptr;
};

// Threads share it.
class Linter {
 public:
  // `selection` is kept.
  Linter(const Selection& selection, Server server);

  // In the order of objects, those of whole clusters behind; of a run the fleet's come last.
  std::vector<Finding> check(const Cluster& cluster) const;
  std::vector<Finding> check(const Fleet& fleet) const;

  const Selection& selection() const { return selection_; }
  bool runs(const Rule& rule) const;

 private:
  void check_object(const Object& object, std::vector<Finding>& findings) const;
  std::vector<Finding> counted(std::vector<Finding> findings) const;
  void leave_out_repeated(std::vector<Finding>& findings, std::size_t first) const;

  const Selection& selection_;
  Server server_;
  std::vector<const Rule*> of_all_objects_, of_clusters_, of_fleets_;
  std::map<std::string_view, std::vector<const Rule*>, std::less<>> of_kinds_;
  std::set<const DiagInfo*> instead_of_server_;
};

}  // namespace capwright::lint
