// Labels, selectors, metadata of templates, and names that templates produce.
#include "admission/checks.h"

#include <algorithm>
#include <fmt/format.h>

#include "admission/edit.h"
#include "admission/embedded_texts.h"
#include "cel/named_format.h"
#include "text/trim.h"

namespace capwright::admission {
namespace {

constexpr std::size_t kMostAnnotationBytes = 256 * 1024;
constexpr std::size_t kLongestName = 63, kRandomLength = 5;
constexpr std::string_view kRandom = "{{ .random }}";

std::string fault_of(std::string_view format, std::string_view text) {
  const std::vector<std::string> faults = cel::find_format(format)->faults(text);
  return faults.empty() ? "" : faults.front();
}

std::string requirement_fault(const Value& requirement) {
  const std::string_view key = text_at(requirement, "key"), op = text_at(requirement, "operator");
  const std::span<const Value> values = items_at(requirement, "values");
  const bool lists = op == "In" || op == "NotIn", asks = op == "Exists" || op == "DoesNotExist";
  if (!lists && !asks) return fmt::format("\"{}\" is not a valid label selector operator", op);
  if (std::string fault = label_key_fault(key); !fault.empty()) return fmt::format("key {}: {}", key, fault);
  if (lists && values.empty())
    return "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty";
  if (asks && !values.empty()) return "values: Invalid value: values set must be empty for exists and does not exist";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string fault = label_value_fault(text_of(values[i]));
    if (!fault.empty())
      return fmt::format("values[{}][{}]: Invalid value: \"{}\": {}", i, key, text_of(values[i]), fault);
  }
  return "";
}

bool meets(const Value& requirement, const Value& labels) {
  const Value* label = labels.is(Kind::Map) ? labels.find(text_at(requirement, "key")) : nullptr;
  const std::string_view op = text_at(requirement, "operator");
  if (op == "Exists") return label != nullptr;
  if (op == "DoesNotExist") return label == nullptr;
  const std::span<const Value> values = items_at(requirement, "values");
  const bool listed = label != nullptr && std::any_of(values.begin(), values.end(), [&](const Value& value) {
                        return text_of(value) == text_of(*label);
                      });
  return op == "NotIn" ? !listed : listed;
}

std::vector<Fault> metadata_faults(const Value& metadata) {
  std::vector<Fault> faults;
  const auto add = [&](std::string_view path, std::string_view shown, std::string_view why) {
    if (!why.empty()) faults.push_back({std::string(path), fmt::format("\"{}\": {}", shown, why)});
  };
  for (const Entry& label : entries_at(metadata, "labels")) {
    add(".labels", label.key.text(), label_key_fault(label.key.text()));
    add(".labels", text_of(label.value), label_value_fault(text_of(label.value)));
  }
  std::size_t bytes = 0;
  for (const Entry& annotation : entries_at(metadata, "annotations")) {
    std::string key(annotation.key.text());
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    add(".annotations", annotation.key.text(), label_key_fault(key));
    bytes += key.size() + text_of(annotation.value).size();
  }
  if (bytes > kMostAnnotationBytes)
    faults.push_back({".annotations", fmt::format("must have at most {} bytes", kMostAnnotationBytes)});
  return faults;
}

// A sample value for `{{ .field }}` in a name; empty if there is no such field. `owner` is e.g. `machineSet.name`.
std::string_view name_part(std::string_view field, std::string_view owner) {
  if (field == ".random") return "a1b2c";
  if (field == ".cluster.name") return "cluster";
  if (!owner.empty() && field.starts_with('.') && field.substr(1) == owner) return "owner";
  return {};
}

// Expands a name template of plain fields. Templates with other constructs are assumed to be valid.
std::vector<Fault> naming_faults(std::string_view text, std::string_view owner) {
  std::string name;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) != "{{") {
      name += text[at++];
      continue;
    }
    const std::size_t end = text.find("}}", at);
    if (end == std::string_view::npos) return {{"", "invalid template: unclosed action"}};
    const std::string_view field = trimmed(text.substr(at + 2, end - at - 2));
    if (field.empty()) return {{"", "invalid template: missing value for command"}};
    const bool plain = field.starts_with('.') && field.find_first_of(" |()\"") == std::string_view::npos;
    if (!plain) return {};
    const std::string_view part = name_part(field, owner);
    if (part.empty()) return {{"", fmt::format("invalid template: no value for {}", field)}};
    name += part;
    at = end + 2;
  }
  if (name.size() > kLongestName) name = name.substr(0, kLongestName - kRandomLength) + "a1b2c";
  const std::string fault = fault_of("dns1123Subdomain", name);
  if (fault.empty()) return {};
  return {{"", "invalid template, generated names would not be valid Kubernetes object names: " + fault}};
}

