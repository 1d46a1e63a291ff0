// Inputs that patches hide: all bytes that they made are replaced or removed, except labels and annotations of objects.
// The bounds of an autoscaler are annotations, too: they don't make up for a patch of the group's own bounds.
#pragma once
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "files/file_set.h"
#include "patch/file_text.h"
#include "value/provenance.h"
#include "value/stage.h"

namespace capwright::patch {

struct HiddenInput {
  OriginId input = OriginId::None;
  std::string field;     // that a patch changes: "`spec.replicas` of MachineDeployment `prod-general`"
  Span patch;            // the part of the patch that changes it
  bool removed = false;  // the field, not only its value
  bool marks = false;    // labels or annotations of objects still have it
};

class HiddenInputs {
 public:
  explicit HiddenInputs(const Stage& stage) : stage_(stage) {}

  // Compares a file before and after the patch with `content`, which is at `where`. `deleted`: its documents that the
  // patch deletes. Their inputs don't count: who deletes an object knows what goes with it.
  void compare(const FileText& before, const FileText& after, const std::set<std::size_t>& deleted,
               const Value& content, Span where);

  // The hidden inputs, if these are all files after all patches. `text`: the file as read, or null without objects.
  struct PatchedFile {
    const MappedText* body;
    const FileText* text;
  };
  std::vector<HiddenInput> hidden_in(std::span<const PatchedFile> files) &&;

 private:
  struct Candidate {
    HiddenInput hidden;
    bool was_in_marks = false;  // made nothing but labels and annotations
  };

  const Stage& stage_;
  std::map<OriginId, Candidate> candidates_;
};

}  // namespace capwright::patch
