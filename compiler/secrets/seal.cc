// Handles one SealedSecret after the other; inserts its cipher texts into the rendered text in place of its values.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "diag/catalog/layers.h"
#include "diag/catalog/tree.h"
#include "files/io_fault.h"
#include "secrets/encryption.h"
#include "secrets/kubeseal.h"
#include "secrets/texts.h"

namespace capwright {
namespace {

class Sealer {
 public:
  Sealer(const FileSet& files, const Encryption& input, Stage& stage) : files_(files), input_(input), stage_(stage) {
    secrets::add_encoded(input.values, texts_);
  }

  void seal(RenderedFile& file) {
    const auto secrets = secrets::find_sealed_secrets(file.path, file.body.text(), stage_.limits);
    if (secrets.empty()) return;
    std::vector<secrets::SealedSecret> earlier;
    if (const PreviousFile* known = input_.previous.find(files_.path_in_cluster(file))) {
      earlier = secrets::find_sealed_secrets(file.path, known->text, stage_.limits);
    }
    std::vector<CipherText> texts;
    for (const secrets::SealedSecret& secret : secrets) {
      const auto same = std::find_if(earlier.begin(), earlier.end(),
                                     [&](const secrets::SealedSecret& each) { return each.is_bound_as(secret); });
      seal(file, secret, same == earlier.end() ? nullptr : &*same, texts);
    }
    if (!texts.empty()) replace_values(file, std::move(texts));
    file.secret = file.encrypted = true;  // so that the next render reads it
    if (input_.starts_programs && !stage_.sink.failed()) {
      CW_CHECK(!has_secret(file.body, 0, file.body.size()), "what was let into a SealedSecret's data is sealed");
    }
  }

 private:
  struct CipherText {
    std::uint32_t begin, end;  // the replaced bytes
    std::string text;
  };

  void seal(const RenderedFile& file, const secrets::SealedSecret& secret, const secrets::SealedSecret* earlier,
            std::vector<CipherText>& texts) {
    const bool readable = std::any_of(secret.items.begin(), secret.items.end(), [&](const secrets::SealedItem& item) {
      return has_secret(file.body, item.begin, item.end);
    });
    const std::size_t before = texts.size();
    const bool complete = keep(file, secret, earlier, texts);
    if (readable && (!complete || input_.reencrypt)) {
      texts.resize(before);
      seal_anew(file, secret, texts);
    } else if (readable) {
      stage_.sink.report(diag::kept_sealed, Span(), secret.name, file.path)
          .advise("seal it again from the values with `--reencrypt`");
    } else if (!complete) {
      stage_.sink.report(diag::not_sealed, input_.form.where, secret.name, file.path)
          .advise(
              "give the secret values and `secrets.sealed.certificate` once, or replace the placeholder with the "
              "output of `kubeseal --raw`");
    }
  }

  // Whether every value is then sealed.
  static bool keep(const RenderedFile& file, const secrets::SealedSecret& secret, const secrets::SealedSecret* earlier,
                   std::vector<CipherText>& texts) {
    bool complete = true;
    for (const secrets::SealedItem& item : secret.items) {
      const secrets::SealedItem* known = earlier != nullptr ? earlier->find(item.key) : nullptr;
      // A secret may look like a cipher text.
      const bool sealed_by_template =
          secrets::sealed_size(item.text).has_value() && !has_secret(file.body, item.begin, item.end);
      if (sealed_by_template) continue;
      const bool sealed = known != nullptr && secrets::sealed_size(known->text);
      complete = complete && sealed;
      if (sealed) texts.push_back({item.begin, item.end, known->text});
    }
    return complete;
  }

