// The grammar of k8s.io/apimachinery/pkg/labels: requirements separated by commas, all of which must be met.
#include "patch/label_selector.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace capwright::patch {
namespace {

constexpr std::string_view kSpecial = "=!<>(),";

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stopped != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

class LabelSelector::Parser {
 public:
  Parser(std::string_view text, std::string& fault) : text_(text), fault_(fault) {}

  bool read(std::vector<Requirement>& requirements) {
    skip_spaces();
    if (at_ == text_.size()) return true;
    do {
      Requirement& added = requirements.emplace_back();
      if (!requirement(added)) return false;
    } while (take(","));
    return at_ == text_.size() || expected("a comma or the end");
  }

 private:
  bool requirement(Requirement& out) {
    const bool negated = take("!");
    out.key = word();
    if (out.key.empty()) return expected("a label's key");
    if (negated) {
      out.op = Operator::NotExists;
      return true;
    }
    return operation(out);
  }

  bool operation(Requirement& out) {
    if (take("!=")) return one(out, Operator::NotIn);
    if (take("==") || take("=")) return one(out, Operator::In);
    if (take(">")) return bound(out, Operator::Greater);
    if (take("<")) return bound(out, Operator::Less);
    const std::size_t before = at_;
    const std::string name = word();
    if (name == "in") return set(out, Operator::In);
    if (name == "notin") return set(out, Operator::NotIn);
    at_ = before;
    out.op = Operator::Exists;
    return true;
  }

  bool one(Requirement& out, Operator op) {
    out.op = op;
    out.values.push_back(word());
    return true;
  }

  bool bound(Requirement& out, Operator op) {
    one(out, op);
    return number_of(out.values[0]) || expected("a whole number");
  }

  bool set(Requirement& out, Operator op) {
    out.op = op;
    if (!take("(")) return expected("`(`");
    do out.values.push_back(word());
    while (take(","));
    return take(")") || expected("`)`");
  }

  std::string word() {
    skip_spaces();
    const std::size_t end = std::min(text_.find_first_of(std::string(kSpecial) + " \t", at_), text_.size());
    std::string found(text_.substr(at_, end - at_));
    at_ = end;
    skip_spaces();
    return found;
  }

  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    skip_spaces();
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool expected(std::string_view what) {
    fault_ = fmt::format("expected {} at character {}", what, at_ + 1);
    return false;
  }

  std::string_view text_;
  std::string& fault_;
  std::size_t at_ = 0;
};

std::optional<LabelSelector> LabelSelector::parse(std::string_view text, std::string& fault) {
  LabelSelector selector;
  if (!Parser(text, fault).read(selector.requirements_)) return std::nullopt;
  return selector;
}

bool LabelSelector::meets(const Requirement& requirement, const Value* label) {
  const bool exists = label != nullptr && label->is(Kind::String);
  const std::string_view value = exists ? label->text() : std::string_view();
  const auto number = number_of(value),
             bound = requirement.values.empty() ? std::nullopt : number_of(requirement.values[0]);
  const bool is_listed =
      std::find(requirement.values.begin(), requirement.values.end(), value) != requirement.values.end();
  switch (requirement.op) {
    case Operator::Exists: return exists;
    case Operator::NotExists: return !exists;
    case Operator::In: return exists && is_listed;
    case Operator::NotIn: return !exists || !is_listed;
    case Operator::Greater: return exists && number && bound && *number > *bound;
    case Operator::Less: return exists && number && bound && *number < *bound;
  }
  return false;
}

bool LabelSelector::matches(const Value& labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& requirement) {
    return meets(requirement, labels.is(Kind::Map) ? labels.find(requirement.key) : nullptr);
  });
}

}  // namespace capwright::patch
