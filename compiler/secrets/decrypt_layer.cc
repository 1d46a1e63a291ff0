// The decrypted text doesn't become a source: it is parsed separately, and only its values are kept.
#include "secrets/decrypt_layer.h"

#include "diag/catalog/tree.h"
#include "secrets/sops_document.h"

namespace capwright {

Value decrypt_layer(const Value& document, FileId file, const LayerDecryption& decryption, Stage& stage) {
  if (decryption.sops == nullptr || !secrets::is_encrypted(document)) return document;
  const std::string_view path = stage.sources.path(file), text = stage.sources.text(file);
  const ProgramEnd& end = decryption.texts->decrypt(*decryption.sops, text, path);
  const Span place{file, 0, 0};
  if (!end.succeeded()) {
    SecretTexts covered;
    covered.add(end.output);
    decryption.sops->report(end, {path, "decrypted", place}, covered, stage.sink);
    return Value::error();
  }
  const secrets::ReadStream plain(path, end.output, ScalarRules::Core, stage.limits);
  if (!plain.failed() && plain.documents().size() == 1) {
    const auto values = secrets::with_decrypted_values(document, plain.documents()[0].value, stage.arena);
    if (values) return *values;
  }
  stage.sink.report(diag::program_failed, place, path, "decrypted", secrets::kSopsProgram,
                    "printed keys that differ from those of the file");
  return Value::error();
}

}  // namespace capwright
