// Each example is a separate cluster, read like manifests.

#include <algorithm>

#include "lint/facts/credential_places.h"
#include "lint/own/run.h"
#include "yaml/read.h"

namespace capwright::lint::own {
namespace {

constexpr std::size_t kMostShown = 5;  // messages listed for an unexpected result

class ExampleCheck {
 public:
  ExampleCheck(const Rule& rule, const Context& context, Stage& stage)
      : rule_(rule), context_(context), stage_(stage) {}

  std::size_t faults() const { return faults_; }

  void check(const Example& example) {
    if (example.valid.is(Kind::String)) check_clean(example, example.valid, "this valid example is found");
    if (example.invalid.is(Kind::String)) check_found(example);
    if (example.fixed.is(Kind::String)) check_clean(example, example.fixed, "the fixed example is found, too");
  }

 private:
  // The result of checking a text.
  struct Outcome {
    std::vector<Finding> findings;
    bool is_readable = true;  // and all expressions could be evaluated
    bool is_matched = false;  // the rule applies to one of its objects
  };

  Outcome run(const Example& example, const Value& text, Cluster& cluster) {
    Outcome outcome;
    for (const Diagnostic& fault : cluster.sink().diagnostics()) {
      if (fault.severity != Severity::Error) continue;
      outcome.is_readable = false;
      report(inside(text, fault.where), "this example can't be read: " + fault.message);
    }
    find_credentials(cluster);
    const std::vector<const Rule*> rules = {&rule_};
    ClusterRun run(rules, cluster, example.values);
    for (const Object* object : cluster.objects()) {
      outcome.is_matched = outcome.is_matched || is_for(rule_, *object);
      run.check(*object, outcome.findings);
    }
    if (run.failures() == 0) return outcome;
    outcome.is_readable = false;
    for (const Finding& finding : outcome.findings) report(inside(text, finding.place.span), finding.message);
    return outcome;
  }

  std::unique_ptr<Cluster> cluster_of(const Example& example, const Value& text) const {
    auto cluster = std::make_unique<Cluster>(std::string(example.cluster), context_);
    cluster->add_manifest("example.yaml", std::string(text.text()));
    return cluster;
  }

  void check_clean(const Example& example, const Value& text, std::string_view what) {
    const auto cluster = cluster_of(example, text);
    const Outcome outcome = run(example, text, *cluster);
    if (!outcome.is_readable) return;
    for (const Finding& finding : outcome.findings)
      report(inside(text, finding.place.span), std::string(what) + ": " + finding.message);
  }

  void check_found(const Example& example) {
    const auto cluster = cluster_of(example, example.invalid);
    const Outcome outcome = run(example, example.invalid, *cluster);
    if (!outcome.is_readable) return;
    const auto says_it = [&](const Finding& finding) {
      return finding.message.find(example.message) != std::string::npos;
    };
    if (std::any_of(outcome.findings.begin(), outcome.findings.end(), says_it)) return;
    if (outcome.findings.empty()) {
      report(whole(example.invalid), "nothing is found in this invalid example")
          .advise(outcome.is_matched ? "every validation holds for it" : "the rule is for none of its objects");
      return;
    }
    Diagnostic& fault =
        report(whole(example.invalid), "what is found doesn't say `" + std::string(example.message) + "`");
    for (std::size_t i = 0; i < std::min(outcome.findings.size(), kMostShown); ++i)
      fault.note("it says: " + outcome.findings[i].message);
  }

  Diagnostic& report(Span where, std::string message) {
    ++faults_;
    Diagnostic& diagnostic = stage_.sink.add(rule_.info, where, std::move(message));
    diagnostic.severity = Severity::Error;
    return diagnostic;
  }

  Span whole(const Value& text) const { return span_inside(text, 0, 1, stage_); }
  Span inside(const Value& text, const Span& place) const {
    if (!place.known()) return whole(text);
    const auto size = static_cast<std::uint32_t>(text.text().size());
    return span_inside(text, std::min(place.begin, size), std::min(place.end, size), stage_);
  }

  const Rule& rule_;
  const Context& context_;
  Stage& stage_;
  std::size_t faults_ = 0;
};

}  // namespace

std::size_t check_examples(const Rule& rule, const Context& context, Stage& stage) {
  ExampleCheck check(rule, context, stage);
  std::size_t failed = 0;
  for (const Example& example : rule.examples) {
    const std::size_t faults = check.faults();
    check.check(example);
    if (check.faults() != faults) ++failed;
  }
  return failed;
}

}  // namespace capwright::lint::own
