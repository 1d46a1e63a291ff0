// `capwright __complete`: what may come next on a command line, for the scripts of `capwright completion`.
#pragma once
#include <span>
#include <string>

namespace capwright::cli {

inline constexpr const char* kCompleteCommand = "__complete";

// `words` follow the program; the last one, often empty, ends at the cursor. Prints one line for each candidate: the
// complete word, and its meaning after a tab. The last line starts with `:` and tells the shell to add names of files
// (`files`) or folders (`dirs`), or not to add a space, because a candidate may continue (`nospace`). Returns the exit
// code.
int complete(std::span<const std::string> words);

}  // namespace capwright::cli
