// The change of a document's text that a step makes.
#pragma once
#include <optional>

#include "migrate/rewrite.h"
#include "migrate/steps.h"
#include "patch/file_text.h"

namespace capwright::migrate {

// Empty if the layout of the document doesn't allow it, such as a value that goes into braces on one line. The result
// has to be read again: aliases may give it another meaning.
std::optional<Rewrite> rewrite_of(const Step& step, const patch::FileText& file, const YamlDocument& document);

// The change of `apiVersion` and `kind` at the top of an object, or in a reference.
Rewrite rewrite_of_type(const Value& object, const std::string& version, const std::string& kind,
                        const patch::FileText& file);

}  // namespace capwright::migrate
