// Decodes into the server's own types, and checks rules beyond the types: names, and keys of data.

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "crd/decode.h"
#include "crd/object_checks.h"
#include "crd/structure.h"
#include "text/base64.h"

namespace capwright::crd {
namespace {

constexpr std::size_t kMostDataBytes = 1024 * 1024;

std::string_view json_kind(const Value& value) {
  switch (value.kind()) {
    case Kind::Bool: return "bool";
    case Kind::Int:
    case Kind::Float: return "number";
    case Kind::String: return "string";
    case Kind::List: return "array";
    case Kind::Map: return "object";
    default: return "null";
  }
}

// Go's name for the type of a native field.
std::string go_type(const Node& node) {
  switch (node.type) {
    case Type::Boolean: return "bool";
    case Type::Integer: return node.format == Format::Int32 ? "int32" : "int64";
    case Type::Number: return "float64";
    case Type::Array: return "[]" + (node.items != nullptr ? go_type(*node.items) : "interface {}");
    case Type::Object: return node.additional != nullptr ? "map[string]" + go_type(*node.additional) : "struct";
    case Type::String: return node.format == Format::Byte ? "[]byte" : "string";
    case Type::Any: return "interface {}";
  }
  CW_UNREACHABLE("a Type has no such value");
}

class NativeChecker {
 public:
  NativeChecker(std::string_view path, Reporter& report) : path_(path), report_(report) {}

  bool check(const Node& node, const Value& raw, const Place& place) {
    const Value value = normalized_number(raw);
    if (value.is(Kind::Null) || node.type == Type::Any) return check_any(node, value, place);
    switch (node.type) {
      case Type::Object: return value.is(Kind::Map) ? members(node, place) : mismatch(node, value, place);
      case Type::Array: return value.is(Kind::List) ? items(node, place) : mismatch(node, value, place);
      case Type::String: return value.is(Kind::String) ? text(node, place) : mismatch(node, value, place);
      case Type::Boolean: return value.is(Kind::Bool) || mismatch(node, value, place);
      case Type::Number: return value.is(Kind::Int) || value.is(Kind::Float) || mismatch(node, value, place);
      default: return is_integer(node, value) || mismatch(node, value, place);
    }
  }

 private:
  bool check_any(const Node& node, const Value& value, const Place& place) {
    if (!node.int_or_string || value.is(Kind::Null) || value.is(Kind::String) || value.is(Kind::Int)) return true;
    fault(place, fmt::format("json: cannot unmarshal {} into field `{}` of type intstr.IntOrString", json_kind(value),
                             path_of(place)));
    return false;
  }

  static bool is_integer(const Node& node, const Value& value) {
    if (!value.is(Kind::Int)) return false;
    return node.format != Format::Int32 || (value.as_int() >= INT32_MIN && value.as_int() <= INT32_MAX);
  }

  bool members(const Node& node, const Place& place) {
    bool fits = true;
    for (const Entry& entry : place.value.entries()) {
      const Place member = Place::member(entry, place);
      const Property* property = node.table.find(entry.key);
      const Node* below = property != nullptr ? property->node : node.additional;
      if (below != nullptr) fits &= check(*below, entry.value, member);
      else if (!node.preserves_unknown) report_unknown_field(&node, member, report_);
    }
    return fits;
  }

  bool items(const Node& node, const Place& place) {
    bool fits = true;
    const std::span<const Value> items = place.value.items();
    for (std::uint32_t i = 0; i < items.size() && node.items != nullptr; ++i)
      fits &= check(*node.items, items[i], Place::item(items[i], i, place));
    return fits;
  }

