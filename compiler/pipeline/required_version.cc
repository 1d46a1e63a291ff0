// Constraints as Terraform reads them: an operator and a version, separated by commas, and all must hold.
#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <fmt/format.h>
#include <optional>

#include "diag/catalog/repository.h"
#include "pipeline/config.h"
#include "text/trim.h"

namespace capwright {
namespace {

struct ProgramVersion {
  std::array<unsigned, 3> numbers{};  // major, minor, patch; those that are left out are 0
  std::size_t given = 0;
};

// "1", "1.2" or "1.2.3".
std::optional<ProgramVersion> parse_version(std::string_view text) {
  ProgramVersion version;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (version.given < version.numbers.size()) {
    const auto [next, error] = std::from_chars(at, end, version.numbers[version.given]);
    if (error != std::errc()) return std::nullopt;
    ++version.given;
    at = next;
    if (at == end) return version;
    if (*at++ != '.') return std::nullopt;
  }
  return std::nullopt;
}

// `~> 1.2` allows 1.2 up to 2, and `~> 1.2.3` allows 1.2.3 up to 1.3: the last number that is given may grow.
bool is_compatible(const ProgramVersion& program, const ProgramVersion& least) {
  for (std::size_t i = 0; i + 1 < least.given; ++i) {
    if (program.numbers[i] != least.numbers[i]) return false;
  }
  return program.numbers >= least.numbers;
}

// Empty for an unknown operator.
std::optional<bool> holds(std::string_view op, const ProgramVersion& program, const ProgramVersion& bound) {
  const auto order = program.numbers <=> bound.numbers;
  if (op.empty() || op == "=") return order == 0;
  if (op == "!=") return order != 0;
  if (op == ">") return order > 0;
  if (op == ">=") return order >= 0;
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == "~>") return is_compatible(program, bound);
  return std::nullopt;
}

// Whether one constraint such as ">= 1.2" holds; empty if it is invalid.
std::optional<bool> holds(std::string_view constraint, const ProgramVersion& program) {
  const std::size_t digit = std::min(constraint.find_first_of("0123456789"), constraint.size());
  const auto bound = parse_version(constraint.substr(digit));
  return bound ? holds(trimmed(constraint.substr(0, digit)), program, *bound) : std::nullopt;
}

}  // namespace

bool meets_required_version(const Value& written, std::string_view program, Stage& stage) {
  const Span where = stage.origins[written.origin()].span;
  const ProgramVersion version = parse_version(program).value_or(ProgramVersion());
  std::string_view rest = written.text();
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = rest.find(',');
    is_last = comma == std::string_view::npos;
    const std::string_view constraint = trimmed(rest.substr(0, comma));
    if (!is_last) rest.remove_prefix(comma + 1);
    const std::optional<bool> is_met = holds(constraint, version);
    if (!is_met) {
      stage.sink.report(diag::bad_required_version, where, std::string(constraint))
          .advise(
              "write constraints such as `>= 1.2, < 2`; the operators are `=`, `!=`, `>`, `>=`, `<`, `<=` and `~>`");
      return false;
    }
    if (*is_met) continue;
    stage.sink.report(diag::other_version_required, where, std::string(written.text()), program)
        .note("another version may render different files or plans")
        .advise(fmt::format("install a version that is `{}`, or change `required_version`", written.text()));
    return false;
  }
  return true;
}

}  // namespace capwright
