// Iterates as Python does. Containers are walked by handle and index, so that a loop sees items that it appends.
#include <optional>

#include "diag/catalog/template_operations.h"
#include "template/runtime/objects.h"
#include "template/runtime/runtime.h"
#include "template/runtime/undefined.h"
#include "template/runtime/watch.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

class NoItems final : public Iterator {
 public:
  bool next(Runtime&, Value&) override { return false; }
};

class ListIterator final : public Iterator {
 public:
  explicit ListIterator(const Value& list) : list_(list) {}
  bool next(Runtime&, Value& item) override {
    if (index_ >= list_.list_rep()->size) return false;
    item = list_.list_rep()->items[index_++];
    if (list_.tainted()) item = item.with_taint();
    return true;
  }

 private:
  Value list_;
  std::uint32_t index_ = 0;
};

class KeyIterator final : public Iterator {
 public:
  explicit KeyIterator(const Value& map) : map_(map), size_(map.map_rep()->size) {}
  bool next(Runtime& runtime, Value& key) override {
    if (map_.map_rep()->size != size_) {
      runtime.fail_as(diag::wrong_value.info, "dictionary changed size during iteration");
      return false;
    }
    if (index_ >= size_) return false;
    key = map_.map_rep()->entries[index_++].key;
    if (map_.tainted()) key = key.with_taint();
    return true;
  }

 private:
  Value map_;
  std::uint32_t size_;
  std::uint32_t index_ = 0;
};

class CharacterIterator final : public Iterator {
 public:
  explicit CharacterIterator(const Value& text) : text_(text.as_markup(false)) {}
  bool next(Runtime& runtime, Value& character) override {
    if (offset_ >= text_.text().size()) return false;
    const std::size_t size = utf8::decode(text_.text(), offset_).size;
    character = runtime.substring(text_, offset_, offset_ + size);
    offset_ += size;
    return true;
  }

 private:
  Value text_;
  std::size_t offset_ = 0;
};

}  // namespace

Iterator* Runtime::iterate(const Value& value) {
  if (!usable(value)) return nullptr;
  look_at(value);
  switch (value.kind()) {
    case Kind::Undefined: return arena().make<NoItems>();
    case Kind::String: return arena().make<CharacterIterator>(value);
    case Kind::List: return arena().make<ListIterator>(value);
    case Kind::Map: return arena().make<KeyIterator>(value);
    case Kind::Object:
      if (Iterator* items = value.object_rep()->iterate(*this)) return items;
      break;
    default: break;
  }
  const std::string_view type = type_name(value);
  Diagnostic* fault = report(diag::wrong_type, here, fmt::format("'{}' object is not iterable", type));
  if (fault == nullptr) return nullptr;
  if (value.is(Kind::Null)) explain_null(*fault, value, {}, stage.origins);
  else if (type == "builtin_function_or_method")
    fault->advise("this is a method: call it, with `()` after its name; a key of this name is read as `[\"name\"]`");
  else if (const Origin& origin = stage.origins[value.origin()];
           origin.kind == Origin::Kind::Input && origin.span.known())
    fault->also(origin.span, "it is set here, and isn't a list");
  return nullptr;
}

bool Runtime::iterable(const Value& value) {
  switch (value.kind()) {
    case Kind::String:
    case Kind::List:
    case Kind::Map: return true;
    case Kind::Undefined: return value.undefined_info()->mode != UndefinedMode::Strict;
    case Kind::Object: return value.object_rep()->iterate(*this) != nullptr;
    default: return false;
  }
}

Value Runtime::to_list(const Value& iterable) {
  const Watch watch(*this);
  const std::uint64_t before = failures();
  Iterator* items = iterate(iterable);
  if (items == nullptr) return Value::error();
  const Value result = list({}).with_origin(iterable.origin());
  for (Value item; items->next(*this, item);) {
    if (!step() || !append(result, item)) return Value::error();
  }
  return failures() != before ? Value::error() : watch.result(result);
}

}  // namespace capwright::jinja