  void seal_anew(const RenderedFile& file, const secrets::SealedSecret& secret, std::vector<CipherText>& texts) {
    if (!input_.starts_programs || input_.programs == nullptr) return;
    for (const secrets::SealedItem& item : secret.items) secrets::add_encoded(item.text, texts_);
    const std::string certificate(input_.form.certificate);
    std::string unread;
    if (input_.fs.read(input_.workspace.io_path(certificate), unread, 0).code == kOutOfBounds) {
      report_io_fault(stage_.sink, IoTask::Read, certificate, {kOutOfBounds}, input_.form.where);
      return;
    }
    const secrets::Kubeseal program(*input_.programs, stage_.limits, input_.workspace.prefix);
    const ProgramEnd end = program.seal(secret, certificate);
    if (!end.succeeded()) {
      return program.report(end, {file.path, "encrypted", input_.form.where}, texts_, stage_.sink);
    }
    std::vector<std::string> sealed = secrets::cipher_texts(secret, end.output, stage_.limits);
    if (sealed.size() != secret.items.size()) {
      stage_.sink.report(diag::program_failed, input_.form.where, file.path, "encrypted", secrets::kKubesealProgram,
                         "didn't print the sealed values of `" + secret.name + "`");
      return;
    }
    for (std::size_t i = 0; i < sealed.size(); ++i) {
      texts.push_back({secret.items[i].begin, secret.items[i].end, std::move(sealed[i])});
    }
  }

  // White space isn't secret.
  static bool has_secret(const MappedText& text, std::uint32_t begin, std::uint32_t end) {
    const MappedText part = text.slice(begin, end);
    const auto segments = part.segments();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const std::uint32_t next = i + 1 < segments.size() ? segments[i + 1].begin : part.size();
      const std::string_view bytes = std::string_view(part.text()).substr(segments[i].begin, next - segments[i].begin);
      if (segments[i].tainted && bytes.find_first_not_of(" \t\r\n") != std::string_view::npos) return true;
    }
    return false;
  }

  void replace_values(RenderedFile& file, std::vector<CipherText> texts) {
    // Aliases and merge keys visit a place repeatedly, or an earlier one.
    std::sort(texts.begin(), texts.end(), [](const CipherText& a, const CipherText& b) { return a.begin < b.begin; });
    const MappedText& old = file.body;
    MappedText body;
    std::uint32_t done = 0;
    for (const CipherText& each : texts) {
      if (each.begin < done) continue;
      const MappedText before = old.slice(done, each.begin);
      body.append(before.text(), before.segments());
      const bool whole_lines = old.text()[each.end - 1] == '\n';  // a block scalar
      body.append(": " + each.text + (whole_lines ? "\n" : ""), maker_of(old, each));
      done = each.end;
    }
    const MappedText rest = old.slice(done, old.size());
    body.append(rest.text(), rest.segments());
    file.body = std::move(body);
    file.digest = sha256(file.body.text());
  }

  // A cipher text derives from all that it replaces, and is public.
  Segment maker_of(const MappedText& old, const CipherText& text) {
    Segment maker = *old.segment_at(text.begin);
    if (maker.literal) {
      maker.where.begin = std::min(maker.where.begin + (text.begin - maker.begin), maker.where.end);
      maker.where.end = maker.where.begin;
    }
    maker.literal = maker.tainted = false;
    const MappedText replaced = old.slice(text.begin, text.end);
    for (const Segment& segment : replaced.segments()) maker.value = stage_.origins.combine(maker.value, segment.value);
    return maker;
  }

  const FileSet& files_;
  const Encryption& input_;
  Stage& stage_;
  SecretTexts texts_;  // must not be shown, not even in messages of another program
};

}  // namespace

FileSet seal_secrets(FileSet files, const Encryption& input, Stage& stage) {
  if (input.form.name != "sealed") return files;
  Sealer sealer(files, input, stage);
  std::vector<RenderedFile> sealed(files.files().begin(), files.files().end());
  for (RenderedFile& file : sealed) sealer.seal(file);
  return FileSet(files.cluster(), std::move(sealed), files.rotation());
}

}  // namespace capwright
