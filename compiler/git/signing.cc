// Passes the commit to the program through a pipe, and reads its signature the same way.
#include <fmt/format.h>

#include "diag/catalog/git.h"
#include "git/repository.h"

namespace capwright::git {
namespace {

constexpr std::uint64_t kMostSignature = 64 * 1024;  // bytes
constexpr std::uint32_t kLongestSigning = 300'000;   // the user may have to type a passphrase

struct SigningRun {
  ProgramRun run;
  std::string fault;  // why it can't run
};

SigningRun signing_run(Repository& repository, const Identity& committer) {
  const auto setting = [&](const char* key, std::string otherwise) {
    return repository.setting(key).value_or(std::move(otherwise));
  };
  const std::string format = setting("gpg.format", "openpgp");
  SigningRun signing;
  ProgramRun& run = signing.run;
  if (format == "ssh") {
    const std::string key = repository.path_setting("user.signingkey").value_or("");
    run.program = setting("gpg.ssh.program", "ssh-keygen");
    run.arguments = {"-Y", "sign", "-n", "git", "-f", key};
    if (key.empty()) signing.fault = "`user.signingkey` is not set";
    if (key.starts_with("key::") || key.starts_with("ssh-")) signing.fault = "`user.signingkey` must be a file";
  } else if (format == "openpgp" || format == "x509") {
    const std::string key = setting("user.signingkey", fmt::format("{} <{}>", committer.name, committer.email));
    run.program = format == "x509" ? setting("gpg.x509.program", "gpgsm")
                                   : setting("gpg.openpgp.program", setting("gpg.program", "gpg"));
    run.arguments = {"--status-fd=2", "-bsau", key};
  } else {
    signing.fault = fmt::format("`gpg.format` is `{}`, not `openpgp`, `ssh` or `x509`", format);
  }
  run.most_output = kMostSignature;
  run.most_milliseconds = kLongestSigning;
  return signing;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

bool signs_commits(Repository& repository) {
  const std::string asked = repository.setting("commit.gpgsign").value_or("false");
  return asked == "true" || asked == "yes" || asked == "on" || asked == "1";
}

Signer configured_signer(Repository& repository, Programs& programs, const Identity& committer, Sink& sink) {
  return [&repository, &programs, committer, &sink](std::string_view commit) -> std::optional<std::string> {
    SigningRun signing = signing_run(repository, committer);
    if (!signing.fault.empty()) {
      sink.report(diag::commit_not_signed, Span(), signing.fault);
      return std::nullopt;
    }
    signing.run.input = commit;
    const ProgramEnd end = programs.run(signing.run);
    if (end.succeeded() && end.output.starts_with("-----BEGIN ")) return end.output;
    Diagnostic& fault =
        sink.report(diag::commit_not_signed, Span(),
                    end.succeeded() ? fmt::format("`{}` produced no signature", signing.run.program)
                                    : fmt::format("`{}` {}", signing.run.program, describe(end, signing.run)));
    if (!end.errors.empty()) fault.note(fmt::format("it says: {}", first_line(end.errors)));
    return std::nullopt;
  };
}

}  // namespace capwright::git
