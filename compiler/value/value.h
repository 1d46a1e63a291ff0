// The data model of the whole pipeline: YAML, JSON, schemas and templates use it. A Value is 16 bytes and passed by
// value; it carries its origin (OriginId) and whether it contains a secret. Payloads live in an Arena.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/hash.h"

namespace capwright {

// An index into an OriginTable (provenance.h). None: not from an input, e.g. a literal of a template.
enum class OriginId : std::uint32_t { None = 0 };

enum class Kind : std::uint8_t {
  Error,      // an error that is already reported: code that uses it reports nothing more
  Undefined,  // a failed look-up; the payload describes it (template engine only)
  Null,
  Bool,
  Int,  // 64 bits; larger whole numbers are Objects of the template engine, Floats elsewhere
  Float,
  String,  // UTF-8
  List,
  Map,     // keeps the order of insertion
  Object,  // template engine only: macros, loops, namespaces, lazy sequences …
};

struct TextMap;        // provenance.h: which input made which byte of a String
struct UndefinedInfo;  // template/runtime
class Object;          // template/runtime
class Value;

// The bytes of a String. `hash` is 0 until it is needed; keys of a Map always have it.
struct Text {
  const char* data;
  std::uint32_t size;
  std::uint32_t hash;
  const TextMap* map;  // null: all bytes come from the Value's one origin

  std::string_view view() const { return {data, size}; }
};

// How a scalar was written; decides type traps and round trips.
enum class ScalarStyle : std::uint8_t { None, Plain, SingleQuoted, DoubleQuoted, Literal, Folded };

struct Entry;

// `capacity == 0` marks a frozen list (values, schemas). The template engine uses render-local copies that grow.
struct List {
  Value* items;
  std::uint32_t size;
  std::uint32_t capacity;
};

// Keys are Strings in data; the template engine also allows the other hashable kinds. Same rule for `capacity`.
struct Map {
  Entry* entries;
  std::uint32_t size;
  std::uint32_t capacity;
  std::uint32_t* index;      // open addressing over entry numbers + 1; null while the map is small
  std::uint32_t index_mask;  // for hashes
  std::uint64_t tags = 0;    // of a small map: a byte of each key's hash, the first key's lowest
};

class Value {
 public:
  constexpr Value() : Value(Kind::Null) {}

  static constexpr Value error() { return Value(Kind::Error); }
  static constexpr Value null() { return Value(Kind::Null); }
  static constexpr Value boolean(bool b) { return with_bits(Kind::Bool, b ? 1 : 0); }
  static constexpr Value integer(std::int64_t i) { return with_bits(Kind::Int, i); }
  static constexpr Value floating(double d) {
    Value v(Kind::Float);
    v.payload_.floating = d;
    return v;
  }
  static constexpr Value string(const Text* text) { return with_pointer(Kind::String, text); }
  static constexpr Value list(List* list) { return with_container(Kind::List, list); }
  static constexpr Value map(Map* map) { return with_container(Kind::Map, map); }
  static constexpr Value object(Object* object) { return with_container(Kind::Object, object); }
  static constexpr Value undefined(const UndefinedInfo* info) { return with_pointer(Kind::Undefined, info); }

  constexpr Kind kind() const { return kind_; }
  constexpr bool is(Kind kind) const { return kind_ == kind; }
  constexpr bool is_number() const { return is(Kind::Int) || is(Kind::Float); }
  constexpr bool is_error() const { return kind_ == Kind::Error; }

  constexpr bool as_bool() const { return payload_.bits != 0; }
  constexpr std::int64_t as_int() const { return payload_.bits; }
  constexpr double as_float() const { return payload_.floating; }
  const Text* text_rep() const { return static_cast<const Text*>(payload_.pointer); }
  std::string_view text() const { return text_rep()->view(); }
  // Copies share a container, as in Python. Only the template engine changes one, and never a frozen one.
  List* list_rep() const { return static_cast<List*>(payload_.container); }
  Map* map_rep() const { return static_cast<Map*>(payload_.container); }
  Object* object_rep() const { return static_cast<Object*>(payload_.container); }
  const UndefinedInfo* undefined_info() const { return static_cast<const UndefinedInfo*>(payload_.pointer); }
  // The elements of a List or Map; an append to the same container invalidates the view.
  std::span<const Value> items() const;
  std::span<const Entry> entries() const;
  // The value at a String key; null if this isn't a Map or has no such key.
  const Value* find(std::string_view key) const { return find(key, hash_text(key)); }
  const Value* find(std::string_view key, std::uint32_t hash) const;
  // The String at a key; empty if this isn't a Map, has no such key, or its value isn't a String.
  std::string_view text_at(std::string_view key) const {
    const Value* value = find(key);
    return value != nullptr && value->is(Kind::String) ? value->text() : std::string_view();
  }

