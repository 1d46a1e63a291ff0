// YAML and JSON inside the texts of objects, and Secrets at any place.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diff/side.h"

namespace capwright::diff {

// The annotation in which kubectl stores a copy of the object, including Secrets.
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// The documents of a text; empty unless it has several lines or brackets, and all documents are maps or lists.
std::vector<Value> documents_in(const Value& text, Side& side);

// Names that distinguish the documents of a text: `Deployment/web`; an index for documents without names.
std::vector<std::string> names_of(const std::vector<Value>& documents);

// Whether it is a Secret of Kubernetes, or meant as one: with the kind `Secert`, or with `stringData`. False for
// references to Secrets.
bool is_secret_object(const Value& value);
// Whether it is a list whose items are Secrets even without a kind.
bool is_list_of_secrets(const Value& value);

// Whether a part of `value` must not be shown: it has bytes from a secret value, or contains a Secret, also inside a
// text. Unreadable texts that seem to contain a Secret count.
bool holds_secret(const Value& value, Side& side);

}  // namespace capwright::diff
