// Nearly all places of a text are ruled out by the gram that begins there.
#include "text/literals.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/grams.h"

namespace capwright {

Literals::Literals(std::vector<std::string> literals) {
  for (std::string& literal : literals) {
    CW_CHECK(!literal.empty(), "nothing stands everywhere");
    if (literal.size() >= kGram) begins_.set(gram_at(literal.data(), kGramBits));
    (literal.size() < kGram ? short_ : long_).push_back(std::move(literal));
  }
}

bool Literals::stand_in(std::string_view text) const {
  for (const std::string& literal : short_) {
    if (text.find(literal) != std::string_view::npos) return true;
  }
  for (std::size_t i = 0; !long_.empty() && i + kGram <= text.size(); ++i) {
    if (!begins_[gram_at(text.data() + i, kGramBits)]) continue;
    const std::string_view rest = text.substr(i);
    if (std::any_of(long_.begin(), long_.end(), [&](const std::string& l) { return rest.starts_with(l); })) return true;
  }
  return false;
}

}  // namespace capwright
