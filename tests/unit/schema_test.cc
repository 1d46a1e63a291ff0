// Schema features that spec files can't test: reference pages, look-ups of paths, given documents, concurrent use.
#include "schema/schema.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <thread>

#include "facts/built_in.h"
#include "schema/equality.h"
#include "schema/uri.h"
#include "secrets/taint.h"
#include "yaml/read.h"

using namespace capwright;
using schema::Declared;

namespace {

struct SchemaBench {
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  Stage stage{sources, sink, arena, origins, limits};

  Value read(std::string text) { return read_yaml(sources.add("document.yaml", std::move(text)), stage); }
  std::shared_ptr<const schema::Schema> compile(std::string text) {
    return schema::compile(read(std::move(text)), stage);
  }
};

constexpr const char* kPools = R"(
additionalProperties: false
required: [name]
properties:
  name: {title: Name, description: What it is called., type: string, examples: [prod]}
  size: {$ref: '#/$defs/size', default: small}
  pools:
    type: array
    items:
      type: object
      additionalProperties: false
      properties: {count: {type: integer, x-normalized-to: here}, labels: {additionalProperties: {type: string}}}
  token: {type: string, x-secret: true, deprecated: true}
  gone: false
  open: {type: object}
$defs: {size: {enum: [small, large], x-expected: a size}}
)";

std::string declared(const schema::Schema& shape, std::vector<std::string_view> path) {
  const schema::Declaration found = schema::find_declaration(shape, path);
  const char* word = found.declared == Declared::Yes ? "yes" : found.declared == Declared::Open ? "open" : "no";
  return word + (" " + std::to_string(found.known));
}

}  // namespace

TEST_CASE("a reference page lists every property with its annotations") {
  SchemaBench bench;
  const auto shape = bench.compile(kPools);
  REQUIRE(bench.sink.diagnostics().empty());
  const std::vector<schema::PropertyPage> pages = schema::property_pages(*shape);
  std::string paths;
  for (const schema::PropertyPage& page : pages) paths += page.path + "\n";
  CHECK(paths == "name\nsize\npools\npools[].count\npools[].labels\ntoken\ngone\nopen\n");
  CHECK(pages[0].title == "Name");
  CHECK(pages[0].required);
  CHECK(pages[0].takes == "a string");
  CHECK(pages[0].examples.size() == 1);
  CHECK(pages[1].takes == "a size");
  REQUIRE(pages[1].default_value != nullptr);
  CHECK(pages[1].default_value->text() == "small");
  CHECK(pages[3].normalized_to == "here");
  CHECK(pages[5].secret);
  CHECK(pages[5].deprecated);
  CHECK(pages[6].forbidden);
}

TEST_CASE("a recursive schema lists each property once") {
  SchemaBench bench;
  const auto shape = bench.compile("properties: {child: {$ref: '#'}, size: {type: integer}}");
  CHECK(schema::property_pages(*shape).size() == 2);
}

TEST_CASE("a path is declared, open or unknown") {
  SchemaBench bench;
  const auto shape = bench.compile(kPools);
  CHECK(declared(*shape, {"name"}) == "yes 1");
  CHECK(declared(*shape, {"pools", "0", "count"}) == "yes 3");
  CHECK(declared(*shape, {"pools", "[]", "labels", "any"}) == "open 4");
  CHECK(declared(*shape, {"open", "any", "more"}) == "open 1");
  CHECK(declared(*shape, {"gone"}) == "no 0");
  CHECK(declared(*shape, {"pools", "0", "cuont"}) == "no 2");
  const std::string_view path[] = {"pools", "0", "cuont"};
  CHECK(schema::find_declaration(*shape, path).candidates == std::vector<std::string_view>{"count", "labels"});
}

TEST_CASE("references reach given documents, by their given URI and by their own") {
  SchemaBench bench;
  const schema::SchemaDocument given[] = {
      {"https://example.com/a.json", bench.read("{$id: 'https://example.com/b.json', $defs: {n: {type: integer}}}")}};
  const Value document = bench.read("{properties: {x: {$ref: 'a.json#/$defs/n'}, y: {$ref: 'b.json#/$defs/n'}}}");
  const auto shape = schema::compile(document, bench.stage, {.uri = "https://example.com/main.json", .given = given});
  CHECK(bench.sink.diagnostics().empty());
  CHECK_FALSE(schema::validate(*shape, bench.read("{x: a, y: b}"), bench.stage));
  CHECK(bench.sink.diagnostics().size() == 2);
}

TEST_CASE("numbers are compared by value and divided in decimal") {
  const auto is_multiple = [](double number, double unit) {
    return schema::is_multiple(Value::floating(number), Value::floating(unit));
  };
  CHECK(is_multiple(0.3, 0.1));
  CHECK(is_multiple(19.99, 0.01));
  CHECK(is_multiple(1e22, 0.5));
  CHECK_FALSE(is_multiple(0.35, 0.1));
  CHECK_FALSE(is_multiple(1e308, 0.123456789));
  CHECK(schema::is_multiple(Value::floating(-4.5), Value::floating(1.5)));
  CHECK((schema::compare_numbers(Value::integer(9007199254740993), Value::floating(9007199254740992.0)) > 0));
  CHECK((schema::compare_numbers(Value::floating(9.3e18), Value::integer(INT64_MAX)) > 0));
  CHECK((schema::compare_numbers(Value::integer(3), Value::floating(3.5)) < 0));
}

