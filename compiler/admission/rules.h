// The rules of one provider's admission, as `schemas/admission/<provider>.yaml` has them: what each looks at, when, and
// what it demands. The file's form is described in schemas/admission/README.md.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/expression.h"
#include "admission/pattern.h"
#include "crd/finding.h"
#include "value/value.h"

namespace capwright::admission {

// One demand on a value.
struct Demand {
  enum class Kind : std::uint8_t {
    Holds,        // `expression` is true; one that can't be evaluated holds
    Passes,       // the check called `name`, which is code
    Unchanged,    // equal to what is stored, apart from the paths `except`
    ChangesOnly,  // what differs from what is stored lies at the paths `except`, or below those that end in `*`
    Unique,       // no two items of the list have the same `name`; empty: are the same
    Absent,       // empty, as Go sees it
    Present,
    OneOf,  // `allowed`
  };
  Kind kind = Kind::Holds;
  Expression expression;
  std::string name;
  std::vector<std::string> except;
  std::optional<std::vector<std::string>> hollow;  // of Unchanged, see Sameness; none: empty maps count for nothing
  std::vector<std::string> pointers;               // of Unchanged, see Sameness
  bool exact = false;  // of Unchanged: 0, false and "" differ from nothing, as they do for Go's pointers
  std::vector<Value> allowed;
};

struct Rule {
  enum class When : std::uint8_t { Always, Create, Update };
  Pattern at;
  When when = When::Always;
  bool absent_too = false;  // the demand is also made on a value that isn't there
  bool once_set = false;    // Unchanged: only when something is stored
  Expression condition;
  Pattern group;  // where `group_condition` holds: the group's place
  Expression group_condition;
  Demand demand;
  crd::Reason reason = crd::Reason::Invalid;
  std::string report;  // see reported_path
  std::string message;
};

// What a webhook writes into an object before it is checked.
struct Default {
  std::string at;
  std::string key;  // of a map at `at`, such as a label; empty: the value at `at` itself
  Expression condition;
  bool always = false;  // also over what is there; otherwise only where nothing is, or an empty text
  Value value;
  std::string copied_from;  // a path; empty: `value`
  std::string prefix;       // put before a text that lacks it
};

// A step from an older version of the kind to the one that its webhook sees.
struct Move {
  enum class Kind : std::uint8_t {
    Plain,
    Reference,  // apiVersion, kind, name: the group alone is kept, and the kind must be known
    Duration,   // a text such as `10m` that becomes a number of seconds
    Arguments,  // a map that becomes a list of names and values
  };
  Kind kind = Kind::Plain;
  Pattern within;  // where both paths start; the root, or every item of a list
  std::string from, to;
};

// Lists whose items the server names by the value of a key, where others have an index: "spec.workers.pools", "class".
struct NamedItems {
  std::string list, key;
};

struct KindRules {
  std::vector<Rule> rules;
  std::vector<NamedItems> named_items;
  std::vector<Default> defaults;                                              // of the version that the webhooks see
  std::map<std::string, std::vector<Move>, std::less<>> moves;                // by version
  std::map<std::string, std::vector<Default>, std::less<>> written_defaults;  // of older versions, as they are written
  // Texts that must be durations such as `10m`, or tokens such as `abcdef.0123456789abcdef`; or the object can't be
  // read.
  std::vector<Pattern> durations, bootstrap_tokens;
  std::vector<std::string> filled_versions;   // in which a webhook writes zero values for what is required
  std::vector<std::string> emptied_versions;  // in which empty texts get lost, but for those of the fields …
  std::vector<std::string> keeps_empty;
  std::vector<std::string> structures;  // patterns of maps that checks find empty where nobody wrote them
};

// Rules by "Kind.group". What is wrong with the table itself is in `faults`; its other rules still hold.
struct Table {
  std::map<std::string, KindRules, std::less<>> kinds;
  std::vector<std::string> faults;
  bool stores_defaults = false;  // an update finds the defaults in what is stored
  Arena arena;

  const KindRules* find(std::string_view group, std::string_view kind) const;
};

// `shared` holds the checks and groups that all providers may use (schemas/admission/shared.yaml).
std::unique_ptr<Table> read_table(std::string_view text, std::string_view shared);

}  // namespace capwright::admission
