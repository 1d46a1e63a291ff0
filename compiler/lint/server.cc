// A code for each kind of refusal; the words are the server's own, so that they can be searched for.
#include "lint/server.h"

#include <fmt/format.h>

#include "diag/catalog.h"

namespace capwright::lint {
namespace {

// What `sops` adds to an encrypted document; whoever decrypts it takes that out.
constexpr std::string_view kSopsField = "sops";

const DiagInfo& info_for(const crd::Finding& finding) {
  using crd::Phase, crd::Reason;
  switch (finding.phase) {
    case Phase::Cel: return diag::broken_validation.info;
    case Phase::Admission: return diag::refused_by_webhook.info;
    case Phase::Conversion: return diag::no_conversion.info;
    case Phase::Metadata:
    case Phase::EmbeddedMetadata: return diag::wrong_metadata.info;
    case Phase::UnknownField: return diag::unknown_field.info;
    default: break;
  }
  switch (finding.reason) {
    case Reason::UnknownField: return diag::unknown_field.info;
    case Reason::Required: return diag::required_field.info;
    case Reason::TypeInvalid:
    case Reason::Malformed: return diag::wrong_field_type.info;
    case Reason::NotSupported: return diag::unsupported_field_value.info;
    case Reason::Duplicate: return diag::duplicate_item.info;
    default: return diag::wrong_field_value.info;
  }
}

std::string message_of(const crd::Finding& finding, const Object& object) {
  if (finding.reason == crd::Reason::UnknownField)
    return fmt::format("{} {} has no field `{}`", object.api_version(), object.kind(), finding.path);
  return finding.path.empty() ? finding.message : fmt::format("`{}`: {}", finding.path, finding.message);
}

// The last key of a path such as `spec.networkSpec.vnet`.
std::string_view last_key(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// A number or boolean that stands in quotes: they are what is wrong, whoever wrote them.
void offer_unquoted(const crd::Finding& refused, Finding& finding) {
  finding.place.is_about_quotes = true;
  finding.fix(Replacement{Replacement::What::Plain, finding.place, refused.unquoted, refused.unquoted}, Safety::Safe,
              "remove the quotes");
}

// A key that is nearly a field, where the field itself isn't there; a text that is nearly one of those that are taken.
void offer_meant(const crd::Finding& refused, const Object& object, Stage& stage, Finding& finding) {
  if (refused.meant.empty() || !refused.where.known()) return;
  if (refused.reason == crd::Reason::NotSupported) {
    std::string old(object.cluster().sources().text(refused.where));
    if (old.size() > 1 && (old[0] == '"' || old[0] == '\'')) old = old.substr(1, old.size() - 2);
    finding.fix(Replacement{Replacement::What::Text, finding.place, old, refused.meant}, Safety::Unsafe,
                "write what is meant");
    return;
  }
  if (refused.reason != crd::Reason::UnknownField) return;
  const std::string_view key = last_key(refused.path);
  const std::string_view above = std::string_view(refused.path).substr(0, refused.path.size() - key.size());
  const auto place_of = [&](std::string_view path) { return crd::place_of(object.root().value(), path, stage); };
  const bool is_taken = place_of(fmt::format("{}{}", above, refused.meant)) !=
                        place_of(above.substr(0, above.empty() ? 0 : above.size() - 1));
  if (is_taken) return;
  finding.fix(Replacement{Replacement::What::Key, finding.place, std::string(key), refused.meant}, Safety::Unsafe,
              "use the field that there is");
}

}  // namespace

bool is_of_server(const Finding& finding) { return finding.info->code.starts_with("K4"); }

void ask_server(const Object& object, const crd::Registry& registry, const crd::Admission* admission,
                std::vector<Finding>& findings) {
  if (registry.find(object.api_version(), object.kind()) == nullptr) return;
  Stage stage = object.cluster().stage();
  const crd::Verdict verdict =
      crd::validate({.object = object.root().value(), .admission = admission}, registry, stage);
  for (const crd::Finding& refused : verdict.findings) {
    if (refused.path == kSopsField) continue;
    // What can't be read is also no number of replicas: that is said already.
    if (refused.phase == crd::Phase::Scale && verdict.findings.size() > 1) continue;
    Finding& finding = findings.emplace_back();
    finding.info = &info_for(refused);
    finding.severity = finding.info->severity;
    const Span where = refused.where.known() ? refused.where : object.place().span();
    finding.place = {&object.cluster(), &object.file(), where, &object, refused.path};
    finding.message = message_of(refused, object);
    finding.advice = refused.help;
    offer_meant(refused, object, stage, finding);
    if (!refused.unquoted.empty()) offer_unquoted(refused, finding);
  }
}

}  // namespace capwright::lint
