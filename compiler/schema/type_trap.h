// Unquoted scalars that YAML takes for something else than their writer meant, or that YAML 1.1 and 1.2 read
// differently.
#pragma once
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "schema/program.h"
#include "source/source.h"
#include "value/value.h"

namespace capwright::schema {

// `value` is text to YAML 1.2, written without quotes, and something else to YAML 1.1 (as Kubernetes or Python read
// it).
bool is_ambiguous(const Value& value);

// What YAML 1.1 makes of the unquoted `text`: "`false`", "the number 750".
std::string yaml11_reading(std::string_view text);

// Says why `value`, which stands at `where` as `written`, is of another type than `wanted`, and how to write it.
void explain_type(const Value& value, std::string_view written, TypeSet wanted, Span where, Diagnostic&);

// Quotes what stands at `where`, as a fix that is safe to apply.
void offer_quotes(std::string_view written, Span where, Diagnostic&);

}  // namespace capwright::schema
