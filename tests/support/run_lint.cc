// Lints manifests directly; renders cases with values or templates in memory first.
#include "support/run_lint.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>

#include "admission/providers.h"
#include "lint/engine/lint.h"
#include "lint/engine/rules.h"
#include "lint/facts/argocd_folder.h"
#include "lint/facts/credential_places.h"
#include "lint/fixes/fixes.h"
#include "lint/model/repository_clusters.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/project.h"
#include "pipeline/schemas.h"
#include "report/finding.h"
#include "report/text.h"
#include "source/memory_fs.h"

namespace capwright::spec {
namespace {

using lint::Manifest;

constexpr const char* kTemplates = "templates";
const std::string kTemplateFolder = "templates/", kValuesFolder = "values/";

bool is_rendered(const std::vector<Manifest>& files) {
  return std::any_of(files.begin(), files.end(), [](const Manifest& file) {
    return file.path.ends_with(".j2") || file.path == "values.yaml" || file.path.starts_with("values/");
  });
}

// Whether there are two sides: `before/…` and `after/…`.
bool is_change(const std::vector<Manifest>& files) {
  return std::any_of(files.begin(), files.end(), [](const Manifest& file) { return file.path.starts_with("before/"); });
}

bool is_in_argocd_folder(const Manifest& file) { return file.path.starts_with("argocd/"); }

// One run of the linter over the files of a case.
class LintRun {
 public:
  LintRun(std::vector<Manifest> files, const lint::Selection& selection, bool server)
      : registry_(built_in_digests(), {}),
        context_{Limits(), &registry_, lint::catalogue_date(), {}},
        providers_(admission::built_in_rules()),
        linter_(selection, server ? lint::Server{&registry_, &providers_} : lint::Server{}) {
    if (is_change(files)) {
      check_change(std::move(files), selection);
      return;
    }
    const bool has_folder = std::any_of(files.begin(), files.end(), is_in_argocd_folder);
    if (is_rendered(files)) render(std::move(files));
    else read(std::move(files), has_folder);
    std::vector<lint::Cluster*> fleet;
    for (const auto& cluster : clusters_) fleet.push_back(cluster.get());
    lint::lint_fleet(linter_, fleet, lint::Blame::Value, fleet_findings_);
    for (const auto& cluster : clusters_)
      findings_.add(cluster->sink().diagnostics(), cluster->sources(), lint::redactor_of(*cluster),
                    std::string(cluster->name()));
    findings_.add(fleet_findings_.diagnostics(), fleet_findings_.sources(), fleet_findings_.redactor(), "");
  }
  LintRun(const LintRun&) = delete;
  LintRun& operator=(const LintRun&) = delete;

  const report::Findings& findings() const { return findings_; }
  // All fixes that the findings offer, by the paths of the given files.
  const lint::Fixes& fixes() const { return fixes_; }

 private:
  // `has_folder`: the repository has the folder `argocd/`, whose objects rules also see from clusters. Its
  // configuration may be a file of the case.
  void read(std::vector<Manifest> files, bool has_folder) {
    for (const Manifest& file : files) fs_.add(file.path, file.text);
    const bool is_configured = std::erase_if(files, [](const Manifest& file) { return file.path == kConfigName; }) != 0;
    if (has_folder || is_configured) {
      OwnStage own;
      Config config = is_configured ? read_config(fs_, Workspace(), std::string(kConfigName), "", own.stage) : Config();
      project_ = std::make_unique<Project>(fs_, Workspace(), std::move(config), ProjectOptions());
      context_.argocd = &argocd_.emplace(*project_);
      if (is_configured) context_.clusters = &repository_.emplace(*project_, "", lint::IsIgnored());
    }
    manifests_ = lint::group_manifests(std::move(files));
    for (const lint::ManifestGroup& group : manifests_) clusters_.push_back(lint::read_group(group, context_));
  }

  void render(std::vector<Manifest> files) {
    ProjectOptions options;
    std::vector<std::string> values;
    for (Manifest& file : files) {
      const bool is_template = file.path.ends_with(".j2");
      const bool beside = file.path.find('/') == std::string::npos;
      if (is_template) options.plain = PlainFolder{kTemplates, "main.j2", std::nullopt, {}};
      if (beside) file.path = (is_template || file.path == "schema.json" ? kTemplateFolder : kValuesFolder) + file.path;
      if (file.path.starts_with("values/")) values.push_back(file.path);
      fs_.add(file.path, file.text);
    }
    if (options.plain && std::any_of(files.begin(), files.end(),
                                     [](const Manifest& file) { return file.path == "templates/schema.json"; }))
      options.plain->schema = "templates/schema.json";
    project_ = std::make_unique<Project>(fs_, Workspace(), Config(), std::move(options));
    for (const std::string& path : values) {
      compiled_.push_back(compile_cluster(path, *project_));
      clusters_.push_back(std::make_unique<lint::Cluster>(*compiled_.back(), context_));
    }
    for (const TemplateSet* set : project_->sets_with_findings())
      findings_.add(set->sink.diagnostics(), set->sources, {}, "");
  }

