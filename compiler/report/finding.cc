// One cause, one finding: an error that many clusters share is reported once.
#include "report/finding.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "diag/catalog/layers.h"
#include "diag/catalog/repository.h"
#include "diag/catalog/schemas.h"
#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_syntax.h"
#include "diag/catalog/tree.h"
#include "lint/engine/suppressions.h"
#include "lint/model/context.h"

namespace capwright::report {
namespace {

// The part of the line around the place, to distinguish findings: a single line may have thousands of them.
std::string_view around(Span where, const SourceSet& sources) {
  constexpr std::size_t kEnough = 200;  // bytes before and after
  const std::string_view whole = sources.text(where.file);
  const std::size_t at = std::min<std::size_t>(where.begin, whole.size());
  std::string_view before = whole.substr(0, at), behind = whole.substr(at, kEnough);
  before.remove_prefix(before.size() - std::min(before.size(), kEnough));
  before.remove_prefix(before.rfind('\n') + 1);
  behind = behind.substr(0, behind.find('\n'));
  return whole.substr(at - before.size(), before.size() + behind.size());
}

// The message with the cluster's name in its quoted parts replaced, so that it is the same for all clusters. Only whole
// words: `a` is in most messages.
std::string without_name(std::string text, std::string_view cluster) {
  constexpr char kName = '\x1a';
  const auto is_word = [&](std::size_t at) { return at < text.size() && (is_letter(text[at]) || is_digit(text[at])); };
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size() && !cluster.empty(); ++at) {
    if (text[at] == '`') is_quoted = !is_quoted;
    if (!is_quoted || text.compare(at, cluster.size(), cluster) != 0) continue;
    if ((at != 0 && is_word(at - 1)) || is_word(at + cluster.size())) continue;
    text.replace(at, cluster.size(), 1, kName);
  }
  return text;
}

// The line of a built-in template, where many clusters have the finding, each in its own values; otherwise the
// displayed place.
Span cause_of(const Diagnostic& diagnostic) {
  if (diagnostic.cause.known()) return diagnostic.cause;
  const bool is_of_built_in = !diagnostic.pattern.empty() && !SourceSet::is_shared(diagnostic.where.file) &&
                              !diagnostic.trace.empty() && SourceSet::is_shared(diagnostic.trace.front().where.file);
  return is_of_built_in ? diagnostic.trace.front().where : diagnostic.where;
}

// The end of the list, but an undefined name replaces the warning that the name may be undefined.
std::size_t place_for(const Diagnostic& diagnostic, const SourceSet& sources, const std::vector<Finding>& findings) {
  const bool is_undefined =
      diagnostic.info == &diag::undefined_variable.info || diagnostic.info == &diag::undefined_attribute.info;
  if (!is_undefined) return findings.size();
  const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& warning) {
    const Span name = warning.diagnostic->where, where = diagnostic.where;
    return warning.diagnostic->info == &diag::undeclared_value.info && name.begin <= where.begin &&
           where.end <= name.end && warning.sources->path(name.file) == sources.path(where.file);
  });
  return static_cast<std::size_t>(same - findings.begin());
}

void add_repetition(const Diagnostic& diagnostic, Finding& finding) {
  constexpr std::size_t kMost = 8;
  finding.repeats += 1 + diagnostic.repeats;
  const bool is_other =
      diagnostic.message != finding.diagnostic->message &&
      std::find(finding.others.begin(), finding.others.end(), diagnostic.message) == finding.others.end();
  if (is_other && finding.others.size() < kMost) finding.others.push_back(diagnostic.message);
}

}  // namespace

std::string_view Findings::words_of(const std::string& message, std::string_view cluster) {
  if (cluster.empty() || message.find(cluster) == std::string::npos) return message;
  return words_.emplace_back(without_name(message, cluster));
}

// A command for the object of one cluster doesn't help the others, so each of them keeps its own.
std::string_view Findings::words_of(const Diagnostic& diagnostic, std::string_view cluster) {
  if (!diagnostic.pattern.empty()) return diagnostic.pattern;
  const bool has_command = diagnostic.help && diagnostic.help->find("`kubectl ") != std::string::npos;
  if (!has_command) return words_of(diagnostic.message, cluster);
  return words_.emplace_back(fmt::format("{}\n{}", words_of(diagnostic.message, cluster), *diagnostic.help));
}

// Includes the line's text: different sources can have one name, such as several `--set` or the documents of a stream.
Findings::Identity Findings::identity(const Diagnostic& diagnostic, const SourceSet& sources,
                                      std::string_view cluster) {
  const Span where = cause_of(diagnostic);
  return {diagnostic.info->code,
          sources.path(where.file),
          sources.line_col(where.file, 0).line,
          where.begin,
          where.end,
          around(where, sources),
          words_of(diagnostic, cluster)};
}

