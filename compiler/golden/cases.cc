// Finds cases by their directories alone: an incomplete directory is a failing case, never a skipped one.
#include "golden/cases.h"

#include <array>
#include <cerrno>

#include "facts/built_in.h"
#include "files/below.h"
#include "files/io_fault.h"
#include "pipeline/config.h"
#include "schema/schema.h"
#include "yaml/read.h"

namespace capwright::golden {
namespace {

constexpr const char* kSchemaPath = "schemas/config/expect.schema.json";
constexpr std::array<std::string_view, 3> kValuesNames = {"values.yaml", "values.yml", "values.json"};

bool is_shown_folder(const DirEntry& entry) {
  return entry.type == FileType::Directory && !entry.name.starts_with('.');
}

// Empty, and reported, if it can't be listed.
std::vector<DirEntry> entries_of(FileSystem& fs, const std::string& folder, Sink& sink) {
  std::vector<DirEntry> entries;
  if (const IoError error = fs.list(folder, entries)) report_io_fault(sink, IoTask::List, folder, error);
  return entries;
}

Case read_case(FileSystem& fs, const std::string& set, const std::string& name, const std::string& folder, Sink& sink) {
  Case found{set, name, folder, {}, false, false, false};
  for (const DirEntry& entry : entries_of(fs, folder, sink)) {
    if (entry.name == "clusters") found.has_tree = true;
    if (entry.name == kConfigName) found.has_config = true;
    if (entry.name == kExpectName) found.has_expectation = true;
    for (const std::string_view values : kValuesNames) {
      if (entry.name == values) found.values = values;
    }
  }
  return found;
}

bool is_link(FileSystem& fs, const std::string& folder) {
  const auto [parent, name] = split_path(folder);
  Dir above;
  FileStat stat;
  return !above.open(fs, parent) && !fs.stat(above / name, stat) && stat.type == FileType::Symlink;
}

std::vector<std::string> texts_of(const Value* list) {
  std::vector<std::string> texts;
  if (list == nullptr || !list->is(Kind::List)) return texts;
  for (const Value& text : list->items()) texts.emplace_back(text.text());
  return texts;
}

}  // namespace

std::vector<Case> find_cases(FileSystem& fs, const std::string& folder, Sink& sink) {
  std::vector<Case> cases;
  if (is_link(fs, folder)) {
    report_io_fault(sink, IoTask::List, folder, IoError{ELOOP});
    return cases;
  }
  for (const DirEntry& set : entries_of(fs, folder, sink)) {
    if (!is_shown_folder(set)) continue;
    const std::string of_set = folder + "/" + set.name;
    for (const DirEntry& entry : entries_of(fs, of_set, sink)) {
      if (is_shown_folder(entry)) cases.push_back(read_case(fs, set.name, entry.name, of_set + "/" + entry.name, sink));
    }
  }
  return cases;
}

IoError open_case(FileSystem& fs, const Case& golden, Dir& opened) {
  const std::string within = golden.title();
  const std::string_view root = std::string_view(golden.folder).substr(0, golden.folder.size() - within.size() - 1);
  const auto [parent, name] = split_path(root);
  Dir above;
  if (const IoError error = above.open(fs, parent)) return error;
  return opened.open(fs, above / (std::string(name) + "/" + within));
}

std::optional<Expectation> read_expectation(FileId file, Stage& stage) {
  const std::size_t errors = stage.sink.error_count();
  const Value document = read_yaml(file, stage);
  if (stage.sink.error_count() != errors) return std::nullopt;
  const FileId schema_file = stage.sources.add(kSchemaPath, std::string(built_in_text(kSchemaPath)));
  if (!schema::validate(*schema::compile(read_yaml(schema_file, stage), stage), document, stage)) return std::nullopt;
  Expectation expectation{
      std::string(document.text_at("path")), texts_of(document.find("expect")), texts_of(document.find("values")), {}};
  if (const Value* comparisons = document.find("compare")) {
    for (const Value& each : comparisons->items())
      expectation.comparisons.push_back({std::string(each.find("against")->text()), texts_of(each.find("rolls"))});
  }
  return expectation;
}

}  // namespace capwright::golden
