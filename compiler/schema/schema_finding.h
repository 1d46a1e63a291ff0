// Findings of a validation run: complete enough to be compared, ranked and dropped before they are reported.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "schema/place.h"
#include "schema/program.h"
#include "schema/reach.h"
#include "value/stage.h"

namespace capwright::schema {

// A value that an `if` read before a finding.
struct Choice {
  Span where;
  std::string map;     // path of its map
  std::string reason;  // the label of a value that the `if` compared with a pattern; empty for others
};

struct Finding {
  // The kind of error, from the most direct cause to possible consequences.
  enum class Kind : std::uint8_t { Type, Choice, Form, Structure, Key, Missing };

  Kind kind = Kind::Form;
  Diagnostic diagnostic;
  std::string parent;  // path of the map, for Key, Missing and no_alternative(); of the list, for unfit_items()
  std::string key;
  std::string suggestion;  // Key: the nearest known key
  std::string elsewhere;   // Key: the path of the only key that is meant, if it is in another map
  std::string expected;    // for the message
  std::size_t depth = 0;   // steps from the root
  TypeSet types = 0;       // Type: the valid types
  std::vector<Choice> choices;
};

// "`a`, `b`": the required keys of a map. Empty: there are none.
std::string required_keys(const Node&);

// Makes the findings of one validation run. Each tried branch collects a separate list.
class Findings {
 public:
  // `root`: the whole schema, for the description of keys that a branch only requires.
  Findings(const Stage& stage, const Node& root) : stage_(stage), root_(root) {}

  void wrong_type(const Node&, const Place&);
  void wrong_type(const Node&, const Place&, TypeSet wanted, std::string expected);
  void unknown_choice(const Node&, const Place&);
  void pattern_mismatch(const Node&, const Place&);
  void format_mismatch(const Node&, const Place&);
  void wrong_length(const Node&, const Place&);
  void out_of_range(const Node&, const Place&);
  void not_a_multiple(const Node&, const Place&);
  void wrong_item_count(const Node&, const Place&);
  void repeated_item(const Place& item, const Place& first);
  void unfit_items(const Node&, const Place&, std::size_t fitting);
  void refused(const Place&);  // by a schema that is `false`
  void missing_key(const Place& map, const Property&);
  // `known`: the keys that the schema declares for the map, including those that the user has set.
  void unknown_key(const Place& member, const std::vector<std::string_view>& known);
  void unfit_key(const Place& key, const std::vector<Finding>& reasons);  // a key that is invalid as a value
  void wrong_key_count(const Node&, const Place&);
  void missing_companion(const Place& given, std::string_view missing);
  void no_alternative(const Place&, std::string found, std::string expected);
  void several_alternatives(const Node&, const Place&, std::size_t fitting);
  void excluded_value(const Node&, const Place&);
  void ambiguous_scalar(const Place&);
  void endless_check(const Place&);

  // Sets the list aside and begins an empty one; `splice` appends a saved list, or a part of it.
  std::vector<Finding> take() { return std::exchange(list_, {}); }
  void splice(std::vector<Finding> findings);

  // Records that the findings in the list depend on an `if` that read these values.
  void depend_on(const std::vector<Choice>& choices);

  bool empty() const { return list_.empty(); }
  // Reports the remaining findings: one for each cause.
  void report(Sink&);

 private:
  template <class... Args>
  Finding& add(Finding::Kind, const Place&, const DiagSpec<Args...>&, const std::type_identity_t<Args>&... args);
  // The usual form of a message: "`path` is …; expected …".
  Finding& add_fault(Finding::Kind, const Place&, const DiagSpec<std::string, std::string, std::string>&,
                     std::string found, std::string expected);
  bool is_secret(const Node&, const Place&) const;
  std::string found(const Node&, const Place&) const;
  Span heading(const Place& at) const { return heading_of(at, stage_.origins, stage_.sources); }
  const Node* description(const Place& map, const Property&) const;  // null: the schema has none
  // The schemas that apply to a value, with the conditions that the values around it meet (corrections.cc).
  NodeList applied_to(const Place&) const;
  bool has_no_value(std::string_view path, const Place& member) const;
  void correct_form(const Place&, Diagnostic&) const;
  void advise_map(const Node&, const Place&, Diagnostic&) const;
  bool is_dotted_path(const Place& member, const Finding&) const;
  void advise_elsewhere(const Place& member, const std::vector<std::string_view>& known, Finding&);
  void explain_default(const Place&, Diagnostic&) const;

  const Stage& stage_;
  const Node& root_;
  std::vector<Finding> list_;
  std::optional<KeyPaths> key_paths_;  // from the first unknown key that isn't misspelt
};

}  // namespace capwright::schema
