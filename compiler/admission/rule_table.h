// The rules of one provider's admission, from `schemas/admission/<provider>.yaml`: the values that each rule applies
// to, its condition, and its demand. schemas/admission/README.md describes the format.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/expression.h"
#include "admission/pattern.h"
#include "crd/server_finding.h"
#include "value/value.h"

namespace capwright::admission {

// One requirement on a value.
struct Demand {
  enum class Kind : std::uint8_t {
    Holds,        // `expression` is true or can't be evaluated
    Passes,       // the check called `name`, implemented in code
    Unchanged,    // equal to the stored value, except at the paths `except`
    ChangesOnly,  // differs from the stored value only at the paths `except`, or below those that end in `*`
    Unique,       // no two items of the list have the same `name`, or are equal if `name` is empty
    Absent,       // empty in Go's sense
    Present,
    OneOf,  // `allowed`
  };
  Kind kind = Kind::Holds;
  Expression expression;
  std::string name;
  std::vector<std::string> except;
  std::optional<std::vector<std::string>> hollow;  // of Unchanged, see Sameness; none: empty maps equal absent ones
  std::vector<std::string> pointers;               // of Unchanged, see Sameness
  bool exact = false;  // of Unchanged: 0, false and "" differ from absent values, as for pointers in Go
  std::vector<Value> allowed;
};

struct Rule {
  enum class When : std::uint8_t { Always, Create, Update };
  Pattern at;
  When when = When::Always;
  bool absent_too = false;  // the demand also applies to an absent value
  bool once_set = false;    // Unchanged: only if a value is stored
  Expression condition;
  Pattern group;  // the group's place, where `group_condition` must be true
  Expression group_condition;
  Demand demand;
  crd::Reason reason = crd::Reason::Invalid;
  std::string report;  // see reported_path
  std::string message;
  std::string gate;       // the rule depends on this feature gate; empty: on none …
  bool while_on = false;  // … and applies while it is on, or else while it is off
};

// A default that a webhook sets before the checks.
struct Default {
  std::string at;
  std::string key;  // of a map at `at`, such as a label; empty: the value at `at` itself
  Expression condition;
  bool always = false;  // also overwrites values; otherwise only sets absent or empty ones
  Value value;
  std::string copied_from;  // a path; empty: `value`
  std::string prefix;       // added to a text that doesn't start with it
};

// A step of the conversion from an older version of the kind to the one that its webhook sees.
struct Move {
  enum class Kind : std::uint8_t {
    Plain,
    Reference,  // apiVersion, kind, name: keeps only the group, and the kind must be known
    Duration,   // a text such as `10m`, converted to a number of seconds
    Arguments,  // a map, converted to a list of names and values
  };
  Kind kind = Kind::Plain;
  Pattern within;  // the start of both paths; the root, or every item of a list
  std::string from, to;
};

// Lists whose items have the value of a key in the server's paths, instead of an index: "spec.workers.pools", "class".
struct NamedItems {
  std::string list, key;
};

struct KindRules {
  std::vector<Rule> rules;
  std::vector<NamedItems> named_items;
  std::vector<Default> defaults;                                              // of the version that the webhooks see
  std::map<std::string, std::vector<Move>, std::less<>> moves;                // by version
  std::map<std::string, std::vector<Default>, std::less<>> written_defaults;  // of older versions, as written
  // Texts that must be durations such as `10m`, or tokens such as `abcdef.0123456789abcdef`; otherwise the object can't
  // be decoded.
  std::vector<Pattern> durations, bootstrap_tokens;
  std::vector<std::string> filled_versions;   // in which a webhook writes zero values for required fields
  std::vector<std::string> emptied_versions;  // in which empty texts are dropped, except those of the fields …
  std::vector<std::string> keeps_empty;
  std::vector<std::string> structures;  // patterns of maps that checks see as empty if they are absent
};

// The rules of a provider by kind. Most objects of a run are of few kinds, so the rules of each are read at their first
// use. Threads may look up kinds concurrently.
class Table {
 public:
  // `shared` has the checks and groups for all providers (schemas/admission/shared.yaml).
  Table(std::string_view text, std::string_view shared);
  ~Table();

  bool stores_defaults() const;  // stored objects contain the defaults
  const KindRules* find(std::string_view group, std::string_view kind) const;
  // Calls `visit` with each "Kind.group". Reads all kinds.
  void each(const std::function<void(const std::string&, const KindRules&)>& visit) const;
  // Errors in the kinds that were read; the other rules of such a kind still apply.
  std::vector<std::string> faults() const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace capwright::admission
