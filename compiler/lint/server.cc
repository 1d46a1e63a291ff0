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
  }
}

}  // namespace capwright::lint
