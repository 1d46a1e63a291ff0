// Builds new texts from unchanged ranges and replacements.
#include "lint/fixes/fixes.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace capwright::lint {
namespace {

constexpr std::size_t kMostLooks = 10;  // new versions of one text

struct Range {
  std::uint32_t begin, end;
};

// Two insertions at one place have no defined order, and an insertion at the edge of a replaced range may belong to it,
// so these overlap too.
bool overlap(const Range& a, const Range& b) {
  const bool is_insertion = a.begin == a.end || b.begin == b.end;
  return is_insertion ? a.begin <= b.end && b.begin <= a.end : a.begin < b.end && b.begin < a.end;
}

using Taken = std::map<std::string, std::vector<Range>, std::less<>>;

bool is_taken(const Taken& taken, const std::string& path, const Range& wanted) {
  const auto ranges = taken.find(path);
  return ranges != taken.end() && std::any_of(ranges->second.begin(), ranges->second.end(),
                                              [&](const Range& range) { return overlap(range, wanted); });
}

}  // namespace

std::string_view fix_words(Safety safety) {
  if (safety == Safety::Safe) return "fix";
  if (safety == Safety::Unsafe) return "unsafe fix";
  return "";
}

void Fixes::add(const Diagnostic& diagnostic, const SourceSet& sources) {
  if (!diagnostic.fix || diagnostic.fix->safety == Safety::DisplayOnly || diagnostic.fix->edits.empty()) return;
  Offer offer{diagnostic.fix->safety, {}, std::string(diagnostic.info->code)};
  for (const Edit& edit : diagnostic.fix->edits) {
    std::string path(sources.path(edit.where.file));
    const auto [known, is_new] = texts_.try_emplace(path);
    if (is_new) known->second = sources.text(edit.where.file);
    asked_[{offer.rule, path, edit.where.begin, edit.where.end}].insert(edit.text);
    offer.edits.push_back({std::move(path), edit.where.begin, edit.where.end, edit.text});
  }
  std::sort(offer.edits.begin(), offer.edits.end());
  offers_.insert(std::move(offer));
}

bool Fixes::is_disputed(const Offer& offer) const {
  return std::any_of(offer.edits.begin(), offer.edits.end(), [&](const FileEdit& edit) {
    return asked_.at({offer.rule, edit.path, edit.begin, edit.end}).size() > 1;
  });
}

bool Fixes::can_edit(const Offer& offer, const MayEdit& may_edit) const {
  return !is_disputed(offer) && std::all_of(offer.edits.begin(), offer.edits.end(), [&](const FileEdit& edit) {
    return may_edit(edit.path, texts_.find(edit.path)->second);
  });
}

Fixes::Offers Fixes::choose(Safety least_safe, const MayEdit& may_edit, const std::set<Offer>& refused) const {
  Offers chosen;
  Taken taken;
  for (const Offer& offer : offers_) {
    if (offer.safety > least_safe || refused.contains(offer) || !can_edit(offer, may_edit)) continue;
    const bool waits = std::any_of(offer.edits.begin(), offer.edits.end(), [&](const FileEdit& edit) {
      return is_taken(taken, edit.path, {edit.begin, edit.end});
    });
    if (waits) continue;
    for (const FileEdit& edit : offer.edits) taken[edit.path].push_back({edit.begin, edit.end});
    chosen.push_back(offer);
  }
  return chosen;
}

FixedTexts Fixes::carry_out(const Offers& chosen) const {
  FixedTexts fixed;
  std::map<std::string, std::vector<const FileEdit*>, std::less<>> edits;
  for (const Offer& offer : chosen) {
    ++fixed.fixes[offer.edits.front().path];
    for (const FileEdit& edit : offer.edits) edits[edit.path].push_back(&edit);
  }
  for (auto& [path, of_file] : edits) {
    std::sort(of_file.begin(), of_file.end(), [](const FileEdit* a, const FileEdit* b) { return a->begin < b->begin; });
    const std::string& before = texts_.find(path)->second;
    std::string text;
    std::uint32_t done = 0;
    for (const FileEdit* edit : of_file) {
      text.append(before, done, edit->begin - done);
      const auto begin = static_cast<std::uint32_t>(text.size());
      text += edit->text;
      fixed.edited[path].push_back({begin, static_cast<std::uint32_t>(text.size())});
      done = edit->end;
    }
    text.append(before, done);
    fixed.texts.emplace(path, std::move(text));
  }
  return fixed;
}

std::string Fixes::place_of(const Offer& offer) const {
  SourceSet sources;
  const FileEdit& edit = offer.edits.front();
  const LineCol at = sources.line_col(sources.add(edit.path, text(edit.path)), edit.begin);
  return fmt::format("{}:{}:{}", edit.path, at.line, at.column);
}

Fixes::Offer Fixes::moved(Offer offer, const Offers& others) {
  for (FileEdit& edit : offer.edits) {
    std::int64_t shift = 0;
    for (const Offer& other : others) {
      for (const FileEdit& before : other.edits) {
        if (before.path != edit.path || before.end > edit.begin) continue;
        shift += static_cast<std::int64_t>(before.text.size()) - (before.end - before.begin);
      }
    }
    edit.begin = static_cast<std::uint32_t>(edit.begin + shift);
    edit.end = static_cast<std::uint32_t>(edit.end + shift);
  }
  return offer;
}

std::size_t Fixes::count(Safety safety, const MayEdit& may_edit) const {
  return static_cast<std::size_t>(std::count_if(offers_.begin(), offers_.end(), [&](const Offer& offer) {
    return offer.safety == safety && can_edit(offer, may_edit);
  }));
}

bool FixHistory::take(const std::string& path, const std::string& before, std::string text, std::size_t fixes) {
  File& file = files_[path];
  file.seen.insert(before);
  if (text == before) return false;
  if (file.is_left_alone) return false;
  file.fixes += fixes;
  if (file.seen.size() <= kMostLooks && file.seen.insert(text).second) {
    edits_[path] = std::move(text);
    return true;
  }
  file.is_left_alone = true;
  edits_.erase(path);
  return true;
}

bool FixHistory::advance(const Fixes& look, FixedTexts fixed) {
  bool is_changed = false;
  for (auto& [path, text] : fixed.texts) {
    const auto count = fixed.fixes.find(path);
    const std::size_t fixes = count == fixed.fixes.end() ? 0 : count->second;
    if (take(path, look.text(path), std::move(text), fixes)) is_changed = true;
  }
  return is_changed;
}

std::size_t FixHistory::fixes() const {
  std::size_t count = 0;
  for (const auto& [path, text] : edits_) count += files_.find(path)->second.fixes;
  return count;
}

}  // namespace capwright::lint
