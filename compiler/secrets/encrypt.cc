// Handles one file after the other: keeps the existing one, or encrypts it again and verifies the result.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/catalog/tree.h"
#include "files/io_fault.h"
#include "secrets/encryption.h"
#include "secrets/find_sops_rules.h"
#include "secrets/secret_leaves.h"
#include "secrets/sops.h"
#include "secrets/sops_document.h"
#include "secrets/texts.h"

namespace capwright {
namespace {

class Encrypter {
 public:
  Encrypter(const FileSet& files, const Encryption& input, Stage& stage) : files_(files), input_(input), stage_(stage) {
    secrets::add_encoded(input.values, texts_);
  }

  // The new text for the tree; empty after reporting an error.
  std::optional<std::string> encrypt(const RenderedFile& file) {
    add_texts(file);
    const secrets::SecretLeaves leaves =
        secrets::find_secret_leaves(file, secrets::SecretHolder::Secret, stage_.limits);
    const secrets::ReadStream plain(file.path, file.body.text(), ScalarRules::Kubernetes, stage_.limits);
    const PreviousFile* known = input_.previous.find(files_.path_in_cluster(file));
    if (known != nullptr && !input_.reencrypt) {
      const secrets::ReadStream there(file.path, known->text, ScalarRules::Kubernetes, stage_.limits);
      if (secrets::is_encrypted(there) && !secrets::readable_leaf(there, leaves.inside)) {
        const Verdict verdict = judge(file, known->text, plain);
        if (verdict == Verdict::Keep) return known->text;
        if (verdict == Verdict::Failed) return std::nullopt;
      }
    }
    return encrypt_anew(file, leaves.inside);
  }

 private:
  enum class Verdict : std::uint8_t { Keep, Outdated, Failed };

  const secrets::Sops& sops() const { return *input_.sops; }

  void add_texts(const RenderedFile& file) {
    const auto segments = file.body.segments();
    const std::string_view text = file.body.text();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : file.body.size();
      if (segments[i].tainted) secrets::add_encoded(text.substr(segments[i].begin, end - segments[i].begin), texts_);
    }
  }

  // Whether the existing file may stay.
  Verdict judge(const RenderedFile& file, const std::string& encrypted, const secrets::ReadStream& plain) {
    const ProgramEnd end = sops().decrypt(encrypted, file.path);
    if (end.succeeded()) {
      const secrets::ReadStream decrypted(file.path, end.output, ScalarRules::Kubernetes, stage_.limits);
      return secrets::same_data(plain, decrypted) ? Verdict::Keep : Verdict::Outdated;
    }
    texts_.add(end.output);
    if (end.how != ProgramEnd::How::Exited) {
      sops().report(end, {file.path, "decrypted", input_.form.where}, texts_, stage_.sink);
      return Verdict::Failed;
    }
    Diagnostic& warning = stage_.sink.report(diag::kept_undecrypted, Span(), file.path);
    sops().add_notes(warning, end.errors, texts_);
    warning.advise("regenerate it from the values with `--reencrypt`");
    return Verdict::Keep;
  }

  std::optional<std::string> encrypt_anew(const RenderedFile& file, const std::vector<secrets::SecretLeaf>& leaves) {
    const Span form = input_.form.where;
    if (!keys_) keys_ = find_sops_keys(input_.values, input_.fs, input_.workspace, input_.output);
    if (keys_->rules.empty() && keys_->age.empty()) {
      stage_.sink.report(diag::no_recipients, form, file.path)
          .advise("add a rule to `.sops.yaml`, or age public keys to `secrets.sops.age`");
      return std::nullopt;
    }
    if (!keys_->rules.empty() && !may_follow(keys_->rules)) return std::nullopt;
    const std::string path = path_in_repository(file.path, input_.output);
    ProgramEnd end = sops().encrypt(file.body.text(), path, *keys_, keys_->age.empty() ? "" : secrets::kEncryptedKeys);
    if (end.succeeded() && keys_->age.empty() && took_all(file, end.output)) {
      end = sops().encrypt(file.body.text(), path, *keys_, secrets::kEncryptedKeys);
    }
    if (!end.succeeded()) {
      report_failure(end, file);
      return std::nullopt;
    }
    return check(file, std::move(end.output), leaves);
  }

