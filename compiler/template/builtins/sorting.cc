// A stable sort whose comparisons may fail.
#include "template/builtins/sorting.h"

#include <algorithm>

namespace capwright::jinja {

bool sort_by_key(Runtime& runtime, std::vector<Keyed>& items, bool reverse) {
  bool failed = false;
  const auto comes_before = [&](const Keyed& a, const Keyed& b) {
    if (failed) return false;  // if nothing is less, a stable sort ends without changes
    const auto order = reverse ? runtime.compare(b.key, a.key) : runtime.compare(a.key, b.key);
    failed = !order;
    return order && *order < 0;
  };
  std::stable_sort(items.begin(), items.end(), comes_before);
  return !failed;
}

}  // namespace capwright::jinja
