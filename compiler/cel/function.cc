// The table of functions, built once from functions.def.
#include "cel/function.h"

#include <algorithm>
#include <map>

namespace capwright::cel {
namespace {

enum class Style : std::uint8_t { Global, Member };

struct Line {
  std::string_view name;
  Style style;
  std::string_view signature;
  std::uint8_t since;
  Cost cost;
  Val (*body)(Call&);
};

constexpr Style Global = Style::Global, Member = Style::Member;
constexpr Line kLines[] = {
#define CW_CEL(name, style, signature, since, cost, body) {name, style, signature, since, {cost}, body},
#include "cel/functions.def"
#undef CW_CEL
};

class Functions {
 public:
  Functions() {
    for (const Line& line : kLines) overloads_.push_back(read(line));
    std::stable_sort(overloads_.begin(), overloads_.end(),
                     [](const Overload& a, const Overload& b) { return a.name < b.name; });
    for (const Overload& overload : overloads_) {
      if (names_.empty() || names_.back() != overload.name) names_.push_back(overload.name);
    }
  }

  std::span<const Overload> find(std::string_view name) const {
    struct ByName {
      bool operator()(const Overload& a, std::string_view b) const { return a.name < b; }
      bool operator()(std::string_view a, const Overload& b) const { return a < b.name; }
    };
    const auto [begin, end] = std::equal_range(overloads_.begin(), overloads_.end(), name, ByName());
    return {begin, end};
  }
  std::span<const std::string_view> names() const { return names_; }

 private:
  Overload read(const Line& line) {
    std::string_view rest = line.signature;
    std::vector<const Type*> params;
    while (!rest.starts_with(" -> ")) {
      params.push_back(parse_type(rest, arena_));
      if (rest.starts_with(',')) rest.remove_prefix(1);
    }
    rest.remove_prefix(4);
    const Type* result = parse_type(rest, arena_);
    return {line.name, line.style == Style::Member, line.since, arena_.copy(params), result, line.cost, line.body};
  }

  Arena arena_;
  std::vector<Overload> overloads_;
  std::vector<std::string_view> names_;
};

const Functions& functions() {
  static const Functions table;
  return table;
}

// Whether a value has the kind; of a list also its first element, because the server checks no deeper.
bool fits(const Type& param, const Val& value) {
  if (param.is(TypeKind::Param) || param.is(TypeKind::Dyn)) return true;
  if (!value.is(param.kind)) return false;
  if (!param.is(TypeKind::List) || value.size() == 0 || param.first == nullptr) return true;
  Arena arena;
  const Val first = value.item(0, arena);
  return first.is_error() || fits(*param.first, first);
}

}  // namespace

std::span<const Overload> find_function(std::string_view name) { return functions().find(name); }
std::span<const std::string_view> function_names() { return functions().names(); }

bool accepts(const Overload& overload, std::span<const Val> args) {
  if (args.size() != overload.params.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!fits(*overload.params[i], args[i])) return false;
  }
  return true;
}

}  // namespace capwright::cel
