// The file that `lint --shard I/N --claims FILE` writes for `lint --merge-claims`: what the clusters of one part claim,
// as digests and ranges of addresses. Lines of text with tabs between their fields, so that a file is read cluster by
// cluster, and a few hundred bytes for each.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/engine/fleet_record.h"
#include "workflow/open_project.h"
#include "workflow/requests.h"

namespace capwright::workflow {

// The run that wrote the file.
struct ClaimsHead {
  Shard shard;
  std::string tool;    // the version of capwright
  std::string commit;  // HEAD; `-` outside of Git
  std::string state;   // a digest of options, configuration, rules and schemas
};

struct ClaimsOfCluster {
  bool is_source = false;  // of capwright.yaml; otherwise rendered from a values file
  std::string path;        // of the values file; the name of a source
  std::string name;
  bool was_linted = false;
  std::string inputs;  // a digest of what the cluster was made from, and of its files
  lint::FleetRecord record;
};

class ClaimsText {
 public:
  explicit ClaimsText(const ClaimsHead& head);

  void add(const ClaimsOfCluster& cluster);
  // The whole file. `denials` and `used_comments` as in lint::FleetLint.
  std::string finish(const std::vector<lint::Denial>& denials, const std::vector<lint::Denial>& used_comments);

 private:
  std::string text_;
  std::size_t clusters_ = 0;
};

// An error says what is wrong with the file, to be put after its name: "isn't a claims file".
std::string read_claims_head(std::string_view text, ClaimsHead& head);

struct ClaimsVisitor {
  // Returns an error about the cluster, or an empty text.
  std::function<std::string(ClaimsOfCluster)> cluster;
  std::function<void(const std::vector<lint::Denial>&)> denials, used_comments;
};
// Empty unless something is wrong.
std::string read_claims(std::string_view text, const ClaimsVisitor& visitor);

// Call it when the project's configuration, rules and schemas have been read, and nothing else.
ClaimsHead claims_head(const LintRequest& request, OpenProject& open);

}  // namespace capwright::workflow
