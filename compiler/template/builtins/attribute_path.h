// The `attribute` argument of map, sort, groupby …: "name", "spec.replicas", "0.name" or a number.
#pragma once
#include <optional>
#include <span>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

class AttributePath {
 public:
  // None is the item itself; text is split at its dots, and numeric parts are indexes; any other value is one key.
  AttributePath(Runtime& runtime, const Value& attribute);

  // The value at the path. Each step that finds nothing gives `fallback`, unless that is none.
  Value of(const Value& item, const Value& fallback = Value::null()) const;

 private:
  Runtime& runtime_;
  std::span<const Value> keys_;  // in the Arena
};

// Text in lower case for case-insensitive comparisons; other values unchanged.
Value without_case(Runtime&, const Value&);

// How `sort`, `min`, `unique` and `groupby` compute the key of an item.
class SortKey {
 public:
  SortKey(Runtime& runtime, const Value& attribute, bool case_sensitive)
      : runtime_(runtime), path_(runtime, attribute), case_sensitive_(case_sensitive) {}
  Value of(const Value& item, const Value& fallback = Value::null()) const {
    const Value key = path_.of(item, fallback);
    return case_sensitive_ ? key : without_case(runtime_, key);
  }

 private:
  Runtime& runtime_;
  AttributePath path_;
  bool case_sensitive_;
};

}  // namespace capwright::jinja
