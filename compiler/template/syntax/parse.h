// Parses template text to a Template, with Jinja2 3.1's grammar and its static checks.
#pragma once
#include <memory>
#include <string>
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

// Text dumps of tokens and syntax trees, for tests and for `capwright-dev tokens|ast`.

// One token per line, `line:column Kind "text"`, up to the end or the first error.
std::string print_tokens(FileId file, const SourceSet& sources, const Options& options);

// The values, templates and definitions that a template refers to, one reference per line.
std::string print_references(const Template& tree);

// One node per line, children indented. With `slots`, also the storage of each name and the loads of each scope.
std::string print_tree(const Template& tree, bool slots = false);

}  // namespace capwright::jinja
