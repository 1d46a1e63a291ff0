// Flags as every `sops` of version 3 understands them.
#include "secrets/sops.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "diag/catalog.h"

namespace capwright::secrets {
namespace {

// Variables from which `sops` would take rules and keys: the repository says for whom is encrypted, not a machine.
constexpr const char* kForeignKeys[] = {"SOPS_CONFIG",     "SOPS_AGE_RECIPIENTS",     "SOPS_PGP_FP",
                                        "SOPS_KMS_ARN",    "SOPS_GCP_KMS_IDS",        "SOPS_AZURE_KEYVAULT_URLS",
                                        "SOPS_VAULT_URIS", "SOPS_HUAWEICLOUD_KMS_IDS"};
constexpr std::size_t kMostNotes = 12;

std::string type_of(std::string_view path) { return path.ends_with(".json") ? "json" : "yaml"; }

}  // namespace

Sops::Sops(Programs& programs, const Limits& limits, std::string folder)
    : programs_(programs), limits_(limits), folder_(std::move(folder)) {}

ProgramRun Sops::run_of(std::string_view text) const {
  ProgramRun run;
  run.program = kSopsProgram;
  run.folder = folder_;
  run.input = text;
  run.most_output = limits_.program_output_bytes;
  run.most_milliseconds = limits_.program_seconds * 1000;
  return run;
}

ProgramEnd Sops::encrypt(std::string_view text, const std::string& path, const SopsKeys& keys,
                         std::string_view encrypted_keys) const {
  ProgramRun run = run_of(text);
  // A file without rules keeps it from searching for one.
  run.arguments = {"--config", keys.age.empty() ? keys.rules : "/dev/null", "--encrypt"};
  if (!keys.age.empty())
    run.arguments.insert(run.arguments.end(), {"--age", fmt::format("{}", fmt::join(keys.age, ","))});
  if (!encrypted_keys.empty()) {
    run.arguments.insert(run.arguments.end(), {"--encrypted-regex", std::string(encrypted_keys)});
  }
  const std::string type = type_of(path);
  run.arguments.insert(run.arguments.end(),
                       {"--input-type", type, "--output-type", type, "--filename-override", path, "/dev/stdin"});
  run.unset.assign(std::begin(kForeignKeys), std::end(kForeignKeys));
  return programs_.run(run);
}

ProgramEnd Sops::decrypt(std::string_view text, std::string_view path) const {
  ProgramRun run = run_of(text);
  const std::string type = type_of(path);
  run.arguments = {"--decrypt", "--input-type", type, "--output-type", type, "/dev/stdin"};
  return programs_.run(run);
}

void Sops::report(const ProgramEnd& end, const SopsTask& task, const SecretTexts& secrets, Sink& sink) const {
  if (end.how == ProgramEnd::How::NotFound) {
    sink.report(diag::program_missing, task.asked_at, kSopsProgram)
        .advise(
            "install it (the package `sops` of many systems, or a release of the getsops project), in a folder of "
            "PATH");
    return;
  }
  Diagnostic& diagnostic =
      sink.report(diag::program_failed, task.asked_at, task.path, task.tried, kSopsProgram, describe(end, run_of({})));
  add_notes(diagnostic, end.errors, secrets);
}

void add_notes(Diagnostic& diagnostic, std::string_view words, const SecretTexts& secrets) {
  const std::string covered = secrets.cover(words);
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
    diagnostic.note(fmt::format("{}: {}", kSopsProgram, line));
  }
}

const ProgramEnd& DecryptedTexts::decrypt(const Sops& sops, std::string_view text, std::string_view path) {
  Decrypted* decrypted = nullptr;
  {
    const std::scoped_lock lock(finding_);
    auto& known = texts_[sha256(text)];
    if (known == nullptr) known = std::make_unique<Decrypted>();
    decrypted = known.get();
  }
  std::call_once(decrypted->once, [&] { decrypted->end = sops.decrypt(text, path); });
  return decrypted->end;
}

}  // namespace capwright::secrets
