// Label selectors as `kubectl get -l` has them: `tier=web,env in (prod, test),!legacy`.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace capwright::patch {

class LabelSelector {
 public:
  // Empty if `text` isn't a selector; then `fault` says why.
  static std::optional<LabelSelector> parse(std::string_view text, std::string& fault);

  // Whether the labels (a Map, or anything else for none) meet all requirements.
  bool matches(const Value& labels) const;

 private:
  enum class Operator : std::uint8_t { Exists, NotExists, In, NotIn, Greater, Less };
  struct Requirement {
    std::string key;
    Operator op = Operator::Exists;
    std::vector<std::string> values;
  };
  class Parser;
  static bool meets(const Requirement& requirement, const Value* label);

  std::vector<Requirement> requirements_;
};

}  // namespace capwright::patch
