// The rules of a schema in text form.
#include "devtools/schema_rules.h"

#include <catch2/catch.hpp>

#include "value/stage.h"
#include "yaml/read.h"

using namespace capwright;

namespace {

// One line per rule: "when | path | takes".
std::string rules_of(std::string text) {
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  const Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  const Value document = read_yaml(sources.add("schema.yaml", std::move(text)), stage);
  const Value* definitions = document.find("$defs");
  std::string lines;
  for (const devtools::SchemaRule& rule :
       devtools::schema_rules(document, definitions != nullptr ? *definitions : Value::null()))
    lines += rule.when + " | " + rule.path + " | " + rule.takes + "\n";
  return lines;
}

}  // namespace

TEST_CASE("a condition and its two branches") {
  CHECK(rules_of(R"(
properties:
  net:
    if: {required: [kind], properties: {kind: {const: flat}}}
    then: {required: [cidr]}
    else: {properties: {cidr: {not: {}, x-expected: 'nothing: it has none'}}}
)") == "`net.kind` is `flat` | net.cidr | required\n"
       "unless `net.kind` is `flat` | net.cidr | nothing: it has none\n");
}

TEST_CASE("conditions are described by their requirements") {
  const auto condition = [](const std::string& test) {
    const std::string rule = rules_of("if: " + test + "\nthen: {properties: {x: false}}\n");
    return rule.substr(0, rule.find(" |"));
  };
  CHECK(condition("{properties: {a: {enum: [b, 1]}}}") == "`a` is `b` or `1`");
  CHECK(condition("{required: [a, b]}") == "`a` is given and `b` is given");
  CHECK(condition("{not: {required: [a]}}") == "`a` is not given");
  CHECK(condition("{anyOf: [{required: [a]}, {properties: {b: {const: true}, c: {minItems: 1}}}]}") ==
        "(`a` is given or (`b` is `true` and `c` is not empty))");
  CHECK(condition("{properties: {a: {contains: {required: [id], properties: {id: {const: loki}}}}}}") ==
        "`a` has `loki`");
  CHECK(condition("{properties: {a: {minItems: 2}, b: {maxItems: 0}, c: {minimum: 3}}}") ==
        "`a` has 2 items or more and `b` is empty and `c` is `3` or more");
  CHECK(condition("{title: it rains, required: [a]}") == "it rains");
}

TEST_CASE("rules of definitions, of items, and unconditional ones") {
  CHECK(rules_of(R"(
properties: {pools: {items: {$ref: '#/$defs/pool'}}}
allOf:
  - {if: {$ref: '#/$defs/small'}, then: {$ref: '#/$defs/one'}}
  - $ref: '#/$defs/told'
$defs:
  pool:
    allOf: [{oneOf: [{required: [a]}, {required: [b]}], x-expected: either `a` or `b`}]
    properties: {c: {if: {const: 1}, then: false}}
  small: {required: [size], properties: {size: {const: s}}}
  one: {properties: {count: {maximum: 1, x-expected: one}}}
  told: {title: all in one sentence, allOf: [{if: {required: [a]}, then: {required: [b]}}]}
)") == "`pools[].c` is `1` | pools[].c | nothing\n"
       " | pools[] | either `a` or `b`\n"
       "`size` is `s` | count | one\n"
       " |  | all in one sentence\n");
}
