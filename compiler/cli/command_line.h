// The command line as plain structs, one per command. Only command_line.cc uses the parser library.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/common_options.h"
#include "cli/comparison_options.h"
#include "diag/diag.h"
#include "lint/engine/selection.h"
#include "publish/settings.h"

namespace capwright::cli {

struct RenderOptions {
  CommonOptions common;
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;   // clusters or values files; empty: the complete repository
  std::optional<std::string> output;  // -o
  bool check = false, to_stdout = false, list = false, source_map = false;
  bool force = false, all_or_nothing = false, upgrade_set = false, reencrypt = false, forget_removed = false;
  std::optional<std::string> secrets_form;
  unsigned jobs = 0;                    // 0: one per processor
  std::uint32_t shard = 0, shards = 0;  // --shard i/n; 0/0: all

  bool gains_from_git() const { return !plain; }
};

struct ExplainOptions {
  CommonOptions common;
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::string target;  // CODE, FILE, FILE:LINE or FILE:LINE:COLUMN
  std::optional<std::string> output;
};

struct SchemaPrintOptions {
  CommonOptions common;
  bool rules = false;  // for files of rules
  std::string template_set = "capo";
};

struct AddonsOptions {
  enum class Task : std::uint8_t { List, Show, Defaults, HealthSnippet };
  CommonOptions common;
  ValueOptions values;
  Task task = Task::List;
  std::string id;                      // Show, Defaults
  std::optional<std::string> cluster;  // List, Defaults: a cluster's name or its values file
};

struct EjectOptions {
  CommonOptions common;
  std::string set;                    // empty with `list`
  std::optional<std::string> folder;  // otherwise `<templates>/<set>`
  bool list = false, force = false;
};

// Converts CRDs to digests in a folder of the repository, or in another one.
struct SchemaAddOptions {
  CommonOptions common;
  std::vector<std::string> inputs;     // files, folders, `-`
  std::optional<std::string> release;  // "capo-v0.14.7"; for folders, their name by default
  std::optional<std::string> to;       // the folder of all releases
};

struct SchemaListOptions {
  CommonOptions common;
};

struct CatalogueListOptions : SchemaListOptions {};

// Values files, clusters, manifests, folders of manifests, `-`; empty: the complete repository.
struct LintOptions {
  CommonOptions common;
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;
  std::vector<std::string> select, ignore;  // codes, prefixes of codes, names
  lint::Blame blame = lint::Blame::Value;
  Severity fail_level = Severity::Warning;
  bool exit_zero = false, statistics = false, show_files = false;
  std::optional<std::string> stdin_filename;
  std::optional<std::string> as_of;                     // a date
  std::optional<std::string> baseline, write_baseline;  // files; an empty write_baseline: the default file
  std::optional<std::string> new_from_rev;
  bool merge_base = false;  // use the merge base of `new_from_rev` and HEAD
  bool fix = false, unsafe_fixes = false, diff = false;
  unsigned jobs = 0;  // 0: one per processor
};

// Output formats of an object graph.
enum class GraphForm : std::uint8_t { Text, Dot, Mermaid, Json };

// Targets are the same as for lint.
struct GraphOptions {
  CommonOptions common;  // its format is that of findings: text
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;
  std::optional<std::string> stdin_filename;
  GraphForm form = GraphForm::Text;
};

// Compares the objects of the API server with the rendered tree.
struct LeftoversOptions {
  CommonOptions common;            // its format is the list's
  std::vector<std::string> files;  // from `kubectl get -o json`; empty: standard input
  std::optional<std::string> output;
  bool print_command = false, untracked = false;
};

// Report formats of other tools.
enum class ReportKind : std::uint8_t { Kubeconform, Sarif };

struct RemapOptions {
  CommonOptions common;
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  ReportKind from = ReportKind::Kubeconform;
  std::string file = "-";
  std::optional<std::string> output;
  lint::Blame blame = lint::Blame::Value;
};

struct RulesOptions {
  CommonOptions common;
  bool test = false;               // `rules test`
  std::vector<std::string> files;  // files of rules; empty: those of the configuration
};

// Golden cases of the repository.
struct TestOptions {
  CommonOptions common;            // its format is that of the cases
  std::vector<std::string> cases;  // `SET/CASE`, `CASE`, `SET`; empty: all
  bool update = false, force = false;
  unsigned jobs = 0;  // 0: one per processor
};

// The command that Argo CD starts as a config management plugin.
struct CmpOptions {
  enum class Task : std::uint8_t { Generate, PluginYaml };
  CommonOptions common;
  Task task = Task::Generate;
  bool allow_empty = false;
};

// Rows of published renders.
struct AuditOptions {
  enum class Task : std::uint8_t { List, Show, Verify, Record };
  CommonOptions common;
  Task task = Task::List;
  std::vector<std::string> targets;  // clusters; for Show and Verify also ids, or prefixes of ids
  std::uint32_t most = 20;           // List: rows; 0: all
  bool any_version = false;          // Verify: also rows of other versions of capwright
  std::string revision = "HEAD";     // Record
  std::string remote = "origin";     // Record

  bool needs_git() const { return true; }
};

struct PublishOptions {
  CommonOptions common;
  publish::Options steps;
  std::vector<std::string> fail_on, allow_delete;  // as in PlanOptions
  std::optional<std::string> max_roll;
  std::optional<std::string> token_env, token_file;  // where to read the token for Gitea's API
  bool force = false;
  bool prune = false;  // delete folders of clusters without values
  unsigned jobs = 0;   // 0: one per processor

  bool needs_git() const { return true; }
};

struct DevOptions {
  std::string what;  // jinja, jsonschema, tokens, ast, values, segments, docs, git
  std::vector<std::string> arguments;

  bool needs_git() const { return what == "git"; }
};

struct VersionOptions {};

// The command line was handled while parsing (help) or rejected (usage): the exit code.
struct Finished {
  int exit_code;
};

using Command = std::variant<Finished, RenderOptions, ExplainOptions, SchemaPrintOptions, SchemaAddOptions,
                             SchemaListOptions, CatalogueListOptions, AddonsOptions, EjectOptions, LintOptions,
                             GraphOptions, LeftoversOptions, RemapOptions, RulesOptions, DiffOptions, PlanOptions,
                             TestOptions, CmpOptions, AuditOptions, PublishOptions, DevOptions, VersionOptions>;

Command parse_command_line(int argc, char** argv);

}  // namespace capwright::cli
