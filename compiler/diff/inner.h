// YAML and JSON that stand in the texts of objects, and Secrets wherever they stand.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diff/side.h"

namespace capwright::diff {

// Where kubectl keeps a copy of an object in the object, Secrets included.
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// The documents of a text; empty unless it has several lines or brackets, and all of them are maps or lists.
std::vector<Value> documents_in(const Value& text, Side& side);

// What tells the documents of a text apart: `Deployment/web`; a number where they have no names.
std::vector<std::string> names_of(const std::vector<Value>& documents);

// A Secret of Kubernetes, or what was meant for one: `Secert`, what has `stringData`. No reference to one.
bool is_secret_object(const Value& value);
// Whose items are Secrets that need not say so.
bool is_list_of_secrets(const Value& value);

// Whether a part of `value` must not be shown: a byte that a secret value made, a Secret in it or in a text of it.
// A text that seems to hold one, and can't be read, counts.
bool holds_secret(const Value& value, Side& side);

}  // namespace capwright::diff
