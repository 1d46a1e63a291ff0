// A list of findings that don't count, so that a repository can begin with all rules: what isn't on it is new. A
// finding is known again by its rule, its object and the field; its line may move.
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

// Where it is unless the configuration or an option says otherwise.
inline constexpr std::string_view kDefaultBaseline = "capwright-baseline.yaml";

struct BaselineKey {
  std::string rule;     // "CAP401"
  std::string cluster;  // with `subject`; empty: the object is of no cluster
  std::string file;     // without `cluster`
  std::string subject;  // "KubeadmControlPlane/prod spec.replicas"; empty: the finding is about no object …
  std::string message;  // … then this tells it from others in the file

  friend auto operator<=>(const BaselineKey&, const BaselineKey&) = default;
};

// How a finding is known again.
BaselineKey key_of(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);

class Baseline {
 public:
  // Of a file as text() writes it. Nothing when it is something else, which is reported.
  static std::optional<Baseline> read(FileId file, Stage& stage);

  // Adds a finding to what is to be written. What a report can't leave out is passed over.
  void add(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);
  // Whether it is listed. As many equal ones are as were added; of a template shared by clusters, each place once.
  bool takes_back(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);
  // Takes over the entries of an earlier one that may still occur, although they were not added.
  void keep(const Baseline& earlier, const std::function<bool(const BaselineKey&)>& may_occur);
  // Entries that takes_back() wasn't asked for as often as they count.
  std::vector<BaselineKey> unused() const;

  std::size_t size() const;  // findings
  // YAML, a line an entry, sorted: the same bytes for the same findings.
  std::string text() const;

 private:
  struct Count {
    std::uint32_t listed = 0, met = 0;
  };

  std::map<BaselineKey, Count> entries_;
  std::map<std::string, bool> places_;  // of findings about no object: what was answered
};

// "CAP401 KubeadmControlPlane/prod spec.replicas", for messages.
std::string describe(const BaselineKey& key);

}  // namespace capwright::lint
