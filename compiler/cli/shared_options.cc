// CLI11 calls back with the words that the user typed; messages suggest similar ones.
#include "cli/shared_options.h"

#include <algorithm>
#include <sstream>

#include "cli/help_page.h"
#include "report/formats.h"
#include "schema/format.h"

namespace capwright::cli {
namespace {

// The form that the user already requested for the destination of `given`, or empty. A destination takes one form.
std::string form_at_same_place(const std::vector<std::string>& all, const std::string& given) {
  const auto place = [](const std::string& format) {
    const std::size_t equals = format.find('=');
    return equals == std::string::npos ? std::string() : format.substr(equals + 1);
  };
  for (const std::string& other : all) {
    if (other != given && place(other) == place(given)) return other;
  }
  return {};
}

Format format_of(std::string_view form) {
  if (form == "text") return Format::Text;
  if (form == "concise") return Format::Concise;
  return form == "json" ? Format::Json : Format::Other;
}

// The library keeps one text for the type of a value. The words to offer follow this separator.
constexpr char kWords = '\n', kNextWord = ',';

// A list such as `auto|always|never`. Placeholders have capital letters.
bool is_list(std::string_view type) {
  return type.find('|') != std::string_view::npos && std::all_of(type.begin(), type.end(), [](char c) {
           return c == '|' || c == '-' || c == '_' || (c >= 'a' && c <= 'z');
         });
}

// Options that are added until the end of its scope are listed under this title.
class Titled {
 public:
  Titled(CLI::App& app, const char* title) : app_(app) { app_.option_defaults()->group(title); }
  Titled(const Titled&) = delete;
  Titled& operator=(const Titled&) = delete;
  ~Titled() { app_.option_defaults()->group("Options"); }

 private:
  CLI::App& app_;
};

void add_format(CLI::App& app, CommonOptions& common, const std::vector<std::string>& forms) {
  const auto choose = [&common, forms](const std::string& given) {
    const std::size_t equals = given.find('=');
    const std::string form = CLI::detail::to_lower(given.substr(0, equals));
    if (std::find(forms.begin(), forms.end(), form) == forms.end()) {
      const std::vector<std::string_view> words(forms.begin(), forms.end());
      const std::string suggestion = did_you_mean(form, words);
      throw CLI::ValidationError(fmt::format("`--format` takes {}, not `{}`{}{}", list_names(words, words.size()),
                                             given, suggestion.empty() ? "" : "; ", suggestion));
    }
    if (equals == std::string::npos) {
      common.form = form;
      common.format = format_of(form);
    } else if (equals + 1 == given.size()) {
      throw CLI::ValidationError(fmt::format("`--format {}` has no file name", given));
    } else {
      common.report_files.push_back({form, given.substr(equals + 1)});
    }
  };
  CLI::Option* format = app.add_option_function<std::vector<std::string>>(
      "-f,--format",
      [choose](const std::vector<std::string>& all) {
        std::for_each(all.begin(), all.end(), choose);
        for (const std::string& given : all) {
          const std::string other = form_at_same_place(all, given);
          if (other.empty()) continue;
          throw CLI::ValidationError(fmt::format(
              "`--format {}` and `--format {}` have the same destination; use `--format FORM=FILE`", given, other));
        }
      },
      "Output format; FORM=FILE also writes it to a file; can be repeated");
  offer(format, "FORM[=FILE]", forms)->expected(1)->take_all()->allow_extra_args(false);
}

}  // namespace

CLI::Option* offer(CLI::Option* option, const std::string& type, const std::vector<std::string>& words) {
  return option->type_name(fmt::format("{}{}{}", type, kWords, fmt::join(words, std::string(1, kNextWord))));
}

std::string value_type(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(kWords));
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (is_list(type)) return CLI::detail::split(type, '|');
  const std::size_t at = value_type(option).size();
  return at == type.size() ? std::vector<std::string>() : CLI::detail::split(type.substr(at + 1), kNextWord);
}

std::vector<std::string> all_forms() {
  std::vector<std::string> forms{"text", "concise"};
  for (const report::ReportForm& known : report::report_forms()) forms.emplace_back(known.name);
  return forms;
}

