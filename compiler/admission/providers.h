// The errors of the providers' admission webhooks, without a server: tables of rules (schemas/admission/*.yaml), and
// code for rules that a table can't state. Feature gates are those of the registry, or else of the catalogue
// (schemas/catalogue/feature-gates.yaml).
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "admission/rule_table.h"
#include "crd/validate.h"

namespace capwright::admission {

// A table of rules: `name` is the provider as in release names ("capo", "capi-kubeadm"), or "shared".
struct RuleFile {
  std::string_view name;
  std::string_view text;  // outlives the Providers
};

// The other objects that a webhook can look up.
enum class OtherObjects : std::uint8_t {
  Unknown,  // checks that depend on other objects are skipped
  Empty,    // a server that stores only the object itself
};

class Providers final : public crd::Admission {
 public:
  // A table is read when the first object of its provider is checked.
  explicit Providers(std::span<const RuleFile> files, OtherObjects = OtherObjects::Unknown);
  ~Providers() override;

  Value fill_in(const crd::Review&) const override;
  Value as_stored(const crd::Review&) const override;
  void check(const crd::Review&, crd::Findings&) const override;

  // The errors in the tables; reads all of them. Empty in a correct build.
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
  OtherObjects other_objects_;
  mutable std::vector<std::unique_ptr<Provider>> providers_;
};

// The built-in tables.
std::vector<RuleFile> built_in_rules();

}  // namespace capwright::admission
