// Compares the version of the program with constraints in Terraform's syntax.
#include "pipeline/required_version.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "cel/semver.h"
#include "diag/catalog/repository.h"
#include "embedded/embedded.h"

namespace capwright {
namespace {

constexpr std::string_view kSpaces = " \t";
constexpr std::string_view kSigns[] = {"", "=", "!=", ">", ">=", "<", "<=", "~>"};

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

struct Constraint {
  std::string_view sign;     // as written; none is `=`
  std::string_view version;  // one to three numbers
  std::string_view text() const { return {sign.data(), static_cast<std::size_t>(version.end() - sign.begin())}; }
};

std::vector<Constraint> constraints_in(std::string_view list) {
  std::vector<Constraint> constraints;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view one = trimmed(list.substr(0, comma));
    const std::size_t digits = std::min(one.find_first_not_of("=!<>~"), one.size());
    constraints.push_back({one.substr(0, digits), trimmed(one.substr(digits))});
    if (comma == std::string_view::npos) return constraints;
    list.remove_prefix(comma + 1);
  }
}

// `~> 1.2.3`: only the last number that is written may be higher.
bool same_but_last(const cel::Semver& version, const cel::Semver& wanted, std::string_view written) {
  const auto numbers = std::count(written.begin(), written.end(), '.') + 1;
  return (numbers < 2 || version.major == wanted.major) && (numbers < 3 || version.minor == wanted.minor);
}

bool satisfies(const cel::Semver& version, const cel::Semver& wanted, const Constraint& constraint) {
  const int order = cel::compare(version, wanted);
  const std::string_view sign = constraint.sign;
  if (sign == ">") return order > 0;
  if (sign == ">=") return order >= 0;
  if (sign == "<") return order < 0;
  if (sign == "<=") return order <= 0;
  if (sign == "!=") return order != 0;
  if (sign == "~>") return order >= 0 && same_but_last(version, wanted, constraint.version);
  return order == 0;
}

// The same constraints as pip writes them.
std::string for_pip(std::string_view list) {
  std::string text;
  for (const Constraint& constraint : constraints_in(list)) {
    std::string_view sign = constraint.sign;
    if (sign.empty() || sign == "=") sign = "==";
    if (sign == "~>") sign = constraint.version.find('.') == std::string_view::npos ? ">=" : "~=";
    if (!text.empty()) text += ',';
    text += sign;
    text += constraint.version;
  }
  return text;
}

}  // namespace

std::optional<std::string> unsatisfied_constraint(std::string_view constraints, std::string_view version,
                                                  Arena& arena) {
  const std::optional<cel::Semver> own = cel::parse_semver(version, true, arena);
  for (const Constraint& constraint : constraints_in(constraints)) {
    const std::optional<cel::Semver> wanted = cel::parse_semver(constraint.version, true, arena);
    const bool is_sign = std::find(std::begin(kSigns), std::end(kSigns), constraint.sign) != std::end(kSigns);
    if (!own || !wanted || !is_sign) return std::nullopt;
    if (!satisfies(*own, *wanted, constraint)) return std::string(constraint.text());
  }
  return std::nullopt;
}

bool check_required_version(const Value& configuration, Stage& stage) {
  const Value* required = configuration.is(Kind::Map) ? configuration.find("required_version") : nullptr;
  if (required == nullptr || !required->is(Kind::String)) return true;
  const auto failed = unsatisfied_constraint(required->text(), embedded::version(), stage.arena);
  if (!failed) return true;
  stage.sink.report(diag::other_version_required, stage.span_of(*required), embedded::version(), required->text())
      .at_caret(fmt::format("this is capwright {}", embedded::version()))
      .note(fmt::format("`{}` isn't satisfied", *failed))
      .advise(fmt::format(
          "install a required version, such as by `pip install 'capwright{}'`, or change `required_version`",
          for_pip(required->text())));
  return false;
}

}  // namespace capwright
