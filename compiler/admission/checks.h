// Checks that an expression can't state, by their names in tables.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace capwright::admission {

struct Fault {
  std::string path;  // below the value: `.labels`; empty: the value itself
  std::string message;
};

// Empty if the value is valid.
std::vector<Fault> check_value(std::string_view check, const Value& value);

// Whether there is a check of that name.
bool is_check(std::string_view check);

// The error in a label selector (`matchLabels`, `matchExpressions`); empty if there is none.
std::string selector_fault(const Value& selector);
// Whether a valid selector selects these labels (a map; null: none).
bool selects(const Value& selector, const Value& labels);
// The form in messages: `a=b,c in (d,e)`.
std::string selector_text(const Value& selector);

// Why a text isn't a valid key or value of a label; empty if it is.
std::string label_key_fault(std::string_view key);
std::string label_value_fault(std::string_view value);

}  // namespace capwright::admission
