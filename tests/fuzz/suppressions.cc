// Comments that take findings back, in values, a template and a manifest, separated by lines `=====`: they take back
// findings of rules and nothing else. Compared with the same texts whose comments say nothing.
#include "lint/engine/suppressions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "fuzz/trial.h"
#include "lint/engine/lint.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/project.h"
#include "source/memory_fs.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

using Findings = std::multiset<std::pair<std::string, Span>>;  // codes and places

void check_comments(std::string_view text, Trial& trial) {
  const FileId file = trial.sources.add("manifest.yaml", std::string(text));
  std::uint32_t last_line = 0, next = 0;
  for (const lint::Suppression& each : lint::read_suppressions(file, text)) {
    expect(each.where.begin >= next && each.where.begin < each.where.end && each.where.end <= text.size(),
           "comments are in order");
    const LineCol at = trial.sources.line_col(each.where);
    expect(at.line >= last_line && each.line >= at.line, "a comment is for its line or a later one");
    expect(trial.sources.text(each.where).find('\n') == std::string_view::npos, "a comment stands on a line");
    last_line = at.line;
    next = each.where.begin + 1;
  }
}

// The same text, of the same length, with comments that are none.
std::string without_comments(std::string_view text) {
  constexpr std::string_view kMark = "capwright: ignore=", kOther = "capwright: nothing=";
  std::string other(text);
  for (std::size_t at = 0; (at = other.find(kMark, at)) != std::string::npos;)
    other.replace(at, kMark.size(), kOther.substr(0, kMark.size()));
  return other;
}

bool is_of_rules(const Diagnostic& each) {
  return each.info->code.starts_with("CAP") || each.info->code.starts_with("K4") || each.severity != Severity::Error;
}

// Lints what is there; `others` gets the findings that no comment may take back.
void lint_all(const std::vector<std::string>& texts, Findings& rules, Findings& others, Trial& trial) {
  const lint::Selection selection;
  const lint::Linter linter(selection, {});
  const lint::Context context{trial.limits, nullptr, "2026-08-22", {}, true};
  const auto take = [&](const std::vector<Diagnostic>& diagnostics, const SourceSet& sources) {
    check_findings(diagnostics, sources, trial);
    for (const Diagnostic& each : diagnostics)
      (is_of_rules(each) ? rules : others).emplace(each.info->code, each.where);
  };
  MemoryFs fs;
  fs.add("values/a.yaml", texts[0]);
  fs.add("templates/main.j2", texts.size() > 1 ? texts[1] : "");
  ProjectOptions options;
  options.limits = trial.limits;
  options.plain = PlainFolder{"templates", "main.j2", std::nullopt, {}};
  Project project(fs, Workspace(), Config(), std::move(options));
  const auto compiled = compile_cluster("values/a.yaml", project);
  lint::Cluster rendered(*compiled, context);
  lint::Cluster manifests("b", context);
  manifests.add_manifest("manifest.yaml", texts.back());
  lint::Cluster* const clusters[] = {&rendered, &manifests};
  lint::KeptFindings findings;
  lint::lint_fleet(linter, clusters, lint::Blame::Value, findings);
  for (lint::Cluster* cluster : clusters) take(cluster->sink().diagnostics(), cluster->sources());
  check_findings(findings.diagnostics(), findings.sources(), trial);
}

void run(std::string_view input, Trial& trial) {
  std::vector<std::string> texts, bare;
  for (const std::string_view part : parts_of(input)) {
    if (texts.size() == 3) break;
    check_comments(part, trial);
    texts.emplace_back(part);
    bare.push_back(without_comments(part));
  }
  Findings left, all, others, all_others;
  lint_all(texts, left, others, trial);
  lint_all(bare, all, all_others, trial);
  expect(others == all_others, "errors that no rule reports stay");
  expect(std::includes(all.begin(), all.end(), left.begin(), left.end()), "a comment adds no finding of its cluster");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
