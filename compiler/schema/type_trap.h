// Unquoted scalars to which YAML gives an unexpected type, or that YAML 1.1 and 1.2 read differently.
#pragma once
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "schema/program.h"
#include "source/source.h"
#include "value/value.h"

namespace capwright::schema {

// A quick check: other text starts differently, or is too long to be a number or a word such as `Off`.
bool may_be_retyped(std::string_view text);

// Whether `value` is unquoted text in YAML 1.2, and another type in YAML 1.1 (as Kubernetes or Python read it).
bool is_ambiguous(const Value& value);

// A value as a text in messages names it: "text", "`false`", "the number 750".
std::string reading_words(const Value& value);

// How YAML 1.1 reads the unquoted `text`: "`false`", "the number 750".
std::string yaml11_reading(std::string_view text);

// Explains why `value`, written as `written` at `where`, doesn't have the type `wanted`, and how to write it.
void explain_type(const Value& value, std::string_view written, TypeSet wanted, Span where, Diagnostic&);

// Offers a safe fix that quotes the text at `where`.
void offer_quotes(std::string_view written, Span where, Diagnostic&);

}  // namespace capwright::schema
