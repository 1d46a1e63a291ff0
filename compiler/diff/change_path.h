// The place of a change in an object: a path that is valid on both sides, because items of lists are identified by
// their keys if they have any. Also patterns for such paths.
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
    Item,      // an item of an ordered list: `index`
    Keyed,     // an item with keys: `text` is `name=x` or `containerPort=80,protocol=TCP`
    Member,    // an item of a set: `text` is the value itself
    Document,  // of a text with several: `text` is `Deployment/web`, or its index
  };
  Kind kind = Kind::Key;
  bool inside = false;  // inside the YAML or JSON of the text at the previous step
  std::string text;
  // For an item: its index after the change (of a removed one, before), and its index before.
  std::uint32_t index = 0, index_before = 0;

  // The same place; ignores indices before the change.
  friend bool operator==(const Step& a, const Step& b) {
    return a.kind == b.kind && a.text == b.text && (a.kind != Kind::Item || a.index == b.index);
  }
};
using Path = std::vector<Step>;

// `spec.containers[name=x].args[3]`, `metadata.labels["example.com/a"]`, `data["net-conf.json"].Network`. Empty for the
// object as a whole.
std::string text_of(const Path& path);
// The same, with `[*]` for items of ordered lists.
std::string shape_of(const Path& path);

// A pattern for ignored changes: `[KIND[/NAME]:]PATH`. `*` matches any text in a part (`labels[*]`, `status.*`), `**`
// any number of parts; a match includes everything below it. Without PATH (`Event:`) it matches the object as a whole.
class PathPattern {
 public:
  // Empty if the text is invalid; then `why` has the reason.
  static std::optional<PathPattern> read(std::string_view text, std::string& why);

  bool matches_object(std::string_view kind, std::string_view name) const;
  // Whether it matches whole objects, and so also added and removed ones.
  bool is_whole_object() const { return parts_.empty(); }
  // Matches the path within an object that matches.
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
