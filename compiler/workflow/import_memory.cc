// A place is general enough for all clusters of a kind. A gap that was given up includes the imported value.
#include "workflow/import_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "yaml/write.h"

namespace capwright::workflow {
namespace {

// Names of objects begin with the name of their cluster.
std::string shared_name(std::string_view name, std::string_view cluster) {
  return name.starts_with(cluster) ? fmt::format("*{}", name.substr(cluster.size())) : std::string(name);
}

std::string json_of(const Value* value) { return value == nullptr ? std::string() : canonical_json(*value); }

std::string given_up_key(const Gaps::value_type& gap) { return fmt::format("{}\n{}", gap.first, gap.second.second); }

// In place of a cluster's name. No text of YAML has this character.
constexpr char kNameMark = '\x01';

// `visit` gets the path and the value of what `result` has, and `started` hasn't or has otherwise. Lists whose items
// `started` has go by item.
void visit_changes(const Value* started, const Value& result, TreePath& path,
                   const std::function<void(const TreePath&, const Value&)>& visit) {
  const auto go_on = [&](Step step, const Value* before, const Value& after) {
    path.push_back(std::move(step));
    visit_changes(before, after, path, visit);
    path.pop_back();
  };
  const bool both_maps = result.is(Kind::Map) && started != nullptr && started->is(Kind::Map);
  const bool both_lists = result.is(Kind::List) && started != nullptr && started->is(Kind::List) &&
                          result.items().size() == started->items().size();
  if (both_maps) {
    for (const Entry& entry : result.entries())
      go_on({std::string(entry.key.text())}, started->find(entry.key.text()), entry.value);
  } else if (both_lists) {
    for (std::size_t i = 0; i < result.items().size(); ++i)
      go_on({"", static_cast<int>(i)}, &started->items()[i], result.items()[i]);
  } else if (started == nullptr || !json_equal(*started, result)) {
    visit(path, result);
  }
}

}  // namespace

std::string shared_text(std::string json, std::string_view cluster) {
  const std::string quoted = fmt::format("\"{}", cluster);
  for (std::size_t at = json.find(quoted); at != std::string::npos; at = json.find(quoted, at + 1)) {
    const std::size_t end = at + quoted.size();
    if (end < json.size() && (json[end] == '"' || json[end] == '-')) json.replace(at + 1, cluster.size(), "*");
  }
  return json;
}

Gaps gaps_of(const Alignment& alignment, std::string_view cluster) {
  Gaps gaps;
  for (const AlignedPair& pair : alignment.pairs()) {
    if (pair.imported == nullptr)
      gaps[fmt::format("{} {}", pair.rendered->kind, shared_name(pair.rendered->name, cluster))].first += "+";
    if (pair.rendered == nullptr)
      gaps[fmt::format("{} {}", pair.imported->kind, shared_name(pair.imported->name, cluster))].second += "+";
  }
  for (const FieldDifference& difference : alignment.differences()) {
    std::string place = fmt::format("{} ", difference.pair->imported->kind);
    for (const Step& step : difference.path) place += step.index < 0 ? "." + step.key : "[]";
    auto& [rendered, imported] = gaps[std::move(place)];
    rendered += json_of(difference.rendered) + "\n";
    imported += json_of(difference.imported) + "\n";
  }
  return gaps;
}

void ProbeMemory::learn(const std::string& probe, const std::set<std::string>& beside, const Gaps& before,
                        const Gaps* after) {
  Effect& effect = effects_[probe];
  effect.beside.insert(beside.begin(), beside.end());
  if (after == nullptr) return;
  const auto add_changed = [&](const Gaps& from, const Gaps& to) {
    for (const auto& [place, values] : from) {
      const auto other = to.find(place);
      if (other == to.end() || other->second != values) effect.places.insert(place);
    }
  };
  add_changed(before, *after);
  add_changed(*after, before);
}

void ProbeMemory::give_up(const Gaps& gaps) {
  for (const auto& gap : gaps) given_up_.insert(given_up_key(gap));
}

bool ProbeMemory::may_help(const std::string& probe, const std::set<std::string>& beside, const Gaps& gaps) const {
  const auto known = effects_.find(probe);
  if (known == effects_.end()) return true;
  const auto& [places, tried] = known->second;
  if (places.empty()) return !std::includes(tried.begin(), tried.end(), beside.begin(), beside.end());
  return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
    const auto gap = gaps.find(place);
    return gap != gaps.end() && !given_up_.contains(given_up_key(*gap));
  });
}

void ProbeMemory::learn_result(const std::string& shape, std::string_view cluster, const Value& started,
                               const Value& result) {
  auto changes = std::make_unique<Changes>();
  const auto marked = [&](std::string_view text) {
    const std::string_view rest = text.substr(std::min(cluster.size(), text.size()));
    const bool is_name = text.starts_with(cluster) && (rest.empty() || rest.starts_with('-'));
    return is_name ? fmt::format("{}{}", kNameMark, rest) : std::string(text);
  };
  TreePath path;
  visit_changes(&started, result, path, [&](const TreePath& at, const Value& value) {
    changes->values.emplace_back(at, copy_of(value, changes->arena, marked));
  });
  results_[shape] = std::move(changes);
}

Value ProbeMemory::with_last_result(const std::string& shape, std::string_view cluster, const Value& started,
                                    Arena& arena) const {
  Value values = started;
  const auto known = results_.find(shape);
  if (known == results_.end()) return values;
  const auto named = [&](std::string_view text) {
    return text.starts_with(kNameMark) ? fmt::format("{}{}", cluster, text.substr(1)) : std::string(text);
  };
  for (const auto& [path, value] : known->second->values)
    values = with_value(values, path, copy_of(value, arena, named), arena);
  return values;
}

}  // namespace capwright::workflow
