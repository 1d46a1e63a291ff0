// For tests in which a library is known to lose memory.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace capwright::test {

// What is allocated while it lives isn't told as a leak.
struct UncountedLeaks {
#ifdef __SANITIZE_ADDRESS__
  UncountedLeaks() { __lsan_disable(); }
  ~UncountedLeaks() { __lsan_enable(); }
  UncountedLeaks(const UncountedLeaks&) = delete;
  UncountedLeaks& operator=(const UncountedLeaks&) = delete;
#endif
};

}  // namespace capwright::test
