// Reads tables of rules from YAML for the engine. A table is part of the program, so tests find its errors; at run time
// its valid rules are used.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <optional>

#include "admission/edit.h"
#include "admission/rule_table.h"
#include "facts/catalogue.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::admission {
namespace {

constexpr std::pair<std::string_view, crd::Reason> kReasons[] = {
    {"invalid", crd::Reason::Invalid},     {"required", crd::Reason::Required},
    {"forbidden", crd::Reason::Forbidden}, {"not-supported", crd::Reason::NotSupported},
    {"duplicate", crd::Reason::Duplicate}, {"not-found", crd::Reason::NotFound}};

constexpr std::pair<std::string_view, Move::Kind> kMoves[] = {{"plain", Move::Kind::Plain},
                                                              {"reference", Move::Kind::Reference},
                                                              {"duration", Move::Kind::Duration},
                                                              {"arguments", Move::Kind::Arguments}};

std::span<const Value> items_below(const Value& map, std::string_view key) {
  const Value* list = map.find(key);
  return list != nullptr && list->is(Kind::List) ? list->items() : std::span<const Value>();
}

std::span<const Entry> entries_below(const Value& map, std::string_view key) {
  const Value* below = map.find(key);
  return below != nullptr && below->is(Kind::Map) ? below->entries() : std::span<const Entry>();
}

bool flag_at(const Value& map, std::string_view key) {
  const Value* flag = map.find(key);
  return flag != nullptr && flag->is(Kind::Bool) && flag->as_bool();
}

// Removes origins: the objects that a value becomes part of have other sources.
Value without_origins(const Value& value, Arena& arena) {
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(without_origins(item, arena));
    return make_list(arena, items);
  }
  if (!value.is(Kind::Map)) return value.is(Kind::String) ? make_string(arena, value.text()) : value.with_origin({});
  std::vector<Entry> entries;
  for (const Entry& entry : value.entries())
    entries.push_back({make_key(arena, entry.key.text()), without_origins(entry.value, arena)});
  return make_map(arena, entries);
}

class KindReader {
 public:
  KindReader(const Value& document, const Value& shared, Arena& arena, std::vector<std::string>& faults)
      : document_(document), shared_(shared), arena_(arena), faults_(faults) {}

  KindRules read(std::string_view name, const Value& kind) {
    where_ = name;
    KindRules rules;
    read_kind(kind, rules);
    return rules;
  }

 private:
  void read_kind(const Value& kind, KindRules& rules) {
    for (const Value& rule : items_below(kind, "rules")) read_rule(rule, Pattern(), rules.rules, 0);
    for (const Value& filled : items_below(kind, "defaults")) rules.defaults.push_back(read_default(filled));
    for (const Entry& items : entries_below(kind, "item-names"))
      rules.named_items.push_back({std::string(items.key.text()), std::string(items.value.text())});
    read_texts(kind, "fills-required", rules.filled_versions);
    read_texts(kind, "drops-empty", rules.emptied_versions);
    read_texts(kind, "keeps-empty", rules.keeps_empty);
    read_texts(document_, "structures", rules.structures);
    read_texts(kind, "structures", rules.structures);
    for (const Value& path : items_below(kind, "durations")) rules.durations.emplace_back(path.text());
    for (const Value& path : items_below(kind, "bootstrap-tokens")) rules.bootstrap_tokens.emplace_back(path.text());
    for (const Entry& version : entries_below(kind, "written-defaults")) {
      for (const Value& filled : version.value.items())
        rules.written_defaults[std::string(version.key.text())].push_back(read_default(filled));
    }
    for (const Entry& version : entries_below(kind, "moves")) {
      for (const Value& move : version.value.items())
        rules.moves[std::string(version.key.text())].push_back(read_move(move));
    }
  }

  static void read_texts(const Value& kind, std::string_view key, std::vector<std::string>& texts) {
    for (const Value& text : items_below(kind, key)) texts.emplace_back(text.text());
  }

  void fault(std::string_view what) { faults_.push_back(fmt::format("{}: {}", where_, what)); }

  const Value* named(std::string_view section, std::string_view name) {
    for (const Value* document : {&document_, &shared_}) {
      const Value* all = document->find(section);
      const Value* found = all != nullptr ? all->find(name) : nullptr;
      if (found != nullptr) return found;
    }
    return nullptr;
  }

