// The checks of tables that an expression can't say, by the names that tables call them.
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

// Empty when the value is good.
std::vector<Fault> check_value(std::string_view check, const Value& value);

// Whether there is a check of that name.
bool is_check(std::string_view check);

// What is wrong with a label selector (`matchLabels`, `matchExpressions`); empty when nothing is.
std::string selector_fault(const Value& selector);
// Whether a selector that has no fault takes these labels (a map; null: none).
bool selects(const Value& selector, const Value& labels);
// As messages show it: `a=b,c in (d,e)`.
std::string selector_text(const Value& selector);

// Why a text is no key or value of a label; empty when it is one.
std::string label_key_fault(std::string_view key);
std::string label_value_fault(std::string_view value);

}  // namespace capwright::admission