  void check_change(std::vector<Manifest> files, const lint::Selection& selection) {
    for (const char* side : {"before/", "after/"}) {
      clusters_.push_back(std::make_unique<lint::Cluster>("", context_));
      for (Manifest& file : files) {
        if (file.path.starts_with(side)) clusters_.back()->add_manifest(file.path, std::move(file.text));
      }
    }
    lint::lint_change({clusters_[0].get(), clusters_[1].get(), &providers_}, selection, lint::Blame::Value,
                      fleet_findings_);
    findings_.add(fleet_findings_.diagnostics(), fleet_findings_.sources(), fleet_findings_.redactor(), "");
  }

  MemoryFs fs_;
  std::unique_ptr<Project> project_;
  std::optional<lint::ArgoCdFolder> argocd_;
  std::optional<lint::RepositoryClusters> repository_;
  std::vector<std::unique_ptr<CompiledCluster>> compiled_;
  crd::Registry registry_;
  lint::Context context_;
  admission::Providers providers_;
  lint::Linter linter_;
  std::vector<lint::ManifestGroup> manifests_;
  std::vector<std::unique_ptr<lint::Cluster>> clusters_;
  lint::KeptFindings fleet_findings_;
  lint::Fixes fixes_;
  report::Findings findings_{[this](const Diagnostic& diagnostic, const SourceSet& sources, std::string_view) {
    fixes_.add(diagnostic, sources);
    return true;
  }};
};

// Applies fixes to files until nothing changes, like --unsafe-fixes.
class FixedFiles {
 public:
  FixedFiles(std::vector<Manifest> files, const lint::Selection& selection, bool server)
      : files_(std::move(files)), selection_(selection), server_(server) {}

  // False if there is something left to fix at the end.
  bool fix() {
    lint::FixHistory history;
    for (;;) {
      const LintRun look(current(history), selection_, server_);
      const auto may_edit = [](const std::string&, std::string_view) { return true; };
      if (history.advance(look.fixes(), look.fixes().carry_out(Safety::Unsafe, may_edit))) continue;
      files_ = current(history);
      return look.fixes().count(Safety::Unsafe, may_edit) + look.fixes().count(Safety::Safe, may_edit) == 0;
    }
  }
  const std::vector<Manifest>& files() const { return files_; }

 private:
  std::vector<Manifest> current(const lint::FixHistory& history) const {
    std::vector<Manifest> files = files_;
    for (Manifest& file : files) {
      for (const std::string& folder : {std::string(), kTemplateFolder, kValuesFolder}) {
        const auto edited = history.edits().find(folder + file.path);
        if (edited != history.edits().end()) file.text = edited->second;
      }
    }
    return files;
  }

  std::vector<Manifest> files_;
  const lint::Selection& selection_;
  bool server_;
};

bool same_texts(const std::vector<Manifest>& a, const std::vector<Manifest>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Manifest& x, const Manifest& y) { return x.path == y.path && x.text == y.text; });
}

// The findings that a line must have.
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

// The files of one case in a rule's page.
struct Page {
  std::string section;
  std::vector<Manifest> files;
};

