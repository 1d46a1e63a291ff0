// `console` blocks of a spec file: shell commands that run in a scratch folder with the case's files.
//   $ capwright render --check     a command; the lines below it are its output (stdout and stderr together)
//   ...                            any number of lines
//   [1]                            its exit code, if that isn't 0
#pragma once
#include <optional>
#include <string>

#include "support/spec_file.h"

namespace capwright::spec {

// Runs every command of `block`. Returns the commands with their actual output, or nothing if it is as expected.
// `program` is started for `capwright`.
std::optional<std::string> run_transcript(const Case&, const Block& block, const std::string& program);

}  // namespace capwright::spec
