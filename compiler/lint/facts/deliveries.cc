// A tool's options are annotations or, for Argo CD, labels.
#include <fmt/format.h>

#include "lint/facts/catalogue.h"
#include "pipeline/config.h"
#include "text/kubectl.h"

namespace capwright::lint {
namespace {

const Value& facts_of(const Cluster& cluster) {
  return fact(fact(effect_facts(), "deliveries"), delivery_name(cluster.context().delivery));
}

}  // namespace

std::string_view delivery_tool(const Cluster& cluster) { return fact(facts_of(cluster), "name").text(); }

bool delivery_deletes(const Cluster& cluster) { return facts_of(cluster).find("deletes") != nullptr; }

bool delivery_spares_owned(const Cluster& cluster) { return facts_of(cluster).find("spares_owned") != nullptr; }

std::string keeping_option(const Cluster& cluster) {
  const Value& facts = facts_of(cluster);
  if (facts.find("keeps") == nullptr) return {};
  return fmt::format("{}: {}", facts.text_at("options"), facts.text_at("keeps"));
}

std::string keeping_command(const Object& object) {
  return kubectl_filled(facts_of(object.cluster()).text_at("hold"), object.group(), object.kind(), object.name(),
                        object.space());
}

bool is_kept_by_option(const Object& object) {
  const Value& facts = facts_of(object.cluster());
  const std::string_view key = facts.text_at("options"), option = facts.text_at("keeps");
  return !option.empty() && (object.annotation(key).text().find(option) != std::string_view::npos ||
                             object.label(key).text().find(option) != std::string_view::npos);
}

}  // namespace capwright::lint
