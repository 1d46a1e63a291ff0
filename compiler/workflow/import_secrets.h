// Readable secrets in objects that aren't Secrets, which `import` doesn't copy into a repository.
#pragma once
#include <string>

#include "diff/side.h"

namespace capwright::workflow {

// The path of the first one: a field named like a secret, a text with the form of a key, a command, an annotation or a
// file that sets a password or token, or a Secret inside of a text. Empty: there is none.
std::string readable_secret_in(const diff::Object& object, diff::Side& side);

}  // namespace capwright::workflow
