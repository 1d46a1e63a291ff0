#include "template/syntax/print.h"
namespace capwright::jinja {
std::string print_tokens(FileId, const SourceSet&, const Options&) { return {}; }
std::string print_tree(const Template&, bool) { return {}; }
}
