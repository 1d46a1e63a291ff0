// Where in an object something changed: a path that means the same on both sides, since items of lists are named by
// their keys where they have some. And patterns of such paths.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::diff {

struct Step {
  enum class Kind : std::uint8_t {
    Key,       // a member of a map: `text`
    Item,      // an item of a list in order: `index`
    Keyed,     // an item that its keys tell: `text` is `name=x` or `containerPort=80,protocol=TCP`
    Member,    // an item of a set: `text` is the value itself
    Document,  // of a text that holds several: `text` is `Deployment/web`, or its number
  };
  Kind kind = Kind::Key;
  bool inside = false;  // it is in the YAML or JSON that the text at the step before holds
  std::string text;
  // Of an item: its number after the change (of a removed one, before), and the one before.
  std::uint32_t index = 0, index_before = 0;

  // The same place: numbers before the change don't count.
  friend bool operator==(const Step& a, const Step& b) {
    return a.kind == b.kind && a.text == b.text && (a.kind != Kind::Item || a.index == b.index);
  }
};
using Path = std::vector<Step>;

// `spec.containers[name=x].args[3]`, `metadata.labels["example.com/a"]`, `data["net-conf.json"].Network`. Empty for the
// whole object.
std::string text_of(const Path& path);
// The same, but that items in order are `[*]`.
std::string shape_of(const Path& path);

// What is not to be looked at: `[KIND[/NAME]:]PATH`. `*` stands for any text in a part (`labels[*]`, `status.*`), `**`
// for any number of parts; what is below a path that matches is meant, too. Without PATH (`Event:`) it is the object.
class PathPattern {
 public:
  // Nothing when it can't be read; then `why` says it.
  static std::optional<PathPattern> read(std::string_view text, std::string& why);

  bool matches_object(std::string_view kind, std::string_view name) const;
  // Whether it takes whole objects, so that added and removed ones are meant as well.
  bool is_whole_object() const { return parts_.empty(); }
  // Below an object that matches.
  bool matches(const Path& path) const;
  const std::string& text() const { return text_; }

 private:
  struct Part {
    std::string glob;
    bool bracketed = false;
  };
  bool matches_from(std::size_t part, const Path& path, std::size_t step) const;

  std::string text_;
  std::string kind_ = "*", name_ = "*";
  std::vector<Part> parts_;
};

}  // namespace capwright::diff