TEST_CASE("repeated items are found among many") {
  SchemaBench bench;
  std::string text = "[";
  for (int i = 0; i < 50; ++i) text += "{k: " + std::to_string(i) + "}, ";
  const Value list = bench.read(text + "{k: 7.0}, {k: 3}]");
  const auto repeated = schema::find_repeated_item(list.items());
  REQUIRE(repeated.has_value());
  CHECK(repeated->first == 7);
  CHECK(repeated->second == 50);
  CHECK_FALSE(schema::find_repeated_item(list.items().subspan(0, 50)).has_value());
}

TEST_CASE("a key is found at its uppermost place, in any spelling, by its short forms, and without an s") {
  SchemaBench bench;
  const auto shape = bench.compile(R"(
properties:
  deep: {properties: {maxSize: {type: integer}, gone: false, first: {properties: {same: {type: string}}}}}
  max_size: {type: integer, x-normalized-from: [most]}
  pools: {items: {properties: {most: {type: integer}, only-here: {type: string}}}}
  second: {properties: {same: {type: string}}}
  third: {properties: {same: {type: string}}}
)");
  CHECK(schema::path_of_key(*shape, "MaxSize") == "max_size");
  CHECK(schema::path_of_key(*shape, "most") == "max_size");
  CHECK(schema::path_of_key(*shape, "Most") == "pools[].most");
  CHECK(schema::path_of_key(*shape, "onlyHere") == "pools[].only-here");
  CHECK(schema::path_of_key(*shape, "same") == "second.same");
  CHECK(schema::path_of_key(*shape, "pools") == "pools");
  CHECK(schema::path_of_key(*shape, "pool") == "pools");
  CHECK(schema::path_of_key(*shape, "maxSizes") == "max_size");
  CHECK(schema::path_of_key(*shape, "gone").empty());
  CHECK(schema::path_of_key(*shape, "other").empty());
}

TEST_CASE("URI references are resolved by RFC 3986") {
  const auto resolved = [](std::string_view reference) {
    return schema::resolve_uri("http://a.example.com/b/c/d;p?q", reference);
  };
  CHECK(resolved("g") == "http://a.example.com/b/c/g");
  CHECK(resolved("./g/") == "http://a.example.com/b/c/g/");
  CHECK(resolved("/g") == "http://a.example.com/g");
  CHECK(resolved("//g.example.com") == "http://g.example.com");
  CHECK(resolved("?y") == "http://a.example.com/b/c/d;p?y");
  CHECK(resolved("#s") == "http://a.example.com/b/c/d;p?q#s");
  CHECK(resolved("../../../g") == "http://a.example.com/g");
  CHECK(resolved("..") == "http://a.example.com/b/");
  CHECK(resolved("urn:x:y") == "urn:x:y");
  CHECK(schema::percent_decode("a%25b%zz%4") == "a%b%zz%4");
}

TEST_CASE("threads share one compiled schema", "[threads]") {
  SchemaBench shared;
  const auto shape =
      shared.compile("properties: {a: {pattern: '^[a-z]+$', default: x}, b: {type: integer, x-secret: true}}");
  const auto work = [&shape](bool& ok) {
    for (int i = 0; i < 50; ++i) {
      SchemaBench own;
      const Value value =
          schema::apply_defaults(*shape, secrets::mark_secrets(*shape, own.read("{b: 1}"), own.stage), own.stage);
      ok =
          ok && schema::validate(*shape, value, own.stage) && !schema::validate(*shape, own.read("{a: A1}"), own.stage);
    }
  };
  bool first = true, second = true;
  std::thread other(work, std::ref(second));
  work(first);
  other.join();
  CHECK(first);
  CHECK(second);
}

// Read with `built_in`, these schemas don't report an invalid pattern.
TEST_CASE("the patterns of the program's own schemas are valid") {
  for (const char* path : {"capwright", "expect", "baseline"}) {
    SchemaBench bench;
    INFO(path);
    bench.compile(std::string(built_in_text(fmt::format("schemas/config/{}.schema.json", path))));
    CHECK(bench.sink.diagnostics().empty());
  }
}

TEST_CASE("patterns of a built-in schema are compiled at their first use") {
  SchemaBench bench;
  const Value document = bench.read("{properties: {name: {pattern: '^[a-z]+$'}, other: {pattern: '('}}}");
  const auto shape = schema::compile(document, bench.stage, {.built_in = true});
  CHECK(schema::validate(*shape, bench.read("{name: abc}"), bench.stage));
  CHECK_FALSE(schema::validate(*shape, bench.read("{name: ABC}"), bench.stage));
  CHECK(bench.sink.diagnostics().size() == 1);
}
