// The checks of native kinds that their shape doesn't say: names, and keys of data.
#include "crd/native.h"

#include <algorithm>
#include <fmt/format.h>

#include "crd/decode.h"
#include "crd/metadata.h"

namespace capwright::crd {
namespace {

constexpr std::size_t kMostDataBytes = 1024 * 1024;

NameRule name_rule(const KindVersion& kind) {
  if (kind.group == "rbac.authorization.k8s.io") return NameRule::PathSegment;
  return kind.kind == "Namespace" ? NameRule::Label : NameRule::Subdomain;
}

bool is_data_key(std::string_view key) {
  return !key.empty() && key.size() <= 253 && key != "." && !key.starts_with("..") &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                  c == '.';
         });
}

// Keys and size of `data`, `stringData` and `binaryData` of Secrets and ConfigMaps.
void check_data(const Place& object, Reporter& report) {
  std::size_t bytes = 0;
  for (const Entry& entry : object.value.entries()) {
    const std::string_view name = entry.key.text();
    if ((name != "data" && name != "binaryData" && name != "stringData") || !entry.value.is(Kind::Map)) continue;
    const Place data = Place::member(entry, object);
    for (const Entry& one : entry.value.entries()) {
      if (one.value.is(Kind::String))
        bytes += name == "data" && object.value.find("stringData") != nullptr ? one.value.text().size() / 4 * 3
                                                                              : one.value.text().size();
      if (is_data_key(one.key.text())) continue;
      report.add_at(Phase::Metadata, Reason::Invalid, fmt::format("{}[{}]", name, one.key.text()),
                    key_span_of(Place::member(one, data), report.stage().origins, report.stage().sources),
                    with_value(Reason::Invalid, one.key) +
                        ": a valid config key must consist of alphanumeric characters, '-', '_' or '.'");
    }
  }
  if (bytes <= kMostDataBytes) return;
  report.add(Phase::Schema, Reason::TooLong, object,
             fmt::format("Too long: may not be more than {} bytes", kMostDataBytes));
}

}  // namespace

void check_native_object(const Schema& schema, const KindVersion& kind, const Value& object, Reporter& report) {
  const Place root{object};
  if (!check_native(*schema.root, object, root, {}, report)) return;
  check_metadata(root, name_rule(kind), report);
  if (kind.group.empty() && (kind.kind == "Secret" || kind.kind == "ConfigMap")) check_data(root, report);
}

}  // namespace capwright::crd
