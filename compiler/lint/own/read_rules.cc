// The `kind` decides how a document is read. Rule names are checked once all rules are known.
#include "lint/own/read_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "diag/catalog.h"
#include "diag/catalog/tree.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "files/io_fault.h"
#include "lint/engine/rules.h"
#include "lint/own/rule_formats.h"
#include "pipeline/read_source.h"
#include "pipeline/repository_bounds.h"
#include "schema/schema.h"
#include "text/glob.h"
#include "yaml/read.h"

namespace capwright::lint::own {
namespace {

constexpr int kDeepestFolder = 16;
constexpr std::string_view kWildcards = "*?[";
constexpr std::string_view kBuiltInPrefix = "CAP";

// The files below a folder that a glob fits.
class FileFinder {
 public:
  FileFinder(FileSystem& fs, const Workspace& workspace, std::string_view glob)
      : fs_(fs), workspace_(workspace), glob_(glob) {}

  // Adds them. Or none, if one leads out of the repository, which is the answer then.
  std::string find(const RepositoryBounds* bounds, std::vector<std::string>& files) {
    const std::string_view plain = glob_.substr(0, glob_.find_first_of(kWildcards));
    const std::string folder(plain.substr(0, plain.rfind('/') + 1));  // nothing stays where there is no slash
    if (bounds != nullptr && (glob_.starts_with('/') || !bounds->have(workspace_.io_path(folder))))
      return std::string(glob_);
    add_folder(folder, 0);
    for (const std::string& link : links_) {
      if (bounds != nullptr && !bounds->have(workspace_.io_path(link))) return link;
    }
    files.insert(files.end(), found_.begin(), found_.end());
    return {};
  }
  bool has_found() const { return !found_.empty(); }

 private:
  // A folder that can't be listed has no files.
  void add_folder(const std::string& folder, int depth) {
    std::vector<DirEntry> entries;
    const std::string path = workspace_.io_path(folder);
    if (depth > kDeepestFolder || fs_.list(path.empty() ? "." : path, entries)) return;
    for (const DirEntry& entry : entries) {
      if (entry.name.starts_with('.')) continue;
      if (entry.type == FileType::Directory) {
        add_folder(folder + entry.name + "/", depth + 1);
      } else if (glob_matches(glob_, folder + entry.name)) {
        found_.push_back(folder + entry.name);
        if (entry.type != FileType::Regular) links_.push_back(found_.back());
      }
    }
  }

  FileSystem& fs_;
  const Workspace& workspace_;
  std::string_view glob_;
  std::vector<std::string> found_, links_;  // these among those
};

class Reader {
 public:
  explicit Reader(Stage& stage) : stage_(stage) {}

  void read_file(FileId file) {
    for (const YamlDocument& document : read_yaml_documents(file, stage_)) {
      if (!document.value.is_error() && !document.value.is(Kind::Null)) read_document(document);
    }
  }

  Rules finish() {
    for (const Binding& binding : bindings_) bind(binding);
    std::sort(rules_.begin(), rules_.end(), [](const Rule& a, const Rule& b) { return a.code < b.code; });
    for (Rule& rule : rules_) rule.info = {rule.code, rule.name, rule.severity, "{}", rule.page};
    check_names();
    return std::move(rules_);
  }

 private:
  void read_document(const YamlDocument& document) {
    const Value* kind = document.value.find("kind");
    const std::string_view word = kind != nullptr && kind->is(Kind::String) ? kind->text() : std::string_view();
    if (kind == nullptr) {
      if (fits(kRuleSchema, document.value)) read_own_form(document.value, stage_, rules_.emplace_back());
    } else if (word == "ValidatingAdmissionPolicy") {
      if (fits(kPolicySchema, document.value)) read_policy(document.value, stage_, rules_.emplace_back());
    } else if (word == "ValidatingAdmissionPolicyBinding") {
      if (fits(kBindingSchema, document.value)) bindings_.push_back(read_binding(document.value));
    } else {
      stage_.sink
          .report(diag::unsupported_policy, stage_.origins[kind->origin()].span,
                  fmt::format("`kind: {}` is neither a rule nor a ValidatingAdmissionPolicy", word))
          .advise("a rule has no `kind`; leave files of other objects out of `lint.rules`");
    }
  }

