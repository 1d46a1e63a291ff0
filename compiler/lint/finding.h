// What rules report: places in what they looked at, and words. Where that is in a values file or a template is found
// out later (present.h), so a rule never thinks about it.
#pragma once
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "lint/cluster.h"

namespace capwright::lint {

// Somewhere in a cluster.
struct Place {
  const Cluster* cluster = nullptr;
  const File* file = nullptr;  // null: the place is in a values file or template as it was written
  Span span;
  const Object* object = nullptr;  // null: none
  std::string path;                // in the object: "spec.replicas"
  bool is_about_quotes = false;    // what is wrong with the scalar are its quotes

  static Place of(const Node& node);
  static Place of(const Object& object) { return of(object.place()); }
};

// Another text for what stands at a place. source_fix.h finds out where that is written, and how.
struct Replacement {
  enum class What : std::uint8_t {
    Text,    // a scalar that is to be read as the string `text`
    Plain,   // a scalar that is to be the number or boolean `text`
    Key,     // the key of a member, which is to be `text`
    Source,  // the bytes of a values file, template or manifest, as they stand
  };
  What what = What::Text;
  Place place;
  std::string old;  // what is read there now; of Source nothing
  std::string text;
};
// All of it is written, or nothing.
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
  std::string_view pattern;  // the message without what was put into it
  std::string caret;
  std::vector<Related> related;
  std::vector<std::string> notes;
  std::string advice;
  std::optional<Repair> repair;
  bool conceals = false;
  bool rests_on_others = false;  // it was said after other objects were looked for
  bool is_foreign = false;       // of another tool: what takes findings back doesn't know its code

  // Chaining, where it is reported: `report.at(…).label("even").also(other, "…").note("…").help("use {}", 3)`.
  Finding& label(std::string text) { return caret = std::move(text), *this; }
  // Another severity than the rule's.
  Finding& as(Severity other) { return severity = other, *this; }
  // A second place that belongs to it: a Node or an Object.
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
    return advice = fmt::format(format, std::forward<Args>(args)...), *this;
  }
  // What stands at the place is a secret: no report shows it, nor the value that it came from.
  Finding& conceal() { return conceals = true, *this; }
  // Offers to write something else, in the values file, template or manifest that a scalar or key comes from: the only
  // right text, or (Unsafe) the one that is most likely meant. The scalar will be the string `text`, in whatever quotes
  // it takes; a number or a boolean; the key of a member. Chained, they are done together, and are as safe as the least
  // of them.
  Finding& fix(const Node& scalar, std::string text, Safety safety, std::string title);
  Finding& fix_plain(const Node& scalar, std::string text, Safety safety, std::string title);
  Finding& fix_key(const Node& member, std::string key, Safety safety, std::string title);
  // The same for bytes of a values file or template, as at_source() has them.
  Finding& fix_source(Span span, std::string text, Safety safety, std::string title);
  Finding& fix(Replacement part, Safety safety, std::string title);
};

// What a rule reports into.
class Report {
 public:
  Report(const DiagInfo& info, std::vector<Finding>& findings) : info_(info), findings_(findings) {}

  // At a Node (also one that is missing: then the nearest place above is shown) or an Object. The message doesn't name
  // the object that it is about: that is said beside it anyway, and one mistake of a template is then one finding.
  template <class Somewhere, class... Args>
  Finding& at(const Somewhere& somewhere, fmt::format_string<Args...> format, Args&&... args) {
    const fmt::string_view pattern = format;
    return add(Place::of(somewhere), {pattern.data(), pattern.size()},
               fmt::format(format, std::forward<Args>(args)...));
  }
  // At a place in a values file or a template.
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
