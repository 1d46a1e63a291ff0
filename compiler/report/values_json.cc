// A thin layer over the JSON writer.
#include "report/json_values.h"
#include "secrets/redact.h"
#include "value/limits.h"
#include "value/provenance.h"
#include "yaml/write.h"

namespace capwright::report {

std::string as_pretty_json(const Value& value) {
  Arena arena;
  MappedText text;
  JsonStyle style;
  style.indent = 2;
  style.item_separator = ",";
  style.ensure_ascii = false;
  write_json(secrets::redact(value, arena), style, Segment(), Limits(), text);
  return text.text() + "\n";
}

}  // namespace capwright::report
