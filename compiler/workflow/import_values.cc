// Two ways lead from a field to a value: backwards by the origin of the rendered bytes, and, for fields that no value
// has rendered yet, forwards by setting each key of the schema once. No field of any provider is named here.
#include "workflow/import_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "lint/model/schema_walk.h"
#include "pipeline/template_set.h"
#include "schema/evaluate.h"
#include "value/stage.h"
#include "values/examples.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::workflow {
namespace {

// The first cluster of a shape takes some hundred to some thousand renders of 1 to 2 ms, the ones like it about 7.
constexpr std::size_t kMostRenders = 6000, kMostRounds = 6;
// Keys that say what a cluster is, or that the result sets itself.
constexpr std::string_view kFixed[] = {"schema_version", "cluster_name", "provider",     "kubernetes_type",
                                       "patches",        "resources",    "addon_values", "existing_names",
                                       "topology",       "inventory",    "extensions",   "addon_delivery"};

// A text in values must not be read as a reference.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("${")) result += '$';
    result += text[i];
  }
  return result;
}

std::string scalar_text(const Value& value) {
  return value.is(Kind::String) ? std::string(value.text()) : canonical_json(value);
}

// `text` with the type of the value that it replaces.
Value typed(const std::string& text, const Value& imported, const Value* current, Arena& arena) {
  if (current == nullptr || current->is(Kind::Null)) return imported;
  if (current->is(Kind::String)) return make_string(arena, text);
  const Value plain = resolve_plain(text, ScalarRules::Core);
  return plain.is(Kind::String) ? make_string(arena, text) : plain;  // a plain String has no text
}

// Texts for keys without an example: one of them fits most patterns.
constexpr std::string_view kGuesses[] = {"probe", "10.199.0.1", "10.199.0.0/24", "probe.example.com"};

const schema::Node* referred(const schema::Node* node) {
  while (node != nullptr && node->combination != nullptr && node->combination->reference != nullptr)
    node = node->combination->reference;
  return node;
}

// A value that fits the schema at least roughly; Null if none is known.
Value sample_of(const schema::Node& node, const Value& document, Arena& arena, int depth = 0) {
  if (const auto example = values::example_of(node.source, document, arena)) return *example;
  const schema::Node* inner = referred(&node);
  if (inner != &node && depth < 4) return sample_of(*inner, document, arena, depth + 1);
  if (!node.candidates.empty()) return node.candidates[0];
  if (node.types == schema::kBoolean) return Value::boolean(true);
  if ((node.types & schema::kInteger) != 0 && node.types != schema::kAnyType) {
    const bool has_minimum = node.numbers != nullptr && node.numbers->minimum.is(Kind::Int);
    return has_minimum ? node.numbers->minimum : Value::integer(1);
  }
  if (node.objects == nullptr || depth >= 4)
    return node.types == schema::kString ? make_string(arena, "probe") : Value();
  std::vector<Entry> entries;
  for (const schema::Property& property : node.objects->table.properties) {
    if (property.node != nullptr && property.required)
      entries.push_back({property.name, sample_of(*property.node, document, arena, depth + 1)});
  }
  return entries.empty() ? Value() : make_map(arena, entries);
}

}  // namespace

void visit_leaves(const Value& value, TreePath& path, const std::function<void(const Value&, const TreePath&)>& visit) {
  if (value.is(Kind::List)) {
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      path.push_back({"", static_cast<int>(i)});
      visit_leaves(value.items()[i], path, visit);
      path.pop_back();
    }
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) {
      path.push_back({std::string(entry.key.text())});
      visit_leaves(entry.value, path, visit);
      path.pop_back();
    }
  } else {
    visit(value, path);
  }
}

std::vector<TreePath> paths_of(const CompiledCluster& cluster, OriginId origin) {
  std::set<Span> places;
  for (const OriginId leaf : cluster.origins.leaves(origin)) places.insert(cluster.origins[leaf].span);
  std::vector<TreePath> paths;
  TreePath path;
  visit_leaves(cluster.values, path, [&](const Value& value, const TreePath& at) {
    for (const OriginId leaf : cluster.origins.leaves(value.origin())) {
      if (places.contains(cluster.origins[leaf].span)) return paths.push_back(at);
    }
  });
  return paths;
}

