// Follows the paths of the catalogue through values.
#include "workflow/inventory.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "facts/catalogue.h"

namespace capwright::workflow {
namespace {

constexpr std::string_view kControlPlane = "control-plane";

bool is_empty(const Value& value) {
  if (value.is(Kind::Map)) return value.entries().empty();
  if (value.is(Kind::List)) return value.items().empty();
  return value.is(Kind::Null) || (value.is(Kind::String) && value.text().empty());
}

const Value* member(const Value& value, std::string_view step) {
  if (!value.is(Kind::List)) return value.find(step);
  return step == "0" && !value.items().empty() ? &value.items()[0] : nullptr;  // the catalogue has no other number
}

class Collector {
 public:
  explicit Collector(Stage& stage) : stage_(stage) {}

  // The variables of a map of the catalogue that `values` set.
  std::vector<Entry> variables(const Value& names, const Value& values) {
    std::vector<Entry> found;
    for (const Entry& name : names.entries()) follow(std::string(name.key.text()), name.value.text(), values, found);
    return found;
  }

  // Variables and hosts of the user's own.
  std::vector<Entry> checked(const Value* map) {
    std::vector<Entry> kept;
    if (map == nullptr || !map->is(Kind::Map)) return kept;
    for (const Entry& entry : map->entries()) {
      if (contains_secret(entry.value)) report_secret(entry.key.text(), stage_.span_of(entry.key));
      else add(entry.key.text(), entry.value, kept);
    }
    return kept;
  }

 private:
  void follow(std::string name, std::string_view path, const Value& value, std::vector<Entry>& found) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view step = path.substr(0, dot), rest = path.substr(std::min(dot + 1, path.size()));
    if (path.empty()) {
      if (contains_secret(value)) report_secret(name, stage_.span_of(value));
      else if (!is_empty(value)) add(name, value, found);
    } else if (step == "*") {
      if (!value.is(Kind::Map)) return;
      const std::size_t star = name.find('*');
      for (const Entry& entry : value.entries())
        follow(std::string(name).replace(star, 1, entry.key.text()), rest, entry.value, found);
    } else if (const Value* next = member(value, step)) {
      follow(std::move(name), rest, *next, found);
    }
  }

  void report_secret(std::string_view name, Span where) {
    stage_.sink.report(diag::secret_in_inventory, where, std::string(name))
        .advise("keep it in a file of Ansible Vault, and remove it from the values");
  }

  // Later entries of the same name win.
  void add(std::string_view name, const Value& value, std::vector<Entry>& entries) {
    const auto same =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& known) { return known.key.text() == name; });
    if (same == entries.end()) entries.push_back({make_key(stage_.arena, name), value});
    else same->value = value;
  }

  Stage& stage_;
};

const Value& section(const Value& values, std::string_view key) {
  static const Value none;
  const Value* found = values.find(key);
  return found == nullptr ? none : *found;
}

void report_unknown_pools(const Value& hosts, const report::Inventory& inventory, Stage& stage) {
  if (!hosts.is(Kind::Map)) return;
  std::vector<std::string_view> names{kControlPlane};
  for (const report::InventoryPool& pool : inventory.workers) names.push_back(pool.name);
  for (const Entry& pool : hosts.entries()) {
    const std::string_view name = pool.key.text();
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string meant = did_you_mean(name, names);
    stage.sink.report(diag::unknown_inventory_pool, stage.span_of(pool.key), std::string(name))
        .advise(meant.empty() ? "known: " + list_names(names, 20) : meant);
  }
}

// Ansible would merge the variables of both pools, and the JSON would have a name twice.
void report_shared_hosts(const Value& hosts, Stage& stage) {
  if (!hosts.is(Kind::Map)) return;
  std::set<std::string_view> known;
  for (const Entry& pool : hosts.entries()) {
    if (!pool.value.is(Kind::Map)) continue;
    for (const Entry& host : pool.value.entries()) {
      if (!known.insert(host.key.text()).second)
        stage.sink.report(diag::shared_inventory_host, stage.span_of(host.key), std::string(host.key.text()));
    }
  }
}

}  // namespace

report::Inventory make_inventory(const Value& values, Stage& stage) {
  const BuiltInYaml catalogue("schemas/catalogue/inventory.yaml");
  const Value& of_pools = fact(catalogue.content(), "pool_variables");
  const Value& own = section(values, "inventory");
  const Value& hosts = section(own, "hosts");
  Collector collector(stage);
  report::Inventory inventory;
  inventory.variables = collector.variables(fact(catalogue.content(), "variables"), values);
  for (const Entry& variable : collector.checked(own.find("vars"))) {
    auto& all = inventory.variables;
    std::erase_if(all, [&](const Entry& known) { return known.key.text() == variable.key.text(); });
    all.push_back(variable);
  }
  const auto make_pool = [&](std::string_view name, const Value& settings) {
    return report::InventoryPool{std::string(name), collector.checked(hosts.find(name)),
                                 collector.variables(of_pools, settings)};
  };
  inventory.control_plane = make_pool(kControlPlane, section(values, "control_plane"));
  if (const Value& pools = section(values, "worker_pools"); pools.is(Kind::List)) {
    for (const Value& pool : pools.items()) inventory.workers.push_back(make_pool(pool.text_at("name"), pool));
  }
  report_unknown_pools(hosts, inventory, stage);
  report_shared_hosts(hosts, stage);
  return inventory;
}

}  // namespace capwright::workflow
