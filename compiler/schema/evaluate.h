// Evaluates a compiled schema on a value. The same walk answers silently (a question) or collects findings (a report).
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "schema/place.h"
#include "schema/program.h"
#include "schema/schema_finding.h"

namespace capwright::schema {

// The members or items of one list or map that some keyword has evaluated, for the `unevaluated…` keywords.
class Evaluated {
 public:
  void mark(std::size_t i) {
    if (i >= done_.size()) done_.resize(i + 1);
    done_[i] = true;
  }
  // Marks all members or items, if the evaluated ones can't be determined.
  void mark_all(const Value& value) {
    std::size_t size = 0;
    if (value.is(Kind::List)) size = value.items().size();
    else if (value.is(Kind::Map)) size = value.entries().size();
    done_.assign(std::max(size, done_.size()), true);
  }
  bool has(std::size_t i) const { return i < done_.size() && done_[i]; }
  void merge(const Evaluated& other) {
    for (std::size_t i = 0; i < other.done_.size(); ++i) {
      if (other.done_[i]) mark(i);
    }
  }

 private:
  std::vector<bool> done_;
};

class Evaluation {
 public:
  // `findings` null: only the answer is needed, and the walk ends at the first error.
  Evaluation(const Stage& stage, Findings* findings) : stage_(stage), findings_(findings) {}

  bool check(const Node&, const Place&, Evaluated* evaluated = nullptr);

 private:
  // The entered resources, innermost first, in which `$dynamicRef` is resolved.
  struct Scope {
    const Resource* resource;
    const Scope* outer;
  };

  bool check_rules(const Node&, const Place&, Evaluated*);
  bool check_value(const Node&, const Place&);
  bool check_string(const Node&, const Place&);
  bool check_number(const Node&, const Place&);
  bool check_list(const Node&, const Place&, Evaluated*);
  bool check_items(const Node&, const Place&, Evaluated*);
  bool check_contains(const Node&, const Place&, Evaluated*);
  bool check_unique(const Place&);
  bool check_unique_key(std::string_view key, const Place& at);
  bool check_map(const Node&, const Place&, Evaluated*);
  bool check_members(const Node&, const Place&, Evaluated*, std::uint32_t& required);
  bool check_additional(const Node& additional, const Node&, const Place& member);
  void report_missing(const ObjectRules&, const Place&);
  bool check_names(const Node& names, const Place&);
  bool check_dependents(const ObjectRules&, const Place&, Evaluated*);
  bool check_combination(const Node&, const Place&, Evaluated*);
  bool check_any_of(const Node&, const Place&, Evaluated*);
  static bool mark_open(const Place& at, Evaluated* evaluated);
  bool check_one_of(const Node&, const Place&, Evaluated*);
  bool check_condition(const Node&, const Place&, Evaluated*);
  std::string reason_of(const Value& value, Span where) const;
  void add_choices(const Node& condition, const Place&, int levels, std::vector<Choice>& choices) const;
  bool check_unevaluated(const Node& unevaluated, const Node&, const Place&, Evaluated&);

  const Node& dynamic_target(const DynamicReference&) const;
  // Returns only the answer; reports nothing.
  bool asks(const Node&, const Place&, Evaluated*);
  // The same; empty if the answer may change after an error value is fixed.
  std::optional<bool> knows(const Node&, const Place&, Evaluated*);
  void report_nearest(const Node&, Nodes branches, const Place&);
  bool gives_up() const { return findings_ == nullptr; }

  const Stage& stage_;
  Findings* findings_;
  const Scope* scope_ = nullptr;
  std::uint32_t depth_ = 0;
  std::uint64_t steps_ = 0;
  bool met_error_ = false;  // an error value, which fits every schema
  bool exhausted_ = false;  // reported once; then the walk only unwinds
};

}  // namespace capwright::schema
