// The position of a walker in an object, for the path and the span of a finding. Paths are formatted only for findings.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "crd/server_finding.h"
#include "source/source.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::crd {

// A chain on the stack, from a value up to the root.
struct Place {
  Value value;
  const Place* parent = nullptr;  // null: the root
  const Value* key = nullptr;     // of the parent map; null: an item
  std::uint32_t index = 0;        // of the parent list
  const Value* old = nullptr;     // the stored value, if an object is updated

  static Place member(const Entry& entry, const Place& parent) {
    const Value* old = parent.old == nullptr ? nullptr : parent.old->find(entry.key.text());
    return {entry.value, &parent, &entry.key, 0, old};
  }
  static Place item(const Value& value, std::uint32_t index, const Place& parent) {
    return {value, &parent, nullptr, index, nullptr};
  }
};

// Appends a key; keys that aren't plain names are in brackets, as the server writes keys of labels and data.
void append_key(std::string& path, std::string_view key);

// "spec.ports[0].name", in the server's form, for any keys; empty for the root.
std::string path_of(const Place&);
// A path that identifies the field uniquely: "metadata.annotations[example.com/size]".
std::string field_of(const Place&);
std::string path_of(const Place&, std::string_view member);

// The scalar, or the key of a list or map; for a value that isn't in the source, its nearest ancestor that is.
Span span_of(const Place&, const OriginTable&, const SourceSet&);
// The key; for list items, the item.
Span key_span_of(const Place&, const OriginTable&, const SourceSet&);

// Collects the findings of a walker.
class Reporter {
 public:
  Reporter(Findings& findings, const Stage& stage) : findings_(findings), stage_(stage) {}

  Finding& add(Phase phase, Reason reason, const Place& place, std::string message) {
    Finding& finding =
        add_at(phase, reason, path_of(place), span_of(place, stage_.origins, stage_.sources), std::move(message));
    finding.field = field_of(place);
    return finding;
  }
  Finding& add_at(Phase phase, Reason reason, std::string path, Span where, std::string message) {
    findings_.push_back({phase, reason, std::move(path), std::move(message), where, {}, {}});
    return findings_.back();
  }
  // A finding about a missing member.
  Finding& add_missing(Phase phase, const Place& owner, std::string_view member) {
    return add_at(phase, Reason::Required, path_of(owner, member), key_span_of(owner, stage_.origins, stage_.sources),
                  std::string(reason_text(Reason::Required)));
  }
  const Stage& stage() const { return stage_; }
  Findings& findings() { return findings_; }

 private:
  Findings& findings_;
  const Stage& stage_;
};

// Suggests a candidate that is similar to `written`, if there is one.
void suggest(Finding&, std::string_view written, std::span<const std::string_view> candidates);

// "Invalid value: "x"": the beginning of the server's messages; secrets are redacted.
std::string with_value(Reason, const Value&);

}  // namespace capwright::crd
