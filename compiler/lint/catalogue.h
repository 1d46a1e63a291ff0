// Dated facts that rules look up: the files of schemas/catalogue/, read once a run, shared by all threads.
#pragma once
#include <string_view>
#include <vector>

#include "text/regex.h"
#include "value/value.h"
#include "values/catalogue.h"

namespace capwright::lint {

// schemas/catalogue/argocd.yaml, chart-values.yaml and credentials.yaml. Their shape is ours: what doesn't fit is a
// bug.
const Value& argocd_facts();
const Value& chart_value_facts();
const Value& credential_facts();
const Value& network_facts();   // networks.yaml
const Value& contract_facts();  // contracts.yaml
// schemas/catalogue/kubernetes.yaml, likewise.
const Value& kubernetes_facts();
const values::AddonCatalogue& addon_catalogue();

// A member of a map of these files, which is there.
const Value& fact(const Value& map, std::string_view key);
// The words of a text; the items of a list.
std::vector<std::string_view> words_of(const Value& text_or_list);
// A pattern of these files; it is well-formed.
Regex pattern_of(const Value& text);

}  // namespace capwright::lint
