// Runs the stages for spec files.
#include "support/run_case.h"

#include <fmt/format.h>
#include <map>
#include <memory>

#include "files/file_set.h"
#include "patch/apply.h"
#include "report/text.h"
#include "schema/schema.h"
#include "secrets/taint.h"
#include "support/dump.h"
#include "support/run_changes.h"
#include "support/run_manifest.h"
#include "support/run_rotation.h"
#include "support/run_tree.h"
#include "template/eval/render.h"
#include "template/syntax/parse.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::spec {
namespace {

class Templates final : public jinja::TemplateLoader {
 public:
  const jinja::Template* find(std::string_view name) const override {
    const auto found = templates.find(name);
    return found == templates.end() ? nullptr : found->second.get();
  }
  bool exists(std::string_view name) const override { return templates.contains(name); }
  std::vector<std::string_view> names() const override {
    std::vector<std::string_view> names;
    for (const auto& [name, parsed] : templates) names.push_back(name);
    return names;
  }
  std::map<std::string, std::unique_ptr<jinja::Template>, std::less<>> templates;
};

// `key: value` lines, with Jinja2's names.
bool apply_option(jinja::Options& options, std::string_view key, std::string_view value) {
  const bool on = value == "true";
  if (key == "trim_blocks") options.trim_blocks = on;
  else if (key == "lstrip_blocks") options.lstrip_blocks = on;
  else if (key == "keep_trailing_newline") options.keep_trailing_newline = on;
  else if (key == "autoescape") options.autoescape = on;
  else if (key == "block_start_string") options.block_start = value;
  else if (key == "block_end_string") options.block_end = value;
  else if (key == "variable_start_string") options.variable_start = value;
  else if (key == "variable_end_string") options.variable_end = value;
  else if (key == "comment_start_string") options.comment_start = value;
  else if (key == "comment_end_string") options.comment_end = value;
  else if (key == "line_statement_prefix") options.line_statement_prefix = value;
  else if (key == "line_comment_prefix") options.line_comment_prefix = value;
  else if (key == "newline_sequence") options.newline_sequence = value == "crlf" ? "\r\n" : "\n";
  else if (key == "undefined" && value == "strict") options.undefined = jinja::UndefinedMode::Strict;
  else if (key == "undefined" && value == "default") options.undefined = jinja::UndefinedMode::Default;
  else if (key == "undefined" && value == "chainable") options.undefined = jinja::UndefinedMode::Chainable;
  else if (key == "undefined" && value == "debug") options.undefined = jinja::UndefinedMode::Debug;
  else return false;
  return true;
}

// Limits that a case may lower, to trigger their diagnostics with a small input.
bool lower_limit(Limits& limits, std::string_view key, std::uint32_t value) {
  if (key == "limit.steps") limits.steps = value;
  else if (key == "limit.depth") limits.depth = value;
  else if (key == "limit.output_bytes") limits.output_bytes = value;
  else if (key == "limit.string_bytes") limits.string_bytes = value;
  else if (key == "limit.list_items") limits.list_items = value;
  else if (key == "limit.files") limits.files = value;
  else if (key == "limit.arena_bytes") limits.arena_bytes = value;
  else if (key == "limit.aliases") limits.aliases = value;
  else if (key == "limit.diagnostics") limits.diagnostics = value;
  else return false;
  return true;
}

class Run {
 public:
  explicit Run(const Case& test) : test_(test), stage_{sources_, sink_, arena_, origins_, limits_} {}

  std::vector<Mismatch> run() {
    read_options();
    options_.depth = limits_.depth;
    for (const Block* file : test_.files()) files_[file->info] = sources_.add(file->info, file->text);
    load_values();
    if (files_.contains("main.j2")) render();
    else if (files_.contains("stream.yaml")) read_stream();
    for (const Block& block : test_.blocks) check(block);
    if (test_.find("errors") == nullptr && test_.find("rendered-errors") == nullptr && !sink_.diagnostics().empty()) {
      mismatches_.push_back({nullptr, errors(), "there are findings, and no `errors` block expects them"});
    }
    return std::move(mismatches_);
  }

 private:
  void read_options() {
    const Block* block = test_.find("options");
    if (block == nullptr) return;
    std::size_t at = 0;
    while (at < block->text.size()) {
      const std::size_t end = block->text.find('\n', at);
      const std::string line = block->text.substr(at, end - at);
      at = end + 1;
      const std::size_t colon = line.find(": ");
      const std::string key = line.substr(0, colon), value = colon == std::string::npos ? "" : line.substr(colon + 2);
      const bool known =
          key.starts_with("limit.")
              ? lower_limit(limits_, key, static_cast<std::uint32_t>(std::strtoul(value.c_str(), nullptr, 10)))
              : key == "name" || is_tree_option(key) || is_rotation_option(key) || apply_option(options_, key, value);
      if (key == "name") cluster_ = value;
      if (!known) mismatches_.push_back({nullptr, line, "unknown option"});
    }
  }

  void load_values() {
    for (const char* name : {"values.yaml", "values.json"}) {
      if (files_.contains(name)) values_ = read_yaml(files_[name], stage_);
    }
    if (!files_.contains("schema.json")) return;
    const Value document = read_yaml(files_["schema.json"], stage_);
    if (document.is_error() || values_.is_error()) return;
    schema_ = schema::compile(document, stage_);
    values_ = schema::apply_defaults(*schema_, secrets::mark_secrets(*schema_, values_, stage_), stage_);
    schema::validate(*schema_, values_, stage_);
  }

