// The server's steps in order, for one object; findings of a step decide whether the next one runs.
#include "crd/validate.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "crd/decode.h"
#include "crd/object_checks.h"
#include "crd/structure.h"

namespace capwright::crd {
namespace {

const Value* text_member(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && value->is(Kind::String) && !value->text().empty() ? value : nullptr;
}

// Errors after which the server doesn't run the rules, because they may rely on missing fields.
bool blocks_rules(const Finding& finding) {
  return finding.reason == Reason::Required || finding.reason == Reason::NotSupported ||
         finding.reason == Reason::TooLong || finding.reason == Reason::TooMany ||
         finding.reason == Reason::TypeInvalid || finding.phase == Phase::Decode;
}

std::string_view above(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

// Whether the finding asks for a field that another finding suggests as the intended one: "`has(self.flavor)` is
// false".
bool asks_for_one_of(const Finding& finding, const std::set<std::string, std::less<>>& meant) {
  return std::any_of(meant.begin(), meant.end(), [&](std::string_view field) {
    const std::string_view map = above(field), key = field.substr(map.empty() ? 0 : map.size() + 1);
    return map == finding.path && finding.help.find(fmt::format("`has(self.{})` is false", key)) != std::string::npos;
  });
}

// One error, one finding: the first. A misspelt key also makes the intended one missing, and may leave a map empty; a
// value that webhooks copy has the wrong type in every copy.
void drop_cascades(Findings& findings) {
  if (findings.size() < 2) return;
  std::set<std::string, std::less<>> meant, above_unknown;
  for (const Finding& finding : findings) {
    if (finding.phase != Phase::UnknownField) continue;
    const std::string_view map = above(finding.path);
    above_unknown.emplace(map);
    if (!finding.meant.empty()) meant.insert(fmt::format("{}{}{}", map, map.empty() ? "" : ".", finding.meant));
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> mistyped;  // by place
  std::erase_if(findings, [&](const Finding& finding) {
    if (finding.reason == Reason::Required) return meant.contains(finding.path);
    if (finding.reason == Reason::TypeInvalid && finding.where.known())
      return !mistyped.emplace(finding.where.begin, finding.where.end).second;
    if (finding.phase == Phase::Cel) return asks_for_one_of(finding, meant);
    return finding.lacks_members && above_unknown.contains(finding.path);
  });
}

class Validation {
 public:
  Validation(const Request& request, const Registry& registry, Stage& stage)
      : request_(request), registry_(registry), stage_(stage), report_(verdict_.findings, stage) {
    verdict_.object = request.object;
  }

  Verdict run() {
    if (find_kind()) check();
    drop_cascades(verdict_.findings);
    if (!verdict_.findings.empty() && verdict_.outcome == Verdict::Outcome::Accepted)
      verdict_.outcome = Verdict::Outcome::Refused;
    return std::move(verdict_);
  }

 private:
  bool find_kind() {
    const Place root{request_.object};
    if (!request_.object.is(Kind::Map)) {
      report_.add(Phase::Parse, Reason::Malformed, root, "an object is a map");
      return false;
    }
    const Value* api_version = text_member(request_.object, "apiVersion");
    const Value* kind = text_member(request_.object, "kind");
    if (api_version == nullptr || kind == nullptr) {
      report_.add_at(Phase::Parse, Reason::Required, kind == nullptr ? "kind" : "apiVersion",
                     key_span_of(root, stage_.origins, stage_.sources), "Object 'Kind'/'apiVersion' is missing");
      return false;
    }
    verdict_.kind = registry_.find(api_version->text(), kind->text());
    if (verdict_.kind == nullptr) report_unknown_kind(*api_version, *kind, root);
    return verdict_.kind != nullptr;
  }

  void report_unknown_kind(const Value& api_version, const Value& kind, const Place& root) {
    const std::string_view text = api_version.text();
    const std::size_t slash = text.rfind('/');
    const std::string_view group = slash == std::string_view::npos ? std::string_view() : text.substr(0, slash);
    std::vector<std::string_view> served;
    for (const KindVersion& known : registry_.versions(group, kind.text())) {
      if (known.served) served.push_back(known.version);
    }
    // For its own groups the server can't distinguish an unserved version from an unknown kind.
    const bool known_kind = !served.empty() && !group.empty();
    verdict_.outcome = known_kind ? Verdict::Outcome::Refused : Verdict::Outcome::UnknownKind;
    std::string message = fmt::format("no matches for kind \"{}\" in version \"{}\"", kind.text(), text);
    if (known_kind) message += fmt::format(" (served: {})", fmt::join(served, ", "));
    const Place place{known_kind ? api_version : kind, &root, nullptr, 0, nullptr};
    Finding& finding = report_.add_at(Phase::Version, Reason::NotFound, known_kind ? "apiVersion" : "kind",
                                      span_of(place, stage_.origins, stage_.sources), std::move(message));
    if (known_kind) return;
    std::vector<std::string_view> names;
    for (const KindVersion& known : registry_.kinds()) {
      if (known.group == group || group.empty()) names.push_back(known.kind);
    }
    suggest(finding, kind.text(), names);
  }

  void check() {
    const Schema* schema = registry_.schema(*verdict_.kind);
    if (schema == nullptr) return report_unreadable();
    if (schema->native) return check_native_object(*schema, *verdict_.kind, verdict_.object, report_);
    Value object = request_.object;
    Value old;
    const MetaShape meta{registry_.object_meta()};
    if (request_.old != nullptr) {
      old = as_stored(*schema, meta, *request_.old);
      object = apply_merge(*request_.old, old, object, stage_.arena);
    }
    object = decode(*schema, meta, object, report_);
    if (schema->has_status) object = with_status_of(object, old);
    const Review review{*verdict_.kind, request_.old == nullptr ? Operation::Create : Operation::Update,
                        object,         old,
                        registry_,      stage_};
    if (request_.admission != nullptr) object = request_.admission->fill_in(review);
    check_object(*schema, object, old);
    verdict_.object = object;
    if (request_.admission == nullptr || !verdict_.findings.empty()) return;
    const Review filled{review.kind, review.operation, object, old, registry_, stage_};
    request_.admission->check(filled, verdict_.findings);
  }

  void report_unreadable() {
    verdict_.outcome = Verdict::Outcome::UnknownKind;
    report_.add(Phase::Version, Reason::Malformed, Place{request_.object},
                fmt::format("the digest of {} {} in {} can't be read", verdict_.kind->api_version(),
                            verdict_.kind->kind, verdict_.kind->release));
  }

  // The stored object, as the server has it in memory; its errors aren't caused by this request.
  Value decoded_quietly(const Schema& schema, const MetaShape& meta, const Value& old) {
    Findings ignored;
    Reporter quiet(ignored, stage_);
    return old.is(Kind::Map) ? decode(schema, meta, old, quiet) : Value();
  }

  // The stored object contains the fields that the mutating webhooks set at creation, and the merge keeps them. Below
  // these fields the schema's defaults apply once more.
  Value as_stored(const Schema& schema, const MetaShape& meta, const Value& written) {
    const Value old = decoded_quietly(schema, meta, written);
    if (request_.admission == nullptr || !old.is(Kind::Map)) return old;
    const Value stored =
        request_.admission->as_stored({*verdict_.kind, Operation::Create, old, Value(), registry_, stage_});
    return json_equal(stored, old) ? old : decoded_quietly(schema, meta, stored);
  }

  // Writing an object doesn't change its status.
  Value with_status_of(const Value& object, const Value& old) {
    const Value* written = object.find("status");
    const Value* stored = old.find("status");
    if (written == nullptr && stored == nullptr) return object;
    std::vector<Entry> entries;
    for (const Entry& entry : object.entries()) {
      if (entry.key.text() != "status") entries.push_back(entry);
    }
    if (stored != nullptr) entries.push_back({make_key(stage_.arena, "status"), *stored});
    return make_map(stage_.arena, entries).with_origin(object.origin());
  }

  void check_object(const Schema& schema, const Value& object, const Value& old) {
    const Place root{object, nullptr, nullptr, 0, old.is(Kind::Map) ? &old : nullptr};
    check_metadata(root, NameRule::Subdomain, verdict_.kind->namespaced, report_);
    check_structure(*schema.root, root, report_);
    check_replicas(schema.spec_replicas_path, root);
    check_embedded(*schema.root, root, report_);
    if (old.is(Kind::Null) || lists_are_sound(schema, old)) check_lists(*schema.root, root, report_);
    if (std::none_of(verdict_.findings.begin(), verdict_.findings.end(), blocks_rules))
      check_rules(*schema.root, root, report_);
  }

  bool lists_are_sound(const Schema& schema, const Value& old) {
    Findings faults;
    Reporter quiet(faults, stage_);
    check_lists(*schema.root, Place{old}, quiet);
    return faults.empty();
  }

  // The scale subresource, by a path such as `.spec.replicas`.
  void check_replicas(std::string_view path, const Place& root) {
    if (path.empty()) return;
    Value value = root.value;
    const Value* key = nullptr;
    for (std::size_t at = 1; at < path.size();) {
      const std::size_t end = std::min(path.find('.', at), path.size());
      if (!value.is(Kind::Map)) return refuse_replicas(path, value, key, root, "0: {0} accessor error: it isn't a map");
      const std::string_view name = path.substr(at, end - at);
      const auto found = std::find_if(value.entries().begin(), value.entries().end(),
                                      [&](const Entry& entry) { return entry.key.text() == name; });
      if (found == value.entries().end()) return;
      key = &found->key;
      value = found->value;
      at = end + 1;
    }
    if (!value.is(Kind::Int))
      refuse_replicas(path, value, key, root, "0: {0} accessor error: {1} is not of the type int64");
    else if (value.as_int() < 0) refuse_replicas(path, value, key, root, "{1}: should be a non-negative integer");
    else if (value.as_int() > INT32_MAX)
      refuse_replicas(path, value, key, root, "{1}: should be less than or equal to 2147483647");
  }

  void refuse_replicas(std::string_view path, const Value& value, const Value* key, const Place& root,
                       fmt::string_view why) {
    const Place place{value, &root, key, 0, nullptr};
    const std::string shown = with_value(Reason::Invalid, value).substr(reason_text(Reason::Invalid).size() + 2);
    report_.add(Phase::Scale, Reason::Invalid, place, "Invalid value: " + fmt::format(fmt::runtime(why), path, shown))
        .path = path;
  }

  const Request& request_;
  const Registry& registry_;
  Stage& stage_;
  Verdict verdict_;
  Reporter report_;
};

}  // namespace

Verdict validate(const Request& request, const Registry& registry, Stage& stage) {
  return Validation(request, registry, stage).run();
}

void refuse(Findings& findings, const Review& review, Reason reason, std::string path, std::string message) {
  const Span where = place_of(review.object, path, review.stage);
  findings.push_back({Phase::Admission, reason, std::move(path), std::move(message), where, {}, {}});
}

}  // namespace capwright::crd
