// Options of `capwright schema`, and its subcommands.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.h"

namespace capwright::cli {

struct SchemaOptions {
  enum class Task : std::uint8_t { Print, Add, List };
  CommonOptions common;
  Task task = Task::List;
  // Print
  enum class File : std::uint8_t { Values, Layer, Addon };
  bool rules = false;        // for files of rules
  std::optional<File> file;  // for files of the repository; none: for complete values
  std::string template_set = "capo";
  // Add: converts CRDs to digests in a folder of the repository, or in another one.
  std::vector<std::string> inputs;     // files, folders, `-`
  std::optional<std::string> release;  // "capo-v0.14.7"; for folders, their name by default
  std::optional<std::string> to;       // the folder of all releases
};

int run_schema_print(const SchemaOptions&);
int run_schema_add(const SchemaOptions&);
int run_schema_list(const SchemaOptions&);

}  // namespace capwright::cli
