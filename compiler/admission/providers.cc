// Selects the table and the code for an object, and runs them in order.
#include "admission/providers.h"

#include <algorithm>

#include "admission/checks.h"
#include "admission/engine.h"
#include "admission/round_trip.h"
#include "admission/special.h"
#include "embedded/embedded.h"

namespace capwright::admission {
namespace {

constexpr std::string_view kFolder = "schemas/admission/", kEnding = ".yaml", kShared = "shared";

const Special* find_special(std::string_view kind) {
  for (const auto specials : {capi_specials, cluster_class_specials, kubeadm_specials, capo_specials, capa_specials,
                              capz_specials, capoci_specials, rke2_specials}) {
    for (const Special& special : specials()) {
      if (special.kind == kind) return &special;
    }
  }
  return nullptr;
}

std::span<const Move> moves_of(const KindRules& rules, std::string_view version) {
  const auto found = rules.moves.find(version);
  return found == rules.moves.end() ? std::span<const Move>() : std::span<const Move>(found->second);
}

Value with_defaults(const KindRules* rules, const Special* special, const Value& object, Arena& arena) {
  if (!object.is(Kind::Map)) return object;
  const Value filled = rules == nullptr ? object : filled_in(rules->defaults, object, arena);
  return special == nullptr || special->fill_in == nullptr ? filled : special->fill_in(filled, arena);
}

// The object for the checks: with its defaults, and with maps where Go has structures.
Value as_checked(const KindRules* rules, const Special* special, const Value& object, Arena& arena) {
  if (!object.is(Kind::Map)) return object;
  Value checked = with_defaults(rules, special, object, arena);
  if (rules == nullptr) return checked;
  for (const std::string& structure : rules->structures) checked = with_maps(checked, structure, arena);
  return checked;
}

bool lists(const std::vector<std::string>& versions, std::string_view version) {
  return std::find(versions.begin(), versions.end(), version) != versions.end();
}

// "capi-kubeadm-v1.14.2" belongs to "capi-kubeadm".
std::string_view provider_of(std::string_view release) { return release.substr(0, release.rfind("-v")); }

void check_expression(const Expression& expression, const std::string& kind, std::vector<std::string>& faults) {
  for (const std::string& fault : expression.faults()) faults.push_back(kind + ": " + fault);
}

// Finds errors that show only when rules run.
void check_rules(const Table& table, std::vector<std::string>& faults) {
  table.each([&](const std::string& kind, const KindRules& rules) {
    for (const Rule& rule : rules.rules) {
      if (rule.demand.kind == Demand::Kind::Passes && !is_check(rule.demand.name))
        faults.push_back(kind + ": there is no check " + rule.demand.name);
      for (const Expression* expression : {&rule.condition, &rule.group_condition, &rule.demand.expression})
        check_expression(*expression, kind, faults);
    }
    for (const Default& filled : rules.defaults) check_expression(filled.condition, kind, faults);
    for (const auto& [version, defaults] : rules.written_defaults) {
      for (const Default& filled : defaults) check_expression(filled.condition, kind, faults);
    }
  });
}

}  // namespace

Providers::Providers(std::span<const RuleFile> files, OtherObjects other_objects) : other_objects_(other_objects) {
  for (const RuleFile& file : files) {
    if (file.name == kShared) {
      shared_ = file.text;
      continue;
    }
    providers_.push_back(std::make_unique<Provider>());
    providers_.back()->file = file;
  }
}

Providers::~Providers() = default;

const Table* Providers::read(Provider& provider) const {
  std::call_once(provider.once, [&] { provider.table = std::make_unique<Table>(provider.file.text, shared_); });
  return provider.table.get();
}

const Table* Providers::table_of(std::string_view release) const {
  const auto found = std::find_if(providers_.begin(), providers_.end(),
                                  [&](const auto& provider) { return provider->file.name == provider_of(release); });
  return found == providers_.end() ? nullptr : read(**found);
}

Value Providers::fill_in(const crd::Review& review) const {
  const Table* table = table_of(review.kind.release);
  if (table == nullptr) return review.object;
  const KindRules* rules = table->find(review.kind.group, review.kind.kind);
  if (rules == nullptr) return review.object;
  const std::string_view version = review.kind.version;
  const RoundTrip does{lists(rules->filled_versions, version), lists(rules->emptied_versions, version),
                       rules->keeps_empty};
  Arena& arena = review.stage.arena;
  const crd::Schema* schema = review.registry.schema(review.kind);
  const Value object = schema == nullptr ? review.object : round_trip(*schema->root, review.object, does, arena);
  // The other defaults belong to the version that the webhook sees.
  if (moves_of(*rules, version).empty()) {
    const Value filled = with_defaults(rules, find_special(review.kind.kind), object, arena);
    // A webhook without changes sends no patch: then the object stays as written.
    return json_equal(filled, object) ? review.object : filled;
  }
  const auto written = rules->written_defaults.find(version);
  return written == rules->written_defaults.end() ? object : filled_in(written->second, object, arena);
}

Value Providers::as_stored(const crd::Review& review) const {
  const Table* table = table_of(review.kind.release);
  return table != nullptr && table->stores_defaults() ? fill_in(review) : review.object;
}

void Providers::check(const crd::Review& review, crd::Findings& findings) const {
  const Table* table = table_of(review.kind.release);
  if (table == nullptr) return;
  const KindRules* rules = table->find(review.kind.group, review.kind.kind);
  const Special* special = find_special(review.kind.kind);
  const std::span<const Move> moves =
      rules == nullptr ? std::span<const Move>() : moves_of(*rules, review.kind.version);
  Arena& arena = review.stage.arena;
  Subject written(review, review.object, review.old, findings);
  if (!check_texts(rules, moves, written)) return;
  Subject subject(review, as_checked(rules, special, moved(moves, review.object, arena), arena),
                  as_checked(rules, special, moved(moves, review.old, arena), arena), findings,
                  other_objects_ == OtherObjects::Empty);
  if (rules != nullptr) subject.name_items(rules->named_items);
  if (rules != nullptr) run_rules(rules->rules, subject);
  if (special != nullptr && special->check != nullptr) special->check(subject);
  if (findings.empty()) check_references(moves, written);
}

std::vector<std::string> Providers::faults() const {
  std::vector<std::string> faults;
  for (const auto& provider : providers_) {
    const Table* table = read(*provider);
    check_rules(*table, faults);
    for (const std::string& fault : table->faults()) faults.push_back(std::string(provider->file.name) + ": " + fault);
  }
  return faults;
}

std::vector<RuleFile> built_in_rules() {
  std::vector<RuleFile> files;
  for (const embedded::File& file : embedded::files()) {
    std::string_view name = file.path;
    if (!name.starts_with(kFolder) || !name.ends_with(kEnding)) continue;
    name.remove_prefix(kFolder.size());
    name.remove_suffix(kEnding.size());
    files.push_back({name, file.text});
  }
  return files;
}

}  // namespace capwright::admission
