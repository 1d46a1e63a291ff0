// Runs admission for spec files.
#include "support/run_changes.h"

#include <fmt/format.h>
#include <sstream>
#include <string>
#include <string_view>

#include "admission/providers.h"
#include "crd/validate.h"
#include "pipeline/schemas.h"
#include "yaml/read.h"

namespace capwright::spec {
namespace {

// The first step of a path and the rest: a key, or the text in brackets.
std::pair<std::string_view, std::string_view> split(std::string_view path) {
  if (path.starts_with('[')) {
    const std::size_t end = std::min(path.find(']'), path.size() - 1);
    return {path.substr(1, end - 1), path.substr(end + 1)};
  }
  if (path.starts_with('.')) path.remove_prefix(1);
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  return {path.substr(0, end), path.substr(end)};
}

// Returns `root` with `value` at the path; null removes it. Creates missing maps on the path.
Value changed(const Value& root, std::string_view path, const Value& value, Arena& arena) {
  if (path.empty()) return value;
  const auto [step, rest] = split(path);
  if (root.is(Kind::List)) {
    std::vector<Value> items(root.items().begin(), root.items().end());
    const std::size_t index = std::stoul(std::string(step));
    if (index >= items.size()) items.resize(index + 1);
    items[index] = changed(items[index], rest, value, arena);
    if (items[index].is(Kind::Null)) items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
    return make_list(arena, items).with_origin(root.origin());
  }
  std::vector<Entry> entries;
  if (root.is(Kind::Map)) entries.assign(root.entries().begin(), root.entries().end());
  const auto is_step = [&](const Entry& entry) { return entry.key.text() == step; };
  const auto found = std::find_if(entries.begin(), entries.end(), is_step);
  const Value below = changed(found == entries.end() ? Value() : found->value, rest, value, arena);
  if (found != entries.end()) found->value = below;
  else entries.push_back({make_key(arena, step), below});
  if (below.is(Kind::Null)) std::erase_if(entries, is_step);
  return make_map(arena, entries).with_origin(root.origin());
}

// A gate a line, `Name` or `Name=false`.
std::vector<crd::FeatureGate> gates_of(const Case& test) {
  std::vector<crd::FeatureGate> gates;
  const Block* block = test.find("feature-gates");
  std::istringstream lines(block == nullptr ? "" : block->text);
  for (std::string line; std::getline(lines, line);)
    gates.push_back({line.substr(0, line.find('=')), !line.ends_with("=false")});
  return gates;
}

class ChangesRun {
 public:
  explicit ChangesRun(const Case& test) : test_(test), registry_(built_in_digests(), {}, gates_of(test)) {}

  std::vector<Mismatch> run() {
    const Block* manifest = test_.find("manifest.yaml");
    if (manifest == nullptr) return {{nullptr, "", "changes need a `manifest.yaml`"}};
    base_ = read(manifest->info, manifest->text);
    std::vector<Mismatch> mismatches;
    for (const Block& block : test_.blocks) {
      if (block.info != "changes") continue;
      const std::string actual = run_block(block.text);
      if (actual != block.text) mismatches.push_back({&block, actual, "the changes give something else"});
    }
    for (const Diagnostic& diagnostic : sink_.diagnostics())
      mismatches.push_back({nullptr, diagnostic.message, "a file or a change can't be read"});
    return mismatches;
  }

 private:
  Value read(const std::string& name, std::string_view text) {
    const auto documents =
        read_yaml_documents(sources_.add(name, std::string(text)), stage_, {ScalarRules::Kubernetes});
    return documents.empty() ? Value() : documents[0].value;
  }

  std::string run_block(std::string_view text) {
    std::string actual;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      // Indented lines are the result of the last run.
      if (!line.starts_with("  ")) actual += fmt::format("{}\n{}", line, line.empty() ? "" : outcome(line));
    }
    return actual;
  }

  Value with_changes(const Value& object, std::string_view text) {
    Value result = object;
    const Value changes = read("change.yaml", text);
    if (!changes.is(Kind::Map)) return result;
    for (const Entry& one : changes.entries()) result = changed(result, one.key.text(), one.value, arena_);
    return result;
  }

  std::string outcome(std::string_view line) {
    const std::size_t blank = std::min(line.find(' '), line.size() - 1);
    const std::string_view verb = line.substr(0, blank), rest = line.substr(blank + 1);
    if (verb == "create")
      return shown(crd::validate({.object = with_changes(base_, rest), .admission = &rules_}, registry_, stage_));
    if (verb != "update") return "  a line starts with `create` or `update`\n";
    const std::size_t arrow = rest.find(" -> ");
    const bool both = arrow != std::string_view::npos;
    const Value old = both ? with_changes(base_, rest.substr(0, arrow)) : base_;
    const Value now = with_changes(base_, both ? rest.substr(arrow + 4) : rest);
    return shown(crd::validate({.object = now, .old = &old, .admission = &rules_}, registry_, stage_));
  }

  static std::string shown(const crd::Verdict& verdict) {
    if (verdict.outcome == crd::Verdict::Outcome::UnknownKind) return "  unknown kind\n";
    if (verdict.findings.empty()) return "  accepted\n";
    std::string text;
    for (const crd::Finding& finding : verdict.findings) {
      text += "  ";
      if (finding.phase != crd::Phase::Admission) text += fmt::format("[{}] ", crd::phase_name(finding.phase));
      text += fmt::format("{}{}{}\n", finding.path, finding.path.empty() ? "" : ": ", finding.message);
    }
    return text;
  }

  const Case& test_;
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  const Limits limits_;
  Stage stage_{sources_, sink_, arena_, origins_, limits_};
  const crd::Registry registry_;
  const admission::Providers rules_{admission::built_in_rules(), admission::OtherObjects::Empty};
  Value base_;
};

}  // namespace

std::vector<Mismatch> run_changes(const Case& test) { return ChangesRun(test).run(); }

}  // namespace capwright::spec
