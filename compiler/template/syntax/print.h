// Text dumps of tokens and syntax trees, for tests and for `capwright dev tokens|ast`.
#pragma once
#include <string>
#include <string_view>

#include "template/syntax/template.h"

namespace capwright::jinja {

// One token per line, `line:column Kind "text"`, up to the end or the first error.
std::string print_tokens(FileId file, const SourceSet& sources, const Options& options);

// The values, templates and definitions that a template refers to, one reference per line.
std::string print_references(const Template& tree);

// One node per line, children indented. With `slots`, also the storage of each name and the loads of each scope.
std::string print_tree(const Template& tree, bool slots = false);

}  // namespace capwright::jinja