  void render() {
    for (const auto& [name, file] : files_) {
      if (name.ends_with(".j2")) templates_.templates[name] = jinja::parse(file, name, sources_, options_, sink_);
    }
    if (templates_.find("main.j2") == nullptr || sink_.failed()) return;
    const bool written = test_.find("disk-after") != nullptr;
    if (rotates(test_)) {
      split_ = rotate_case(
                   test_, values_, [this](const Value& values) { return split(values); }, stage_)
                   .files;
    } else if (written || splits()) {
      split_ = split(values_).files;
    } else {
      render(values_);
    }
    if (written && !sink_.failed()) disk_after_ = write_to_disk(test_, split_, sink_);
  }

  bool splits() const {
    return test_.find("tree") != nullptr || test_.find("split") != nullptr || files_.contains("patches.yaml");
  }

  RenderTrace render(const Value& values) {
    jinja::RenderInput input;
    input.main = templates_.find("main.j2");
    input.context = values;
    input.loader = &templates_;
    jinja::RenderResult result = jinja::render(input, stage_);
    rendered_ = std::move(result.text);
    return std::move(result.trace);
  }

  RenderedCase split(const Value& values) {
    RenderTrace trace = render(values);
    const Outputs outputs = outputs_of(test_);
    FileSet files = split_files(rendered_, cluster_, stage_, &trace, &outputs);
    if (files_.contains("patches.yaml") && !sink_.failed())
      files =
          patch::apply_patches(std::move(files), read_yaml(files_["patches.yaml"], stage_), false, trace, stage_).files;
    return {std::move(files), std::move(trace)};
  }

  void read_stream() {
    for (const YamlDocument& document : read_yaml_documents(files_["stream.yaml"], stage_, {ScalarRules::Kubernetes})) {
      documents_ += dump_json(document.value) + "\n";
    }
  }

  std::string errors() {
    std::string text;
    for (const Diagnostic& diagnostic : sink_.diagnostics()) {
      if (diagnostic.where.known()) {
        const LineCol at = sources_.line_col(diagnostic.where);
        text += fmt::format("{}:{}:{} ", sources_.path(diagnostic.where.file), at.line, at.column);
      }
      text += fmt::format("[{}] {}\n", diagnostic.info->code, report::printable(diagnostic.message));
    }
    return text;
  }

  std::string rendered_errors() {
    report::Findings findings;
    findings.add(sink_.diagnostics(), sources_, {}, "");
    return report::as_text(findings.all(), {});
  }

  std::string tree() const {
    std::string text;
    for (const RenderedFile& file : split_.files()) text += "--- " + file.path + "\n" + file.body.text();
    return text;
  }

  std::string tree_of_main(bool slots) {
    const jinja::Template* main = templates_.find("main.j2");
    return main == nullptr ? "" : jinja::print_tree(*main, slots);
  }
  std::string references_of_main() {
    const jinja::Template* main = templates_.find("main.j2");
    return main == nullptr ? "" : jinja::print_references(*main);
  }

  std::string main_text() { return std::string(sources_.text(files_["main.j2"])); }

  void check(const Block& block) {
    std::optional<std::string> actual;
    if (block.info == "output") actual = rendered_.text();
    else if (block.info == "errors") actual = errors();
    else if (block.info == "rendered-errors") actual = rendered_errors();
    else if (block.info == "tree") actual = tree();
    else if (block.info == "names") actual = dump_names(split_);
    else if (block.info == "disk-after") actual = disk_after_;
    else if (block.info == "values") actual = files_.contains("stream.yaml") ? documents_ : dump_json(values_) + "\n";
    else if (block.info == "segments") actual = dump_segments(rendered_, sources_, origins_);
    else if (block.info == "tokens") actual = jinja::print_tokens(files_["main.j2"], sources_, options_);
    else if (block.info == "ast") actual = tree_of_main(false);
    else if (block.info == "slots") actual = tree_of_main(true);
    else if (block.info == "references") actual = references_of_main();
    if (!actual) return;
    // A block always ends with a line break; text without a final one is compared as if it had one.
    if (!actual->empty() && actual->back() != '\n') *actual += '\n';
    if (*actual != block.text) mismatches_.push_back({&block, *actual, "`" + block.info + "` differs"});
  }

  const Case& test_;
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  Limits limits_;
  Stage stage_;
  jinja::Options options_;
  std::string cluster_ = "prod";
  std::map<std::string, FileId> files_;
  Templates templates_;
  std::shared_ptr<const schema::Schema> schema_;  // owns the defaults
  Value values_ = make_map(arena_, {});
  MappedText rendered_;
  FileSet split_;
  std::string disk_after_;
  std::string documents_;
  std::vector<Mismatch> mismatches_;
};

}  // namespace

std::vector<Mismatch> run_case(const Case& test) {
  if (test.find("changes") != nullptr) return run_changes(test);
  return is_manifest_case(test) ? run_manifest_case(test) : Run(test).run();
}

}  // namespace capwright::spec
