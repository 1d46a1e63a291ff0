// Faults as validation finds them: complete enough to be compared, ranked and dropped before they are reported.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "schema/place.h"
#include "schema/program.h"
#include "value/stage.h"

namespace capwright::schema {

struct Finding {
  // What is wrong, from the plainest cause to what may follow from it.
  enum class Kind : std::uint8_t { Type, Choice, Form, Structure, Key, Missing };

  Kind kind = Kind::Form;
  Diagnostic diagnostic;
  std::string parent;  // path of the map, for Key and Missing
  std::string key;
  std::string suggestion;     // Key: the known key nearest to it
  std::string expected;       // as the message says it
  std::size_t depth = 0;      // steps from the root
  TypeSet types = 0;          // Type: what would have been right
  std::vector<Span> choices;  // the values that `if` looked at before it was found
};

// Makes the findings of one validation run. Branches that are only tried collect into a list of their own.
class Findings {
 public:
  // `root`: the whole schema, to tell of keys that a branch of it only requires.
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
  // `known`: the keys that the schema has for the map, the user's own among them.
  void unknown_key(const Place& member, const std::vector<std::string_view>& known);
  void unfit_key(const Place& key, const std::vector<Finding>& reasons);  // the key as a value, in its map
  void wrong_key_count(const Node&, const Place&);
  void missing_companion(const Place& given, std::string_view missing);
  void no_alternative(const Place&, std::string found, std::string expected);
  void several_alternatives(const Node&, const Place&, std::size_t fitting);
  void excluded_value(const Node&, const Place&);
  void ambiguous_scalar(const Place&);
  void endless_check(const Place&);

  // Puts a list aside and begins an empty one; `splice` appends what was put aside, or a part of it.
  std::vector<Finding> take() { return std::exchange(list_, {}); }
  void splice(std::vector<Finding> findings);

  // What is in the list was found after `if` looked at these values.
  void depend_on(const std::vector<Span>& choices);

  bool empty() const { return list_.empty(); }
  // Reports what is left when each cause is told once.
  void report(Sink&);

 private:
  template <class... Args>
  Finding& add(Finding::Kind, const Place&, const DiagSpec<Args...>&, const std::type_identity_t<Args>&... args);
  // The form that most faults have: "`path` is …; expected …".
  Finding& add_fault(Finding::Kind, const Place&, const DiagSpec<std::string, std::string, std::string>&,
                     std::string found, std::string expected);
  bool is_secret(const Node&, const Place&) const;
  std::string found(const Node&, const Place&) const;
  Span heading(const Place& at) const { return heading_of(at, stage_.origins, stage_.sources); }
  const Node* description(const Place& map, const Property&) const;  // null: the schema has none
  void explain_default(const Place&, Diagnostic&) const;

  const Stage& stage_;
  const Node& root_;
  std::vector<Finding> list_;
};

}  // namespace capwright::schema
