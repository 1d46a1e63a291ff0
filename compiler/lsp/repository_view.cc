// Asks a session. Everything that is shown has passed report::Findings, or is checked for secrets here.
#include "lsp/repository_view.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "pipeline/explain_value.h"
#include "workflow/open_project.h"
#include "yaml/write.h"

namespace capwright::lsp {
namespace {

// The keys on the highest level of a file in block style. The origin of a merged map is only one of its files.
std::vector<Span> keys_at_line_starts(const SourceSet& sources, std::string_view path) {
  std::vector<Span> keys;
  for (const FileId file : sources.files()) {
    if (sources.path(file) != path) continue;
    const std::string_view text = sources.text(file);
    for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
      const std::size_t end = text.find_first_of(" :#\n", begin);
      const bool is_key = end != std::string_view::npos && end != begin && text[end] == ':';
      if (is_key) keys.push_back({file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
      if (text.find('\n', begin) == std::string_view::npos) break;
    }
  }
  return keys;
}

}  // namespace

RepositoryView::RepositoryView(workflow::RepositoryOptions repository, report::ColumnUnit unit, std::string root)
    : request_({.repository = std::move(repository),
                .values = {},
                .plain = std::nullopt,
                .writes = false,
                .output = std::nullopt}),
      session_(request_),
      unit_(unit),
      root_(std::move(root)) {}

std::string RepositoryView::root() {
  const workflow::OpenProject& open = session_.open();
  if (open.project != nullptr)
    root_ = (std::filesystem::path(open.here) / open.project->workspace().prefix / "").lexically_normal().string();
  else if (root_.empty()) root_ = open.here;
  return root_;
}

std::string RepositoryView::shown(const std::string& absolute) {
  return std::filesystem::path(absolute).lexically_relative(root()).string();
}

std::string RepositoryView::absolute(std::string_view shown) {
  return (std::filesystem::path(root()) / shown).string();
}

Place RepositoryView::place_of(Span span, const SourceSet& sources) const {
  const auto region = report::region_of(span, sources, unit_);
  if (!region) return {};
  return {region->path, region->start, region->end};
}

Problem RepositoryView::problem_of(const report::Finding& finding) const {
  const Diagnostic& diagnostic = *finding.diagnostic;
  Problem problem;
  if (const auto region = report::region_of(finding, unit_)) problem.where = {region->path, region->start, region->end};
  problem.severity = diagnostic.severity;
  problem.code = std::string(diagnostic.info->code);
  problem.message = report::whole_message(finding);
  for (const Label& label : diagnostic.labels) {
    Place place = place_of(label.where, *finding.sources);
    if (!place.path.empty())
      problem.related.emplace_back(std::move(place), label.text.empty() ? "see here" : label.text);
  }
  if (!diagnostic.fix || diagnostic.fix->safety == Safety::DisplayOnly) return problem;
  for (const Edit& edit : diagnostic.fix->edits) {
    Place place = place_of(edit.where, *finding.sources);
    if (place.path.empty()) return problem;
    problem.fix.push_back({std::move(place), edit.text});
  }
  problem.fix_title = diagnostic.fix->title;
  problem.is_safe_fix = diagnostic.fix->safety == Safety::Safe;
  return problem;
}

const std::vector<Problem>& RepositoryView::problems_of(const std::shared_ptr<const workflow::LintedCluster>& cluster) {
  Converted& known = converted_[cluster->values_path];
  if (known.from == cluster) return known.problems;
  const lint::KeptFindings& found = *cluster->findings;
  report::Findings findings;
  findings.add(found.diagnostics(), found.sources(), found.redactor(), cluster->name, cluster->values_path);
  known = {cluster, {}};
  for (const report::Finding& finding : findings.all()) known.problems.push_back(problem_of(finding));
  return known.problems;
}

RepositoryView::Problems RepositoryView::problems(std::string& stop) {
  report::Findings findings;
  const auto stopped = session_.load_rules({});
  workflow::OpenProject& open = session_.open();
  if (!stopped && open.project != nullptr) {
    session_.load_schemas();
    linted_ = session_.lint(workflow::choose_clusters(open, {}));
  } else if (stopped && !stopped->messages.empty()) {
    stop = stopped->messages.front();
  }
  workflow::add_project_findings(open, findings);
  Problems by_path;
  for (const report::Finding& finding : findings.all()) {
    Problem problem = problem_of(finding);
    if (problem.where.path.empty()) problem.where.path = std::string(kConfigName);
    by_path[problem.where.path].push_back(std::move(problem));
  }
  // In a layer or a template, the same mistake has words for each cluster: the first one's count.
  std::set<std::tuple<std::string_view, LineCol, std::string_view>> shared;
  for (const auto& cluster : linted_) {
    if (cluster == nullptr) continue;
    for (const Problem& problem : problems_of(cluster)) {
      const std::string& path = problem.where.path;
      if (path.empty()) continue;  // a built-in file, with no value to show instead
      const bool is_new =
          path == cluster->values_path || shared.emplace(path, problem.where.start, problem.code).second;
      if (is_new) by_path[path].push_back(problem);
    }
  }
  return by_path;
}

std::vector<std::string> RepositoryView::readers_of(const std::string& path) {
  std::vector<std::string> readers;
  for (const auto& cluster : linted_) {
    if (cluster != nullptr && cluster->files.contains(path)) readers.push_back(cluster->values_path);
  }
  return readers;
}

std::optional<LineValue> RepositoryView::value_at(const std::string& path, std::uint32_t line) {
  const std::vector<std::string> readers = readers_of(path);
  if (readers.empty() || session_.open().project == nullptr) return std::nullopt;
  const auto compiled = compile_cluster(readers[0], *session_.open().project, session_.tree(), true);
  const std::vector<ExplainedValue> found = explain_source_line(*compiled, path, line);
  if (found.empty()) return std::nullopt;
  const ExplainedValue& first = found[0];
  LineValue result{first.path, {}, {}, readers, {}, {}};
  const bool is_text = !first.value.is(Kind::Map) && !first.value.is(Kind::List) && !first.value.tainted();
  if (first.value.is(Kind::String) && is_text) {
    const std::string shown = compiled->redactor().all_texts().redact(first.value.text());
    result.text = canonical_json(make_string(compiled->arena, shown));
  } else if (is_text) {
    result.text = canonical_json(first.value);
  }
  Arena arena;
  if (compiled->set != nullptr && !compiled->set->sink.failed())
    result.description = description_of(schema_of(compiled->set->schema_document, first.path, arena));
  for (const MadePiece& piece : first.made) {
    if (std::find(result.files.begin(), result.files.end(), piece.file) == result.files.end())
      result.files.emplace_back(piece.file);
    Place place = place_of(piece.where, compiled->sources);
    const auto is_same = [&](const Place& known) { return known.path == place.path && known.start == place.start; };
    if (!place.path.empty() && std::none_of(result.printed.begin(), result.printed.end(), is_same))
      result.printed.push_back(std::move(place));
  }
  return result;
}

std::vector<KeyUse> RepositoryView::uses_of_keys(const std::string& path) {
  const std::vector<std::string> readers = readers_of(path);
  if (readers.empty() || session_.open().project == nullptr) return {};
  const auto compiled = compile_cluster(readers[0], *session_.open().project, session_.tree(), true);
  if (!compiled->clean()) return {};
  std::map<std::string, std::set<std::string_view>> files;  // by key, of the values that this file sets
  for (const ExplainedValue& explained : explain_source_line(*compiled, path, 0)) {
    std::set<std::string_view>& of_key = files[explained.path.substr(0, explained.path.find_first_of(".["))];
    for (const MadePiece& piece : explained.made) of_key.insert(piece.file);
    for (const DecidedLines& lines : explained.decided) of_key.insert(lines.file);
  }
  std::vector<KeyUse> uses;
  for (const Span key : keys_at_line_starts(compiled->sources, path)) {
    const auto found = files.find(std::string(compiled->sources.text(key.file).substr(key.begin, key.end - key.begin)));
    if (found == files.end()) continue;
    uses.push_back({place_of(key, compiled->sources), compiled->name, found->second.size(), readers.size()});
  }
  return uses;
}

std::vector<Word> RepositoryView::words_at(const std::string& path, const ValuesCursor& cursor) {
  workflow::OpenProject& open = session_.open();
  if (open.project == nullptr) return {};
  std::vector<std::string> readers = readers_of(path);
  if (readers.empty()) readers = workflow::choose_clusters(open, {});
  if (readers.empty()) return {};
  const auto cluster = load_cluster(readers[0], *open.project);
  if (cluster->set == nullptr || cluster->set->sink.failed()) return {};
  Arena arena;
  return lsp::words_at(cluster->set->schema_document, cursor, arena);
}

}  // namespace capwright::lsp
