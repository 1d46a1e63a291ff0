// One pass for all fixes if they introduce no errors; a few more for each fix that does.
#include "lint/fixes/fix_trials.h"

#include <algorithm>

namespace capwright::lint {

bool FixTrials::advance(const Fixes& offered, const Faults& faults, Safety least_safe, const Fixes::MayEdit& may_edit) {
  if (!first_) first_ = faults;
  if (!trying_) return begin(offered, faults, least_safe, may_edit);
  const Fault* made = faults.made_since(*first_, faults_, edited_, least_safe);
  const bool is_good = made == nullptr;
  if (is_good) faults_ = faults;
  judge(is_good ? std::nullopt : std::optional(*made), !is_good);
  if (try_next()) return true;
  end();
  // After a bad trial, the texts of the last pass aren't the final ones.
  return !is_good || begin(offered, faults, least_safe, may_edit);
}

void FixTrials::fail() {
  judge(std::nullopt, true);
  if (!try_next()) end();
}

bool FixTrials::begin(const Fixes& offered, const Faults& faults, Safety least_safe, const Fixes::MayEdit& may_edit) {
  Offers offers = offered.choose(least_safe, may_edit, refused_);
  if (offers.empty() && has_taken_ && !refused_.empty()) {
    // A fix that was refused for an error of another fix is tried again, as in the next run.
    first_ = faults;
    refused_.clear();
    left_out_.clear();
    has_taken_ = false;
    offers = offered.choose(least_safe, may_edit, refused_);
  }
  if (offers.empty()) return false;
  look_ = offered;
  before_ = kept_;
  faults_ = faults;
  taken_.clear();
  waiting_ = {std::move(offers)};
  return try_next();
}

void FixTrials::judge(const std::optional<Fault>& made, bool is_bad) {
  Offers tried = std::move(*trying_);
  trying_.reset();
  if (!is_bad) {
    has_taken_ = true;
    taken_.insert(taken_.end(), tried.begin(), tried.end());
    kept_ = std::move(tried_);
  } else if (tried.size() == 1) {
    left_out_.push_back({tried.front().rule, look_.place_of(tried.front()), made});
    refused_.insert(std::move(tried.front()));
  } else {
    const auto middle = tried.begin() + static_cast<std::ptrdiff_t>(tried.size() / 2);
    waiting_.push_front(Offers(middle, tried.end()));
    waiting_.push_front(Offers(tried.begin(), middle));
  }
}

// Tries them with the fixes accepted so far. Skips a trial that leaves all texts unchanged.
bool FixTrials::try_next() {
  while (!waiting_.empty()) {
    Offers next = std::move(waiting_.front());
    waiting_.pop_front();
    Offers all = taken_;
    all.insert(all.end(), next.begin(), next.end());
    FixedTexts fixed = look_.carry_out(all);
    edited_ = fixed.edited;
    tried_ = before_;
    if (!tried_.advance(look_, std::move(fixed))) continue;
    trying_ = std::move(next);
    return true;
  }
  return false;
}

// The places of refused fixes refer to a text that has changed since.
void FixTrials::end() {
  std::set<Fixes::Offer> moved;
  for (const Fixes::Offer& offer : refused_) moved.insert(Fixes::moved(offer, taken_));
  refused_ = std::move(moved);
}

}  // namespace capwright::lint
