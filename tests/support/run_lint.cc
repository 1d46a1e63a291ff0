// Manifests are linted as they stand; cases with values or templates are rendered in memory first.
#include "support/run_lint.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>

#include "admission/providers.h"
#include "lint/lint.h"
#include "lint/rules.h"
#include "pipeline/project.h"
#include "pipeline/schemas.h"
#include "report/finding.h"
#include "report/text.h"
#include "source/memory_fs.h"

namespace capwright::spec {
namespace {

using lint::Manifest;

constexpr const char* kTemplates = "templates";

bool is_rendered(const std::vector<Manifest>& files) {
  return std::any_of(files.begin(), files.end(), [](const Manifest& file) {
    return file.path.ends_with(".j2") || file.path == "values.yaml" || file.path.starts_with("values/");
  });
}

// One run of the linter over the files of a case.
class LintRun {
 public:
  LintRun(std::vector<Manifest> files, const lint::Selection& selection, bool server)
      : registry_(built_in_digests(), {}),
        context_{Limits(), &registry_, lint::catalogue_date(), {}},
        providers_(admission::built_in_rules()),
        linter_(selection, server ? lint::Server{&registry_, &providers_} : lint::Server{}) {
    if (is_rendered(files)) render(std::move(files));
    else groups_ = lint::group_manifests(std::move(files), context_);
    lint::Fleet fleet;
    for (const auto& cluster : groups_) {
      lint::lint_cluster(linter_, *cluster, lint::Blame::Value);
      findings_.add(cluster->sink().diagnostics(), cluster->sources(), nullptr, std::string(cluster->name()));
      fleet.clusters.push_back(cluster.get());
    }
    lint::lint_fleet(linter_, fleet, lint::Blame::Value, fleet_report_);
    findings_.add(fleet_report_.diagnostics(), fleet_report_.sources(), nullptr, "");
  }
  LintRun(const LintRun&) = delete;
  LintRun& operator=(const LintRun&) = delete;

  const report::Findings& findings() const { return findings_; }

 private:
  void render(std::vector<Manifest> files) {
    ProjectOptions options;
    std::vector<std::string> values;
    for (Manifest& file : files) {
      const bool is_template = file.path.ends_with(".j2");
      const bool beside = file.path.find('/') == std::string::npos;
      if (is_template) options.plain = PlainFolder{kTemplates, "main.j2", std::nullopt, {}};
      if (beside) file.path = (is_template || file.path == "schema.json" ? "templates/" : "values/") + file.path;
      if (file.path.starts_with("values/")) values.push_back(file.path);
      fs_.add(file.path, file.text);
    }
    if (options.plain && std::any_of(files.begin(), files.end(),
                                     [](const Manifest& file) { return file.path == "templates/schema.json"; }))
      options.plain->schema = "templates/schema.json";
    project_ = std::make_unique<Project>(fs_, Workspace(), Config(), std::move(options));
    for (const std::string& path : values) {
      compiled_.push_back(compile_cluster(path, *project_));
      groups_.push_back(std::make_unique<lint::Cluster>(*compiled_.back(), context_));
    }
    for (const TemplateSet* set : project_->sets_with_findings())
      findings_.add(set->sink.diagnostics(), set->sources, nullptr, "");
  }

