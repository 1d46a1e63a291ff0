// Questions to the user at the terminal.
#pragma once
#include <functional>
#include <string_view>

namespace capwright::cli {

// Whether a user can answer: not in CI, and not with input or messages redirected.
bool can_ask_user();
// Asks for `y` or `yes`. Call it only if a user can answer. `waits` runs between the question and the answer; if it
// returns false, there is no answer.
bool ask_user(std::string_view question, const std::function<bool()>& waits = nullptr);

}  // namespace capwright::cli
