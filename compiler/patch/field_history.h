// Follows what patches do to the fields of objects: those they remove, which no byte of a rendered file shows, and
// items that one patch adds to a list and a later patch drops.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "patch/file_text.h"
#include "patch/identity.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::patch {

// A field or item that the objects lack because of a patch.
struct RemovedField {
  std::string kind, name, space;  // of the object, before it gets a digest or an existing name
  std::string around;             // the map or list that had it: "spec.template.spec"; empty: the object
  std::string field;              // its key; of an item, the name or text
  bool is_item = false;
  Span patch;  // the part of the patch that removes it
};

class FieldHistory {
 public:
  explicit FieldHistory(Stage& stage) : stage_(stage) {}

  // Compares the values of an object before and after the patch with `content`, which is at `where`. Reports items of
  // patches in other files that a list of this patch lacks (K517).
  void add(const ObjectId& object, const Value& before, const Value& after, const Value& content, Span where);

  // The removed fields that no later patch wrote again. `files`: after all patches; null: without objects.
  std::vector<RemovedField> removed_from(const std::vector<std::unique_ptr<FileText>>& files) &&;

 private:
  struct Removed {
    RemovedField field;
    std::vector<std::string> steps;  // to what is around it
  };
  struct AddedItems {
    std::vector<std::string> steps;  // to the list
    std::string path;
    std::vector<std::string> items;
    Span where;  // of the patch
  };
  void compare(const Value& before, const Value& after);
  void compare_lists(const Value& before, const Value& after);
  void remove(std::string_view field, std::string_view step, bool is_item);
  // `shown`: the path of what is compared.
  void compare_below(std::string step, std::string shown, const Value& before, const Value& after);
  void note_added(const std::vector<std::string>& old, const std::vector<std::string>& now);
  void report_dropped(const AddedItems& added, const Value& after);

  Stage& stage_;
  std::vector<Removed> removed_;
  std::map<std::string, std::vector<AddedItems>, std::less<>> added_;  // by object
  std::set<std::pair<Span, Span>> reported_;  // the list of a patch, and the patch whose items it lacks
  // Of the object that is compared.
  const ObjectId* object_ = nullptr;
  const Value* content_ = nullptr;
  Span where_;
  std::vector<std::string> steps_;
  std::string path_;
};

}  // namespace capwright::patch