  bool text(const Node& node, const Place& place) {
    const std::string_view text = place.value.text();
    if (node.format == Format::Byte) {
      const std::size_t fault_at = first_base64_fault(text);
      if (fault_at != std::string_view::npos) {
        fault(place, fmt::format("illegal base64 data at input byte {}", fault_at));
        return false;
      }
    }
    if (node.format == Format::DateTime && !matches_format(text, Format::DateTime)) {
      fault(place, fmt::format("parsing time \"{}\": it isn't an RFC 3339 time", text));
      return false;
    }
    return true;
  }

  bool mismatch(const Node& node, const Value& value, const Place& place) {
    Finding& finding = fault(place, fmt::format("json: cannot unmarshal {} into Go struct field `{}` of type {}",
                                                json_kind(value), path_of(place), go_type(node)));
    judge_quotes(node.type, value, report_.stage(), finding);
    return false;
  }

  Finding& fault(const Place& place, std::string message) {
    Finding& finding = report_.add(Phase::Decode, Reason::Malformed, place, std::move(message));
    finding.path = path_;  // the server names the field in the message
    return finding;
  }

  std::string_view path_;
  Reporter& report_;
};

NameRule name_rule(const KindVersion& kind) {
  if (kind.group == "rbac.authorization.k8s.io") return NameRule::PathSegment;
  return kind.kind == "Namespace" ? NameRule::Label : NameRule::Subdomain;
}

bool is_data_key(std::string_view key) {
  return !key.empty() && key.size() <= 253 && key != "." && !key.starts_with("..") &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                  c == '.';
         });
}

// Keys and size of `data`, `stringData` and `binaryData` of Secrets and ConfigMaps.
void check_data(const Place& object, Reporter& report) {
  std::size_t bytes = 0;
  for (const Entry& entry : object.value.entries()) {
    const std::string_view name = entry.key.text();
    if ((name != "data" && name != "binaryData" && name != "stringData") || !entry.value.is(Kind::Map)) continue;
    const Place data = Place::member(entry, object);
    for (const Entry& one : entry.value.entries()) {
      if (one.value.is(Kind::String))
        bytes += name == "data" && object.value.find("stringData") != nullptr ? one.value.text().size() / 4 * 3
                                                                              : one.value.text().size();
      if (is_data_key(one.key.text())) continue;
      report.add_at(Phase::Metadata, Reason::Invalid, fmt::format("{}[{}]", name, one.key.text()),
                    key_span_of(Place::member(one, data), report.stage().origins, report.stage().sources),
                    with_value(Reason::Invalid, one.key) +
                        ": a valid config key must consist of alphanumeric characters, '-', '_' or '.'");
    }
  }
  if (bytes <= kMostDataBytes) return;
  report.add(Phase::Schema, Reason::TooLong, object,
             fmt::format("Too long: may not be more than {} bytes", kMostDataBytes));
}

// Whether the types in metadata are valid, so that it can be checked even if other parts aren't.
bool has_sound_metadata(const Schema& schema, const Value& object, const Stage& stage) {
  const Value* metadata = object.find("metadata");
  Findings unseen;
  Reporter silent(unseen, stage);
  return metadata != nullptr &&
         std::any_of(schema.root->table.properties.begin(), schema.root->table.properties.end(),
                     [&](const Property& property) {
                       return property.name.text() == "metadata" && property.node != nullptr &&
                              check_native(*property.node, *metadata, Place{*metadata}, {}, silent);
                     });
}

}  // namespace

bool check_native(const Node& node, const Value& value, const Place& place, std::string_view path, Reporter& report) {
  return NativeChecker(path, report).check(node, value, place);
}

void check_native_object(const Schema& schema, const KindVersion& kind, const Value& object, Reporter& report) {
  const Place root{object};
  const bool fits = check_native(*schema.root, object, root, {}, report);
  if (!fits && !has_sound_metadata(schema, object, report.stage())) return;
  check_metadata(root, name_rule(kind), kind.namespaced, report);
  if (kind.group.empty() && (kind.kind == "Secret" || kind.kind == "ConfigMap")) check_data(root, report);
}

}  // namespace capwright::crd