  void read_rule(const Value& rule, const Pattern& prefix, std::vector<Rule>& rules, int depth) {
    constexpr int kDeepestGroup = 4;
    const Pattern at = Pattern(text_at(rule, "at")).behind(prefix);
    const std::string_view group = text_at(rule, "use");
    if (group.empty()) return read_one(rule, at, rules);
    const Value* shared = named("groups", group);
    if (shared == nullptr || !shared->is(Kind::List) || depth == kDeepestGroup)
      return fault(fmt::format("there is no group {}", group));
    const std::size_t first = rules.size();
    for (const Value& member : shared->items()) read_rule(member, at, rules, depth + 1);
    const std::string_view path = text_at(rule, "path");
    for (std::size_t i = first; i < rules.size(); ++i) {
      if (rules[i].when == Rule::When::Always) rules[i].when = when_of(rule);
      if (!path.empty()) rules[i].report = path;
      if (rules[i].gate.empty()) read_gate(rule, rules[i]);
      if (rule.find("if") == nullptr) continue;
      if (rules[i].group_condition.exists()) fault(fmt::format("{} holds a group with a condition of its own", group));
      rules[i].group = at;
      rules[i].group_condition = expression(text_at(rule, "if"));
    }
  }

  void read_gate(const Value& written, Rule& rule) {
    const std::string_view on = text_at(written, "gate-on"), off = text_at(written, "gate-off");
    rule.while_on = !on.empty();
    rule.gate = rule.while_on ? on : off;
    if (!rule.gate.empty() && !gate_default(rule.gate)) fault(fmt::format("there is no feature gate {}", rule.gate));
  }

  Rule::When when_of(const Value& rule) {
    const std::string_view on = text_at(rule, "on");
    if (on == "create") return Rule::When::Create;
    if (on == "update") return Rule::When::Update;
    return Rule::When::Always;
  }

  void read_one(const Value& written, const Pattern& at, std::vector<Rule>& rules) {
    Rule rule;
    rule.at = at;
    rule.when = when_of(written);
    rule.report = text_at(written, "path");
    rule.condition = expression(text_at(written, "if"));
    if (!read_demand(written, rule)) return fault("a rule demands nothing");
    if (const Value* message = written.find("message")) rule.message = message->text();
    if (const std::string_view as = text_at(written, "as"); !as.empty()) {
      const auto found = std::find_if(std::begin(kReasons), std::end(kReasons), [&](auto& r) { return r.first == as; });
      if (found == std::end(kReasons)) return fault(fmt::format("there is no reason {}", as));
      rule.reason = found->second;
    }
    if (flag_at(written, "absent-too")) rule.absent_too = true;
    read_gate(written, rule);
    rules.push_back(std::move(rule));
  }

  bool read_demand(const Value& written, Rule& rule) {
    Demand& demand = rule.demand;
    if (const std::string_view need = text_at(written, "need"); !need.empty()) {
      demand.expression = expression(need);
      return demand.expression.exists();
    }
    if (const std::string_view name = text_at(written, "is"); !name.empty()) return read_named(name, rule);
    if (flag_at(written, "immutable")) {
      demand.kind = Demand::Kind::Unchanged;
      rule.when = Rule::When::Update;
      rule.absent_too = true;
      rule.once_set = flag_at(written, "once-set");
      demand.exact = flag_at(written, "exact");
      rule.message = "field is immutable";
      for (const Value& path : items_below(written, "except")) demand.except.emplace_back(path.text());
      read_texts(written, "pointers", demand.pointers);
      if (written.find("hollow") == nullptr) return true;
      demand.hollow.emplace();
      for (const Value& key : items_below(written, "hollow")) demand.hollow->emplace_back(key.text());
      return true;
    }
    if (written.find("changes-only") != nullptr) {
      demand.kind = Demand::Kind::ChangesOnly;
      rule.when = Rule::When::Update;
      rule.reason = crd::Reason::Forbidden;
      rule.message = "cannot be modified";
      for (const Value& path : items_below(written, "changes-only")) demand.except.emplace_back(path.text());
      return true;
    }
    if (const Value* unique = written.find("unique")) {
      demand.kind = Demand::Kind::Unique;
      demand.name = unique->is(Kind::String) ? unique->text() : std::string_view();
      return true;
    }
    if (flag_at(written, "forbidden")) {
      demand.kind = Demand::Kind::Absent;
      rule.reason = crd::Reason::Forbidden;
      return true;
    }
    if (flag_at(written, "required")) {
      demand.kind = Demand::Kind::Present;
      rule.reason = crd::Reason::Required;
      rule.absent_too = true;
      return true;
    }
    const std::span<const Value> allowed = items_below(written, "one-of");
    demand.kind = Demand::Kind::OneOf;
    for (const Value& value : allowed) demand.allowed.push_back(without_origins(value, arena_));
    rule.reason = crd::Reason::NotSupported;
    return !allowed.empty();
  }

