// Secrets that the process makes for itself. Nothing that is rendered or written depends on them.
#pragma once
#include <string>

namespace capwright {

// 32 hexadecimal digits of the system's random numbers. Empty: the system has none.
std::string real_token();

}  // namespace capwright
