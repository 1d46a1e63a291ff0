// `capwright catalogue list`: which dated facts this capwright goes by, and which of them the repository has replaced.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "embedded/embedded.h"
#include "workflow/open_project.h"
#include "yaml/read.h"

namespace capwright::cli {
namespace {

struct CatalogueOptions {
  CommonOptions common;
};

constexpr std::string_view kFolder = "schemas/catalogue/";

// A file of facts, or an item of its lists that was looked up on another day.
struct Row {
  std::string name;  // "addons.yaml", "kubernetes.yaml: EKS"
  std::string as_of, source;
  std::string file;  // in the repository; empty: built in
};

void add_rows(const std::string& name, const std::string& file, const Value& document, std::vector<Row>& rows) {
  if (!document.is(Kind::Map)) return;
  const std::string as_of(document.text_at("as_of"));
  if (!as_of.empty()) rows.push_back({name, as_of, std::string(document.text_at("source")), file});
  for (const Entry& part : document.entries()) {
    if (!part.value.is(Kind::List)) continue;
    for (const Value& item : part.value.items()) {
      const std::string own(item.text_at("as_of"));
      if (!own.empty())
        rows.push_back(
            {fmt::format("{}: {}", name, item.text_at("title")), own, std::string(item.text_at("source")), file});
    }
  }
}

std::vector<Row> rows_of(const OwnCatalogue& own, Stage& stage) {
  std::vector<Row> rows;
  const auto read = [&](std::string path, std::string text) {
    return read_yaml(stage.sources.add(std::move(path), std::move(text)), stage);
  };
  for (const embedded::File& file : embedded::files()) {
    if (!file.path.starts_with(kFolder) || !file.path.ends_with(".yaml")) continue;
    const std::string name(file.path.substr(kFolder.size()));
    add_rows(name, "", read(std::string(file.path), std::string(file.text)), rows);
    for (const OwnCatalogue::File* over : {&own.addons, &own.kubernetes}) {
      if (!over->text.empty() && over->shown.ends_with("/" + name))
        add_rows(name, over->shown, read(over->shown, over->text), rows);
    }
  }
  return rows;
}

std::string catalogues_table(const std::vector<Row>& rows) {
  std::size_t widest = 0;
  for (const Row& row : rows) widest = std::max(widest, row.name.size());
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}  {}  {}{}\n", row.name, widest, row.as_of, row.file.empty() ? "built in" : row.file,
                        row.source.empty() ? "" : ", from " + report::printable(row.source));
  }
  return text;
}

std::string catalogues_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json catalogues = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json json = {{"name", row.name}, {"as_of", row.as_of}};
    if (!row.source.empty()) json["source"] = row.source;
    if (!row.file.empty()) json["file"] = row.file;
    catalogues.push_back(std::move(json));
  }
  return nlohmann::ordered_json{{"version", 1}, {"catalogues", std::move(catalogues)}}.dump(2) + "\n";
}

int run_catalogue_list(const CatalogueOptions& options) {
  Console console(options.common);
  const auto open =
      workflow::open_project({.repository = options.common, .values = {}, .plain = {}, .writes = false, .output = {}});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  Stage stage{open->sources, open->sink, open->arena, open->origins, open->limits};
  const std::vector<Row> rows = rows_of(open->project->config().catalogue, stage);
  return console.finish(options.common.format == Format::Json ? catalogues_json(rows) : catalogues_table(rows));
}

class CatalogueCommand final : public CommandWith<CatalogueOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.require_subcommand(1);
    add_common(*app.add_subcommand("list", "List the catalogues, their dates and their sources"), options_.common,
               {"text", "json"});
  }
  int run() override { return run_catalogue_list(options_); }

 protected:
  std::string contradiction() const override {
    return options_.common.report_files.empty() ? "" : "`--format FORM=FILE` isn't supported here; redirect the output";
  }
};

}  // namespace

const CommandInfo catalogue_command{"catalogue",
                                    "Show the dated facts that rules and templates use",
                                    make_command<CatalogueCommand>,
                                    {{"List the catalogues with their dates", "capwright catalogue list"},
                                     {"The same for a program", "capwright catalogue list -f json"}}};

}  // namespace capwright::cli
