// Dated facts that rules look up: the files of schemas/catalogue/, parsed once per run and shared by all threads.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/regex.h"
#include "value/value.h"
#include "values/addon_catalogue.h"

namespace capwright::lint {

// schemas/catalogue/argocd.yaml, chart-values.yaml and credentials.yaml. They are compiled in, so an unexpected shape
// is a bug.
const Value& argocd_facts();
const Value& chart_value_facts();
const Value& credential_facts();
const Value& network_facts();    // networks.yaml
const Value& contract_facts();   // contracts.yaml
const Value& effect_facts();     // effects.yaml, which `plan` reads
const Value& immutable_facts();  // immutable.yaml
const Value& value_key_facts();  // value-keys.yaml
// schemas/catalogue/kubernetes.yaml, compiled in as well.
const Value& kubernetes_facts();
const values::AddonCatalogue& addon_catalogue();

// A member of a map in these files; it must exist.
const Value& fact(const Value& map, std::string_view key);
// The words of a text in these files, or the items of a list.
const std::vector<std::string_view>& words_of(const Value& text_or_list);
// A regular expression in these files; it must be valid. Compiled on first use: most runs need few of them.
class FactPattern {
 public:
  explicit FactPattern(std::string text) : shared_(std::make_unique<Shared>(std::move(text))) {}
  explicit FactPattern(const Value& text) : FactPattern(std::string(text.text())) {}
  const Regex& operator*() const;
  const Regex* operator->() const { return &**this; }

 private:
  struct Shared {
    explicit Shared(std::string written) : text(std::move(written)) {}
    std::string text;
    std::once_flag once;
    std::optional<Regex> regex;
  };
  std::unique_ptr<Shared> shared_;
};

}  // namespace capwright::lint
