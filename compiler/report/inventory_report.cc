// Builds the nested groups: kubespray's names them, and each pool of workers is a group below `kube_node`.
#include "report/inventory_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

#include "yaml/write.h"

namespace capwright::report {
namespace {

// Ansible's names of groups have no `-`, and names of pools no `_`.
std::string group_of(const InventoryPool& pool) {
  std::string name = "pool_" + pool.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class Groups {
 public:
  explicit Groups(Arena& arena) : arena_(arena) {}

  Value text(std::string_view bytes) { return make_string(arena_, bytes); }
  Value map(const std::vector<Entry>& entries) { return make_map(arena_, entries); }
  Value list(const std::vector<Value>& items) { return make_list(arena_, items); }
  Entry entry(std::string_view key, const Value& value) { return {make_key(arena_, key), value}; }

  // Without members that are empty.
  Value group(std::initializer_list<Entry> members) {
    std::vector<Entry> kept;
    for (const Entry& member : members) {
      const bool is_empty = member.value.is(Kind::Map) ? member.value.entries().empty() : member.value.items().empty();
      if (!is_empty) kept.push_back(member);
    }
    return map(kept);
  }

 private:
  Arena& arena_;
};

// Later variables replace earlier ones of the same name.
void lay_over(std::vector<Entry>& variables, std::span<const Entry> over) {
  for (const Entry& added : over) {
    const auto same = std::find_if(variables.begin(), variables.end(),
                                   [&](const Entry& known) { return known.key.text() == added.key.text(); });
    if (same == variables.end()) variables.push_back(added);
    else same->value = added.value;
  }
}

// As `ansible-inventory` shows groups: lists of names.
class List {
 public:
  List(const Inventory& inventory, Arena& arena) : inventory_(inventory), groups_(arena) {}

  Value build() {
    std::vector<Entry> all;
    std::vector<Value> pools;
    const Value controls = names_of(inventory_.control_plane);
    if (!controls.items().empty()) {
      all.push_back(groups_.entry("etcd", groups_.group({groups_.entry("hosts", controls)})));
      all.push_back(groups_.entry("kube_control_plane", groups_.group({groups_.entry("hosts", controls)})));
    }
    add_variables(inventory_.control_plane);
    for (const InventoryPool& pool : inventory_.workers) {
      pools.push_back(groups_.text(group_of(pool)));
      const Value names = names_of(pool);
      if (!names.items().empty())
        all.push_back(groups_.entry(group_of(pool), groups_.group({groups_.entry("hosts", names)})));
      add_variables(pool);
    }
    if (!pools.empty())
      all.push_back(groups_.entry("kube_node", groups_.group({groups_.entry("children", groups_.list(pools))})));
    all.push_back(groups_.entry("k8s_cluster", groups_.group({children({"kube_control_plane", "kube_node"})})));
    all.push_back(groups_.entry("all", groups_.group({children({"ungrouped", "etcd", "k8s_cluster"})})));
    all.push_back(groups_.entry("_meta", groups_.map({groups_.entry("hostvars", groups_.map(host_variables_))})));
    return groups_.map(all);
  }

 private:
  Entry children(std::initializer_list<std::string_view> names) {
    std::vector<Value> texts;
    for (const std::string_view name : names) texts.push_back(groups_.text(name));
    return groups_.entry("children", groups_.list(texts));
  }

  Value names_of(const InventoryPool& pool) {
    std::vector<Value> names;
    for (const Entry& host : pool.hosts) names.push_back(groups_.text(host.key.text()));
    return groups_.list(names);
  }

  void add_variables(const InventoryPool& pool) {
    for (const Entry& host : pool.hosts) {
      std::vector<Entry> variables = inventory_.variables;
      lay_over(variables, pool.variables);
      lay_over(variables, host.value.entries());
      if (!variables.empty()) host_variables_.push_back({host.key, groups_.map(variables)});
    }
  }

  const Inventory& inventory_;
  Groups groups_;
  std::vector<Entry> host_variables_;
};

}  // namespace

std::string inventory_as_yaml(const Inventory& inventory, Arena& arena) {
  Groups groups(arena);
  const InventoryPool& control = inventory.control_plane;
  std::vector<Entry> names, pools;
  for (const Entry& host : control.hosts) names.push_back({host.key, groups.map({})});
  for (const InventoryPool& pool : inventory.workers) {
    pools.push_back(groups.entry(group_of(pool), groups.group({groups.entry("hosts", groups.map(pool.hosts)),
                                                               groups.entry("vars", groups.map(pool.variables))})));
  }
  const Value control_plane = groups.group(
      {groups.entry("hosts", groups.map(control.hosts)), groups.entry("vars", groups.map(control.variables))});
  const Value nodes = groups.group({groups.entry("children", groups.map(pools))});
  const Value cluster = groups.map({groups.entry(
      "children", groups.map({groups.entry("kube_control_plane", control_plane), groups.entry("kube_node", nodes)}))});
  const Value etcd = groups.group({groups.entry("hosts", groups.map(names))});
  const Value all = groups.group(
      {groups.entry("vars", groups.map(inventory.variables)),
       groups.entry("children", groups.map({groups.entry("etcd", etcd), groups.entry("k8s_cluster", cluster)}))});
  YamlStyle style;
  style.sort_keys = false;
  style.width = -1;
  MappedText out;
  write_yaml(groups.map({groups.entry("all", all)}), style, Segment(), Limits(), out);
  return std::string(out.text());
}

std::string inventory_as_json(const Inventory& inventory, Arena& arena) {
  JsonStyle style;
  style.indent = 4;
  style.item_separator = ",";
  style.sort_keys = true;
  style.ensure_ascii = false;
  MappedText out;
  write_json(List(inventory, arena).build(), style, Segment(), Limits(), out);
  return std::string(out.text()) + "\n";
}

}  // namespace capwright::report
