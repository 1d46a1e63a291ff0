// The output of rules: messages with places in the rule's input. present.h later maps a place to a values file or
// template, so rules needn't.
#pragma once
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "lint/model/cluster.h"

namespace capwright::lint {

// A place in a cluster.
struct Place {
  const Cluster* cluster = nullptr;
  const File* file = nullptr;  // null: the place is in the source of a values file or template
  Span span;
  const Object* object = nullptr;  // null: none
  std::string path;                // in the object: "spec.replicas"
  bool is_about_quotes = false;    // the problem is the scalar's quotes

  static Place of(const Node& node);
  static Place of(const Object& object) { return of(object.place()); }
};

// A new text for a place. source_fix.h determines where and how it is written.
struct Replacement {
  enum class What : std::uint8_t {
    Text,    // a scalar that becomes the string `text`
    Plain,   // a scalar that becomes the number or boolean `text`
    Key,     // the key of a member, which becomes `text`
    Source,  // the raw bytes of a values file, template or manifest
  };
  What what = What::Text;
  Place place;
  std::string old;  // the current text; empty for Source
  std::string text;
};
// Applied completely or not at all.
struct Repair {
  std::string title;
  Safety safety = Safety::Safe;
  std::vector<Replacement> parts;
};

struct Finding {
  struct Related {
    Place place;
    std::string text;
  };

  const DiagInfo* info = nullptr;
  Severity severity = Severity::Error;
  Place place;
  std::string message;
  std::string_view pattern;  // the message's format string
  std::string caret;
  std::vector<Related> related;
  std::vector<std::string> notes;
  std::string advice;
  std::optional<Repair> repair;
  bool redacts = false;
  std::vector<Span> redacted;    // further places of secrets
  bool rests_on_others = false;  // other objects were read before it was reported
  bool is_of_change = false;     // a change made it, not what a template always renders
  bool advises_value = false;    // the help names a value that decides it
  bool is_foreign = false;       // of another tool: suppressions don't accept its code
  bool is_of_template = false;   // no value fixes it, so a template of the repository is the place to edit

  // Chaining, after reporting: `report.at(…).label("even").also(other, "…").note("…").help("use {}", 3)`.
  Finding& label(std::string text) {
    caret = std::move(text);
    return *this;
  }
  // Places the finding at the line of an own template, although a value made the text there.
  Finding& of_template() {
    is_of_template = true;
    return *this;
  }
  // Overrides the rule's severity.
  Finding& as(Severity other) {
    severity = other;
    return *this;
  }
  // Adds a secondary place: a Node or an Object.
  template <class Somewhere>
  Finding& also(const Somewhere& somewhere, std::string text) {
    related.push_back({Place::of(somewhere), std::move(text)});
    return *this;
  }
  template <class... Args>
  Finding& note(fmt::format_string<Args...> format, Args&&... args) {
    notes.push_back(fmt::format(format, std::forward<Args>(args)...));
    return *this;
  }
  template <class... Args>
  Finding& help(fmt::format_string<Args...> format, Args&&... args) {
    advice = fmt::format(format, std::forward<Args>(args)...);
    return *this;
  }
  // The text at the place is secret: no report shows it, nor the value it came from.
  Finding& redact() {
    redacts = true;
    return *this;
  }
  Finding& redact_too(const Node& secret) {
    redacted.push_back(secret.span());
    return *this;
  }
  // Offers a replacement in the values file, template or manifest that a scalar or key comes from: the only correct
  // text, or (Unsafe) the most likely one. The scalar becomes the string `text`, quoted as needed; a number or a
  // boolean; or the key of a member. Chained fixes are applied together, with the lowest safety among them.
  Finding& fix(const Node& scalar, std::string text, Safety safety, std::string title);
  Finding& fix_plain(const Node& scalar, std::string text, Safety safety, std::string title);
  Finding& fix_key(const Node& member, std::string key, Safety safety, std::string title);
  // The same for bytes of a values file or template, as for at_source().
  Finding& fix_source(Span span, std::string text, Safety safety, std::string title);
  Finding& fix(Replacement part, Safety safety, std::string title);
};

// Collects the findings of a rule.
class Report {
 public:
  Report(const DiagInfo& info, std::vector<Finding>& findings) : info_(info), findings_(findings) {}

  // Reports at an Object or a Node; for a missing Node, at the nearest existing parent. Don't name the object in the
  // message: reports add it, and equal messages merge one template mistake into one finding.
  template <class Somewhere, class... Args>
  Finding& at(const Somewhere& somewhere, fmt::format_string<Args...> format, Args&&... args) {
    const fmt::string_view pattern = format;
    return add(Place::of(somewhere), {pattern.data(), pattern.size()},
               fmt::format(format, std::forward<Args>(args)...));
  }
  // Reports at a place in a values file or a template.
  template <class... Args>
  Finding& at_source(const Cluster& cluster, Span span, fmt::format_string<Args...> format, Args&&... args) {
    const fmt::string_view pattern = format;
    return add({&cluster, nullptr, span, nullptr, {}}, {pattern.data(), pattern.size()},
               fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  Finding& add(Place place, std::string_view pattern, std::string message);

  const DiagInfo& info_;
  std::vector<Finding>& findings_;
};

}  // namespace capwright::lint