bool is_fixed_key(std::string_view path) {
  const std::string_view first = path.substr(0, path.find_first_of(".["));
  return std::find(std::begin(kFixed), std::end(kFixed), first) != std::end(kFixed);
}

std::string values_text(const Value& values, Arena& arena) { return yaml_of(copy_of(values, arena, escaped)); }

ValuesSearch::ValuesSearch(Session& session, const ImportedCluster& imported, const Value& rules, ProbeMemory& memory,
                           Arena& arena)
    : session_(session),
      imported_(imported),
      rules_(rules),
      memory_(memory),
      arena_(arena),
      path_(fmt::format("values/{}.yaml", imported.name)) {}

Trial ValuesSearch::render(const Value& values) {
  ++renders_;
  Trial trial{values, nullptr, nullptr, {}};
  session_.edit(path_, values_text(values, arena_));
  std::unique_ptr<CompiledCluster> compiled = session_.render(path_);
  if (!compiled->clean()) {
    for (const Diagnostic& diagnostic : compiled->sink.diagnostics()) {
      if (trial.error.empty() && diagnostic.info->severity == Severity::Error) trial.error = diagnostic.message;
    }
    if (trial.error.empty()) trial.error = "no template set renders it";
    return trial;
  }
  trial.side = std::make_unique<diff::Side>(std::move(compiled));
  trial.side->read_all();
  trial.alignment = std::make_unique<Alignment>(*trial.side, imported_, pools_, *rules_.find("paired_by_name"));
  return trial;
}

bool ValuesSearch::keep_better(const Value& values) {
  if (renders_ >= kMostRenders) return false;
  Trial trial = render(values);
  if (trial.alignment == nullptr || !trial.alignment->is_better_than(*best_.alignment)) return false;
  keep(std::move(trial));
  return true;
}

void ValuesSearch::keep(Trial trial) {
  best_ = std::move(trial);
  gaps_ = gaps_of(*best_.alignment, imported_.name);
}

void ValuesSearch::propose(const Trial& trial, const FieldDifference& difference, std::vector<Proposal>& found) const {
  const Value& rendered = *difference.rendered;
  const Value& imported = *difference.imported;
  const CompiledCluster& cluster = *trial.side->compiled();
  const Span place = trial.side->span(rendered);
  const auto segments = trial.side->makers(place);
  const std::string whole = scalar_text(rendered), wanted = scalar_text(imported);
  const std::string_view text = trial.side->sources().text(place.file);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    if (segment.value == OriginId::None) continue;
    const std::uint32_t begin = std::max(segment.begin, place.begin);
    const std::uint32_t end = i + 1 < segments.size() ? std::min(segments[i + 1].begin, place.end) : place.end;
    std::string part(text.substr(begin, end - begin));
    const auto is_quote = [](char c) { return c == '"' || c == '\''; };
    if (part.size() > 1 && is_quote(part.front()) && part.back() == part.front())
      part = part.substr(1, part.size() - 2);
    const std::size_t at = whole.find(part);
    if (part.empty() || at == std::string::npos) continue;
    const std::string before = whole.substr(0, at), after = whole.substr(at + part.size());
    const bool fits =
        wanted.size() >= before.size() + after.size() && wanted.starts_with(before) && wanted.ends_with(after);
    if (!fits) continue;
    const std::string middle = wanted.substr(before.size(), wanted.size() - before.size() - after.size());
    for (const TreePath& path : paths_of(cluster, segment.value)) {
      if (!is_fixed_key(workflow::text_of(path)))
        found.push_back({path, typed(middle, imported, find_at(cluster.values, path), arena_)});
    }
  }
}

// A list of scalars in the values, whose items the rendered list has.
void ValuesSearch::propose_list(const Trial& trial, const FieldDifference& difference,
                                std::vector<Proposal>& found) const {
  if (difference.path.empty() || difference.path.back().index < 0 || difference.pair->rendered == nullptr) return;
  const TreePath list(difference.path.begin(), difference.path.end() - 1);
  const Value* rendered = find_at(difference.pair->rendered->value, list);
  const Value* imported = find_at(difference.pair->imported->value, list);
  if (rendered == nullptr || imported == nullptr || !rendered->is(Kind::List) || !imported->is(Kind::List)) return;
  if (!std::all_of(imported->items().begin(), imported->items().end(), is_scalar)) return;
  const CompiledCluster& cluster = *trial.side->compiled();
  for (const Value& item : rendered->items()) {
    for (const Segment& segment : trial.side->makers(trial.side->span(item))) {
      if (segment.value == OriginId::None) continue;
      for (TreePath path : paths_of(cluster, segment.value)) {
        if (path.back().index < 0 || is_fixed_key(workflow::text_of(path))) continue;
        path.pop_back();
        found.push_back({path, *imported});
      }
    }
  }
}

