// The manifest of an earlier generation, extracted from the file that it was last rendered into.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "rotation/read_manifests.h"
#include "value/stage.h"

namespace capwright::rotation {

// An annotation that keeps a tool from deleting an object that leaves the tree: an item of its comma-separated list.
struct KeepingOption {
  std::string_view annotation;
  std::string_view item;   // "Prune=false"
  std::string_view group;  // the items that it replaces begin with this; empty: all
};

// Those of Argo CD, which template sets write in any case, and of Flux if it applies the tree.
std::span<const KeepingOption> keeping_options(bool by_flux);

// How a manifest is kept.
struct KeptAs {
  std::string_view digested;  // its name with a digest
  std::span<const KeepingOption> options;
  FrameId frame;
};

// A file of the earlier render with its documents; `shown` is its path. YAML errors are ignored: an unreadable document
// counts as missing.
class EarlierFile {
 public:
  EarlierFile(std::string shown, const std::string& text, Stage&);

  // The document of `object`, if its spec matches its name with a digest, with the options, which are added if missing.
  // Ends with a line break. The maker of every byte is this file, in the frame.
  std::optional<MappedText> cut(const RotatedObject& object, const KeptAs&, Stage&) const;

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
