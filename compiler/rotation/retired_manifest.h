// The manifest of an earlier generation, extracted from the file that it was last rendered into.
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

// A file of the earlier render with its documents; `shown` is its path. YAML errors are ignored: an unreadable document
// counts as missing.
class EarlierFile {
 public:
  EarlierFile(std::string shown, const std::string& text, Stage&);

  // The document of `object`, if its spec matches `digested`, its name with a digest, with the annotation that keeps
  // Argo CD from deleting it, which is added if missing. Ends with a line break. The maker of every byte is this file,
  // in `frame`.
  std::optional<MappedText> cut(const RotatedObject& object, std::string_view digested, FrameId frame, Stage&) const;

 private:
  std::string_view text() const { return text_; }
  // The lines of the document from its first key on.
  Span lines_of(std::size_t number) const;

  FileId file_;
  std::string_view text_;
  Arena arena_;
  OriginTable origins_;
  std::vector<YamlDocument> documents_;
  std::multimap<std::string, std::size_t> by_name_;  // indices by object_key(), in order
};

}  // namespace capwright::rotation