  constexpr OriginId origin() const { return origin_; }
  constexpr Value with_origin(OriginId origin) const {
    Value v = *this;
    v.origin_ = origin;
    return v;
  }
  // A secret is part of this value: it may be written only in an allowed form, and is never displayed.
  constexpr bool tainted() const { return (flags_ & kTainted) != 0; }
  constexpr Value with_taint(bool tainted = true) const {
    Value v = with_flag(kTainted, tainted);
    v.flags_ = static_cast<std::uint8_t>(v.flags_ & ~kMarked);
    return v;
  }
  // An unmodified secret from the values: a template may test whether it exists (template engine only).
  constexpr bool is_marked() const { return (flags_ & kMarked) != 0; }
  constexpr Value as_marked() const { return with_flag(kTainted | kMarked, true); }
  // Jinja's Markup: text that autoescape leaves unchanged.
  constexpr bool is_markup() const { return (flags_ & kMarkup) != 0; }
  constexpr Value as_markup(bool markup = true) const { return with_flag(kMarkup, markup); }
  // Python's tuple: a List that prints with parentheses, is hashable, and never equals a list (template engine only).
  constexpr bool is_tuple() const { return (flags_ & kTuple) != 0; }
  constexpr Value as_tuple() const { return with_flag(kTuple, true); }
  constexpr ScalarStyle style() const { return style_; }
  constexpr Value with_style(ScalarStyle style) const {
    Value v = *this;
    v.style_ = style;
    return v;
  }

 private:
  static constexpr std::uint8_t kTainted = 1, kMarkup = 2, kTuple = 4, kMarked = 8;
  constexpr explicit Value(Kind kind) : kind_(kind) {}
  static constexpr Value with_bits(Kind kind, std::int64_t bits) {
    Value v(kind);
    v.payload_.bits = bits;
    return v;
  }
  static constexpr Value with_pointer(Kind kind, const void* pointer) {
    Value v(kind);
    return v.payload_.pointer = pointer, v;
  }
  static constexpr Value with_container(Kind kind, void* container) {
    Value v(kind);
    return v.payload_.container = container, v;
  }
  constexpr Value with_flag(std::uint8_t flag, bool on) const {
    Value v = *this;
    v.flags_ = static_cast<std::uint8_t>(on ? flags_ | flag : flags_ & ~flag);
    return v;
  }

  Kind kind_;
  std::uint8_t flags_ = 0;
  ScalarStyle style_ = ScalarStyle::None;
  OriginId origin_ = OriginId::None;
  union Payload {
    std::int64_t bits = 0;
    double floating;
    const void* pointer;  // String, Undefined
    void* container;      // List, Map, Object
  } payload_;
};
static_assert(sizeof(Value) == 16);

// The key's origin is the place where the key is written.
struct Entry {
  Value key;
  Value value;
};

inline std::span<const Value> Value::items() const { return {list_rep()->items, list_rep()->size}; }
inline std::span<const Entry> Value::entries() const { return {map_rep()->entries, map_rep()->size}; }

std::string_view kind_name(Kind);  // "string", "map", "integer" … for messages

// Builders of frozen payloads. `make_text` copies the bytes, `make_text_view` keeps the view.
const Text* make_text(Arena&, std::string_view bytes);
const Text* make_text_view(Arena&, std::string_view bytes);
Value make_string(Arena&, std::string_view bytes);
Value make_list(Arena&, std::span<const Value> items);
// All keys must differ: the caller removes duplicates first.
Value make_map(Arena&, std::span<const Entry> entries);
Value make_key(Arena&, std::string_view bytes);  // a String with its hash computed

bool contains_secret(const Value& value);  // the value, or anything in it
// JSON equality: 1 and 1.0 are equal, true and 1 are not, the order of keys is irrelevant.
bool json_equal(const Value& a, const Value& b);

}  // namespace capwright
