// Findings are known to be about one thing by the object and the path of what they are about.
#include "lint/root_causes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "diag/catalog.h"
#include "lint/server.h"
#include "text/unicode.h"

namespace capwright::lint {
namespace {

std::string_view above(std::string_view path) { return path.substr(0, std::min(path.rfind('.'), path.size())); }
std::string_view key_of(std::string_view path) { return path.substr(path.rfind('.') + 1); }

bool has_word(std::string_view text, std::string_view word) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && unicode::is_word(static_cast<unsigned char>(text[at]));
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

bool names(const Finding& finding, std::string_view key) {
  return has_word(finding.message, key) || has_word(finding.advice, key);
}

// Fields of objects, which may be missing, and the findings that tell of them. There may be very many: none is looked
// at for a finding elsewhere.
class Fields {
 public:
  bool empty() const { return at_.empty(); }

  void add(const Object* object, std::string path, Finding* teller) {
    const auto [field, is_new] = at_.try_emplace({object, std::move(path)});
    if (is_new) in_maps_[{object, std::string(above(field->first.second))}].push_back(&*field);
    field->second.push_back(teller);
  }

  // Those who tell of the finding's own field, or of one above it.
  std::vector<Finding*> tellers(const Finding& finding) const {
    std::vector<Finding*> all;
    const std::string_view path = finding.place.path;
    for (std::size_t end = path.size(); end != 0 && end != std::string_view::npos;
         end = path.find_last_of(".[", end - 1)) {
      const auto field = at_.find({finding.place.object, std::string(path.substr(0, end))});
      if (field != at_.end()) all.insert(all.end(), field->second.begin(), field->second.end());
    }
    return all;
  }

  // Those who tell of a field that the finding, which is about the map around it, names: as missing.
  std::vector<Finding*> tellers_of_missing(const Finding& finding) const {
    std::vector<Finding*> all;
    const auto map = in_maps_.find({finding.place.object, finding.place.path});
    if (map == in_maps_.end()) return all;
    for (const Entry* field : map->second) {
      if (names(finding, key_of(field->first.second)))
        all.insert(all.end(), field->second.begin(), field->second.end());
    }
    return all;
  }

 private:
  using Key = std::pair<const Object*, std::string>;  // its path
  using Entry = std::pair<const Key, std::vector<Finding*>>;

  std::map<Key, std::vector<Finding*>> at_;
  std::map<Key, std::vector<const Entry*>> in_maps_;
};

// Of an unknown field that may have been meant for another one that other one; else nothing.
std::string misspelt_field(const Finding& finding) {
  if (finding.info != &diag::unknown_field.info || !finding.repair || finding.repair->parts.size() != 1) return {};
  const Replacement& part = finding.repair->parts.front();
  if (part.what != Replacement::What::Key) return {};
  const std::string_view map = above(finding.place.path);
  return fmt::format("{}{}{}", map, map.empty() ? "" : ".", part.text);
}

void take_out(std::vector<Finding>& findings, const std::vector<bool>& is_out) {
  std::size_t next = 0;
  std::erase_if(findings, [&](const Finding&) { return is_out[next++]; });
}

}  // namespace

void leave_out_repeated(std::vector<Finding>& findings, const std::set<const DiagInfo*>& saying_more,
                        const Selection& selection, const Stands& stands) {
  if (std::none_of(findings.begin(), findings.end(), is_of_server)) return;
  Fields told;
  for (Finding& finding : findings) {
    if (saying_more.contains(finding.info) && stands(finding))
      told.add(finding.place.object, finding.place.path, &finding);
  }
  if (told.empty()) return;
  std::vector<bool> is_repeated(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& refused = findings[i];
    if (!is_of_server(refused)) continue;
    const auto says_it = [&](Finding* teller) {
      if (teller->severity < refused.severity && selection.severity(*teller->info)) return false;  // as the user wants
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

void leave_out_consequences(std::vector<Finding>& findings, const Stands& stands) {
  Fields meant;
  for (Finding& finding : findings) {
    if (std::string field = misspelt_field(finding); !field.empty() && stands(finding))
      meant.add(finding.place.object, std::move(field), &finding);
  }
  if (meant.empty()) return;
  std::vector<bool> is_consequence(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    is_consequence[i] = findings[i].info != &diag::unknown_field.info &&
                        (!meant.tellers(findings[i]).empty() || !meant.tellers_of_missing(findings[i]).empty());
  }
  take_out(findings, is_consequence);
}

}  // namespace capwright::lint
