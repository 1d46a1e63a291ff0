// Tracks control flow that depends on a secret. While a Control lives, a decision by a secret applies to the part that
// it controls: everything printed and stored there is secret. Effects finds the state that such a part may change and
// that outlives it, whether or not the part runs: that it didn't run is information, too. If effects can't be
// determined, the rest of the render becomes secret.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "template/eval/evaluator.h"

namespace capwright::jinja {

class Control {
 public:
  explicit Control(Evaluator& evaluator) : evaluator_(evaluator), outer_(evaluator.decisions_.now) {}
  // For a loop, which ends the effect of `break` and `continue` that a secret decided.
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
  // Records that a secret at `by` decided whether this part, or one of `bodies`, runs: for the lifetime of the
  // enclosing Control.
  void decide(std::initializer_list<Body> bodies, OriginId by);
  // The same for the rounds of a loop.
  void decide_loop(const For&, OriginId by);
  // The same for the rest of the render.
  void decide_rest(OriginId by);
  // Makes the names that the part sets secret. Call this at the end of the part.
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
  struct Alias {  // a name that the part sets, and the value or iterable it comes from
    SlotRef slot;
    const Expr* value;
  };
  Evaluator& evaluator_;
  std::vector<Target> targets_;
  std::vector<Alias> aliases_;
  bool leaves_loop_ = false;
  std::uint32_t scopes_ = 0;  // nested scopes, whose names end with them
  std::uint32_t loops_ = 0;
  std::uint32_t aliases_followed_ = 0;
};

}  // namespace capwright::jinja
