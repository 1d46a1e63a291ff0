// Reads the keys that decide about secrets.
#include "secrets/form.h"

namespace capwright {

std::optional<secrets::SecretHolder> SecretForm::holder() const {
  if (plain_folder || name == "plain" || name == "sops") return secrets::SecretHolder::Secret;
  if (name == "sealed" && !certificate.empty()) return secrets::SecretHolder::SealedSecret;
  return std::nullopt;
}

SecretForm secret_form_of(const Value& values, const OriginTable& origins, bool plain_folder) {
  SecretForm form;
  form.plain_folder = plain_folder;
  const Value* secrets = values.find("secrets");
  if (secrets == nullptr) return form;
  if (const Value* name = secrets->find("form"); name != nullptr) {
    form.name = secrets->text_at("form");
    form.where = origins[name->origin()].span;
  }
  const Value* sealed = secrets->find("sealed");
  if (sealed != nullptr) form.certificate = sealed->text_at("certificate");
  return form;
}

}  // namespace capwright