std::vector<ValuesSearch::Proposal> ValuesSearch::proposals(const Trial& trial) const {
  std::vector<Proposal> found;
  for (const FieldDifference& difference : trial.alignment->differences()) {
    const bool has_both = difference.rendered != nullptr && difference.imported != nullptr;
    if (has_both && is_scalar(*difference.rendered) && is_scalar(*difference.imported))
      propose(trial, difference, found);
    propose_list(trial, difference, found);
  }
  std::set<TreePath> known;
  std::vector<Proposal> distinct;
  for (Proposal& each : found) {
    const Value* current = find_at(trial.side->compiled()->values, each.path);
    if (current != nullptr && json_equal(*current, each.value)) continue;
    if (known.insert(each.path).second) distinct.push_back(std::move(each));
  }
  return distinct;
}

bool ValuesSearch::follow_makers() {
  const std::vector<Proposal> found = proposals(best_);
  if (found.empty()) return false;
  Value values = best_.values;
  for (const Proposal& each : found) values = with_value(values, each.path, each.value, arena_);
  if (keep_better(values)) return true;
  bool improved = false;
  for (const Proposal& each : found) improved |= keep_better(with_value(best_.values, each.path, each.value, arena_));
  return improved;
}

// What is learned holds for all clusters of a kind; the first pool of one is like the first pool of the others.
std::string ValuesSearch::memory_key(const TreePath& path, const Value& value) const {
  return fmt::format("{} {} {}={}", started_.text_at("provider"), started_.text_at("kubernetes_type"),
                     workflow::text_of(path), shared_text(canonical_json(value), imported_.name));
}

const std::set<std::string>& ValuesSearch::beside(const TreePath& path) const {
  static const std::set<std::string> kNone;
  const auto found = improved_.find(path[0].key);
  return found == improved_.end() ? kNone : found->second;
}

bool ValuesSearch::probe_key(const TreePath& path, const Value& value) {
  if (renders_ >= kMostRenders) return false;
  const Value candidate = with_value(best_.values, path, value, arena_);
  Trial trial = render(candidate);
  if (trial.alignment == nullptr && value.is(Kind::Map)) trial = render_instead(candidate, path);
  const std::string key = memory_key(path, value);
  if (trial.alignment == nullptr) {
    memory_.learn(key, beside(path), gaps_, nullptr);
    return false;
  }
  const Gaps gaps = gaps_of(*trial.alignment, imported_.name);
  memory_.learn(key, beside(path), gaps_, &gaps);
  Value values = trial.values;
  bool changes = false;
  for (const Proposal& each : proposals(trial)) {
    const bool is_below = each.path.size() >= path.size() && std::equal(path.begin(), path.end(), each.path.begin());
    if (!is_below) continue;
    values = with_value(values, each.path, each.value, arena_);
    changes = true;
  }
  if (changes && keep_better(values)) return true;
  if (!trial.alignment->is_better_than(*best_.alignment)) return false;
  keep(std::move(trial));
  return true;
}

// A map such as `autoscaling` may exclude a key beside it, such as `count`.
Trial ValuesSearch::render_instead(const Value& candidate, const TreePath& path) {
  const TreePath around(path.begin(), path.end() - 1);
  const Value* beside = around.empty() ? nullptr : find_at(candidate, around);
  Trial trial;
  if (beside == nullptr || !beside->is(Kind::Map)) return trial;
  for (const Entry& entry : beside->entries()) {
    if (entry.key.text() == path.back().key || trial.alignment != nullptr) continue;
    TreePath other = around;
    other.push_back({std::string(entry.key.text())});
    trial = render(without(candidate, other, arena_));
  }
  return trial;
}

