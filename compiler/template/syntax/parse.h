// From template text to a Template, with Jinja2 3.1's grammar and its static checks.
#pragma once
#include <memory>
#include <string_view>

#include "diag/diag.h"
#include "source/source.h"
#include "template/syntax/options.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

// Null when the text has errors; they are in the sink, the one that Jinja2 would raise first. After a syntax error
// reading goes on behind the tag, so that one run shows several. `name` is copied.
std::unique_ptr<Template> parse(FileId file, std::string_view name, const SourceSet& sources, const Options& options,
                                Sink& sink);

}  // namespace capwright::jinja
