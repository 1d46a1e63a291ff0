// Fixes are tried before they count: those of one look together, and if that makes an error that wasn't there, in
// halves, down to the ones that make it. These are left out.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "lint/faults.h"
#include "lint/fixes.h"

namespace capwright::lint {

class FixTrials {
 public:
  struct LeftOut {
    std::string rule, place;   // "CAP101", "values/a.yaml:2:10"
    std::optional<Fault> why;  // nothing: so little could be read that there were no findings at all
  };

  // Texts that count instead of files in the next look, by shown path.
  const Texts& edits() const { return trying_ ? tried_.edits() : kept_.edits(); }
  // Whether the last look was one that may have been spoilt by fixes.
  bool is_trying() const { return trying_.has_value(); }
  // After a look that offers these fixes and has these errors. Whether another one is needed.
  bool advance(const Fixes& offered, const Faults& faults, Safety least_safe, const Fixes::MayEdit& may_edit);
  // After a look that couldn't be taken, while fixes are tried. Another one is needed.
  void fail();

  // What is left in the end.
  std::size_t fixes() const { return kept_.fixes(); }
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  using Offers = Fixes::Offers;
  bool begin(const Fixes& offered, const Faults& faults, Safety least_safe, const Fixes::MayEdit& may_edit);
  void judge(const std::optional<Fault>& made, bool is_bad);
  bool try_next();
  void end();

  FixHistory kept_, tried_;
  std::optional<Faults> first_;  // for which no fix is to blame
  // The look that the fixes are from: what it offered, what it was like before, and its errors with what was taken.
  Fixes look_;
  FixHistory before_;
  Faults faults_;
  Offers taken_;
  std::deque<Offers> waiting_;
  std::optional<Offers> trying_;
  EditedPlaces edited_;     // by what is tried
  bool has_taken_ = false;  // since the errors of `first_`
  std::set<Fixes::Offer> refused_;
  std::vector<LeftOut> left_out_;
};

}  // namespace capwright::lint
