// Files that are built into the binary and that the program depends on.
#pragma once
#include <string_view>

#include "value/stage.h"

namespace capwright {

// The text of `schemas/…` or `templates/…`. A missing file is a bug.
std::string_view built_in_text(std::string_view path);

// A built-in YAML file and the data that its values point into. Invalid YAML is a bug.
class BuiltInYaml {
 public:
  explicit BuiltInYaml(std::string_view path);
  BuiltInYaml(const BuiltInYaml&) = delete;
  BuiltInYaml& operator=(const BuiltInYaml&) = delete;

  const Value& content() const { return content_; }

 private:
  SourceSet sources_;
  Sink faults_;
  Arena arena_;
  OriginTable origins_;
  const Limits limits_;
  Value content_;
};

}  // namespace capwright
