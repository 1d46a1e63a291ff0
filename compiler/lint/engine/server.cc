// One code per kind of rejection; messages keep the server's words, so that users can search for them.
#include "lint/engine/server.h"

#include <algorithm>
#include <fmt/format.h>

#include "diag/catalog/manifest.h"
#include "files/path_rules.h"
#include "lint/model/printed.h"
#include "schema/words.h"

namespace capwright::lint {
namespace {

// The field that `sops` adds to an encrypted document, and removes on decryption.
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

// Offers to remove the quotes around a number or boolean, which are the cause of the error.
void offer_unquoted(const crd::Finding& refused, Finding& finding) {
  finding.place.is_about_quotes = true;
  finding.fix(Replacement{Replacement::What::Plain, finding.place, refused.unquoted, refused.unquoted}, Safety::Safe,
              "remove the quotes");
}

// Where an expression of a template prints the number or boolean: quotes in the values change nothing, or a condition.
// Empty: the text is written as it is.
std::string advice_to_template(Span where, const Object& object) {
  const std::string_view printed = expression_at(where.begin, object.cluster(), object.file());
  if (printed.empty()) return {};
  constexpr std::size_t kLongest = 60;
  const bool is_short = printed.size() <= kLongest && printed.find_first_of("\"`\n") == std::string_view::npos;
  if (!is_short) return "quote it in the template, not in the values";
  return fmt::format("quote it in the template, not in the values: `\"{}\"`", printed);
}

// Offers to add quotes.
void offer_quoted(const crd::Finding& refused, const Object& object, Finding& finding) {
  if (!refused.where.known()) return;
  const std::string written(object.cluster().sources().text(refused.where));
  if (written.starts_with('*')) return;  // an alias: its anchor may be used as a number
  if (std::string advice = advice_to_template(refused.where, object); !advice.empty())
    finding.advice = std::move(advice);
  finding.fix(Replacement{Replacement::What::Text, finding.place, written, written}, Safety::Safe, "quote it");
}

// Offers a similar field if that field is missing, or a similar text among the accepted ones.
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

// Whether Argo CD applies the rendered file. Chart values and kustomizations can look like objects.
bool is_applied(const File& file) {
  const std::string_view name = std::string_view(file.path).substr(file.path.rfind('/') + 1);
  return has_yaml_name(name) && !name.starts_with('.') && name != "values.yaml" && !name.starts_with("kustomization.");
}

bool is_meant(const Object& object) {
  if (object.file().rendered != nullptr && !is_applied(object.file())) return false;
  return object.file().target_kind == TargetKind::Named || object["metadata"].is(Kind::Map);
}

// Chart metadata has no kind.
bool is_meant(const Node& stray, const File& file) {
  if (file.rendered != nullptr && !is_applied(file)) return false;
  if (file.rendered != nullptr && stray["metadata"].is(Kind::Map)) return true;
  if (file.target_kind == TargetKind::Named) return true;
  return stray["apiVersion"].is(Kind::String) && (stray["metadata"].is(Kind::Map) || stray["spec"].is(Kind::Map));
}

// A value of a wrong type, or too small, isn't a valid number of replicas either.
bool is_said_already(const crd::Finding& replicas, const crd::Findings& all) {
  return std::any_of(all.begin(), all.end(), [&](const crd::Finding& finding) {
    return finding.phase != crd::Phase::Scale && finding.where == replicas.where;
  });
}

// Both must be strings; uses the server's words.
void refuse_missing(const Node& where, std::string_view key, std::string_view words, std::string advice,
                    std::vector<Finding>& findings) {
  Finding& finding = findings.emplace_back();
  finding.info = &diag::required_field.info;
  finding.severity = finding.info->severity;
  finding.place = Place::of(where);
  finding.place.path = key;
  finding.message = fmt::format("`{}`: Object '{}' is missing", key, words);
  finding.advice = std::move(advice);
}

}  // namespace

bool is_of_server(const Finding& finding) { return finding.info->code.starts_with("K4"); }

void ask_server(const Object& object, const crd::Registry& registry, const crd::Admission* admission,
                std::vector<Finding>& findings) {
  if (object.api_version().empty() && is_meant(object)) {
    refuse_missing(object["kind"], "apiVersion", "apiVersion", "write it, such as `apiVersion: v1`", findings);
    return;
  }
  if (object.known_versions().empty()) return;  // CAP233 reports it if a similar kind exists
  Stage stage = object.cluster().stage();
  const crd::Verdict verdict =
      crd::validate({.object = object.root().value(), .admission = admission}, registry, stage);
  for (const crd::Finding& refused : verdict.findings) {
    if (refused.path == kSopsField) continue;
    if (refused.phase == crd::Phase::Scale && is_said_already(refused, verdict.findings)) continue;
    Finding& finding = findings.emplace_back();
    finding.info = &info_for(refused);
    finding.severity = finding.info->severity;
    const Span where = refused.where.known() ? refused.where : object.place().span();
    finding.place = {&object.cluster(), &object.file(), where, &object,
                     refused.field.empty() ? refused.path : refused.field};
    // The kind is known; the server can't tell this for the core group.
    if (refused.phase == crd::Phase::Version) finding.place = Place::of(object["apiVersion"]);
    finding.message = message_of(refused, object);
    finding.advice = refused.help;
    offer_meant(refused, object, stage, finding);
    if (!refused.unquoted.empty()) offer_unquoted(refused, finding);
    if (refused.lacks_quotes) offer_quoted(refused, object, finding);
  }
}

void refuse_stray(const Document& document, const Cluster& cluster, std::vector<Finding>& findings) {
  const Node root(document);
  if (document.file == nullptr || !is_meant(root, *document.file)) return;
  const bool has_version = root["apiVersion"].is(Kind::String);
  const std::string_view other_files =
      document.file->rendered != nullptr
          ? "a manifest has `apiVersion`, `kind` and `metadata`; give another file a name without `.yaml`"
          : "a manifest has `apiVersion`, `kind` and `metadata`; a cluster's values lie in a folder of `values:`";
  const std::string_view advice = has_version ? "write it, such as `kind: ConfigMap`" : other_files;
  if (root.is(Kind::Map)) {
    refuse_missing(root, "kind", "Kind", std::string(advice), findings);
    return;
  }
  Finding& finding = findings.emplace_back();
  finding.info = &diag::wrong_field_type.info;
  finding.severity = finding.info->severity;
  finding.place = {&cluster, document.file, root.span(), nullptr, {}};
  finding.message = fmt::format("this is {}, and an object is a map", schema::a_kind(root.value()));
  finding.advice = advice;
}

}  // namespace capwright::lint
