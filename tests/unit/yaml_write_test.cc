// Writing YAML and JSON: the same bytes as Python's tools (a larger comparison runs against PyYAML itself if it is
// installed), and a map with the input of every byte.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "value/stage.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright {
namespace {

struct Writer {
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  MappedText out;

  Value read(std::string text) { return read_yaml(sources.add("values.yaml", std::move(text)), stage); }
  std::string yaml(const Value& value, const YamlStyle& style = {}) {
    REQUIRE(write_yaml(value, style, {}, limits, out) == EmitStatus::Done);
    return out.text();
  }
  std::string json(const Value& value, const JsonStyle& style = {}) {
    REQUIRE(write_json(value, style, {}, limits, out) == EmitStatus::Done);
    return out.text();
  }
  // The source text of the input that made the first byte of `part`.
  std::string_view maker_of(std::string_view part) const {
    const std::size_t at = out.text().find(part);
    REQUIRE(at != std::string::npos);
    return sources.text(origins[out.segment_at(static_cast<std::uint32_t>(at))->value].span);
  }
};

std::string as_yaml(std::string text, const YamlStyle& style = {}) {
  Writer writer;
  return writer.yaml(writer.read(std::move(text)), style);
}
std::string as_json(std::string text, const JsonStyle& style = {}) {
  Writer writer;
  return writer.json(writer.read(std::move(text)), style);
}

TEST_CASE("YAML is written in block style, keys sorted, lists at their key's column") {
  CHECK(as_yaml("b: [1, {x: y}]\na: {}\n") == "a: {}\nb:\n- 1\n- x: y\n");
}

TEST_CASE("the styles of default_flow_style") {
  const char* text = "a: [1, 2]\nb: {c: [3, {d: 4}]}\n";
  CHECK(as_yaml(text, {YamlStyle::Flow::Leaves}) == "a: [1, 2]\nb:\n  c:\n  - 3\n  - {d: 4}\n");
  CHECK(as_yaml(text, {YamlStyle::Flow::All}) == "{a: [1, 2], b: {c: [3, {d: 4}]}}\n");
}

TEST_CASE("texts that would be read as another type are quoted") {
  CHECK(as_yaml("['yes', 'no', 'null', '~', '', '0644', '1e3', '12:30', '2001-01-01', '=', '<<', '1.5']\n") ==
        "- 'yes'\n- 'no'\n- 'null'\n- '~'\n- ''\n- '0644'\n- 1e3\n- '12:30'\n- '2001-01-01'\n- '='\n- '<<'\n- '1.5'\n");
  CHECK(as_yaml(
            "['- a', 'a: b', 'a #b', '#', '@x', 'it''s', ' a', \"a\\nb\", \"\\t\", \"\\u00e9\", \"\\U0001f600\"]\n") ==
        "- '- a'\n- 'a: b'\n- 'a #b'\n- '#'\n- '@x'\n- it's\n- ' a'\n- 'a\n\n  b'\n- \"\\t\"\n- \xc3\xa9\n- "
        "\"\\U0001F600\"\n");
}

TEST_CASE("numbers and constants like PyYAML's") {
  CHECK(as_yaml("[1, 1.0, 1.0e+17, 0.1, .inf, -.inf, .nan, true, null]\n", {YamlStyle::Flow::Leaves}) ==
        "[1, 1.0, 1.0e+17, 0.1, .inf, -.inf, .nan, true, null]\n");
}

TEST_CASE("long lines fold at the first space after the width") {
  YamlStyle style;
  style.width = 20;
  style.indent = 4;
  CHECK(as_yaml("key: one two three four five six\n", style) == "key: one two three four\n    five six\n");
  style.width = -1;
  CHECK(as_yaml("key: one two three four five six\n", style) == "key: one two three four five six\n");
}

TEST_CASE("documents may start and end explicitly") {
  YamlStyle style;
  style.explicit_start = style.explicit_end = true;
  CHECK(as_yaml("a: 1\n", style) == "---\na: 1\n...\n");
}

TEST_CASE("a key with several lines or more than 128 bytes isn't a simple key") {
  CHECK(as_yaml("\"a\\nb\": 1\n") == "? 'a\n\n  b'\n: 1\n");
}

TEST_CASE("JSON like json.dumps") {
  CHECK(as_json("b: [1, 1.5, true, null]\na: {}\n") == R"({"b": [1, 1.5, true, null], "a": {}})");
  CHECK(as_json("\"\\u00e9\\U0001f600\\x7f\\n\\x01\\\"\\\\/\"") == R"("\u00e9\ud83d\ude00\u007f\n\u0001\"\\/")");
  CHECK(as_json("[.inf, -.inf, .nan, 1e16]") == "[Infinity, -Infinity, NaN, 1e+16]");
  JsonStyle indented;
  indented.indent = 2;
  indented.item_separator = ",";
  indented.sort_keys = true;
  CHECK(as_json("b: [1]\na: {}\n", indented) == "{\n  \"a\": {},\n  \"b\": [\n    1\n  ]\n}");
  JsonStyle html;
  html.html_safe = true;
  CHECK(as_json("\"<a href='x'>&\"", html) == R"("\u003ca href=\u0027x\u0027\u003e\u0026")");
}

TEST_CASE("every written byte has its input") {
  Writer writer;
  const Value value = writer.read("name: 'it''s: here'\npools:\n  - count: 3\n    zone: \"a\\nb\"\n");
  writer.yaml(value);
  CHECK(writer.maker_of("name") == "name");
  CHECK(writer.maker_of("here") == "'it''s: here'");
  CHECK(writer.maker_of("''s") == "'it''s: here'");
  CHECK(writer.maker_of("3") == "3");
  CHECK(writer.maker_of("b'") == "\"a\\nb\"");
  CHECK(writer.maker_of("- ") == "");  // the writer's own structure has no input
}

TEST_CASE("a text of several origins keeps them through quotes and folds") {
  Writer writer;
  const FileId file = writer.sources.add("parts", "left right");
  const OriginId left = writer.origins.input({file, 0, 4}), right = writer.origins.input({file, 5, 10});
  Segment first, second;
  first.value = left;
  second.value = right;
  second.begin = 5;
  second.tainted = true;
  const std::vector<Segment> segments = {first, second};
  const TextMap map{segments};
  Text text = *make_text(writer.arena, "a: b'c \"d\"");
  text.map = &map;
  writer.yaml(Value::string(&text));
  CHECK(writer.out.text() == "'a: b''c \"d\"'\n");
  CHECK(writer.maker_of("a: b") == "left");
  CHECK(writer.maker_of("c \"d") == "right");
  CHECK(writer.out.segment_at(static_cast<std::uint32_t>(writer.out.text().find('d')))->tainted);
  writer.out = {};
  writer.json(Value::string(&text));
  CHECK(writer.maker_of("\\\"d") == "right");
}

TEST_CASE("a value that can't be written is reported with the reason") {
  Writer writer;
  MappedText out;
  CHECK(write_yaml(Value::undefined(nullptr), {}, {}, writer.limits, out) == EmitStatus::NoData);
  const Value deep = writer.read("[[[[1]]]]");
  writer.limits.depth = 3;
  CHECK(write_yaml(deep, {}, {}, writer.limits, out) == EmitStatus::TooDeep);
  CHECK(write_json(deep, {}, {}, writer.limits, out) == EmitStatus::TooDeep);
  const std::vector<Entry> mixed = {{Value::integer(1), Value::null()}, {make_key(writer.arena, "a"), Value::null()}};
  JsonStyle sorted;
  sorted.sort_keys = true;
  CHECK(write_json(make_map(writer.arena, mixed), sorted, {}, writer.limits, out) == EmitStatus::UnsortedKeys);
  writer.limits.string_bytes = 10;
  CHECK(write_json(writer.read("[aaaaaaaaaaaaaaaa, b]"), {}, {}, writer.limits, out) == EmitStatus::TooLong);
}

}  // namespace
}  // namespace capwright
