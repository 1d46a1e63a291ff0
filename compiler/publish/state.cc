// JSON, version 1. Only this program reads it, so unknown fields are accepted, and newer formats are rejected by their
// version.
#include "publish/state.h"

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "diag/catalog/publish.h"
#include "diag/catalog/tree.h"

namespace capwright::publish {
namespace {

using Json = nlohmann::ordered_json;
using git::ObjectId;

constexpr int kVersion = 1;
constexpr std::uint64_t kLargestState = 1u << 20;  // bytes
constexpr std::string_view kName = "/state.json";

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::int64_t number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::optional<ObjectId> id_of(const Json& object, const char* key) {
  return git::parse_object_id(text_of(object, key));
}

void add_steps(const Json& list, State& state) {
  for (const Json& entry : list) {
    const std::optional<Step> step = entry.is_object() ? find_step(text_of(entry, "id")) : std::nullopt;
    if (step) state.note(*step, text_of(entry, "result"), number_of(entry, "when"));
  }
}

}  // namespace

void State::note(Step step, std::string_view result, std::int64_t when) {
  std::erase_if(steps, [&](const StepRecord& record) { return record.step == step; });
  steps.push_back({step, std::string(result), when});
}

std::string state_text(const State& state) {
  Json json;
  json["version"] = kVersion;
  json["run"] = state.run;
  if (!state.request.empty()) json["request"] = state.request;
  if (!state.dead.empty()) json["dead"] = state.dead;
  json["started"] = state.started;
  json["remote"] = state.remote;
  json["ref"] = state.ref;
  json["head"] = hex(state.head);
  json["source"] = hex(state.source);
  if (state.tip) json["tip"] = hex(*state.tip);
  if (state.base) json["base"] = hex(*state.base);
  if (state.commit) json["commit"] = hex(*state.commit);
  json["finished"] = state.finished;
  json["steps"] = Json::array();
  for (const StepRecord& record : state.steps)
    json["steps"].push_back({{"id", info(record.step).id}, {"result", record.result}, {"when", record.when}});
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::optional<State> read_state(std::string_view text, std::string& why) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    why = "it isn't a JSON object";
    return std::nullopt;
  }
  const std::int64_t version = number_of(json, "version");
  if (version != kVersion) {
    why = "its version is " + std::to_string(version) + ", not " + std::to_string(kVersion);
    return std::nullopt;
  }
  State state;
  state.run = text_of(json, "run");
  state.request = text_of(json, "request");
  if (const auto dead = json.find("dead"); dead != json.end() && dead->is_array()) {
    for (const Json& run : *dead) {
      if (run.is_string()) state.dead.push_back(run.get<std::string>());
    }
  }
  state.started = number_of(json, "started");
  state.remote = text_of(json, "remote");
  state.ref = text_of(json, "ref");
  const auto head = id_of(json, "head"), source = id_of(json, "source");
  if (state.run.empty() || state.ref.empty() || !head || !source) {
    why = "`run`, `ref`, `head` or `source` is missing";
    return std::nullopt;
  }
  state.head = *head;
  state.source = *source;
  state.tip = id_of(json, "tip");
  state.base = id_of(json, "base");
  state.commit = id_of(json, "commit");
  const auto finished = json.find("finished"), list = json.find("steps");
  state.finished = finished != json.end() && finished->is_boolean() && finished->get<bool>();
  if (list != json.end() && list->is_array()) add_steps(*list, state);
  return state;
}

bool save_state(FileSystem& fs, const std::string& folder, const State& state, Sink& sink) {
  const std::string path = folder + std::string(kName);
  const IoError error = replace_file(fs, path, state_text(state));
  if (error) sink.report(diag::io_failed, Span(), path, "written", describe(error));
  return !error;
}

std::optional<State> load_state(FileSystem& fs, const std::string& folder, Sink& sink) {
  const std::string path = folder + std::string(kName);
  std::string text, why;
  const IoError error = fs.read(path, text, kLargestState);
  if (error.code == ENOENT || error.code == ENOTDIR) return std::nullopt;
  if (error) {
    sink.report(diag::io_failed, Span(), path, "read", describe(error));
    return std::nullopt;
  }
  std::optional<State> state = read_state(text, why);
  if (!state) sink.report(diag::unreadable_state, Span(), path, why).advise("start over with `--restart`");
  return state;
}

}  // namespace capwright::publish