std::vector<Page> pages_of(std::string_view docs) {
  static const std::regex named(R"(file=(\S+))");
  std::vector<Page> pages;
  std::istringstream text{std::string(docs)};
  std::string line, section, info;
  bool inside = false, joined = false;  // the last block had a name and was followed only by empty lines
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

class RuleCases {
 public:
  // `more` is the text of the rule's file of cases. Only the rule's own findings count, except for rules about
  // suppressions, which need another rule's finding to suppress.
  RuleCases(const lint::Rule& rule, std::string_view more) : rule_(rule), cases_(pages_of(rule.docs)) {
    for (Page& page : pages_of(more)) cases_.push_back(std::move(page));
    const bool has_check = rule.check_object != nullptr || rule.check_cluster != nullptr ||
                           rule.check_shared != nullptr || rule.check_set != nullptr || rule.check_fleet != nullptr;
    const bool is_of_changes = (std::string(rule.docs) + std::string(more)).find("file=before/") != std::string::npos;
    if (has_check || is_of_changes) selection_.select = {std::string(rule.code)};
  }

  bool run() {
    check_headings();
    std::size_t valid = 0, invalid = 0;
    const Page* broken = nullptr;  // the first of a pair in `## Fix`
    for (const Page& page : cases_) {
      const bool is_valid = page.section == kValid || page.section == kUseInstead;
      const bool is_invalid = page.section == kInvalid || page.section == kExample;
      valid += is_valid;
      invalid += is_invalid;
      if (is_valid || is_invalid) check(page, is_valid);
      if (is_invalid) check_fixes(page);
      if (page.section != kFix) continue;
      if (broken != nullptr) check_pair(*broken, page);
      broken = broken == nullptr ? &page : nullptr;
    }
    const bool shows_fixes = std::any_of(cases_.begin(), cases_.end(), [](const Page& p) { return p.section == kFix; });
    if (broken != nullptr) fail("the last block of `## Fix` has no result");
    if (shows_fixes != (rule_.fixes != Safety::DisplayOnly))
      fail("cases in `## Fix` are for rules with fixes, and only for these");
    if ((rule_.check_fleet != nullptr) != (rule_.fleet_keys != nullptr))
      fail("a rule has `check_fleet` if and only if it has `fleet_keys`");
    std::cout << fmt::format("{}: {} invalid and {} valid cases, {} errors\n", rule_.name, invalid, valid, errors_);
    return errors_ == 0;
  }

 private:
  static constexpr std::string_view kExample = "Example", kUseInstead = "Use instead", kFix = "Fix";  // of pages
  static constexpr std::string_view kInvalid = "Invalid", kValid = "Valid";  // of files of cases

  void check_headings() {
    std::string headings, expected = "What it does, Why is this bad?, Example, Use instead";
    std::istringstream page{std::string(rule_.docs)};
    std::size_t lines = 0;
    for (std::string line; std::getline(page, line); ++lines) {
      if (line.starts_with("## ")) headings += (headings.empty() ? "" : ", ") + line.substr(3);
    }
    if (headings.ends_with(", Options") || headings.ends_with(", Options, Fix")) expected += ", Options";
    if (rule_.fixes != Safety::DisplayOnly) expected += ", Fix";
    if (headings != expected) fail(fmt::format("the page has the headings {}; expected {}", headings, expected));
    if (lines > kPageLines)
      fail(fmt::format("the page has {} lines, at most {} are allowed: move cases to tests/spec/lint/rules", lines,
                       kPageLines));
  }

  void fail(const std::string& what) {
    ++errors_;
    std::cout << rule_.name << ": " << what << "\n";
  }

  void check(const Page& page, bool is_valid) {
    std::vector<Expected> expected;
    for (const Manifest& file : page.files) {
      for (Expected& one : annotations(file)) expected.push_back(std::move(one));
    }
    if (is_valid != expected.empty())
      fail((is_valid ? "a valid block expects findings\n" : "an invalid block expects none\n") + text_of(page));
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

  // A fix is final: fixing twice changes nothing, and no fix is offered again.
  void check_fixes(const Page& page) {
    FixedFiles once(page.files, selection_, false);
    if (!once.fix()) fail("is offered again when it is fixed:\n" + text_of(once.files()));
    FixedFiles twice(once.files(), selection_, false);
    twice.fix();
    if (!same_texts(once.files(), twice.files())) fail("changes what is fixed:\n" + text_of(twice.files()));
    if (rule_.fixes == Safety::DisplayOnly && !same_texts(once.files(), page.files))
      fail("fixes something, and doesn't say so:\n" + text_of(once.files()));
  }

  // Files that aren't in the second block stay as in the first.
  void check_pair(const Page& broken, const Page& wanted) {
    FixedFiles fixed(broken.files, selection_, false);
    fixed.fix();
    std::vector<Manifest> expected = broken.files;
    for (Manifest& file : expected) {
      for (const Manifest& other : wanted.files) {
        if (other.path == file.path) file.text = other.text;
      }
    }
    if (!same_texts(fixed.files(), expected)) fail("is fixed in another way:\n" + text_of(fixed.files()));
    if (same_texts(broken.files, expected)) fail("shows a fix that changes nothing");
    const LintRun run(expected, selection_, false);
    for (const report::Finding& finding : run.findings().all()) fail("not fixed: " + shown(finding));
  }

  static std::string text_of(const Page& page) { return text_of(page.files); }
  static std::string text_of(const std::vector<Manifest>& files) {
    std::string text;
    for (const Manifest& file : files) text += "--- " + file.path + "\n" + file.text;
    return text;
  }

  // One or two examples fit; other cases go to the rule's file.
  static constexpr std::size_t kPageLines = 100;

  const lint::Rule& rule_;
  std::vector<Page> cases_;
  lint::Selection selection_;
  std::size_t errors_ = 0;
};

// The words after `key:` in the options of a case.
std::vector<std::string> option_words(const Case& test, std::string_view key) {
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

bool run_rule_cases(const std::string& folder, std::string_view name) {
  const lint::Rule* rule = lint::find_rule(name);
  if (rule == nullptr) {
    std::cout << "unknown rule `" << name << "`: rules.def doesn't list it\n";
    return false;
  }
  std::ifstream file(fmt::format("{}/{}.md", folder, name), std::ios::binary);
  const std::string more((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return RuleCases(*rule, more).run();
}

bool is_lint_case(const Case& test) {
  return test.find("findings") != nullptr || test.find("rendered-findings") != nullptr;
}

std::vector<Mismatch> run_lint_case(const Case& test) {
  std::vector<Manifest> files;
  for (const Block* file : test.files()) files.push_back({file->info, file->text});
  lint::Selection selection;
  selection.select = option_words(test, "select");
  selection.ignore = option_words(test, "ignore");
  const std::vector<std::string> server = option_words(test, "server");
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