std::vector<Fault> random_naming_faults(std::string_view text, std::string_view owner) {
  std::vector<Fault> faults = naming_faults(text, owner);
  if (text.find(kRandom) == std::string_view::npos)
    faults.insert(faults.begin(), Fault{"", fmt::format("invalid template, {} is missing", kRandom)});
  return faults;
}

std::vector<Fault> one(std::string fault) {
  return fault.empty() ? std::vector<Fault>() : std::vector<Fault>{{"", std::move(fault)}};
}

using Check = std::vector<Fault> (*)(const Value&);
constexpr std::pair<std::string_view, Check> kChecks[] = {
    {"selector", [](const Value& v) { return one(selector_fault(v)); }},
    {"label-key", [](const Value& v) { return one(label_key_fault(text_of(v))); }},
    {"label-value", [](const Value& v) { return one(label_value_fault(text_of(v))); }},
    {"template-metadata", metadata_faults},
    {"name-of-control-plane-machine",
     [](const Value& v) { return random_naming_faults(text_of(v), "kubeadmControlPlane.name"); }},
    {"name-of-machine", [](const Value& v) { return random_naming_faults(text_of(v), "machineSet.name"); }},
    {"name-in-cluster", [](const Value& v) { return naming_faults(text_of(v), ""); }},
    {"name-of-machine-deployment",
     [](const Value& v) { return naming_faults(text_of(v), "machineDeployment.topologyName"); }},
    {"butane", [](const Value& v) { return one(butane_fault(text_at(v, "config"), Strictness::Fatal)); }},
    {"strict-butane", [](const Value& v) { return one(butane_fault(text_at(v, "config"), Strictness::Any)); }},
    {"ssh-public-key", [](const Value& v) { return one(ssh_key_fault(text_of(v))); }},
    {"name-of-machine-pool", [](const Value& v) { return naming_faults(text_of(v), "machinePool.topologyName"); }},
};

const Check* find_check(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kChecks), std::end(kChecks), [&](const auto& check) { return check.first == name; });
  return found == std::end(kChecks) ? nullptr : &found->second;
}

}  // namespace

std::vector<Fault> check_value(std::string_view check, const Value& value) {
  const Check* found = find_check(check);
  return found == nullptr ? std::vector<Fault>() : (*found)(value);
}

bool is_check(std::string_view check) { return find_check(check) != nullptr; }

std::string label_key_fault(std::string_view key) { return fault_of("qualifiedName", key); }
std::string label_value_fault(std::string_view value) { return fault_of("labelValue", value); }

std::string selector_fault(const Value& selector) {
  for (const Entry& label : entries_at(selector, "matchLabels")) {
    std::string fault = label_key_fault(label.key.text());
    if (!fault.empty()) return fmt::format("key: Invalid value: \"{}\": {}", label.key.text(), fault);
    fault = label_value_fault(text_of(label.value));
    if (!fault.empty())
      return fmt::format("values[0][{}]: Invalid value: \"{}\": {}", label.key.text(), text_of(label.value), fault);
  }
  for (const Value& requirement : items_at(selector, "matchExpressions")) {
    if (std::string fault = requirement_fault(requirement); !fault.empty()) return fault;
  }
  return "";
}

bool selects(const Value& selector, const Value& labels) {
  const auto wanted = entries_at(selector, "matchLabels");
  const bool equal = std::all_of(wanted.begin(), wanted.end(), [&](const Entry& entry) {
    const Value* label = labels.is(Kind::Map) ? labels.find(entry.key.text()) : nullptr;
    return label != nullptr && text_of(*label) == text_of(entry.value);
  });
  const auto requirements = items_at(selector, "matchExpressions");
  return equal && std::all_of(requirements.begin(), requirements.end(),
                              [&](const Value& requirement) { return meets(requirement, labels); });
}

std::string selector_text(const Value& selector) {
  std::vector<std::string> parts;
  for (const Entry& label : entries_at(selector, "matchLabels"))
    parts.push_back(fmt::format("{}={}", label.key.text(), text_of(label.value)));
  for (const Value& requirement : items_at(selector, "matchExpressions"))
    parts.push_back(fmt::format("{} {}", text_at(requirement, "key"), text_at(requirement, "operator")));
  std::sort(parts.begin(), parts.end());
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace capwright::admission
