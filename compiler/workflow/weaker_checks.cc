// Compares contents, not lines, so that it needs no program and another order isn't a change.
#include "workflow/weaker_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "diag/catalog/repository.h"
#include "lint/engine/suppressions.h"
#include "lint/own/read_rules.h"
#include "pipeline/read_source.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::workflow {
namespace {

constexpr std::size_t kMostNamed = 3;

// The items of lists and the values of maps, each with its keys: `CAP309`, `CAP401: note`.
using Parts = std::map<std::string, Span>;

void add_parts(const std::string& key, const Value& value, const Stage& stage, Parts& parts) {
  const std::string before = key.empty() ? "" : key + ": ";
  if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries())
      add_parts(before + std::string(entry.key.text()), entry.value, stage, parts);
  } else if (value.is(Kind::List)) {
    for (const Value& item : value.items()) add_parts(key, item, stage, parts);
  } else {
    const std::string text = value.is(Kind::String) ? std::string(value.text()) : canonical_json(value);
    parts.emplace(before + text, stage.span_of(value));
  }
}

std::map<std::string, Parts> parts_by_key(FileId file, Stage& stage) {
  std::map<std::string, Parts> keys;
  if (file == FileId::None) return keys;
  const Value document = read_yaml(file, stage);
  const Value* section = document.is(Kind::Map) ? document.find("lint") : nullptr;
  if (section == nullptr || !section->is(Kind::Map)) return keys;
  for (const Entry& entry : section->entries()) add_parts("", entry.value, stage, keys[std::string(entry.key.text())]);
  return keys;
}

std::vector<std::string> beyond(const Parts& these, const Parts& others) {
  std::vector<std::string> names;
  for (const auto& [name, where] : these) {
    if (!others.contains(name)) names.push_back(name);
  }
  return names;
}

// "adds `CAP309`", or nothing.
std::string listed(std::string_view verb, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text(verb);
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    text += fmt::format("{} `{}`", i == 0 ? "" : ",", names[i]);
  return names.size() > kMostNamed ? fmt::format("{} and {} more", text, names.size() - kMostNamed) : text;
}

Diagnostic& report_edit(Sink& sink, Span where, std::string what) {
  return sink.report(diag::checks_edited, where, std::move(what)).note("this report lacks the findings that it hides");
}

using RuleTexts = std::map<std::string, std::string>;

RuleTexts rules_of(FileSystem& fs, const Workspace& workspace, const LintConfig& config, const Limits& limits,
                   bool anywhere) {
  OwnStage own(limits);
  RuleTexts texts;
  for (const std::string& path : lint::own::find_rule_files(fs, workspace, config, own.stage, anywhere)) {
    std::string text;
    if (!fs.read(workspace.io_path(path), text, limits.input_bytes)) texts.emplace(path, std::move(text));
  }
  return texts;
}

// What a comment suppresses, and until when.
std::string meaning_of(const lint::Suppression& comment) {
  std::vector<std::string> selectors = comment.selectors;
  std::sort(selectors.begin(), selectors.end());
  return fmt::format("`{}`{}", fmt::join(selectors, "`, `"), comment.has_until ? " until " + comment.until : "");
}

}  // namespace

void WeakerChecks::report(const lint::Baseline* baseline, const std::set<std::string, std::less<>>& files) {
  FileStat stat;
  const std::string name(kConfigName);
  if (!base_.stat(at_.io_path(name), stat)) config_ = read_config(base_, at_, name, "", earlier_.stage);
  if (earlier_.sink.failed()) return;  // opening the base reports it
  compare_settings();
  compare_rules();
  if (baseline != nullptr) compare_baselines(*baseline);
  for (const std::string& path : files) compare_comments(path);
  apply_severity();
}

// As the base has it: a change can't weaken this one, too.
void WeakerChecks::apply_severity() {
  for (const auto& [selector, severity] : config_.lint.severities) {
    if (selector != diag::checks_edited.info.code) continue;
    for (Diagnostic& each : sink_.diagnostics()) each.severity = severity;
  }
}

void WeakerChecks::compare_settings() {
  Sink unseen;
  Stage stage{open_.sources, unseen, open_.arena, open_.origins, open_.limits};
  auto now = parts_by_key(open_.project->config().file, stage);
  auto before = parts_by_key(config_.file, earlier_.stage);
  for (const auto& [key, parts] : before) now.try_emplace(key);
  for (const auto& [key, parts] : now) {
    const std::vector<std::string> added = beyond(parts, before[key]), removed = beyond(before[key], parts);
    if (added.empty() && removed.empty()) continue;
    Span where;
    if (!added.empty()) where = parts.at(added.front());
    else if (!parts.empty()) where = parts.begin()->second;
    report_edit(sink_, where,
                fmt::format("`lint.{}` of `{}` {}{}{}", key, kConfigName, listed("adds", added),
                            added.empty() || removed.empty() ? "" : ", ", listed("removes", removed)));
  }
}

void WeakerChecks::compare_rules() {
  const bool anywhere = !open_.bounds;
  const RuleTexts now =
      rules_of(open_.fs, open_.project->workspace(), open_.project->config().lint, open_.limits, anywhere);
  for (const auto& [path, text] : rules_of(base_, at_, config_.lint, open_.limits, anywhere)) {
    const auto same = now.find(path);
    if (same == now.end()) report_edit(sink_, Span(), fmt::format("the rules in `{}` aren't used any more", path));
    else if (same->second != text) report_edit(sink_, Span(), fmt::format("the rules in `{}`", path));
  }
}

void WeakerChecks::compare_baselines(const lint::Baseline& baseline) {
  std::optional<lint::Baseline> earlier = lint::Baseline();
  if (!config_.lint.baseline.empty()) {
    const auto file = read_optional_source(base_, at_, config_.lint.baseline, Span(), earlier_.stage);
    if (file) earlier = lint::Baseline::read(*file, earlier_.stage);
  }
  if (!earlier) return;
  const std::vector<lint::BaselineKey> added = baseline.beyond(*earlier);
  if (added.empty()) return;
  report_edit(sink_, Span(),
              fmt::format("`{}` leaves out {} more finding{}, the first is {}", open_.project->config().lint.baseline,
                          added.size(), added.size() == 1 ? "" : "s", lint::describe(added.front())));
}

void WeakerChecks::compare_comments(const std::string& path) {
  std::string text, before;
  if (open_.fs.read(open_.project->workspace().io_path(path), text, open_.limits.input_bytes)) return;
  if (lint::read_suppressions(FileId::None, text).empty()) return;
  std::map<std::string, std::size_t> known;
  if (!base_.read(at_.io_path(path), before, open_.limits.input_bytes)) {
    for (const lint::Suppression& comment : lint::read_suppressions(FileId::None, before)) ++known[meaning_of(comment)];
  }
  const FileId file = open_.sources.add(path, std::move(text));
  for (const lint::Suppression& comment : lint::read_suppressions(file, open_.sources.text(file))) {
    if (comment.is_malformed) continue;
    const std::string meaning = meaning_of(comment);
    if (known[meaning] != 0) --known[meaning];
    else report_edit(sink_, comment.where, "a comment suppresses " + meaning);
  }
}

}  // namespace capwright::workflow