std::vector<ValuesSearch::Proposal> ValuesSearch::probes() const {
  std::vector<Proposal> found;
  const TemplateSet& set = *best_.side->compiled()->set;
  const Value& values = best_.side->compiled()->values;
  const Value* pools = best_.values.find("worker_pools");
  const std::size_t pool_count = pools == nullptr ? 0 : pools->items().size();
  const auto add = [&](const std::string& path, const Value& value) {
    const Value* current = find_at(values, path_of(path));
    if (current == nullptr || !json_equal(*current, value)) found.push_back({path_of(path), copy_of(value, arena_)});
  };
  const OwnStage own;
  const auto add_fitting = [&](const std::string& path, const lint::Declared& place, const Value& value) {
    const auto fits = [&](const schema::Node* node) {
      return schema::Evaluation(own.stage, nullptr).check(*node, schema::Place{value});
    };
    if (std::all_of(place.nodes.begin(), place.nodes.end(), fits)) add(path, value);
  };
  const auto add_place = [&](const std::string& path, const lint::Declared& place) {
    schema::TypeSet types = schema::kAnyType;
    std::vector<Value> examples;
    const Value* current = find_at(values, path_of(path));
    const bool is_set = current != nullptr && !current->is(Kind::Null);
    for (const schema::Node* node : place.nodes) {
      types &= node->types;
      if (node->secret) return;
      for (const Value& candidate : node->candidates) add(path, candidate);
      if (const Value sample = sample_of(*node, set.schema_document, arena_); !sample.is(Kind::Null))
        examples.push_back(sample);
      const schema::Node* items = node->arrays == nullptr ? nullptr : referred(node->arrays->items);
      if (items == nullptr || (items->types & schema::kString) == 0) continue;
      for (const std::string_view guess : kGuesses) {
        const Value item = make_string(arena_, guess);
        examples.push_back(make_list(arena_, {&item, 1}));
      }
      for (const Value& word : items->candidates) examples.push_back(make_list(arena_, {&word, 1}));
    }
    if (types == schema::kBoolean) {
      add(path, Value::boolean(true));
      add(path, Value::boolean(false));
    }
    if (is_set && !(current->is(Kind::List) && current->items().empty())) return;
    for (const Value& example : examples) add_fitting(path, place, example);
    if ((types & schema::kString) == 0 || types == schema::kAnyType) return;
    for (const std::string_view guess : kGuesses) add_fitting(path, place, make_string(arena_, guess));
  };
  add_addons(set.catalogue, found);
  lint::walk_schema(*set.schema, [&](const lint::Declared& place) {
    if (place.path.empty()) return true;
    if (is_fixed_key(place.path)) return false;
    constexpr std::string_view kPool = "worker_pools[]";
    const bool is_of_pool = place.path.starts_with(kPool);
    const std::string_view rest = is_of_pool ? std::string_view(place.path).substr(kPool.size()) : place.path;
    if (rest.find("[]") != std::string_view::npos) return false;
    if (!is_of_pool && place.path != "worker_pools") add_place(place.path, place);
    for (std::size_t i = 0; is_of_pool && !rest.empty() && i < pool_count; ++i)
      add_place(fmt::format("worker_pools[{}]{}", i, rest), place);
    return true;
  });
  return found;
}

// None; each add-on of the catalogue in addition to the others, and in place of each.
void ValuesSearch::add_addons(const values::AddonCatalogue& catalogue, std::vector<Proposal>& found) const {
  const Value* known = best_.values.find("addons");
  std::vector<Value> addons;
  if (known != nullptr) addons.assign(known->items().begin(), known->items().end());
  const Value* chosen = best_.side->compiled()->values.find("addons");  // also of a layer
  if (chosen != nullptr && chosen->is(Kind::List) && !chosen->items().empty())
    found.push_back({{{"addons"}}, make_list(arena_, {})});
  for (const values::Addon& addon : catalogue.addons) {
    const Value id = make_string(arena_, addon.id);
    if (std::any_of(addons.begin(), addons.end(), [&](const Value& each) { return json_equal(each, id); })) continue;
    for (std::size_t i = 0; i <= addons.size(); ++i) {
      std::vector<Value> list = addons;
      if (i < addons.size()) list[i] = id;
      else list.push_back(id);
      found.push_back({{{"addons"}}, make_list(arena_, list)});
    }
  }
}