std::size_t Findings::Digest::operator()(const Identity& identity) const {
  const std::hash<std::string_view> hash;
  return hash(identity.path) ^ (hash(identity.words) * 3 + hash(identity.code) * 5 + identity.begin);
}

void Findings::add(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, secrets::Redactor secrets,
                   const std::string& cluster, std::string_view own_file) {
  if (diagnostics.empty()) return;
  std::vector<const Diagnostic*> sorted;
  const auto take = [&](const Diagnostic& diagnostic, std::optional<Diagnostic> redacted) {
    sorted.push_back(redacted ? &redacted_.emplace_back(std::move(*redacted)) : &diagnostic);
  };
  const secrets::Places& places = places_.emplace_back(secrets.redact(diagnostics, sources, take));
  sort_for_display(sorted, sources);
  for (const Diagnostic* diagnostic : sorted) {
    if (keep_ && !keep_(*diagnostic, sources, cluster)) continue;
    const auto [known, is_new] = known_.try_emplace(identity(*diagnostic, sources, cluster), findings_.size());
    if (is_new) {
      known->second = place_for(*diagnostic, sources, findings_);
      if (known->second == findings_.size()) findings_.emplace_back();
      findings_[known->second] = {diagnostic, &sources, &places, {}, diagnostic->repeats, false, false, revision_};
    }
    Finding& finding = findings_[known->second];
    const bool is_of_first = finding.clusters.empty() ? cluster.empty() : finding.clusters.front() == cluster;
    if (!is_new && is_of_first) add_repetition(*diagnostic, finding);
    const bool placed = diagnostic->where.known() && !own_file.empty();
    finding.elsewhere = placed && sources.path(diagnostic->where.file) != own_file;
    if (!is_new && !finding.clusters.empty() && !finding.likewise && diagnostic->message != finding.diagnostic->message)
      finding.likewise = without_name(diagnostic->message, cluster) !=
                         without_name(finding.diagnostic->message, finding.clusters.front());
    const bool named = !finding.clusters.empty() && finding.clusters.back() == cluster;
    if (!cluster.empty() && !named) finding.clusters.push_back(cluster);
  }
}

void Findings::add(const CompiledCluster& cluster, std::string_view own_file) {
  if (cluster.sink.diagnostics().empty()) return;
  const lint::Suppressions comments(cluster.sources);
  const std::string today = comments.all().empty() ? std::string() : lint::catalogue_date();
  const Keep kept = keep_;
  keep_ = [&](const Diagnostic& diagnostic, const SourceSet& sources, std::string_view name) {
    return !comments.suppresses(diagnostic, sources, today) && (!kept || kept(diagnostic, sources, name));
  };
  add(cluster.sink.diagnostics(), cluster.sources, cluster.redactor(), cluster.name, own_file);
  keep_ = kept;
}

void Findings::expect(std::size_t count) {
  findings_.reserve(findings_.size() + count);
  known_.reserve(findings_.size() + count);
}

std::size_t Findings::count(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(findings_.begin(), findings_.end(), [&](const Finding& finding) {
    return finding.diagnostic->severity == severity;
  }));
}

bool Findings::has_outside_fault() const {
  return std::any_of(findings_.begin(), findings_.end(), [](const Finding& finding) {
    const DiagInfo* info = finding.diagnostic->info;
    const bool about_the_tree = info == &diag::edited_by_hand.info || info == &diag::not_rendered_by_us.info ||
                                info == &diag::stale_file.info || info == &diag::cluster_without_values.info ||
                                info == &diag::submodule_in_tree.info;
    const Span where = finding.diagnostic->where;
    const bool is_jinja_option =
        info == &diag::unknown_jinja_option.info && where.known() && finding.sources->path(where.file) == "--jinja";
    const bool about_options = info == &diag::malformed_set.info || info == &diag::malformed_path.info ||
                               info == &diag::set_through_scalar.info || info == &diag::set_past_end.info ||
                               info == &diag::missing_main_template.info || is_jinja_option;
    const bool is_outside = (info->code.starts_with('G') && !about_the_tree) || about_options ||
                            info == &diag::unknown_target.info;  // of capwright.yaml
    return finding.diagnostic->severity == Severity::Error && is_outside;
  });
}

std::string clusters_of(const Finding& finding) {
  constexpr std::size_t kShown = 5;
  const std::vector<std::string>& names = finding.clusters;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    if (i != 0) text += i == 1 && finding.likewise ? ", likewise in " : ", ";
    text += printable(names[i]);
  }
  return names.size() > kShown ? text + ", …" : text;
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "error";
}

}  // namespace capwright::report
