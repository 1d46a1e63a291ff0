// For tests in which a library has a known memory leak.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace capwright::test {

// Allocations during its lifetime aren't reported as leaks.
struct UncountedLeaks {
#ifdef __SANITIZE_ADDRESS__
  UncountedLeaks() { __lsan_disable(); }
  ~UncountedLeaks() { __lsan_enable(); }
  UncountedLeaks(const UncountedLeaks&) = delete;
  UncountedLeaks& operator=(const UncountedLeaks&) = delete;
#endif
};

}  // namespace capwright::test
