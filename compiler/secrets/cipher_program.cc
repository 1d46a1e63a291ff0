// Limits of a run, and messages for its failure.
#include "secrets/cipher_program.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "diag/catalog/tree.h"

namespace capwright::secrets {
namespace {

constexpr std::size_t kMostNotes = 12;

}  // namespace

CipherProgram::CipherProgram(Name name, Programs& programs, const Limits& limits, std::string folder)
    : name_(name), programs_(programs), limits_(limits), folder_(std::move(folder)) {}

ProgramRun CipherProgram::run_of(std::string_view text) const {
  ProgramRun run;
  run.program = name_.program;
  run.folder = folder_;
  run.input = text;
  run.most_output = limits_.program_output_bytes;
  run.most_milliseconds = limits_.program_seconds * 1000;
  return run;
}

void CipherProgram::report(const ProgramEnd& end, const CipherTask& task, const SecretTexts& secrets,
                           Sink& sink) const {
  if (end.how == ProgramEnd::How::NotFound) {
    sink.report(diag::program_missing, task.asked_at, name_.program)
        .advise(fmt::format("install it ({}), in a folder of PATH", name_.origin));
    return;
  }
  if (end.how == ProgramEnd::How::Refused) return report_vault(end.errors, task.path, task.asked_at, sink);
  Diagnostic& diagnostic =
      sink.report(diag::program_failed, task.asked_at, task.path, task.tried, name_.program, describe(end, run_of({})));
  add_notes(diagnostic, end.errors, secrets);
  if (task.tried == "decrypted")
    diagnostic.advise(
        "put the private key where `sops` looks for it, or set `SOPS_AGE_KEY_FILE` to a file of age keys");
}

void CipherProgram::report_vault(const std::string& server, std::string_view path, Span asked_at, Sink& sink) {
  sink.report(diag::vault_not_named, asked_at, path, server)
      .advise("set `VAULT_ADDR` to the address of the server, if it is yours");
}

void CipherProgram::add_notes(Diagnostic& diagnostic, std::string_view words, const SecretTexts& secrets) const {
  const std::string covered = secrets.redact(words);
  std::string_view rest = covered;
  for (std::size_t count = 0; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (count++ == kMostNotes) {
      diagnostic.note("…");
      return;
    }
    diagnostic.note(fmt::format("{}: {}", name_.program, line));
  }
}

}  // namespace capwright::secrets
