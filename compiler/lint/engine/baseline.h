// A list of existing findings that reports leave out, so that a repository can enable all rules at once: findings that
// aren't listed are new. A finding is identified by its rule, object and field; its line may change.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "value/stage.h"

namespace capwright::lint {

// The default path; the configuration or an option overrides it.
inline constexpr std::string_view kDefaultBaseline = "capwright-baseline.yaml";

struct BaselineKey {
  std::string rule;     // "CAP401"
  std::string cluster;  // with `subject`; empty: the object belongs to no cluster
  std::string file;     // without `cluster`
  std::string subject;  // "KubeadmControlPlane/prod spec.replicas"; empty: the finding has no object
  std::string message;  // without `subject`: distinguishes it from others in the file

  friend auto operator<=>(const BaselineKey&, const BaselineKey&) = default;
};

// Identifies a finding.
BaselineKey key_of(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);

class Baseline {
 public:
  // Reads a file that text() wrote. Empty for other files, which are reported.
  static std::optional<Baseline> read(FileId file, Stage& stage);

  // Adds a finding to the list. Ignores findings that a report can't leave out.
  void add(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);
  // Whether it is listed. Matches as many equal findings as were added; in a template that clusters share, each place
  // counts once.
  bool takes_back(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);
  // Copies entries of an earlier baseline that weren't added but may still occur.
  void keep(const Baseline& earlier, const std::function<bool(const BaselineKey&)>& may_occur);
  // Entries that takes_back() matched fewer times than their count.
  std::vector<BaselineKey> unused() const;

  // Entries that `earlier` lacks, or has with a smaller count.
  std::vector<BaselineKey> beyond(const Baseline& earlier) const;

  std::size_t size() const;  // findings
  // YAML, one entry per line, sorted: equal findings give equal bytes.
  std::string text() const;

 private:
  struct Count {
    std::uint32_t listed = 0, met = 0;
  };

  std::map<BaselineKey, Count> entries_;
  std::map<std::string, bool> places_;  // of findings without an object: the earlier answers
};

// "CAP401 KubeadmControlPlane/prod spec.replicas", for messages.
std::string describe(const BaselineKey& key);

}  // namespace capwright::lint
