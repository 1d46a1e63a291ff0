// Evaluates a template. A default keeps the places of its text; other operators make text whose origins are the
// variable and the variables of the arguments.
#include <array>
#include <charconv>

#include "diag/catalog/envsubst.h"
#include "diag/catalog/limits.h"
#include "envsubst/envsubst.h"
#include "envsubst/operations.h"

namespace capwright::envsubst {
namespace {

class Evaluator {
 public:
  Evaluator(const Lookup& lookup, Stage& stage)
      : lookup_(lookup), stage_(stage), work_{stage.limits.steps, stage.limits.string_bytes} {}

  // `secret` is set if the text depends on a secret. Empty text has no segment to say so.
  bool run(const Node& node, MappedText& out, bool& secret) {
    if (!node.is_text) return call(node, out, secret);
    for (const Span piece : node.pieces)
      out.append(stage_.sources.text(piece), Segment{.where = piece, .literal = true});
    return fits(node, out);
  }

 private:
  bool fits(const Node& node, const MappedText& out) {
    if (out.size() <= stage_.limits.output_bytes) return true;
    const Span where = node.is_text && !node.pieces.empty() ? node.pieces.front() : node.where;
    stage_.sink.report(diag::output_too_large, where, stage_.limits.output_bytes);
    return false;
  }

  // The library evaluates arguments whether it uses them or not. That a secret is empty may decide: templates may test
  // whether one exists.
  bool call(const Node& node, MappedText& out, bool& secret) {
    std::vector<MappedText> arguments(node.arguments.size());
    bool has_secret = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!run(node.arguments[i], arguments[i], has_secret)) return false;
    }
    const Setting setting = lookup_(node.name).value_or(Setting{});
    const std::string& name = node.operation;
    if (name.empty() || name == "=" || (name.size() == 2 && name[0] == ':')) {
      const Segment maker{.where = node.where, .value = setting.origin, .tainted = setting.tainted};
      secret = secret || (setting.value.empty() ? has_secret : setting.tainted);
      if (!setting.value.empty()) out.append(setting.value, maker);
      else
        for (const MappedText& argument : arguments) out.append(argument.text(), argument.segments());
      return fits(node, out);
    }
    has_secret = has_secret || setting.tainted;
    secret = secret || has_secret;
    return operate(node, setting, arguments, has_secret, out) && fits(node, out);
  }

  bool operate(const Node& node, const Setting& setting, std::span<const MappedText> arguments, bool is_secret,
               MappedText& out) {
    std::vector<std::string> texts;
    Segment maker{.where = node.where, .value = setting.origin, .tainted = is_secret};
    for (const MappedText& argument : arguments) {
      texts.push_back(argument.text());
      for (const Segment& segment : argument.segments())
        maker.value = stage_.origins.combine(maker.value, segment.value);
    }
    std::string result;
    const Problem problem = apply(node.operation, setting.value, texts, work_, result);
    if (problem != Problem::None) return fail(problem, node);
    out.append(result, maker);
    return true;
  }

  bool fail(Problem problem, const Node& node) {
    const Limits& limits = stage_.limits;
    const std::string_view shown = stage_.sources.text(node.where);
    if (problem == Problem::BadSlice) stage_.sink.report(diag::slice_ends_before_start, node.where, shown);
    else if (problem == Problem::TooLong) stage_.sink.report(diag::string_too_long, node.where, limits.string_bytes);
    else stage_.sink.report(diag::too_many_steps, node.where, limits.steps);
    return false;
  }

  const Lookup& lookup_;
  Stage& stage_;
  Work work_;
};

}  // namespace

std::string variable_text(const Value& scalar) {
  if (scalar.is(Kind::String)) return std::string(scalar.text());
  if (scalar.is(Kind::Bool)) return scalar.as_bool() ? "true" : "false";
  if (scalar.is(Kind::Int)) return std::to_string(scalar.as_int());
  if (!scalar.is(Kind::Float)) return {};
  std::array<char, 400> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), scalar.as_float(), std::chars_format::fixed);
  return error == std::errc() ? std::string(digits.data(), end) : std::string();
}

MappedText substitute(const Template& parsed, const Lookup& lookup, Stage& stage) {
  MappedText out;
  Evaluator evaluator(lookup, stage);
  bool secret = false;
  for (const Node& node : parsed) {
    if (!evaluator.run(node, out, secret)) break;
  }
  return out;
}

}  // namespace capwright::envsubst
