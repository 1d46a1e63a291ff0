// Compiles and evaluates each request separately; shows values with their types.
#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "cel/named_format.h"
#include "cel/program.h"
#include "cel/quantity.h"
#include "cel/semver.h"
#include "cel/text_forms.h"
#include "cel/url.h"
#include "cli/console.h"
#include "devtools/json_value.h"
#include "devtools/tasks.h"
#include "text/base64.h"

namespace capwright::devtools {
namespace {

using nlohmann::ordered_json;

ordered_json tagged(const cel::Val& value, Arena& arena);

ordered_json tagged_list(const cel::Val& list, Arena& arena) {
  ordered_json items = ordered_json::array();
  for (std::size_t i = 0; i < list.size(); ++i) items.push_back(tagged(list.item(i, arena), arena));
  return {{"list", items}};
}

ordered_json tagged_map(const cel::Val& map, Arena& arena) {
  std::vector<ordered_json> pairs;
  for (const cel::Val& key : map.keys(arena)) {
    const cel::Val value = map.find(key, arena).value_or(cel::make_error("absent", arena));
    pairs.push_back(ordered_json::array({tagged(key, arena), tagged(value, arena)}));
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const ordered_json& a, const ordered_json& b) { return a.dump() < b.dump(); });
  return {{"map", pairs}};
}

ordered_json tagged_other(const cel::Val& value, Arena& arena) {
  using cel::TypeKind;
  switch (value.kind()) {
    case TypeKind::Duration: return {{"google.protobuf.Duration", cel::duration_text(value.as_int())}};
    case TypeKind::Timestamp: return {{"google.protobuf.Timestamp", cel::to_text(value.as_instant())}};
    case TypeKind::Type: return {{"type", cel::runtime_name(value.as_type()->kind)}};
    case TypeKind::Ip: return {{"ip", cel::address_text(value.network().address)}};
    case TypeKind::Cidr: return {{"cidr", cel::network_text(value.network())}};
    case TypeKind::Quantity: return {{"quantity", cel::to_text(value.as_quantity())}};
    case TypeKind::Url: return {{"url", cel::to_text(value.as_url())}};
    case TypeKind::Semver: return {{"semver", cel::to_text(value.as_semver())}};
    case TypeKind::Format: return {{"format", value.as_format().name}};
    case TypeKind::Optional:
      return {{"optional", value.inner() == nullptr ? ordered_json() : tagged(*value.inner(), arena)}};
    case TypeKind::Error: return {{"error", value.fault()->message}};
    default: return {{"other", cel::to_text(value)}};
  }
}

ordered_json tagged(const cel::Val& value, Arena& arena) {
  using cel::TypeKind;
  switch (value.kind()) {
    case TypeKind::Null: return {{"null", true}};
    case TypeKind::Bool: return {{"bool", value.as_bool()}};
    case TypeKind::Int: return {{"int", std::to_string(value.as_int())}};
    case TypeKind::Uint: return {{"uint", std::to_string(value.as_uint())}};
    case TypeKind::Double: return {{"double", cel::double_text(value.as_double())}};
    case TypeKind::String: return {{"string", value.text()}};
    case TypeKind::Bytes: return {{"bytes", to_base64(value.text())}};
    case TypeKind::List: return tagged_list(value, arena);
    case TypeKind::Map: return tagged_map(value, arena);
    default: return tagged_other(value, arena);
  }
}

ordered_json answer_issues(const std::vector<cel::Issue>& issues) {
  ordered_json list = ordered_json::array();
  for (const cel::Issue& issue : issues) {
    ordered_json one = {{"begin", issue.begin}, {"end", issue.end}, {"message", issue.message}};
    if (!issue.help.empty()) one["help"] = issue.help;
    list.push_back(one);
  }
  return {{"issues", list}};
}

ordered_json show_operands(const cel::Program& program, const std::vector<cel::Operand>& operands) {
  ordered_json shown = ordered_json::object();
  for (const cel::Operand& operand : operands)
    shown[std::string(program.text(operand.where))] = cel::to_text(operand.value);
  return shown;
}

ordered_json answer(const Value& request, Arena& arena) {
  cel::Environment environment;
  const Value* schema = request.find("schema");
  if (schema != nullptr) {
    const Value* root = request.find("root");
    const bool resource = root != nullptr && root->is(Kind::Bool) && root->as_bool();
    const auto role = resource ? cel::SchemaRole::ResourceRoot : cel::SchemaRole::Plain;
    const cel::Schema* self = cel::read_schema(*schema, role, arena);
    if (self->type == nullptr) return {{"schemaError", "not exposed"}};
    environment = cel::rule_environment(*self, false, arena);
    environment.result.reset();
  } else {
    for (const char* name : {"self", "oldSelf"}) environment.variables.push_back({.name = name});
  }
  const Value* expression = request.find("expression");
  if (expression == nullptr || !expression->is(Kind::String)) return {{"bad", "`expression` is missing"}};
  const cel::Compiled compiled = cel::compile(expression->text(), environment);
  if (compiled.program == nullptr) return answer_issues(compiled.issues);
  std::vector<cel::Binding> bindings;
  for (const char* name : {"self", "oldSelf"}) {
    if (const Value* value = request.find(name)) bindings.push_back({name, *value});
  }
  const cel::Result result = compiled.program->evaluate(bindings, arena);
  ordered_json shown = {{"type", cel::to_text(compiled.program->type())}};
  if (result.failure) {
    shown["error"] = result.failure->message;
    shown["at"] = compiled.program->text(result.failure->where);
    shown["operands"] = show_operands(*compiled.program, result.failure->operands);
  } else {
    shown["value"] = tagged(result.value, arena);
    if (result.value.is_false())
      shown["reasons"] = show_operands(*compiled.program, compiled.program->reasons(bindings, arena));
  }
  shown["cost"] = result.cost;
  return shown;
}

}  // namespace

int answer_cel(std::istream& requests, std::ostream& answers) {
  std::string line;
  while (std::getline(requests, line)) {
    Arena arena;
    const Value request = json_value(line, arena);
    const ordered_json shown =
        request.is(Kind::Map) ? answer(request, arena) : ordered_json{{"bad", "a request is a JSON object"}};
    answers << shown.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << "\n" << std::flush;
  }
  return cli::kClean;
}

}  // namespace capwright::devtools
