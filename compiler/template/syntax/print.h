// Text dumps of tokens and syntax trees, for tests and for `capwright dev tokens|ast`.
#pragma once
#include <string>
#include <string_view>

#include "template/syntax/template.h"

namespace capwright::jinja {

// One token a line, `line:column Kind "text"`, up to the end or the first fault.
std::string print_tokens(FileId file, const SourceSet& sources, const Options& options);

// What a template reads, names and defines, one reference a line.
std::string print_references(const Template& tree);

// One node a line, children indented. With `slots`, where each name lives and what each scope does.
std::string print_tree(const Template& tree, bool slots = false);

}  // namespace capwright::jinja
