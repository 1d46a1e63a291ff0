// A program that encrypts or decrypts for us. Texts go in and out by pipes; plain text never reaches a disk, a command
// line or a message.
#pragma once
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "source/process.h"
#include "value/limits.h"
#include "value/secret_texts.h"

namespace capwright::secrets {

// What was tried, as it is told.
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

  // `folder`: where the program runs, from the working directory; paths are relative to it.
  CipherProgram(Name name, Programs& programs, const Limits& limits, std::string folder);

  // A run that didn't succeed. Its own words are added, but for what `secrets` has (encoded_secrets.h).
  void report(const ProgramEnd& end, const CipherTask& task, const SecretTexts& secrets, Sink& sink) const;
  // Words of the program for people: its first lines, in `notes` of a diagnostic.
  void add_notes(Diagnostic& diagnostic, std::string_view words, const SecretTexts& secrets) const;

  // That a file or rules would have the token of a Vault sent to a server that the user hasn't named.
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