// What helped before comes first: it closes gaps for which other probes would be tried.
bool ValuesSearch::probe() {
  std::vector<Proposal> found = probes();
  std::stable_partition(found.begin(), found.end(),
                        [&](const Proposal& each) { return memory_.has_helped(memory_key(each.path, each.value)); });
  bool improved = false;
  for (const Proposal& each : found) {
    if (best_.cost() == 0) return improved;
    const std::string key = memory_key(each.path, each.value);
    if (!memory_.may_help(key, beside(each.path), gaps_) || !probe_key(each.path, each.value)) continue;
    improved = true;
    memory_.learn_success(key);
    improved_[each.path[0].key].insert(key);
    follow_makers();
  }
  return improved;
}

void ValuesSearch::improve() {
  gaps_ = gaps_of(*best_.alignment, imported_.name);
  if (best_.cost() != 0) keep_better(memory_.with_last_result(shape(), imported_.name, started_, arena_));
  for (std::size_t round = 0; round < kMostRounds && best_.cost() != 0; ++round) {
    bool improved = false;
    for (std::size_t step = 0; step < kMostRounds && follow_makers(); ++step) improved = true;
    if (best_.cost() != 0) improved |= probe();
    if (!improved) break;
  }
  memory_.give_up(gaps_);
  memory_.learn_result(shape(), imported_.name, started_, best_.values);
}

void ValuesSearch::shorten() {
  shorten_as_before();
  shorten_below({});
}

// The keys that other clusters did without, in one render.
void ValuesSearch::shorten_as_before() {
  Value values = best_.values;
  const std::function<void(const TreePath&, const Value&)> visit = [&](const TreePath& path, const Value& value) {
    TreePath below = path;
    const auto go_on = [&](const Step& step, const Value& inner) {
      below.push_back(step);
      if (step.index < 0 && memory_.is_removable(memory_key(below, inner))) values = without(values, below, arena_);
      else visit(below, inner);
      below.pop_back();
    };
    for (const Entry& entry : value.is(Kind::Map) ? value.entries() : std::span<const Entry>())
      go_on({std::string(entry.key.text())}, entry.value);
    for (std::size_t i = 0; value.is(Kind::List) && i < value.items().size(); ++i)
      go_on({"", static_cast<int>(i)}, value.items()[i]);
  };
  visit({}, best_.values);
  if (json_equal(values, best_.values)) return;
  Trial trial = render(values);
  if (trial.alignment != nullptr && trial.cost() <= best_.cost()) best_ = std::move(trial);
}

bool ValuesSearch::shorten_by(const TreePath& path) {
  const Value value = *find_at(best_.values, path);
  const std::string key = memory_key(path, value);
  if (memory_.is_needed(key)) return false;
  // A map is needed with the first of its keys.
  for (const Entry& entry : value.is(Kind::Map) ? value.entries() : std::span<const Entry>()) {
    TreePath below = path;
    below.push_back({std::string(entry.key.text())});
    if (memory_.is_needed(memory_key(below, entry.value))) return false;
  }
  Trial trial = render(without(best_.values, path, arena_));
  if (trial.alignment == nullptr || trial.cost() > best_.cost()) {
    memory_.learn_need(key);
    return false;
  }
  memory_.learn_removable(key);
  best_ = std::move(trial);
  return true;
}

void ValuesSearch::shorten_below(const TreePath& path) {
  const Value* found = find_at(best_.values, path);
  if (found == nullptr) return;
  std::vector<Step> steps;
  if (found->is(Kind::Map)) {
    for (const Entry& entry : found->entries()) steps.push_back({std::string(entry.key.text())});
  } else if (found->is(Kind::List) && !found->items().empty() && found->items()[0].is(Kind::Map)) {
    for (std::size_t i = 0; i < found->items().size(); ++i) steps.push_back({"", static_cast<int>(i)});
  }
  for (const Step& step : steps) {
    TreePath below = path;
    below.push_back(step);
    if (is_fixed_key(workflow::text_of(below))) continue;
    if (step.index < 0 && shorten_by(below)) continue;
    shorten_below(below);
  }
}

}  // namespace capwright::workflow
