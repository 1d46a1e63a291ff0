// Subjects come from elsewhere, and appear in logs, commits and rows.
#include "portal/identities.h"

#include <algorithm>

#include "base/sha.h"

namespace capwright::portal {
namespace {

constexpr std::size_t kLongestSubject = 128, kDigits = 16;

bool is_plain(char c) {
  const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return is_word || std::string_view("._@:|+-").find(c) != std::string_view::npos;
}

// Others are named by a digest.
std::string shown_subject(const std::string& subject) {
  if (subject.size() <= kLongestSubject && std::all_of(subject.begin(), subject.end(), is_plain)) return subject;
  return "sha256:" + to_hex(sha256(subject)).substr(0, kDigits);
}

}  // namespace

std::shared_ptr<const Caller> caller_of(const oidc::Claims& claims, const std::vector<SubjectRule>& rules) {
  const auto matches = [&](const SubjectRule& rule) {
    return std::all_of(rule.claims.begin(), rule.claims.end(),
                       [&](const auto& claim) { return claims.has(claim.first, claim.second); });
  };
  const auto rule = std::find_if(rules.begin(), rules.end(), matches);
  if (rule == rules.end()) return nullptr;
  auto caller = std::make_shared<Caller>(rule->caller);
  caller->name += "/" + shown_subject(claims.subject);
  return caller;
}

}  // namespace capwright::portal
