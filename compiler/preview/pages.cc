// The fleet, a cluster, and the texts of its inputs.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "diff/file_texts.h"
#include "files/text_diff.h"
#include "pipeline/layers.h"
#include "portal/problem.h"
#include "preview/preview_call.h"
#include "preview/value_inputs.h"
#include "report/json.h"
#include "workflow/comparison.h"

namespace capwright::preview {
namespace {

constexpr std::size_t kMostStates = 64;  // clusters of one request, which others wait for

std::size_t number_of(const std::string& text) {
  std::size_t number = 0;
  for (const char digit : text.substr(0, 9)) {
    if (digit < '0' || digit > '9') return 0;
    number = number * 10 + static_cast<std::size_t>(digit - '0');
  }
  return number;
}

Json draft_paths(const Repository& repository) {
  Json paths = Json::array();
  for (const auto& [path, draft] : repository.drafts()) paths.push_back(path);
  return paths;
}

// What a comparison found out about the files of one cluster.
struct Compared {
  std::map<std::string, Json> files;  // those that differ, by shown path
  std::string diff;
};

std::size_t lines_in(std::string_view text) {
  const auto breaks = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  return breaks + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

Json changed_file(std::string_view status, std::string_view before, std::string_view after) {
  std::size_t added = 0, removed = 0;
  for (const LineChange& change : line_changes(before, after)) {
    added += change.new_end - change.new_begin;
    removed += change.old_end - change.old_begin;
  }
  return {{"status", status}, {"added", added}, {"removed", removed}};
}

Compared compared_files(const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
  Compared result;
  const diff::Side *before = pair.before.get(), *after = pair.after.get();
  for (const diff::SideFile& file : after != nullptr ? after->files() : std::deque<diff::SideFile>()) {
    const diff::SideFile* old = before == nullptr ? nullptr : before->find(file.path);
    const std::string_view text = after->text(file), old_text = old == nullptr ? "" : before->text(*old);
    if (old != nullptr && text == old_text) continue;
    result.files[after->shown_path(file)] = changed_file(old == nullptr ? "added" : "changed", old_text, text);
  }
  for (const diff::SideFile& file : before != nullptr ? before->files() : std::deque<diff::SideFile>()) {
    if (after != nullptr && after->find(file.path) != nullptr) continue;
    result.files[before->shown_path(file)] =
        Json{{"status", "removed"}, {"added", 0}, {"removed", lines_in(before->text(file))}};
  }
  if (!diff.pairs.empty())
    result.diff = diff::diff_of_files(diff, pair.before.get(), pair.after.get(), workflow::readable_secrets);
  return result;
}

// The files with their states, in the order of their paths.
Json file_list(const CompiledCluster& compiled, const Compared& compared) {
  std::map<std::string, Json> files;
  for (const RenderedFile& file : compiled.files.files()) {
    files[file.path] = Json{{"path", file.path},
                            {"bytes", file.body.size()},
                            {"lines", lines_in(file.body.text())},
                            {"secret", file.secret},
                            {"status", "same"}};
  }
  for (const auto& [path, change] : compared.files) {
    Json& file = files[path];
    file["path"] = path;
    file.update(change);
  }
  Json list = Json::array();
  for (auto& [path, file] : files) list.push_back(std::move(file));
  return list;
}

void add_comparison(const Call& call, const std::string& values, Json& document, Compared& files) {
  std::mutex mutex;
  const auto visit = [&](std::size_t, const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
    if (diff.cluster.empty()) return;  // unchanged, even if it was rendered
    Compared found = compared_files(diff, pair);
    const std::lock_guard lock(mutex);
    files = std::move(found);
  };
  const auto use = [&](const report::FleetPlan& plan, const diff::FleetResult&) {
    document["plan"] = Json::parse(report::plan_as_json(plan));
  };
  const std::string why = call.repository.compare(std::span(&values, 1), call.parameter("base"), visit, use);
  if (!why.empty()) document["comparison_error"] = why;
}

}  // namespace

portal::Response refused(int status, std::string_view why) {
  const Json document = {{"title", "The preview refuses this"}, {"status", status}, {"detail", why}};
  return {status, "application/problem+json", document.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

OpenCluster* cluster_of(const Call& call, portal::Response& problem) {
  const std::string values = call.parameter("values");
  OpenCluster* found = call.repository.has_cluster(values) ? call.repository.cluster(values) : nullptr;
  if (found == nullptr) problem = refused(404, fmt::format("`{}` isn't a values file of this repository", values));
  return found;
}

portal::Response fleet(const Call& call) {
  Json list = Json::array();
  for (const std::string& values : call.repository.clusters())
    list.push_back({{"values", values}, {"name", cluster_stem(values)}});
  return portal::json_response({{"version", 1},
                                {"generation", call.repository.generation()},
                                {"repository", call.repository.title()},
                                {"clusters", std::move(list)},
                                {"drafts", draft_paths(call.repository)}});
}

portal::Response states(const Call& call) {
  const std::vector<std::string>& all = call.repository.clusters();
  const std::size_t from = std::min(all.size(), number_of(call.parameter("from")));
  const std::size_t count = std::min({all.size() - from, kMostStates, number_of(call.parameter("count"))});
  const std::vector<std::string> chosen(all.begin() + static_cast<std::ptrdiff_t>(from),
                                        all.begin() + static_cast<std::ptrdiff_t>(from + count));
  return portal::json_response(
      {{"generation", call.repository.generation()}, {"states", call.states.of(chosen, call.repository)}});
}

portal::Response cluster(const Call& call) {
  portal::Response problem;
  OpenCluster* opened = cluster_of(call, problem);
  if (opened == nullptr) return problem;
  const CompiledCluster& compiled = *opened->compiled;
  const std::string values = call.parameter("values");
  Json document = {{"version", 1},
                   {"generation", call.repository.generation()},
                   {"name", compiled.name},
                   {"values", values},
                   {"clean", compiled.clean()},
                   {"drafts", draft_paths(call.repository)},
                   {"inputs", input_paths(compiled)}};
  if (compiled.set != nullptr) document["set"] = compiled.set->id + " " + compiled.set->version;
  const auto linted = call.repository.lint(std::span(&values, 1)).front();
  document["findings"] = Json::array();
  if (linted != nullptr) {
    report::Findings findings;
    findings.add(linted->findings->diagnostics(), linted->findings->sources(), linted->findings->redactor(), "");
    for (const report::Finding& finding : findings.all()) document["findings"].push_back(report::finding_json(finding));
  }
  Compared compared;
  if (compiled.clean()) add_comparison(call, values, document, compared);
  document["files"] = file_list(compiled, compared);
  document["diff"] = compared.diff;
  return portal::json_response(document);
}

portal::Response input_text(const Call& call) {
  portal::Response problem;
  OpenCluster* opened = cluster_of(call, problem);
  if (opened == nullptr) return problem;
  const std::string path = call.parameter("path");
  const InputText input = read_input(path, *opened->compiled, call.repository);
  if (!input.is_known) return refused(404, fmt::format("`{}` isn't a values file or layer of this cluster", path));
  return portal::json_response({{"path", path},
                                {"text", input.shown},
                                {"editable", input.is_editable()},
                                {"why", input.why_fixed},
                                {"draft", call.repository.drafts().contains(path)}});
}

}  // namespace capwright::preview
