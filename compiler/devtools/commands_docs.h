// The help of all commands as data, for tests/docs/commands_page.py.
#pragma once
#include <string>

namespace capwright::devtools {

// [{"name", "summary", "usage", "commands": [{"name", "summary", "group"}], "groups": [{"title", "options": [{"name",
// "text"}]}], "examples": [{"purpose", "line"}]}], the program first.
std::string commands_json();

}  // namespace capwright::devtools