  // A demand that names a check of the tables, or one in code.
  bool read_named(std::string_view name, Rule& rule) {
    const Value* check = named("checks", name);
    if (check == nullptr) {
      rule.demand.kind = Demand::Kind::Passes;
      rule.demand.name = name;
      return true;
    }
    rule.demand.expression = expression(text_at(*check, "need"));
    rule.message = text_at(*check, "message");
    return rule.demand.expression.exists();
  }

  Default read_default(const Value& written) {
    Default filled;
    filled.at = text_at(written, "at");
    filled.key = text_at(written, "key");
    filled.condition = expression(text_at(written, "if"));
    filled.always = flag_at(written, "always");
    filled.copied_from = text_at(written, "from");
    filled.prefix = text_at(written, "prefix");
    if (const Value* value = written.find("value")) filled.value = without_origins(*value, arena_);
    return filled;
  }

  Move read_move(const Value& written) {
    Move move;
    const std::string_view kind = text_at(written, "as");
    for (const auto& [name, known] : kMoves) {
      if (name == kind) move.kind = known;
    }
    move.within = Pattern(text_at(written, "in"));
    move.from = text_at(written, "from");
    move.to = written.find("to") != nullptr ? text_at(written, "to") : text_at(written, "from");
    return move;
  }

  static Expression expression(std::string_view text) { return text.empty() ? Expression() : Expression(text); }

  const Value& document_;
  const Value& shared_;
  Arena& arena_;
  std::vector<std::string>& faults_;
  std::string where_;
};

}  // namespace

struct Table::Contents {
  // A parsed document, with what its values point into.
  class Parsed {
   public:
    Parsed(std::string_view name, std::string_view text) {
      Stage stage{sources_, sink_, arena_, origins_, limits_};
      root_ = read_yaml(sources_.add(std::string(name), std::string(text)), stage);
    }
    const Value& root() const { return root_; }
    const std::vector<Diagnostic>& diagnostics() const { return sink_.diagnostics(); }

   private:
    SourceSet sources_;
    Sink sink_;
    Arena arena_;
    OriginTable origins_;
    Limits limits_;
    Value root_;
  };

  // The rules of a kind, read at the first use.
  struct LazyKind {
    Value written;
    std::once_flag once;
    KindRules rules;
  };

  Contents(std::string_view text, std::string_view shared_text)
      : document("table.yaml", text), shared("shared.yaml", shared_text) {
    for (const Entry& kind : entries_below(document.root(), "kinds"))
      kinds[std::string(kind.key.text())].written = kind.value;
  }

  const KindRules& read(const std::string& name, LazyKind& kind) {
    std::call_once(kind.once, [&] {
      const std::lock_guard lock(reading);
      kind.rules = KindReader(document.root(), shared.root(), arena, faults).read(name, kind.written);
    });
    return kind.rules;
  }

  Parsed document, shared;
  std::map<std::string, LazyKind, std::less<>> kinds;
  std::mutex reading;  // protects the two below
  Arena arena;
  std::vector<std::string> faults;
};

Table::Table(std::string_view text, std::string_view shared) : contents_(std::make_unique<Contents>(text, shared)) {}
Table::~Table() = default;

bool Table::stores_defaults() const { return flag_at(contents_->document.root(), "stores-defaults"); }

const KindRules* Table::find(std::string_view group, std::string_view kind) const {
  fmt::memory_buffer name;
  fmt::format_to(std::back_inserter(name), "{}.{}", kind, group);
  const auto found = contents_->kinds.find(std::string_view(name.data(), name.size()));
  return found == contents_->kinds.end() ? nullptr : &contents_->read(found->first, found->second);
}

void Table::each(const std::function<void(const std::string&, const KindRules&)>& visit) const {
  for (auto& [name, kind] : contents_->kinds) visit(name, contents_->read(name, kind));
}

std::vector<std::string> Table::faults() const {
  std::vector<std::string> faults;
  for (const Contents::Parsed* document : {&contents_->document, &contents_->shared}) {
    for (const Diagnostic& diagnostic : document->diagnostics()) faults.push_back(diagnostic.message);
  }
  const std::lock_guard lock(contents_->reading);
  faults.insert(faults.end(), contents_->faults.begin(), contents_->faults.end());
  return faults;
}

}  // namespace capwright::admission
