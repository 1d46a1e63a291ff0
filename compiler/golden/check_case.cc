// Checks a case to the end, so that one run reports all its differences.
#include "golden/check_case.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "diag/suggest.h"
#include "diff/fleet.h"
#include "files/text_diff.h"
#include "golden/bench.h"
#include "golden/kept_tree.h"
#include "report/diff_report.h"
#include "report/text.h"

namespace capwright::golden {
namespace {

std::string listed(const std::set<std::string>& names) { return fmt::format("`{}`", fmt::join(names, "`, `")); }

class Check {
 public:
  Check(const Case& golden, Repository& repository)
      : golden_(golden),
        repository_(repository),
        bench_(golden, repository),
        outcome_{golden.set, golden.name, {}, {}, {}} {}

  Outcome run() {
    if (golden_.values.empty()) {
      add("there is no `values.yaml`" + std::string(golden_.has_tree ? ", so nothing renders the files of `clusters/`"
                                                                     : ", so this folder isn't a case"));
      return std::move(outcome_);
    }
    if (!bench_.open()) {
      add("can't be opened", text_of(bench_.findings(nullptr)));
      return std::move(outcome_);
    }
    std::unique_ptr<CompiledCluster> compiled = bench_.compile();
    if (const LayerRule* layer = bench_.undecided_layer(*compiled)) {
      add_undecided(*layer, compiled->name);
      return std::move(outcome_);
    }
    const bool clean = compiled->clean();
    if (clean && is_negative()) bench_.lint(*compiled);
    judge_findings(*compiled, clean);
    if (clean) judge_render(std::move(compiled));
    else if (golden_.has_tree) add("`clusters/` has expected files, but nothing can be rendered");
    return std::move(outcome_);
  }

 private:
  bool is_negative() const { return !bench_.expectation().codes.empty(); }

  void add(std::string what, std::string details = {}, bool grouped = false) {
    outcome_.faults.push_back({std::move(what), std::move(details), grouped, {}});
  }
  void add_with_help(std::string what, std::string details, std::string help) {
    outcome_.faults.push_back({std::move(what), std::move(details), false, std::move(help)});
  }

  std::string expect_path() const { return fmt::format("`{}`", bench_.path_of(kExpectName)); }

  static std::string text_of(const report::Findings& findings) { return report::as_text(findings.all(), {}); }

  void add_undecided(const LayerRule& layer, std::string_view name) {
    add(fmt::format("doesn't say whether the layer `{}` applies to it", layer.file),
        fmt::format("note: the layer has `when: {{path: {}}}`, and no values file has the name `{}`\n"
                    "help: write the values file that the case represents into {}: `path: values/{}.yaml`\n",
                    layer.path_glob, name, bench_.path_of(kExpectName), name));
  }

  void judge_findings(const CompiledCluster& compiled, bool clean) {
    const auto& codes = bench_.expectation().codes;
    std::set<std::string> found;
    const report::Findings unexpected =
        bench_.findings(&compiled, [&](const Diagnostic& diagnostic, const SourceSet&, std::string_view) {
          found.emplace(diagnostic.info->code);
          const bool expected = std::find(codes.begin(), codes.end(), diagnostic.info->code) != codes.end();
          return diagnostic.severity == Severity::Error && !expected;
        });
    for (const std::string& code : codes) {
      if (found.contains(code)) continue;
      const std::string others =
          found.empty() ? "there are no findings" : fmt::format("found: {}", fmt::join(found, ", "));
      add_with_help(fmt::format("{} is expected but not found; {}", code, others), {},
                    fmt::format("correct `expect` in {}, or the values", expect_path()));
    }
    if (unexpected.all().empty()) return;
    if (clean || is_negative())
      add_with_help("has other errors than the expected ones", text_of(unexpected),
                    fmt::format("correct the errors, or add their codes to `expect` in {}", expect_path()));
    else add_with_help("can't be rendered", text_of(unexpected), "correct the values of the case, or the templates");
  }

  void judge_render(std::unique_ptr<CompiledCluster> compiled) {
    if (const std::string& set = compiled->set->id; !compiled->set->plain && set != golden_.set)
      add_with_help(fmt::format("is rendered by the template set `{}` but is below `{}`", set, golden_.set), {},
                    fmt::format("move its folder to `{}/{}`", kFolder, set));
    if (compiled->files.files().empty()) add("renders no file");
    for (const Comparison& comparison : bench_.expectation().comparisons) judge_rolls(comparison);
    if (golden_.has_tree || !is_negative()) judge_tree(std::move(compiled));
  }

  void judge_tree(std::unique_ptr<CompiledCluster> compiled) {
    Sink unread;
    Texts kept;
    if (golden_.has_tree || !compiled->set->outputs.empty())
      kept = read_kept(repository_.fs, golden_, {compiled->name, &compiled->set->outputs}, bench_.limits(), unread);
    if (unread.failed()) {
      report::Findings findings;
      const SourceSet none;
      findings.add(unread.diagnostics(), none, {}, "");
      return add("`clusters/` can't be read", text_of(findings));
    }
    const Texts rendered = texts_to_keep(compiled->files);
    if (kept.empty()) {
      for (const auto& [path, text] : rendered) outcome_.edits.push_back({path, text});
      return add(fmt::format("has no expected files: {} file{} rendered, but the case has none", rendered.size(),
                             rendered.size() == 1 ? " is" : "s are"));
    }
    std::set<std::string> paths;
    for (const Texts* side : {&std::as_const(kept), &rendered}) {
      for (const auto& [path, text] : *side) paths.insert(path);
    }
    for (const std::string& path : paths) judge_file(path, kept, rendered);
    if (outcome_.edits.empty()) return;
    const bool has_secrets = std::any_of(compiled->files.files().begin(), compiled->files.files().end(),
                                         [](const RenderedFile& file) { return file.secret; });
    record(std::move(compiled), kept, rendered, has_secrets);
  }

