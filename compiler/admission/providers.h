// What the admission webhooks of the providers refuse, without a server: tables of rules (schemas/admission/*.yaml),
// and code for what a table can't say. Accepts what their webhooks would accept with the feature gates at their
// defaults, and with ClusterTopology, KubeadmBootstrapFormatIgnition and RuntimeSDK on.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "admission/rules.h"
#include "crd/validate.h"

namespace capwright::admission {

// A table of rules: `name` is the provider as releases call it ("capo", "capi-kubeadm"), or "shared".
struct RuleFile {
  std::string_view name;
  std::string_view text;  // outlives the Providers
};

// What a webhook that looks for other objects finds.
enum class Surroundings : std::uint8_t {
  Unknown,  // nobody knows: what depends on them is not checked
  Empty,    // a server that stores only the object itself
};

class Providers final : public crd::Admission {
 public:
  // A table is read when the first object of its provider comes.
  explicit Providers(std::span<const RuleFile> files, Surroundings = Surroundings::Unknown);
  ~Providers() override;

  Value fill_in(const crd::Review&) const override;
  Value as_stored(const crd::Review&) const override;
  void check(const crd::Review&, crd::Findings&) const override;

  // What is wrong with the tables, all of which are read for that; empty in a sound build.
  std::vector<std::string> faults() const;

 private:
  struct Provider {
    RuleFile file;
    std::once_flag once;
    std::unique_ptr<Table> table;
  };
  const Table* table_of(std::string_view release) const;
  const Table* read(Provider&) const;

  std::string_view shared_;
  Surroundings surroundings_;
  mutable std::vector<std::unique_ptr<Provider>> providers_;
};

// The tables that are built into the program.
std::vector<RuleFile> built_in_rules();

}  // namespace capwright::admission
