// `console` blocks of a spec file: shell commands run in a scratch folder that holds the case's files.
//   $ capwright render --check     a command; the lines below it are what it prints (stdout and stderr together)
//   ...                            any number of lines
//   [1]                            its exit code, when that isn't 0
#pragma once
#include <optional>
#include <string>

#include "support/spec_file.h"

namespace capwright::spec {

// Runs every command of `block`; the commands with what they really print, or nothing when it went as written.
// `program` is what `capwright` means there.
std::optional<std::string> run_transcript(const Case&, const Block& block, const std::string& program);

}  // namespace capwright::spec
