// A case is a schema with documents that it accepts or rejects. Compiles and runs every case separately.
#include <fmt/format.h>
#include <map>
#include <ostream>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "devtools/tasks.h"
#include "schema/schema.h"
#include "source/real_fs.h"
#include "yaml/read.h"

namespace capwright::devtools {
namespace {

constexpr std::string_view kRemoteBase = "http://localhost:1234/";

struct Count {
  std::size_t passed = 0, all = 0;
};

class SuiteRun {
 public:
  SuiteRun(const std::string& suite, std::ostream& report) : suite_(suite), report_(report) {}

  int run() {
    std::vector<std::string> remotes;
    find_json(suite_ + "/remotes", "", remotes);
    for (const std::string& name : remotes) {
      given_.push_back({std::string(kRemoteBase) + name, read(suite_ + "/remotes/" + name)});
    }
    std::vector<std::string> files;
    find_json(suite_ + "/tests", "", files);
    for (const std::string& name : files) run_file(name);
    for (const auto& [group, count] : groups_) print_sum(group, count);
    if (files.empty()) report_ << "there is no `tests` folder with *.json in `" << suite_ << "`\n";
    if (files.empty()) return cli::kUsageError;
    return failed_ == 0 ? cli::kClean : cli::kFindings;
  }

 private:
  void find_json(const std::string& folder, const std::string& below, std::vector<std::string>& found) {
    std::vector<DirEntry> entries;
    if (fs_.list(below.empty() ? folder : folder + "/" + below, entries)) return;
    for (const DirEntry& entry : entries) {
      const std::string name = below.empty() ? entry.name : below + "/" + entry.name;
      if (entry.type == FileType::Directory) find_json(folder, name, found);
      else if (name.ends_with(".json")) found.push_back(name);
    }
  }

  Value read(const std::string& path) {
    std::string text;
    if (fs_.read(path, text, limits_.input_bytes)) return Value::error();
    return read_yaml(sources_.add(path, std::move(text)), stage_, {.syntax = TextSyntax::Json});
  }

  void run_file(const std::string& name) {
    const Value cases = read(suite_ + "/tests/" + name);
    if (!cases.is(Kind::List)) {
      ++failed_;
      report_ << "UNREADABLE " << name << "\n";
      return;
    }
    Count count;
    for (const Value& one : cases.items()) run_case(name, one, count);
    report_ << fmt::format("{:<60} {:>4} of {:>4}\n", name, count.passed, count.all);
    const std::string draft = name.substr(0, name.find('/'));
    const bool optional = name.find("/optional/") != std::string::npos;
    Count& sum = groups_[optional ? draft + "/optional" : draft];
    sum.passed += count.passed;
    sum.all += count.all;
  }

  void run_case(const std::string& name, const Value& one, Count& count) {
    const schema::CompileOptions options{
        .given = given_,
        .assert_formats = name.find("/optional/format") != std::string::npos,
        .draft7 = name.starts_with("draft7/"),
    };
    const auto compiled = schema::compile(*one.find("schema"), stage_, options);
    for (const Value& test : one.find("tests")->items()) {
      const bool expected = test.find("valid")->as_bool();
      ++count.all;
      if (schema::validate(*compiled, *test.find("data"), stage_) == expected) {
        ++count.passed;
        continue;
      }
      ++failed_;
      report_ << fmt::format("FAIL {} | {} | {} | expected {}\n", name, one.text_at("description"),
                             test.text_at("description"), expected ? "valid" : "invalid");
    }
  }

  void print_sum(const std::string& group, const Count& count) {
    report_ << fmt::format("{}: {} of {} ({:.2f} %)\n", group, count.passed, count.all,
                           100.0 * static_cast<double>(count.passed) / static_cast<double>(count.all));
  }

  const std::string& suite_;
  std::ostream& report_;
  RealFs fs_;
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  const Limits limits_;
  Stage stage_{sources_, sink_, arena_, origins_, limits_};
  std::vector<schema::SchemaDocument> given_;
  std::map<std::string, Count> groups_;
  std::size_t failed_ = 0;
};

}  // namespace

int run_schema_suite(const std::string& suite, std::ostream& report) { return SuiteRun(suite, report).run(); }

}  // namespace capwright::devtools
