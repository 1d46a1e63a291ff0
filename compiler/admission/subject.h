// One object under admission: as the webhooks see it, and as stored; collects the errors.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "admission/rule_table.h"
#include "crd/object_place.h"
#include "crd/validate.h"

namespace capwright::admission {

class Subject {
 public:
  // `object` and `old` are in the version that the webhooks see, with their defaults; `old` is null on creation.
  Subject(const crd::Review& review, const Value& object, const Value& old, crd::Findings& findings,
          bool stands_alone = false)
      : stands_alone_(stands_alone),
        review_(review),
        object_(object),
        old_(old),
        root_{object_, nullptr, nullptr, 0, old.is(Kind::Map) ? &old_ : nullptr},
        report_(findings, review.stage) {}
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const Value& object() const { return object_; }
  const Value& old() const { return old_; }
  const crd::Place& root() const { return root_; }
  bool is_update() const { return review_.operation == crd::Operation::Update; }
  // Whether no other objects are stored: a webhook's look-ups find nothing.
  bool stands_alone() const { return stands_alone_; }
  const crd::Review& review() const { return review_; }
  Arena& arena() const { return review_.stage.arena; }

  // Whether a feature gate of the catalogue is on in the management cluster.
  bool has_gate(std::string_view name) const;
  // The errors that follow come from a gate that is off, and advise to turn it on; empty: they don't. `name` outlives
  // the subject.
  void blame_gate(std::string_view name) { blamed_gate_ = name; }

  // Sets the names of items for the following paths; `named` outlives the subject.
  void name_items(std::span<const NamedItems> named) { named_items_ = named; }

  // Reports the value at `place`, under `path`, or under its own path if that is empty. Shows the value if the server
  // does.
  void refuse(crd::Reason, const crd::Place&, std::string_view path, std::string_view message);
  // The same for an item of a list, always named by its index.
  void refuse_item(crd::Reason, const crd::Place&, std::string_view path, std::string_view message);
  // Reports a path; looks up the place and shows the value there.
  void refuse(crd::Reason, std::string_view path, std::string_view message);
  // Reports that the server can't convert the object between its versions.
  void refuse_conversion(const crd::Place&, std::string_view message);

 private:
  bool stands_alone_;
  const crd::Review& review_;
  std::string with_names(std::string path) const;
  void report(crd::Reason, const crd::Place&, std::string path, std::string_view message);

  Value object_, old_;
  std::span<const NamedItems> named_items_;
  std::string_view blamed_gate_;
  crd::Place root_;
  crd::Reporter report_;
};

}  // namespace capwright::admission