  void judge_file(const std::string& path, Texts& kept, const Texts& rendered) {
    const auto before = kept.find(path);
    const auto after = rendered.find(path);
    if (before == kept.end()) {
      add(path + " is rendered but not expected", "", true);
      return outcome_.edits.push_back({path, after->second});
    }
    if (after == rendered.end()) {
      add(path + " is expected but not rendered", "", true);
      return outcome_.edits.push_back({path, std::nullopt});
    }
    if (before->second == after->second) return;
    if (is_same_but_encrypted(path, before->second, after->second, bench_.limits())) {
      before->second = after->second;
      return;
    }
    add(path + " differs", unified_diff({"kept", before->second}, {"rendered", after->second}), true);
    outcome_.edits.push_back({path, after->second});
  }

  // Records the differences object by object. Files with different bytes but equal objects are reported with their
  // lines.
  void record(std::unique_ptr<CompiledCluster> compiled, const Texts& kept, const Texts& rendered, bool has_secrets) {
    const std::string name = compiled->name;
    const auto side_of = [&](const Texts& texts) {
      auto side = std::make_unique<diff::Side>(name, bench_.limits());
      for (const auto& [path, text] : texts) side->add_file(path_in_cluster(name, path), text);
      return side;
    };
    const auto before = side_of(kept);
    const auto after =
        has_secrets ? side_of(rendered) : std::make_unique<diff::Side>(std::move(compiled), bench_.limits());
    std::string why;
    const diff::CompareOptions options{bench_.registry(), {*diff::PathPattern::read("sops", why)}};
    const diff::ClusterDiff diff = diff::compare(before.get(), after.get(), options);
    outcome_.record = diff::record_of(diff, before.get(), after.get());
    outcome_.record->called = golden_.title();
    if (outcome_.record->differs) return;
    for (Fault& fault : outcome_.faults) fault.grouped = false;
  }

  void judge_rolls(const Comparison& comparison) {
    const Case* other = find_case(repository_.cases, golden_.set, comparison.against);
    if (other == nullptr || other->values.empty()) {
      std::vector<std::string> titles;
      for (const Case& each : repository_.cases) titles.push_back(each.set == golden_.set ? each.name : each.title());
      const std::string suggestion =
          did_you_mean(comparison.against, std::vector<std::string_view>(titles.begin(), titles.end()));
      return add(fmt::format("there is no case `{}` to compare with{}{}", comparison.against,
                             suggestion.empty() ? "" : "; ", suggestion));
    }
    Bench bench(*other, repository_);
    if (!bench.open()) return add(fmt::format("can't be compared: `{}` can't be opened", comparison.against));
    std::unique_ptr<CompiledCluster> before = bench.compile(), after = bench_.compile();
    if (!before->clean()) return add(fmt::format("can't be compared: `{}` can't be rendered", comparison.against));
    if (before->name != after->name) {
      return add(fmt::format("can't be compared: the cluster is `{}`, but that of `{}` is `{}`", after->name,
                             comparison.against, before->name));
    }
    judge_rolls(comparison, diff::Side(std::move(before)), diff::Side(std::move(after)));
  }

  void judge_rolls(const Comparison& comparison, diff::Side&& before, diff::Side&& after) {
    const diff::ClusterDiff diff = diff::compare(&before, &after, {bench_.registry(), {}});
    std::set<std::string> rolled;
    for (const diff::ObjectPair& pair : diff.pairs) {
      if (pair.kind == diff::ObjectPair::Kind::Renamed) rolled.emplace(pair.after->base);
    }
    const std::set<std::string> expected(comparison.rolls.begin(), comparison.rolls.end());
    if (rolled == expected) return;
    diff::ClusterRecord record = diff::record_of(diff, &before, &after);
    std::erase_if(record.objects,
                  [](const diff::ObjectRecord& object) { return object.event != diff::ObjectPair::Kind::Renamed; });
    record.called = golden_.title();
    const report::FleetDifferences all{std::span(&record, 1), 1, 0, 0, comparison.against, golden_.title(), "case"};
    add(fmt::format("rolls {} against `{}`, but `rolls` says {}", rolled.empty() ? "nothing" : listed(rolled),
                    comparison.against, expected.empty() ? "none" : listed(expected)),
        rolled.empty() ? "" : report::diff_as_text(all, {true, false}));
  }

  const Case& golden_;
  Repository& repository_;
  Bench bench_;
  Outcome outcome_;
};

}  // namespace

Outcome check_case(const Case& golden, Repository& repository) { return Check(golden, repository).run(); }

const Case* find_case(const std::vector<Case>& cases, std::string_view set, std::string_view wanted) {
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& each) {
    return each.title() == wanted || (each.set == set && each.name == wanted);
  });
  return found == cases.end() ? nullptr : &*found;
}

}  // namespace capwright::golden
