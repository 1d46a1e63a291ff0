// The command line as plain structs: what each command is asked to do. Only command_line.cc knows the parser library.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "diag/diag.h"
#include "lint/blame.h"

namespace capwright::cli {

enum class ColorMode : std::uint8_t { Auto, Always, Never };
// How findings are printed; Other is one of report_forms().
enum class Format : std::uint8_t { Text, Concise, Json, Other };

// `-f FORM=FILE`: findings go into a file, too.
struct ReportFile {
  std::string form;
  std::string path;
};

// Options that every command takes.
struct CommonOptions {
  std::optional<std::string> config;  // --config FILE
  bool isolated = false;              // ignore any capwright.yaml
  ColorMode color = ColorMode::Auto;
  Format format = Format::Text;
  std::string form = "text";  // the same as a word
  std::vector<ReportFile> report_files;
  bool quiet = false;
  bool verbose = false;
};

// What adds to or replaces a cluster's values.
struct ValueOptions {
  std::vector<std::string> files;  // --values FILE, in order
  struct Set {
    std::string assignment;  // path=value
    bool as_string;          // --set-string
  };
  std::vector<Set> sets;  // --set and --set-string, in the order given
};

// A folder of Jinja2 templates that knows nothing of capwright.
struct PlainTemplates {
  std::string folder;                 // --template-dir
  std::string main;                   // --main
  std::optional<std::string> schema;  // --schema
  std::vector<std::string> jinja;     // --jinja trim_blocks,lstrip_blocks,…
};

struct RenderOptions {
  CommonOptions common;
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;   // clusters or values files; empty: all of the repository
  std::optional<std::string> output;  // -o
  bool check = false, to_stdout = false, list = false, source_map = false;
  bool force = false, all_or_nothing = false, upgrade_set = false, reencrypt = false;
  std::optional<std::string> secrets_form;
  unsigned jobs = 0;                    // 0: as many as there are processors
  std::uint32_t shard = 0, shards = 0;  // --shard i/n; 0/0: all
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
  std::optional<std::string> folder;  // else `<templates>/<set>`
  bool list = false, force = false;
};

// CRDs become digests in a folder of the repository, or in another one.
struct SchemaAddOptions {
  CommonOptions common;
  std::vector<std::string> inputs;     // files, folders, `-`
  std::optional<std::string> release;  // "capo-v0.14.7"; of folders, their name by default
  std::optional<std::string> to;       // the folder of all releases
};

struct SchemaListOptions {
  CommonOptions common;
};

// Values files, clusters, manifests, folders of manifests, `-`; nothing: the whole repository.
struct LintOptions {
  CommonOptions common;
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;
  std::vector<std::string> select, ignore;  // codes, beginnings of codes, names
  lint::Blame blame = lint::Blame::Value;
  Severity fail_level = Severity::Warning;
  bool exit_zero = false, statistics = false, show_files = false;
  std::optional<std::string> stdin_filename;
  std::optional<std::string> as_of;  // a date
  unsigned jobs = 0;                 // 0: as many as there are processors
};

struct RulesOptions {
  CommonOptions common;
};

struct DevOptions {
  std::string what;  // jinja, jsonschema, tokens, ast, values, segments, docs
  std::vector<std::string> arguments;
};

struct VersionOptions {};

// Asked for and answered while parsing (help) or refused (usage): the exit code.
struct Finished {
  int exit_code;
};

using Command =
    std::variant<Finished, RenderOptions, ExplainOptions, SchemaPrintOptions, SchemaAddOptions, SchemaListOptions,
                 AddonsOptions, EjectOptions, LintOptions, RulesOptions, DevOptions, VersionOptions>;

Command parse_command_line(int argc, char** argv);

}  // namespace capwright::cli
