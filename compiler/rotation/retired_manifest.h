// The manifest of an earlier generation, cut out of the file that it was last rendered into.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "files/file_set.h"
#include "rotation/read_manifests.h"
#include "value/stage.h"

namespace capwright::rotation {

// A file of the earlier render with its documents; `shown` is its path. Its faults of YAML are nobody's: what can't be
// read isn't there.
class EarlierFile {
 public:
  EarlierFile(std::string shown, const std::string& text, Stage&);

  // The document of `object`, if its spec is what its name says, with the annotation that keeps Argo CD from deleting
  // it: put in if it lacks it. Ends with a line break. Every byte's maker is this file, in `frame`.
  std::optional<MappedText> cut(const RotatedObject& object, FrameId frame, Stage&) const;

 private:
  std::string_view text() const { return text_; }
  // Lines of the document, without what stands before its first key.
  Span lines_of(std::size_t number) const;

  FileId file_;
  std::string_view text_;
  Arena arena_;
  OriginTable origins_;
  std::vector<YamlDocument> documents_;
  std::multimap<std::string, std::size_t> by_name_;  // their numbers by object_key(); of one name the first comes first
};

}  // namespace capwright::rotation
