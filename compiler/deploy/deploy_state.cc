// JSON, version 1. Only this program reads it, so unknown fields are accepted, and newer formats are rejected by their
// version.
#include "deploy/deploy_state.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace capwright::deploy {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::array<std::string_view, 5> kOutcomes = {"running", "done", "stopped", "failed", "interrupted"};

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::int64_t number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

void add_step(const Json& entry, State& state) {
  if (!entry.is_object()) return;
  const std::optional<Step> step = find_step(text_in(entry, "id"));
  const auto outcome = std::find(kOutcomes.begin(), kOutcomes.end(), text_in(entry, "result"));
  if (!step || outcome == kOutcomes.end()) return;
  state.note(*step, static_cast<Outcome>(outcome - kOutcomes.begin()), number_in(entry, "when"));
}

}  // namespace

void State::note(Step step, Outcome outcome, std::int64_t when) {
  std::erase_if(steps, [&](const StepRecord& record) { return record.step == step; });
  const auto later = std::find_if(steps.begin(), steps.end(), [&](const StepRecord& each) { return each.step > step; });
  steps.insert(later, {step, outcome, when});
}

const StepRecord* State::find(Step step) const {
  const auto found =
      std::find_if(steps.begin(), steps.end(), [&](const StepRecord& each) { return each.step == step; });
  return found == steps.end() ? nullptr : &*found;
}

bool State::is_done(Step step) const {
  const StepRecord* record = find(step);
  return record != nullptr && record->outcome == Outcome::Done;
}

std::string_view word_of(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

std::string state_text(const State& state) {
  Json json;
  json["version"] = kVersion;
  json["run"] = state.run;
  json["started"] = state.started;
  json["settings"] = state.settings;
  json["finished"] = state.finished;
  json["steps"] = Json::array();
  for (const StepRecord& record : state.steps)
    json["steps"].push_back({{"id", info(record.step).id}, {"result", word_of(record.outcome)}, {"when", record.when}});
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::optional<State> read_state(std::string_view text, std::string& why) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    why = "it isn't a JSON object";
    return std::nullopt;
  }
  const std::int64_t version = number_in(json, "version");
  if (version != kVersion) {
    why = "its version is " + std::to_string(version) + ", not " + std::to_string(kVersion);
    return std::nullopt;
  }
  State state;
  state.run = text_in(json, "run");
  state.started = number_in(json, "started");
  state.settings = text_in(json, "settings");
  const auto finished = json.find("finished"), list = json.find("steps");
  state.finished = finished != json.end() && finished->is_boolean() && finished->get<bool>();
  if (list == json.end() || !list->is_array()) return state;
  for (const Json& entry : *list) add_step(entry, state);
  return state;
}

}  // namespace capwright::deploy
