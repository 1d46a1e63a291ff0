// The lines of a Helm template that print a field. Templates aren't YAML, so keys are read line by line, by their
// indentation.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright::lint {

// Keys from the top of a document; "[]" for any item of a list.
using FieldPath = std::vector<std::string>;
inline constexpr std::string_view kAnyItem = "[]";

struct TemplateLine {
  FieldPath path;
  Span key, value;           // the value without quotes and comment; empty for a map or list below the key
  std::string text;          // the value as written
  std::size_t document = 0;  // its number in the file
  bool has_action() const { return text.find("{{") != std::string::npos; }
};

struct HelmTemplate {
  std::vector<TemplateLine> lines;
  std::vector<bool> inserts;  // by document: whether an action on a line of its own prints unknown keys

  // The only line that can print the field in this object; null: there are several, or none.
  const TemplateLine* only_line(const FieldPath& path, std::string_view kind, std::string_view name) const;
};

HelmTemplate read_helm_template(FileId file, std::string_view text);

// "workers.replicas" of `{{ .Values.workers.replicas | default 3 }}`, if that alone makes the value. Otherwise empty.
std::string values_path_in(std::string_view value);

}  // namespace capwright::lint
