// Tries fixes before they are applied: all fixes of a pass together, and if that introduces an error, in halves, until
// the fixes that cause it are found. Those are dropped.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "lint/fixes/fixes.h"
#include "lint/fixes/pass_errors.h"

namespace capwright::lint {

class FixTrials {
 public:
  struct LeftOut {
    std::string rule, place;   // "CAP101", "values/a.yaml:2:10"
    std::optional<Fault> why;  // empty: too little could be read for any findings
  };

  // Texts that replace files in the next pass, by displayed path.
  const Texts& edits() const { return trying_ ? tried_.edits() : kept_.edits(); }
  // Whether the last pass ran with trial fixes.
  bool is_trying() const { return trying_.has_value(); }
  // Call it after a pass with the fixes that it offers and the errors that it has. Returns whether another pass is
  // needed.
  bool advance(const Fixes& offered, const Faults& faults, Safety least_safe, const Fixes::MayEdit& may_edit);
  // Call it after a pass that failed while fixes are tried. Another pass is needed.
  void fail();

  // The result at the end.
  std::size_t fixes() const { return kept_.fixes(); }
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  using Offers = Fixes::Offers;
  bool begin(const Fixes& offered, const Faults& faults, Safety least_safe, const Fixes::MayEdit& may_edit);
  void judge(const std::optional<Fault>& made, bool is_bad);
  bool try_next();
  void end();

  FixHistory kept_, tried_;
  std::optional<Faults> first_;  // errors that no fix has caused
  // The pass that offered the fixes: its offers, the state before it, and its errors with the accepted fixes.
  Fixes look_;
  FixHistory before_;
  Faults faults_;
  Offers taken_;
  std::deque<Offers> waiting_;
  std::optional<Offers> trying_;
  EditedPlaces edited_;     // by the trial
  bool has_taken_ = false;  // since the errors of `first_`
  std::set<Fixes::Offer> refused_;
  std::vector<LeftOut> left_out_;
};

}  // namespace capwright::lint