  MemoryFs fs_;
  std::unique_ptr<Project> project_;
  std::vector<std::unique_ptr<CompiledCluster>> compiled_;
  crd::Registry registry_;
  lint::Context context_;
  admission::Providers providers_;
  lint::Linter linter_;
  std::vector<std::unique_ptr<lint::Cluster>> groups_;
  lint::FleetReport fleet_report_;
  report::Findings findings_;
};

// What a line is expected to have.
struct Expected {
  std::string file;
  std::size_t line;
  std::string severity, rule, words;
};

std::vector<Expected> annotations(const Manifest& file) {
  static const std::regex annotation(R"re((error|warning|note): \[([a-z0-9-]+)\](?: "([^"]*)")?)re");
  std::vector<Expected> all;
  std::istringstream text(file.text);
  std::string line;
  for (std::size_t number = 1; std::getline(text, line); ++number) {
    const std::size_t first = line.find_first_not_of(" \t");
    const bool alone = first != std::string::npos && (line[first] == '#' || line.compare(first, 2, "{#") == 0);
    for (std::sregex_iterator found(line.begin(), line.end(), annotation), end; found != end; ++found)
      all.push_back({file.path, number + (alone ? 1 : 0), (*found)[1], (*found)[2], (*found)[3]});
  }
  return all;
}

std::string shown(const report::Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  const LineCol at = finding.sources->line_col(diagnostic.where);
  return fmt::format("{}:{}: {}: [{}] {}", finding.sources->path(diagnostic.where.file), at.line,
                     report::severity_name(diagnostic.severity), diagnostic.info->name, diagnostic.message);
}

bool is_met(const Expected& expected, const report::Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  return diagnostic.where.known() && finding.sources->line_col(diagnostic.where).line == expected.line &&
         finding.sources->path(diagnostic.where.file).ends_with(expected.file) &&
         report::severity_name(diagnostic.severity) == expected.severity && diagnostic.info->name == expected.rule &&
         diagnostic.message.find(expected.words) != std::string::npos;
}

// The files of a case in a rule's page.
struct Page {
  std::string section;
  std::vector<Manifest> files;
};

std::vector<Page> pages_of(std::string_view docs) {
  static const std::regex named(R"(file=(\S+))");
  std::vector<Page> pages;
  std::istringstream text{std::string(docs)};
  std::string line, section, info;
  bool inside = false, joined = false;  // the last block had a name, and only empty lines followed
  while (std::getline(text, line)) {
    const bool fence = line.starts_with("```");
    if (inside && !fence) {
      pages.back().files.back().text += line + "\n";
    } else if (fence && !inside) {
      std::smatch name;
      const bool has_name = std::regex_search(line, name, named);
      if (!has_name || !joined) pages.push_back({section, {}});
      pages.back().files.push_back({has_name ? name[1].str() : "manifest.yaml", ""});
      joined = has_name;
      inside = true;
    } else if (fence) {
      inside = false;
    } else {
      if (line.starts_with("## ")) section = line.substr(3);
      joined = joined && line.empty();
    }
  }
  return pages;
}

class RulePages {
 public:
  // Its own findings alone; rules about comments need others to be about.
  explicit RulePages(const lint::Rule& rule) : rule_(rule) {
    const bool stands_alone =
        rule.check_object != nullptr || rule.check_cluster != nullptr || rule.check_fleet != nullptr;
    if (stands_alone) selection_.select = {std::string(rule.code)};
  }

  bool run() {
    std::size_t valid = 0, invalid = 0;
    for (const Page& page : pages_of(rule_.docs)) {
      valid += page.section == "Valid";
      invalid += page.section == "Invalid";
      if (page.section == "Valid" || page.section == "Invalid") check(page);
    }
    if (invalid == 0) fail("has no block below `## Invalid`");
    if (valid == 0) fail("has no block below `## Valid`");
    std::cout << fmt::format("{}: {} invalid and {} valid cases, {} faults\n", rule_.name, invalid, valid, faults_);
    return faults_ == 0;
  }

 private:
  void fail(const std::string& what) {
    ++faults_;
    std::cout << rule_.name << ": " << what << "\n";
  }

  void check(const Page& page) {
    std::vector<Expected> expected;
    for (const Manifest& file : page.files) {
      for (Expected& one : annotations(file)) expected.push_back(std::move(one));
    }
    if ((page.section == "Valid") != expected.empty())
      fail(page.section == "Valid" ? "a valid block expects findings"
                                   : "an invalid block expects none\n" + text_of(page));
    const LintRun run(page.files, selection_, false);
    std::set<const report::Finding*> met;
    for (const Expected& one : expected) {
      const report::Finding* finding = nullptr;
      for (const report::Finding& each : run.findings().all()) {
        if (finding == nullptr && !met.contains(&each) && is_met(one, each)) finding = &each;
      }
      if (finding != nullptr) met.insert(finding);
      else
        fail(fmt::format("{}:{} lacks {}: [{}] {}\n{}", one.file, one.line, one.severity, one.rule, one.words,
                         text_of(page)));
    }
    for (const report::Finding& finding : run.findings().all()) {
      if (!met.contains(&finding)) fail("not expected: " + shown(finding) + "\n" + text_of(page));
    }
  }

  static std::string text_of(const Page& page) {
    std::string text;
    for (const Manifest& file : page.files) text += "--- " + file.path + "\n" + file.text;
    return text;
  }

  const lint::Rule& rule_;
  lint::Selection selection_;
  std::size_t faults_ = 0;
};

// The words behind `key:` in the options of a case.
std::vector<std::string> option(const Case& test, std::string_view key) {
  std::vector<std::string> words;
  const Block* options = test.find("options");
  std::istringstream lines(options == nullptr ? "" : options->text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream text(line);
    std::string word;
    text >> word;
    if (word != std::string(key) + ":") continue;
    while (text >> word) words.push_back(word);
  }
  return words;
}

}  // namespace

bool run_rule_pages(std::string_view name) {
  bool all_well = true, found = false;
  for (const lint::Rule* rule : lint::all_rules()) {
    if (name != "all" && name != rule->name) continue;
    found = true;
    all_well = RulePages(*rule).run() && all_well;
  }
  if (!found) std::cout << "there is no rule `" << name << "` in rules.def\n";
  return found && all_well;
}

bool is_lint_case(const Case& test) {
  return test.find("findings") != nullptr || test.find("rendered-findings") != nullptr;
}

std::vector<Mismatch> run_lint_case(const Case& test) {
  std::vector<Manifest> files;
  for (const Block* file : test.files()) files.push_back({file->info, file->text});
  lint::Selection selection;
  selection.select = option(test, "select");
  selection.ignore = option(test, "ignore");
  const std::vector<std::string> server = option(test, "server");
  const LintRun run(std::move(files), selection, !server.empty() && server[0] == "true");
  std::vector<Mismatch> mismatches;
  for (const Block& block : test.blocks) {
    if (block.info != "findings" && block.info != "rendered-findings") continue;
    const std::string actual =
        block.info == "findings" ? report::as_concise(run.findings().all()) : report::as_text(run.findings().all(), {});
    if (actual != block.text) mismatches.push_back({&block, actual, "`" + block.info + "` differs"});
  }
  return mismatches;
}

}  // namespace capwright::spec
