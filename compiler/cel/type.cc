// Constants, builders, names and equality of types.
#include "cel/type.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace capwright::cel {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(TypeKind::Format) + 1;

constexpr std::array<Type, kKinds> make_constants() {
  std::array<Type, kKinds> constants{};
  for (std::size_t i = 0; i < kKinds; ++i) constants[i].kind = static_cast<TypeKind>(i);
  // The element types of a List, Map, Optional or Type without parameters are dyn.
  const auto index = [](TypeKind kind) { return static_cast<std::size_t>(kind); };
  constants[index(TypeKind::Object)].name = "object";
  return constants;
}
constexpr std::array<Type, kKinds> kConstants = make_constants();

struct Names {
  TypeKind kind;
  std::string_view text;     // for messages and signatures
  std::string_view runtime;  // the name of the type itself
};
constexpr Names kNames[] = {
    {TypeKind::Error, "error", "error"},
    {TypeKind::Dyn, "dyn", "dyn"},
    {TypeKind::Null, "null", "null_type"},
    {TypeKind::Bool, "bool", "bool"},
    {TypeKind::Int, "int", "int"},
    {TypeKind::Uint, "uint", "uint"},
    {TypeKind::Double, "double", "double"},
    {TypeKind::String, "string", "string"},
    {TypeKind::Bytes, "bytes", "bytes"},
    {TypeKind::Duration, "duration", "google.protobuf.Duration"},
    {TypeKind::Timestamp, "timestamp", "google.protobuf.Timestamp"},
    {TypeKind::List, "list", "list"},
    {TypeKind::Map, "map", "map"},
    {TypeKind::Object, "object", "map"},
    {TypeKind::Type, "type", "type"},
    {TypeKind::Param, "?", "?"},
    {TypeKind::Optional, "optional", "optional_type"},
    {TypeKind::Ip, "net.IP", "net.IP"},
    {TypeKind::Cidr, "net.CIDR", "net.CIDR"},
    {TypeKind::Quantity, "quantity", "kubernetes.Quantity"},
    {TypeKind::Url, "url", "kubernetes.URL"},
    {TypeKind::Semver, "semver", "kubernetes.Semver"},
    {TypeKind::Format, "format", "kubernetes.NamedFormat"},
};
// Types of values that an expression can't name.
constexpr TypeKind kUnnamed[] = {TypeKind::Error, TypeKind::Dyn,      TypeKind::Object, TypeKind::Param,
                                 TypeKind::Url,   TypeKind::Quantity, TypeKind::Semver, TypeKind::Format};

const Names& names_of(TypeKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

bool both_or_same(const Type* a, const Type* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return same(*a, *b);
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

}  // namespace

const Field* Type::field(std::string_view field_name) const {
  const auto found = std::lower_bound(fields.begin(), fields.end(), field_name,
                                      [](const Field& field, std::string_view wanted) { return field.name < wanted; });
  return found != fields.end() && found->name == field_name ? &*found : nullptr;
}

const Type* simple(TypeKind kind) { return &kConstants[static_cast<std::size_t>(kind)]; }

const Type* list_of(const Type* element, Arena& arena) {
  return arena.make<Type>(TypeKind::List, std::string_view(), element);
}
const Type* map_of(const Type* key, const Type* value, Arena& arena) {
  return arena.make<Type>(TypeKind::Map, std::string_view(), key, value);
}
const Type* optional_of(const Type* value, Arena& arena) {
  return arena.make<Type>(TypeKind::Optional, std::string_view(), value);
}
const Type* type_of(const Type* named, Arena& arena) {
  return arena.make<Type>(TypeKind::Type, std::string_view(), named);
}

bool same(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.is(TypeKind::Object)) return false;
  if (a.is(TypeKind::Param)) return a.name == b.name;
  return both_or_same(a.first, b.first) && both_or_same(a.second, b.second);
}

std::string to_text(const Type& type) {
  if (type.is(TypeKind::Param)) return std::string(type.name);
  std::string text(names_of(type.kind).text);
  if (type.first == nullptr) return text;
  text += "(" + to_text(*type.first);
  if (type.second != nullptr) text += ", " + to_text(*type.second);
  return text + ")";
}

std::string_view runtime_name(TypeKind kind) { return names_of(kind).runtime; }

const Type* named_type(std::string_view name) {
  for (const Names& names : kNames) {
    if (names.runtime != name || std::find(std::begin(kUnnamed), std::end(kUnnamed), names.kind) != std::end(kUnnamed))
      continue;
    return simple(names.kind);
  }
  return nullptr;
}

const Type* parse_type(std::string_view& text, Arena& arena) {
  skip_blanks(text);
  const std::size_t end = std::min(text.find_first_of("(), "), text.size());
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end);
  if (name.size() == 1) return arena.make<Type>(TypeKind::Param, name);
  const auto found = std::find_if(std::begin(kNames), std::end(kNames), [&](const Names& n) { return n.text == name; });
  CW_CHECK(found != std::end(kNames), "a signature names an unknown type");
  if (text.empty() || text.front() != '(') return simple(found->kind);
  text.remove_prefix(1);
  const Type* first = parse_type(text, arena);
  const Type* second = nullptr;
  if (!text.empty() && text.front() == ',') {
    text.remove_prefix(1);
    second = parse_type(text, arena);
  }
  CW_CHECK(!text.empty() && text.front() == ')', "a signature's parenthesis is not closed");
  text.remove_prefix(1);
  return arena.make<Type>(found->kind, std::string_view(), first, second);
}

}  // namespace capwright::cel
