// Questions to the user at the terminal.
#pragma once
#include <string_view>

namespace capwright::cli {

// Whether a user can answer: not in CI, and not with input or messages redirected.
bool can_ask_user();
// Asks for `y` or `yes`. Call it only if a user can answer.
bool ask_user(std::string_view question);

}  // namespace capwright::cli
