// One cause, one diagnostic: drops findings that follow from another one or repeat it at the same place.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "diag/catalog/values.h"
#include "schema/schema_finding.h"

namespace capwright::schema {
namespace {

using KeyInMap = std::pair<std::string_view, std::string_view>;  // the path of the map, the key

// The known keys that misspelt ones are near to, which explain why these are missing.
std::set<KeyInMap> meant_keys(const std::vector<Finding>& findings) {
  std::set<KeyInMap> meant;
  for (const Finding& finding : findings) {
    if (finding.kind != Finding::Kind::Key) continue;
    meant.emplace(finding.parent, finding.suggestion);
    const std::string_view path = finding.elsewhere;
    const std::size_t dot = path.rfind('.');
    if (!path.empty()) meant.emplace(path.substr(0, dot == path.npos ? 0 : dot), path.substr(dot + 1));
  }
  return meant;
}

// An alternative that requires a key, such as `count`, which is there under another name; or a list that lacks an item,
// such as an add-on, and an item has a key under another name.
bool lacks_meant_key(const Finding& finding, const std::set<KeyInMap>& meant) {
  if (finding.kind != Finding::Kind::Structure || finding.parent.empty()) return false;
  const bool is_list = finding.diagnostic.info == &diag::unfit_items.info;
  return std::any_of(meant.begin(), meant.end(), [&](const KeyInMap& key) {
    if (key.second.empty()) return false;
    if (is_list) return key.first.starts_with(finding.parent + "[");
    return key.first == finding.parent && finding.expected.find(fmt::format("`{}`", key.second)) != std::string::npos;
  });
}

bool is_about_a_value(const Finding& finding) { return finding.kind <= Finding::Kind::Form; }

// Values that aren't valid choices: the intended branch is unknown.
std::set<Span> wrong_choices(const std::vector<Finding>& findings) {
  std::set<Span> wrong;
  for (const Finding& finding : findings) {
    if (finding.kind == Finding::Kind::Choice && finding.choices.empty()) wrong.insert(finding.diagnostic.where);
  }
  return wrong;
}

// The value that makes a missing key necessary: in its map, or in a map around it. The document's own choices, such as
// `provider`, say too little. Unknown: there is none.
Span needed_by(const Finding& missing) {
  for (const Choice& choice : missing.choices) {
    const bool is_around = missing.parent == choice.map || missing.parent.starts_with(choice.map + ".");
    if (!choice.map.empty() && choice.reason.empty() && is_around) return choice.where;
  }
  return {};
}

// The other value that an invalid one has to fit, such as a version to an image's name.
void show_other(const Finding& finding, Diagnostic& diagnostic) {
  if (finding.kind != Finding::Kind::Form) return;
  const auto other = std::ranges::find_if(finding.choices, [](const Choice& choice) { return !choice.reason.empty(); });
  if (other == finding.choices.end() || other->where == diagnostic.where) return;
  diagnostic.also(other->where, other->reason);
}

}  // namespace

void Findings::depend_on(const std::vector<Choice>& choices) {
  for (Finding& finding : list_) finding.choices.insert(finding.choices.end(), choices.begin(), choices.end());
}

void Findings::splice(std::vector<Finding> findings) {
  list_.insert(list_.end(), std::make_move_iterator(findings.begin()), std::make_move_iterator(findings.end()));
}

void Findings::report(Sink& sink) {
  // The most direct error of each place: a value of the wrong type fails patterns and alternatives too.
  std::map<Span, const Finding*> plainest;
  for (const Finding& finding : list_) {
    if (!finding.diagnostic.where.known() || !is_about_a_value(finding)) continue;
    const Finding*& known = plainest[finding.diagnostic.where];
    // Of values that are derived from one another, keep the uppermost: errors in the others follow from it.
    if (known == nullptr || std::pair(finding.kind, finding.depth) < std::pair(known->kind, known->depth))
      known = &finding;
  }
  const std::set<Span> wrong = wrong_choices(list_);
  const std::set<KeyInMap> meant = meant_keys(list_);
  for (const Finding& finding : list_) {
    if (std::any_of(finding.choices.begin(), finding.choices.end(),
                    [&](const Choice& c) { return wrong.contains(c.where); }))
      continue;
    if (finding.kind == Finding::Kind::Missing && meant.contains({finding.parent, finding.key})) continue;
    if (lacks_meant_key(finding, meant)) continue;
    const auto rival = plainest.find(finding.diagnostic.where);
    if (is_about_a_value(finding) && rival != plainest.end() && rival->second != &finding) continue;
    Span where = finding.diagnostic.where;
    // A map has its heading in the lowest layer. Another one may contain what makes the key necessary.
    const Span reason = finding.kind == Finding::Kind::Missing ? needed_by(finding) : Span();
    const bool is_elsewhere = reason.known() && where.known() && reason.file != where.file;
    if (is_elsewhere) where = reason;
    Diagnostic& added = sink.add(*finding.diagnostic.info, where, finding.diagnostic.message);
    if (is_elsewhere) added.at_caret("needs it");
    added.labels = finding.diagnostic.labels;
    show_other(finding, added);
    added.notes = finding.diagnostic.notes;
    added.help = finding.diagnostic.help;
    added.fix = finding.diagnostic.fix;
  }
}

}  // namespace capwright::schema
