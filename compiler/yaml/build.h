// Builds Values from events: resolves keys, duplicates, merges, anchors, tags and types, for YAML and JSON alike.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "yaml/events.h"
#include "yaml/read.h"

namespace capwright::yaml {

class Builder {
 public:
  explicit Builder(Reading&);

  // The next document; empty at the end of the stream, or if a syntax error ended it. A document with other errors
  // (duplicate keys, unknown aliases …) is Value::error().
  std::optional<YamlDocument> next_document();
  // Where the next document starts (its `---`), if there is one.
  std::optional<Span> next_start();
  // Whether a syntax error or a limit ended the stream.
  bool stopped() const { return stopped_; }

 private:
  struct Node {
    Value value;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint64_t nodes = 1;   // including the expansion of aliases
    std::uint32_t height = 1;  // levels, including this one
  };
  struct Key {
    Node name;
    bool is_merge = false;  // `<<`
  };
  struct Anchor {
    std::string_view name;
    Node node;
    bool complete = false;
  };
  struct OpenMap {
    Node whole;
    std::size_t first_entry;    // in entries_
    std::vector<Value> merges;  // maps that `<<` names, lowest precedence first
  };

  void advance();
  void stop() { stopped_ = true; }
  Node node(std::uint32_t depth);
  Node unnamed_node(std::uint32_t depth);
  Node scalar(const Event&);
  // Whether sigs.k8s.io/yaml's stricter checks apply: not in JSON files.
  bool is_kubernetes() const {
    return reading_.options.rules == ScalarRules::Kubernetes && reading_.options.syntax == TextSyntax::Yaml;
  }
  // A double-quoted text without escapes is as long as its source; other lengths mean that it has some.
  bool may_hold_escapes(const Event& event) const {
    return event.style == ScalarStyle::DoubleQuoted && event.end - event.begin != event.text.size() + 2 && !is_json_ &&
           is_kubernetes();
  }
  void check_escapes(const Event&);
  Node alias(const Event&, std::uint32_t depth);
  Node list(const Event& start, std::uint32_t depth);
  Node map(const Event& start, std::uint32_t depth);
  void map_entry(OpenMap&, std::uint32_t depth);
  Key read_key(std::uint32_t depth);
  bool is_text_key() const;
  Node text_key();
  Value key(const Event&, const Node&);
  void merge(OpenMap&, const Node&);
  Value merged(const OpenMap&);
  // Two entries of one map with the same key.
  struct Duplicate {
    const Entry* first;
    const Entry* again;
  };
  static std::vector<Duplicate> duplicates(std::span<const Entry>);
  static std::string names_of_others(std::span<const Duplicate>);
  // `begins_line`: the map isn't part of another one, as far as its place says.
  void report_duplicates(std::span<const Duplicate>, bool begins_line);
  void drop_duplicates(std::size_t first);
  // `are_maps`: the values of both.
  Diagnostic& report_duplicate(const Value& first, const Value& again, bool are_maps);
  Value typed(const Event&);
  Value tagged_scalar(const Event&);
  void check_collection_tag(const Event&, std::string_view expected);
  Value text_value(std::string_view text);
  Value key_value(std::string_view text);  // with its hash
  bool too_deep(const Event&, std::uint32_t depth);

  Reading& reading_;
  std::unique_ptr<EventSource> source_;
  const Event* event_ = nullptr;  // not yet consumed
  bool stopped_ = false;
  bool is_json_ = false;        // this document begins with a brace
  bool failed_ = false;         // this document has an error after which reading can continue
  std::vector<Value> items_;    // of all open lists, innermost last
  std::vector<Entry> entries_;  // of all open maps, innermost last
  std::vector<Anchor> anchors_;
  std::uint64_t alias_nodes_ = 0;
};

}  // namespace capwright::yaml
