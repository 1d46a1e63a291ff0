// Findings are about the same thing if they have the same object and path.
#include "lint/engine/root_causes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "diag/catalog/manifest.h"
#include "lint/engine/server.h"

namespace capwright::lint {
namespace {

std::string_view above(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

std::string below(std::string_view path, std::string_view key) {
  return fmt::format("{}{}{}", path, path.empty() ? "" : ".", key);
}

// Calls `visit` for each text in backticks, which may be a field such as `spec.replicas`.
template <class Visit>
void each_named_field(std::string_view text, const Visit& visit) {
  for (std::size_t open = text.find('`'); open != std::string_view::npos;) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string_view::npos) return;
    visit(text.substr(open + 1, close - open - 1));
    open = text.find('`', close + 1);
  }
}

// Fields of objects, which may be missing, with the findings about them. Indexed, because there may be many.
class Fields {
 public:
  bool empty() const { return at_.empty(); }

  void add(const Object* object, std::string path, Finding* teller) {
    at_[{object, std::move(path)}].push_back(teller);
  }

  // The findings about the finding's field, or about one above it.
  std::vector<Finding*> tellers(const Finding& finding) const {
    std::vector<Finding*> all;
    const std::string_view path = finding.place.path;
    for (std::size_t end = path.size(); end != 0 && end != std::string_view::npos;
         end = path.find_last_of(".[", end - 1))
      add_tellers({finding.place.object, std::string(path.substr(0, end))}, all);
    return all;
  }

  // The findings about a missing field that the finding, which is about its parent map, names.
  std::vector<Finding*> tellers_of_missing(const Finding& finding) const {
    std::vector<Finding*> all;
    const auto add_named = [&](std::string_view named) {
      const std::string field = below(finding.place.path, named.substr(named.rfind('.') + 1));
      const bool is_it = field == named || field.ends_with("." + std::string(named));
      if (is_it) add_tellers({finding.place.object, field}, all);
    };
    each_named_field(finding.message, add_named);
    each_named_field(finding.advice, add_named);
    return all;
  }

 private:
  using Key = std::pair<const Object*, std::string>;  // the path of the field

  void add_tellers(const Key& field, std::vector<Finding*>& all) const {
    const auto found = at_.find(field);
    if (found != at_.end()) all.insert(all.end(), found->second.begin(), found->second.end());
  }

  std::map<Key, std::vector<Finding*>> at_;
};

// The field that a misspelt one was meant for; otherwise empty.
std::string misspelt_field(const Finding& finding) {
  if (!finding.repair || finding.repair->parts.empty()) return {};
  const Replacement& part = finding.repair->parts.front();
  if (part.what != Replacement::What::Key) return {};
  return below(above(finding.place.path), part.text);
}

void take_out(std::vector<Finding>& findings, const std::vector<bool>& is_out) {
  std::size_t next = 0;
  std::erase_if(findings, [&](const Finding&) { return is_out[next++]; });
}

}  // namespace

void leave_out_repeated(std::vector<Finding>& findings, const std::set<const DiagInfo*>& saying_more,
                        const Selection& selection, const IsReported& is_reported) {
  if (std::none_of(findings.begin(), findings.end(), is_of_server)) return;
  Fields told;
  for (Finding& finding : findings) {
    if (saying_more.contains(finding.info) && is_reported(finding))
      told.add(finding.place.object, finding.place.path, &finding);
  }
  if (told.empty()) return;
  std::vector<bool> is_repeated(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& refused = findings[i];
    if (!is_of_server(refused)) continue;
    const auto says_it = [&](Finding* teller) {
      if (teller->severity < refused.severity && selection.severity(*teller->info)) return false;  // as configured
      teller->severity = std::max(teller->severity, refused.severity);
      return true;
    };
    const auto says_it_there = [&](Finding* teller) {
      return teller->place.span == refused.place.span && says_it(teller);
    };
    const std::vector<Finding*> all = told.tellers(refused), of_missing = told.tellers_of_missing(refused);
    is_repeated[i] = std::any_of(all.begin(), all.end(), says_it) ||
                     std::any_of(of_missing.begin(), of_missing.end(), says_it_there);
  }
  take_out(findings, is_repeated);
}

void leave_out_consequences(std::vector<Finding>& findings, const IsReported& is_reported) {
  Fields meant, mistyped;
  for (Finding& finding : findings) {
    if (std::string field = misspelt_field(finding); !field.empty() && is_reported(finding))
      meant.add(finding.place.object, std::move(field), &finding);
    if (finding.info == &diag::wrong_field_type.info && is_reported(finding))
      mistyped.add(finding.place.object, finding.place.path, &finding);
  }
  if (meant.empty() && mistyped.empty()) return;
  std::vector<bool> is_consequence(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    // Fields of a map that should be a list, or vice versa.
    if (finding.info == &diag::unknown_field.info) is_consequence[i] = !mistyped.tellers(finding).empty();
    else is_consequence[i] = !meant.tellers(finding).empty() || !meant.tellers_of_missing(finding).empty();
  }
  take_out(findings, is_consequence);
}

}  // namespace capwright::lint
