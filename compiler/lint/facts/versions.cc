// Parses two numbers after `1.` by hand: a name may contain any text around them.
#include "lint/facts/versions.h"

#include <charconv>

namespace capwright::lint {
namespace {

// Current names don't use older minor versions, and the 1.x versions of other programs are lower.
constexpr int kLeastMinorInNames = 20;

std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.front() == '-') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool continues_number(char before) { return (before >= '0' && before <= '9') || before == '.'; }

}  // namespace

std::optional<KubernetesVersion> kubernetes_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  if (!text.starts_with("1.")) return std::nullopt;
  text.remove_prefix(2);
  if (text.empty()) return std::nullopt;
  const std::optional<int> minor = take_number(text);
  if (!minor) return std::nullopt;
  KubernetesVersion version{*minor, std::nullopt};
  if (text.size() < 2 || text.front() != '.') return version;
  text.remove_prefix(1);
  version.patch = take_number(text);
  return version;
}

std::vector<KubernetesVersion> kubernetes_versions_in(std::string_view name) {
  std::vector<KubernetesVersion> versions;
  for (std::size_t at = name.find("1."); at != std::string_view::npos; at = name.find("1.", at + 1)) {
    if (at != 0 && continues_number(name[at - 1])) continue;
    const std::optional<KubernetesVersion> version = kubernetes_version(name.substr(at));
    if (version && version->minor >= kLeastMinorInNames) versions.push_back(*version);
  }
  return versions;
}

}  // namespace capwright::lint