  // Reports rules outside of the repository, and rules that would send a token elsewhere.
  bool may_follow(const std::string& rules) {
    std::string text;
    const std::string path = input_.workspace.io_path(rules);
    if (const IoError error = input_.fs.read(path, text, stage_.limits.input_bytes)) {
      report_io_fault(stage_.sink, IoTask::Read, rules, error);
      return false;
    }
    const std::string vault = sops().foreign_vault(text, rules, true);
    if (!vault.empty()) secrets::CipherProgram::report_vault(vault, rules, input_.form.where, stage_.sink);
    return vault.empty();
  }

  bool took_all(const RenderedFile& file, const std::string& encrypted) const {
    return secrets::is_encrypted_as_a_whole({file.path, encrypted, ScalarRules::Kubernetes, stage_.limits});
  }

  void report_failure(const ProgramEnd& end, const RenderedFile& file) {
    const bool without_rule = end.errors.find("no matching creation rules found") != std::string::npos;
    if (!without_rule) return sops().report(end, {file.path, "encrypted", input_.form.where}, texts_, stage_.sink);
    stage_.sink.report(diag::no_recipients, input_.form.where, file.path)
        .note("no `path_regex` in `" + keys_->rules + "` matches this path")
        .advise("add a rule for it, or age public keys to `secrets.sops.age`");
  }

  // Rejects the result if the program returned its input, or a part of it.
  std::optional<std::string> check(const RenderedFile& file, std::string encrypted,
                                   const std::vector<secrets::SecretLeaf>& leaves) {
    const secrets::ReadStream stream(file.path, encrypted, ScalarRules::Kubernetes, stage_.limits);
    if (!secrets::is_encrypted(stream)) {
      stage_.sink.report(diag::program_failed, input_.form.where, file.path, "encrypted", secrets::kSopsProgram,
                         "didn't print an encrypted manifest");
      return std::nullopt;
    }
    if (const auto readable = secrets::readable_leaf(stream, leaves)) {
      stage_.sink.report(diag::encrypted_in_part, input_.form.where, *readable, file.path)
          .advise("set `encrypted_regex: " + std::string(secrets::kEncryptedKeys) + "` in the rule of `.sops.yaml`");
      return std::nullopt;
    }
    return encrypted;
  }

  const FileSet& files_;
  const Encryption& input_;
  Stage& stage_;
  SecretTexts texts_;  // must not be shown, not even in messages of another program
  std::optional<secrets::SopsKeys> keys_;
};

// Bytes of an encrypted text have no single origin: each derives from all secrets.
void replace_body(RenderedFile& file, const std::string& text, Stage& stage) {
  Segment maker;
  maker.where = file.marker;
  maker.tainted = true;
  for (const Segment& segment : file.body.segments()) {
    if (segment.tainted) maker.value = stage.origins.combine(maker.value, segment.value);
  }
  file.body = {};
  file.body.append(text, maker);
  file.digest = sha256(text);
  file.encrypted = true;
}

}  // namespace

FileSet encrypt_secrets(FileSet files, const Encryption& input, Stage& stage) {
  if (!input.starts_programs || input.sops == nullptr || input.form.name != "sops") return files;
  Encrypter encrypter(files, input, stage);
  std::vector<RenderedFile> encrypted(files.files().begin(), files.files().end());
  for (RenderedFile& file : encrypted) {
    if (!file.secret) continue;
    if (const auto text = encrypter.encrypt(file)) replace_body(file, *text, stage);
  }
  return FileSet(files.cluster(), std::move(encrypted), files.rotation());
}

}  // namespace capwright
