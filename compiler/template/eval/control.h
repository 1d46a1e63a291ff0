// What runs because of a secret. While a Control lives, a decision by a secret lasts for the part that was decided:
// what is printed and stored there is secret. Effects finds what such a part may change that outlives it, whether it
// runs or not: that it did not run says as much. What can't be followed makes the rest of the render secret.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "template/eval/evaluator.h"

namespace capwright::jinja {

class Control {
 public:
  explicit Control(Evaluator& evaluator) : evaluator_(evaluator), outer_(evaluator.decisions_.now) {}
  // Around a loop, which `break` and `continue` that a secret decided can't outlive.
  Control(Evaluator& evaluator, const For& loop)
      : evaluator_(evaluator),
        outer_(evaluator.decisions_.now),
        is_loop_(true),
        outer_rounds_(evaluator.decisions_.rounds),
        outer_loop_(evaluator.decisions_.loop) {
    evaluator.decisions_.rounds = false;
    evaluator.decisions_.loop = &loop;
  }
  ~Control() {
    if (is_loop_) {
      evaluator_.decisions_.rounds = outer_rounds_;
      evaluator_.decisions_.loop = outer_loop_;
    }
    if (!evaluator_.decisions_.rest && !evaluator_.decisions_.rounds) evaluator_.decisions_.now = outer_;
  }
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

 private:
  Evaluator& evaluator_;
  Decision outer_;
  bool is_loop_ = false;
  bool outer_rounds_ = false;
  const For* outer_loop_ = nullptr;
};

class Effects {
 public:
  explicit Effects(Evaluator& evaluator) : evaluator_(evaluator) {}
  void add(Body);
  void add(const Expr&);
  // A secret at `by` decided that this part runs, or one of `bodies` too: as long as the Control around it lives.
  void decide(std::initializer_list<Body> bodies, OriginId by);
  // The same for the rounds of a loop.
  void decide_loop(const For&, OriginId by);
  // The same for all that follows in the render.
  void decide_rest(OriginId by);
  // Makes secrets of the names that the part sets. To be called when the part is over.
  void taint_names();

 private:
  void add(const Stmt&);
  void add_inner(Body);
  void add_target(const Expr& target, const Expr* value, bool toplevel);
  void add_call(const Call&);
  void mark_state(const Expr& expr, bool all);
  void mark_value(const Value& value, bool all, std::uint32_t depth);
  bool is_pure(Body) const;
  Value value_of(const Name& name) const;

  struct Target {
    const Name* name;
    bool toplevel;
  };
  struct Alias {  // a name that the part sets, and what it sets it to or loops over
    SlotRef slot;
    const Expr* value;
  };
  Evaluator& evaluator_;
  std::vector<Target> targets_;
  std::vector<Alias> aliases_;
  bool leaves_loop_ = false;
  std::uint32_t scopes_ = 0;  // whose names end with them
  std::uint32_t loops_ = 0;
  std::uint32_t aliases_followed_ = 0;
};

}  // namespace capwright::jinja
