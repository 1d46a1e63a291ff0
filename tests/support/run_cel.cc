// Evaluates the expressions of spec files.
#include "support/run_cel.h"

#include <fmt/format.h>
#include <string>
#include <string_view>

#include "cel/program.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::spec {
namespace {

struct Settings {
  bool root = false;
  std::optional<cel::TypeKind> result;
  std::uint8_t kubernetes_minor = cel::Environment{}.kubernetes_minor;
  std::uint64_t budget = cel::kCostOfOneEvaluation;
};

// Lines of a text, without their line breaks.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool read_option(std::string_view key, const std::string& value, Settings& settings) {
  if (key == "root") settings.root = value == "true";
  else if (key == "result" && value == "bool") settings.result = cel::TypeKind::Bool;
  else if (key == "result" && value == "string") settings.result = cel::TypeKind::String;
  else if (key == "budget") settings.budget = std::stoull(value);
  else if (key == "kubernetes") settings.kubernetes_minor = static_cast<std::uint8_t>(std::stoi(value.substr(2)));
  else return false;
  return true;
}

class CelRun {
 public:
  explicit CelRun(const Case& test) : test_(test), stage_{sources_, sink_, arena_, origins_, limits_} {}

  std::vector<Mismatch> run() {
    read_settings();
    read_files();
    for (const Block& block : test_.blocks) {
      if (block.info != "cel") continue;
      std::string actual = run_block(block);
      if (actual != block.text) mismatches_.push_back({&block, std::move(actual), "expressions give something else"});
    }
    for (const Diagnostic& diagnostic : sink_.diagnostics())
      mismatches_.push_back({nullptr, diagnostic.message, "a file of the case can't be read"});
    return std::move(mismatches_);
  }

 private:
  void read_settings() {
    const Block* block = test_.find("options");
    if (block == nullptr) return;
    for (const std::string_view line : lines_of(block->text)) {
      const std::size_t colon = std::min(line.find(": "), line.size());
      if (colon < line.size() && read_option(line.substr(0, colon), std::string(line.substr(colon + 2)), settings_))
        continue;
      mismatches_.push_back({nullptr, std::string(line), "unknown option"});
    }
  }

  void read_files() {
    const cel::Schema* schema = nullptr;
    if (const Block* block = test_.find("schema.yaml")) {
      const auto role = settings_.root ? cel::SchemaRole::ResourceRoot : cel::SchemaRole::Plain;
      schema = cel::read_schema(read(*block), role, arena_);
    }
    if (schema != nullptr) environment_ = cel::rule_environment(*schema, false, arena_);
    else environment_.variables = {{.name = "self"}, {.name = "oldSelf"}};
    environment_.result = settings_.result;
    environment_.kubernetes_minor = settings_.kubernetes_minor;
    for (const char* name : {"self", "oldSelf"}) {
      if (const Block* block = test_.find(std::string(name) + ".yaml")) bindings_.push_back({name, read(*block)});
    }
  }

  Value read(const Block& block) {
    return read_yaml(sources_.add(block.info, block.text), stage_, {ScalarRules::Kubernetes});
  }

  // The expected form of the block: its expressions with their actual results.
  std::string run_block(const Block& block) {
    std::string actual;
    for (const std::string_view line : lines_of(block.text)) {
      if (!line.starts_with("  ")) actual += std::string(line) + "\n" + outcome(line);
    }
    return actual;
  }

  std::string outcome(std::string_view expression) {
    const cel::Compiled compiled = cel::compile(expression, environment_);
    std::string text;
    for (const cel::Issue& issue : compiled.issues) {
      text += fmt::format("  ? {}-{}: {}\n", issue.begin + 1, issue.end + 1, issue.message);
      if (!issue.help.empty()) text += fmt::format("    help: {}\n", issue.help);
    }
    if (compiled.program == nullptr) return text;
    const cel::Program& program = *compiled.program;
    const cel::Result result = program.evaluate(std::span<const cel::Binding>(bindings_), arena_, settings_.budget);
    if (!result.failure) {
      text = fmt::format("  = {} (cost {})\n", cel::to_text(result.value), result.cost);
      if (result.value.is_false()) text += operands(program, program.reasons(bindings_, arena_), "because");
      return text;
    }
    const std::string_view part = program.text(result.failure->where);
    text = fmt::format("  ! `{}`: {} (cost {})\n", part, result.failure->message, result.cost);
    return text + operands(program, result.failure->operands, "where");
  }

  static std::string operands(const cel::Program& program, const std::vector<cel::Operand>& found,
                              std::string_view word) {
    std::string text;
    for (const cel::Operand& operand : found)
      text += fmt::format("    {} `{}` is {}\n", word, program.text(operand.where), cel::to_text(operand.value));
    return text;
  }

  const Case& test_;
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  Limits limits_;
  Stage stage_;
  Settings settings_;
  cel::Environment environment_;
  std::vector<cel::Binding> bindings_;
  std::vector<Mismatch> mismatches_;
};

}  // namespace

std::vector<Mismatch> run_cel(const Case& test) { return CelRun(test).run(); }

}  // namespace capwright::spec
