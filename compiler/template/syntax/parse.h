// Parses template text to a Template, with Jinja2 3.1's grammar and its static checks.
#pragma once
#include <memory>
#include <string_view>

#include "diag/diag.h"
#include "source/source.h"
#include "template/syntax/options.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

// Null if the text has errors; they are in the sink, first the one that Jinja2 would raise. After a syntax error
// parsing continues after the tag, so that one run reports several. `name` is copied.
std::unique_ptr<Template> parse(FileId file, std::string_view name, const SourceSet& sources, const Options& options,
                                Sink& sink);

}  // namespace capwright::jinja
