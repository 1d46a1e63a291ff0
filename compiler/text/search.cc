// Searches with memmem, which takes linear time; backward searches run over reversed copies.
#include "text/search.h"

#include <cstring>

namespace capwright {

std::size_t find_text(std::string_view text, std::string_view part, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (part.empty()) return from;
  if (text.size() - from < part.size()) return std::string_view::npos;  // memmem rejects null pointers
  const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

BackwardSearch::BackwardSearch(std::string_view text, std::string_view part)
    : text_(text.rbegin(), text.rend()), part_(part.rbegin(), part.rend()) {}

std::size_t BackwardSearch::before(std::size_t end) const {
  const std::size_t found = find_text(text_, part_, text_.size() - end);
  return found == std::string_view::npos ? found : text_.size() - found - part_.size();
}

}  // namespace capwright