  bool fits(std::string_view path, const Value& document) {
    auto [schema, is_new] = schemas_.try_emplace(path);
    if (is_new) {
      const FileId file = stage_.sources.add(std::string(path), std::string(built_in_text(path)));
      schema->second = schema::compile(read_yaml(file, stage_), stage_);
    }
    return schema::validate(*schema->second, document, stage_);
  }

  void bind(const Binding& binding) {
    for (Rule& rule : rules_) {
      if (!rule.is_policy || rule.name != binding.policy) continue;
      if (!rule.severity_is_given)
        rule.severity = rule.bindings.empty() ? binding.severity : std::max(rule.severity, binding.severity);
      rule.bindings.push_back(binding.resources);
    }
  }

  void check_names() {
    std::map<std::string_view, const Rule*> known;
    for (const Rule& rule : rules_) {
      const Span where = rule.where;
      for (const std::string_view word : {rule.code, rule.name}) {
        if (const auto [other, is_new] = known.try_emplace(word, &rule); !is_new) {
          refuse(word, where, "it is taken").also(other->second->where, "by this rule");
          break;
        }
      }
      if (rule.code.starts_with(kBuiltInPrefix)) refuse(rule.code, where, "`CAP` is for built-in rules");
      else if (is_taken(rule.code)) refuse(rule.code, where, "it is a built-in rule");
      else if (is_taken(rule.name)) refuse(rule.name, where, "that is the name of a built-in rule");
      else if (!is_code(rule.code)) refuse(rule.code, where, "it takes two to eight capital letters and some digits");
    }
  }

  Diagnostic& refuse(std::string_view word, Span where, std::string why) {
    return stage_.sink.report(diag::own_rule_code, where, word, std::move(why));
  }

  // As the schema has it, for the codes of policies.
  static bool is_code(std::string_view code) {
    const std::size_t letters = std::min(code.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), code.size());
    const std::size_t digits = code.size() - letters;
    const bool are_digits = code.find_first_not_of("0123456789", letters) == std::string_view::npos;
    return letters >= 2 && letters <= 8 && digits >= 1 && digits <= 6 && are_digits;
  }

  static bool is_taken(std::string_view word) {
    return lint::find_rule(word) != nullptr || diag::find(word) != nullptr;
  }

  Stage& stage_;
  Rules rules_;
  std::vector<Binding> bindings_;
  std::map<std::string_view, std::shared_ptr<const schema::Schema>> schemas_;
};

}  // namespace

const Rule* find_rule(const Rules& rules, std::string_view code_or_name) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
    return rule.code == code_or_name || rule.name == code_or_name;
  });
  return found == rules.end() ? nullptr : &*found;
}

std::vector<std::string> find_rule_files(FileSystem& fs, const Workspace& workspace, const LintConfig& config,
                                         Stage& stage, bool anywhere) {
  const RepositoryBounds repository(fs, workspace.prefix);
  const RepositoryBounds* bounds = anywhere ? nullptr : &repository;
  std::vector<std::string> files;
  const auto add = [&](const RuleFiles& rules, bool must_be_there) {
    FileFinder finder(fs, workspace, rules.glob);
    if (const std::string outside = finder.find(bounds, files); !outside.empty())
      stage.sink.report(diag::outside_of_repository, rules.where, outside)
          .advise("move the rules into the repository, or pass `--allow-outside`");
    else if (must_be_there && !finder.has_found()) stage.sink.report(diag::no_own_rules, rules.where, rules.glob);
  };
  if (config.rules.empty()) add({std::string(kDefaultRules), Span()}, false);
  for (const RuleFiles& rules : config.rules) add(rules, true);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

Rules read_rules(FileSystem& fs, const Workspace& workspace, const std::vector<std::string>& files, Stage& stage) {
  Reader reader(stage);
  for (const std::string& path : files) {
    if (const std::optional<FileId> file = read_source(fs, workspace, path, Span(), stage)) reader.read_file(*file);
  }
  return reader.finish();
}

}  // namespace capwright::lint::own