void add_common_but_format(CLI::App& app, CommonOptions& common) {
  const Titled titled(app, kCommonOptions);
  app.add_option("--config", common.config, "Use this capwright.yaml instead of searching for one")->type_name("FILE");
  app.add_flag("--isolated", common.isolated, "Ignore every capwright.yaml");
  app.add_flag("--allow-outside", common.allow_outside,
               "Follow paths and links outside the repository; only for changes that you trust");
  add_choice<ColorMode>(app, "--color", common.color,
                        {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}},
                        "Color text output (default: on a terminal, unless NO_COLOR is set)");
  app.add_flag("-q,--quiet", common.quiet, "Print findings only");
  app.add_flag("-v,--verbose", common.verbose, "Print more details, such as notes in full");
}

void add_common(CLI::App& app, CommonOptions& common, std::vector<std::string> forms) {
  {
    const Titled titled(app, kCommonOptions);
    add_format(app, common, forms);
  }
  add_common_but_format(app, common);
}

void add_run_sources(CLI::App& app, CommonOptions& common) {
  app.add_flag("--run-sources", common.run_sources,
               "Run the commands of `sources` in capwright.yaml; only for changes that you trust");
}

void add_values(CLI::App& app, workflow::ValueOptions& values) {
  const Titled titled(app, "Values");
  app.add_option("--values", values.files,
                 "Add a values file above the cluster's own, `-` for standard input; can be repeated")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
  // One vector for both, since their order counts.
  const auto set = [&](const char* name, bool as_string, const char* help) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&values, as_string](const std::vector<std::string>& all) {
             for (const std::string& one : all) values.sets.push_back({one, as_string});
           },
           help)
        ->type_name("PATH=VALUE")
        ->trigger_on_parse()
        ->allow_extra_args(false);
  };
  set("--set", false, "Set one value above all layers, parsed as YAML");
  set("--set-string", true, "Set one value above all layers, as a string");
}

void add_plain_templates(CLI::App& app, workflow::PlainTemplates& plain) {
  const Titled titled(app, "Templates of a plain folder");
  app.add_option("--template-dir", plain.folder, "Render this plain folder of Jinja2 templates")->type_name("DIR");
  app.add_option("--main", plain.main, "Template to render, in that folder")->type_name("FILE");
  app.add_option("--schema", plain.schema, "JSON Schema of the values")->type_name("FILE");
  offer(app.add_option("--jinja", plain.jinja, "Jinja2 options to turn on"), "OPTION[,OPTION]",
        {"autoescape", "keep_trailing_newline", "lstrip_blocks", "trim_blocks"})
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_shard(CLI::App& app, workflow::Shard& shard) {
  app.add_option_function<std::string>(
         "--shard",
         [&shard](const std::string& text) {
           char slash = 0;
           std::istringstream in(text);
           in >> shard.number >> slash >> shard.count;
           if (!in || slash != '/' || !in.eof() || shard.number == 0 || shard.number > shard.count)
             throw CLI::ValidationError("--shard", "write it as `2/5`, the second of five parts");
         },
         "Process only this part of the fleet, selected by a hash of the names")
      ->type_name("I/N");
}

void add_fail_level(CLI::App& app, Severity& level) {
  add_choice<Severity>(
      app, "--fail-level", level,
      {{"error", Severity::Error}, {"warning", Severity::Warning}, {"note", Severity::Note}, {"info", Severity::Note}},
      "Lowest severity that makes the exit code 1 (default: warning)")
      ->type_name("error|warning|note");
}

CLI::Option* add_list(CLI::App& app, const char* name, std::vector<std::string>& target, const char* help) {
  return app.add_option(name, target, help)->take_all()->allow_extra_args(false);
}

void add_as_of(CLI::App& app, std::optional<std::string>& date) {
  const auto take = [&date](const std::string& given) {
    if (!schema::matches_format(given, schema::Format::Date))
      throw CLI::ValidationError(fmt::format("`--as-of` takes a date such as `2026-08-22`, not `{}`", given));
    date = given;
  };
  app.add_option_function<std::string>(
         "--as-of", take, "Date for support and for the end of suppressions (default: that of the catalogue)")
      ->type_name("YYYY-MM-DD");
}

void add_blame(CLI::App& app, lint::Blame& blame) {
  add_choice<lint::Blame>(
      app, "--blame", blame,
      {{"value", lint::Blame::Value}, {"template", lint::Blame::Template}, {"rendered", lint::Blame::Rendered}},
      "Location to show first");
}

std::string needless_name(const std::vector<std::string>& targets, const std::optional<std::string>& stdin_filename) {
  const bool reads_input = std::find(targets.begin(), targets.end(), "-") != targets.end();
  return stdin_filename && !reads_input ? "`--stdin-filename` needs `-` as a target" : "";
}

}  // namespace capwright::cli
