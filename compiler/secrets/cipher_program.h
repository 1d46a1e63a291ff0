// Runs a program that encrypts or decrypts. Text is passed through pipes; plain text never reaches a disk, a command
// line or a message.
#pragma once
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "secrets/texts.h"
#include "source/process.h"
#include "value/limits.h"

namespace capwright::secrets {

// The attempted operation, for messages.
struct CipherTask {
  std::string_view path;
  std::string_view tried;  // "encrypted", "decrypted"
  Span asked_at;
};

class CipherProgram {
 public:
  struct Name {
    std::string_view program;
    std::string_view origin;  // where to get it
  };

  // `folder`: the working directory of the program; paths are relative to it.
  CipherProgram(Name name, Programs& programs, const Limits& limits, std::string folder);

  // Reports a failed run, with the program's own message, in which `secrets` are redacted (encoded_secrets.h).
  void report(const ProgramEnd& end, const CipherTask& task, const SecretTexts& secrets, Sink& sink) const;
  // Adds the first lines of the program's output to the notes of a diagnostic.
  void add_notes(Diagnostic& diagnostic, std::string_view words, const SecretTexts& secrets) const;

  // Reports that a file or rules would send a Vault token to a server that the user hasn't configured.
  static void report_vault(const std::string& server, std::string_view path, Span asked_at, Sink& sink);

 protected:
  const Limits& limits() const { return limits_; }
  // A run with `text` as its input.
  ProgramRun run_of(std::string_view text) const;
  ProgramEnd run(const ProgramRun& run) const { return programs_.run(run); }

 private:
  Name name_;
  Programs& programs_;
  const Limits& limits_;
  std::string folder_;
};

}  // namespace capwright::secrets
