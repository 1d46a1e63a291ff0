// Reading YAML and JSON: cases that Markdown can't show (bytes, spans, places inside a scalar), and the agreement of
// the fast path with the library.
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "value/stage.h"
#include "yaml/byte_checks.h"
#include "yaml/common_yaml.h"
#include "yaml/events.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright {
namespace {

using namespace std::string_literals;

struct Reader {
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  Stage stage{sources, sink, arena, origins, limits};

  FileId add(std::string text, std::string path = "values.yaml") {
    return sources.add(std::move(path), std::move(text));
  }
  Value read(std::string text, std::string path = "values.yaml") {
    return read_yaml(add(std::move(text), std::move(path)), stage);
  }

  // The source text of a value or key.
  std::string_view written(const Value& value) const { return sources.text(origins[value.origin()].span); }
  // "line:column code" of the only finding.
  std::string finding() const {
    if (sink.diagnostics().size() != 1) return std::to_string(sink.diagnostics().size()) + " findings";
    const Diagnostic& found = sink.diagnostics()[0];
    const LineCol at = sources.line_col(found.where);
    return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + std::string(found.info->code);
  }
};

std::string fault_of(std::string text, std::string path = "values.yaml") {
  Reader reader;
  REQUIRE(reader.read(std::move(text), std::move(path)).is_error());
  return reader.finding();
}

TEST_CASE("bytes that are invalid in text are rejected with their place") {
  CHECK(fault_of("a: 1\nb: \0\n"s) == "2:4 Y001");
  CHECK(fault_of("a: \x07\n") == "1:4 Y001");
  CHECK(fault_of("a: \x7f\n") == "1:4 Y001");
  CHECK(fault_of("a: \xc2\x9f\n") == "1:4 Y001");
  CHECK(fault_of("a: \"\xef\xbf\xbf\"\n") == "1:5 Y001");
  CHECK(fault_of("a: caf\xe9\n") == "1:7 Y002");
  CHECK(fault_of("a: \xc0\x80\n") == "1:4 Y002");          // overlong
  CHECK(fault_of("a: \xed\xa0\x80\n") == "1:4 Y002");      // a surrogate
  CHECK(fault_of("a: \xf5\x80\x80\x80\n") == "1:4 Y002");  // beyond U+10FFFF
  CHECK(fault_of("a: \xe2\x82") == "1:4 Y002");            // truncated
  CHECK(fault_of("# \xff\n") == "1:3 Y002");
  CHECK(fault_of("%\xff\n") == "1:2 Y002");
  CHECK(fault_of("\xff\xfe"
                 "a\0:\0"s) == "1:1 Y003");
  CHECK(fault_of("\xfe\xff\0a"s) == "1:1 Y003");
  CHECK(fault_of("a\0:\0 \0"s) == "1:1 Y003");
  CHECK(fault_of("\0\0\0a"s) == "1:1 Y003");
  CHECK(fault_of("a: 1\n\xef\xbb\xbf"
                 "b: 2\n") == "2:1 Y004");
  CHECK(fault_of("{\"a\": \"\x01\"}", "values.json") == "1:8 Y001");
}

TEST_CASE("a byte is counted alike at every position, also between line breaks") {
  for (int byte = 0; byte < 0x100; ++byte) {
    const bool fits = byte == '\t' || byte == '\n' || byte == '\r' || (byte >= ' ' && byte < 0x7f);
    for (std::size_t at = 1; at < 34; ++at) {
      std::string text = "#\n#45678\n#abcdef\n#\n#bcdefghijklmnop\n#";
      text[at] = static_cast<char>(byte);
      Reader reader;
      const FileId file = reader.add(text);
      yaml::Reading reading{reader.sources.text(file), yaml::Places::of_file(file), reader.stage, {}};
      INFO("byte " << byte << " at " << at);
      REQUIRE((yaml::check_bytes(reading) != yaml::kUnreadable) == fits);
    }
  }
}

TEST_CASE("a byte order mark at the start isn't part of the text") {
  for (const char* path : {"values.yaml", "values.json"}) {
    Reader reader;
    const Value value = reader.read("\xef\xbb\xbf{\"a\": 1}", path);
    CHECK(canonical_json(value) == R"({"a":1})");
    CHECK(reader.written(value) == "{\"a\": 1}");
  }
}

TEST_CASE("Windows line breaks are line breaks") {
  Reader reader;
  const Value value = reader.read("a: x\r\nb: |\r\n  one\r\n  two\r\nc: \"x\r\n  y\"\r\n");
  CHECK(canonical_json(value) == R"({"a":"x","b":"one\ntwo\n","c":"x y"})");
  CHECK(reader.written(*value.find("a")) == "x");
}

TEST_CASE("a file above the limit is rejected before it is read") {
  Reader reader;
  reader.limits.input_bytes = 10;
  CHECK(reader.read("name: production\n").is_error());
  CHECK(reader.finding() == "1:1 X007");
}

TEST_CASE("one bracketed collection can't block the reader") {
  CHECK(fault_of("a: !!map {b: [\n" + std::string((1u << 20) + 10, '\n') + "]}\n") == "1:10 Y039");
}

TEST_CASE("spans cover the source text exactly") {
  Reader reader;
  const Value value = reader.read(
      "plain: two words  # comment\n"
      "'quoted key': \"a\\tb\"\n"
      "empty:\n"
      "block: |\n  one\n\n  two\n\n"
      "list:\n- 1\n- [2, 3]\n"
      "map: {a: 1}\n"
      "alias: &here text\n"
      "again: *here\n"
      "lines: one\n  two\n");
  const auto entries = value.entries();
  CHECK(reader.written(entries[0].key) == "plain");
  CHECK(reader.written(entries[0].value) == "two words");
  CHECK(reader.written(entries[1].key) == "'quoted key'");
  CHECK(reader.written(entries[1].value) == "\"a\\tb\"");
  CHECK(reader.written(entries[2].value).empty());
  CHECK(reader.origins[entries[2].value.origin()].span.begin == reader.origins[entries[2].key.origin()].span.end + 1);
  CHECK(reader.written(entries[3].value) == "|\n  one\n\n  two");
  CHECK(reader.written(entries[4].value) == "- 1\n- [2, 3]");
  CHECK(reader.written(entries[4].value.items()[1]) == "[2, 3]");
  CHECK(reader.written(entries[5].value) == "{a: 1}");
  CHECK(reader.written(entries[6].value) == "text");
  CHECK(reader.written(entries[7].value) == "*here");
  CHECK(reader.written(entries[8].value) == "one\n  two");
  CHECK(reader.written(value).ends_with("two"));
  CHECK(entries[1].value.style() == ScalarStyle::DoubleQuoted);
  CHECK(entries[3].value.style() == ScalarStyle::Literal);
}

TEST_CASE("values below an alias keep the places of the anchor") {
  Reader reader;
  const Value value = reader.read("a: &x {k: v}\nb: *x\n");
  const Value& inner = *value.find("b")->find("k");
  CHECK(reader.origins[inner.origin()].span.begin < reader.origins[value.find("b")->origin()].span.begin);
}

// The place in the outer file of the value at `key` of the YAML inside `text`.
std::string place_inside(const std::string& outer, std::string_view key, std::string path = "values.yaml") {
  Reader reader;
  const Value value = reader.read(outer, std::move(path));
  const Value inside = read_yaml_inside(*value.find("raw"), reader.stage);
  REQUIRE(inside.is(Kind::Map));
  const LineCol at = reader.sources.line_col(reader.origins[inside.find(key)->origin()].span);
  return std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
         std::string(reader.written(*inside.find(key)));
}

TEST_CASE("YAML inside a value has its places in the outer file") {
  CHECK(place_inside("raw: |\n  a: 1\n  b:  two\n", "b") == "3:7 two");
  CHECK(place_inside("raw: |\n\n    # comment\n    a: 1\n    b: \"q\"\n", "b") == "5:8 \"q\"");
  CHECK(place_inside("x: 1\nraw: >\n  {a: 1,\n  b: 2}\n", "b") == "4:6 2");
  CHECK(place_inside("raw: \"a: 1\\nb: \\\"two\\\"\"\n", "b") == "1:16 \\\"two\\\"");
  CHECK(place_inside("raw: '{a: 1, b: 2}'\n", "b") == "1:17 2");
  CHECK(place_inside("raw: \"\\u00e9: 1\\nb: 2\"\n", "b") == "1:21 2");
  CHECK(place_inside("{\"raw\": \"\\ud83d\\ude00: 1\\nb: 2\"}", "b", "values.json") == "1:30 2");
}

TEST_CASE("an error inside a value is reported at its place there") {
  Reader reader;
  const Value value = reader.read("addons:\n  metallb: |\n    a: 1\n     b: 2\n");
  CHECK(read_yaml_inside(*value.find("addons")->find("metallb"), reader.stage).is_error());
  CHECK(reader.finding() == "4:6 Y014");
}

TEST_CASE("for YAML without a place a note names the line of the error") {
  Reader reader;
  const FileId file = reader.add("{{ text | from_yaml }}", "main.j2");
  CHECK(read_yaml_text("a: 1\nb: [\n", {file, 3, 7}, OriginId::None, reader.stage).is_error());
  CHECK(reader.finding() == "1:4 Y017");
  REQUIRE(reader.sink.diagnostics()[0].notes.size() == 1);
  CHECK(reader.sink.diagnostics()[0].notes[0] == "in line 2, column 4 of that text");
}

TEST_CASE("Python's rules keep the types of keys and support base 60") {
  Reader reader;
  const FileId file =
      reader.add("1: yes\ntrue: 12:30\n0x1F: 010\n1.5: y\nkey: 1e3\ndate: 2001-01-01\nn: 190:20:30.15\n");
  const Value value = read_yaml(file, reader.stage, {ScalarRules::Python});
  REQUIRE(value.is(Kind::Map));
  const auto entries = value.entries();
  CHECK((entries[0].key.is(Kind::Int) && entries[0].value.is(Kind::Bool)));
  CHECK((entries[1].key.is(Kind::Bool) && entries[1].value.as_int() == 750));
  CHECK((entries[2].key.as_int() == 31 && entries[2].value.as_int() == 8));
  CHECK((entries[3].key.as_float() == 1.5 && entries[3].value.is(Kind::String)));
  CHECK(entries[4].value.is(Kind::String));
  CHECK(entries[5].value.is(Kind::String));
  CHECK(entries[6].value.as_float() == 685230.15);
}

std::string shown(const yaml::Event& event) {
  const bool container = event.kind != yaml::Event::Kind::Scalar && event.kind != yaml::Event::Kind::Alias;
  std::string text = std::to_string(static_cast<int>(event.kind)) + " " + std::to_string(static_cast<int>(event.style));
  if (event.kind == yaml::Event::Kind::DocumentStart || event.kind == yaml::Event::Kind::DocumentEnd) return text;
  if (event.kind == yaml::Event::Kind::ListStart) text += " from " + std::to_string(event.begin);
  if (!container || event.flow) text += " " + std::to_string(event.begin) + "-" + std::to_string(event.end);
  return text + " " + std::string(event.text) + std::string(event.anchor) + std::string(event.tag);
}

// All events of the library; empty after an error.
std::optional<std::vector<std::string>> library_events(yaml::Reading& reading) {
  std::vector<std::string> events;
  const auto source = yaml::library_yaml_events(reading, 0);
  while (true) {
    const yaml::Event event = source->next();
    if (event.kind == yaml::Event::Kind::Fault) return std::nullopt;
    if (event.kind == yaml::Event::Kind::StreamEnd) return events;
    events.push_back(shown(event));
  }
}

// A `-` without a value, which libfyaml 0.7.12 rejects at its key's column although it is valid YAML.
bool has_empty_item(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find(" #"));
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    if (line == "-" || line.ends_with(" -")) return true;
  }
  return false;
}

// Whether the fast path supports the text; if so, its events must equal the library's.
bool lane_agrees(const std::string& text) {
  Reader reader;
  const FileId file = reader.add(text);
  yaml::Reading reading{reader.sources.text(file), yaml::Places::of_file(file), reader.stage, {}};
  if (yaml::check_bytes(reading) != 0) return false;
  const auto lane = yaml::read_common_yaml(reading.text, 0, 200, reader.arena);
  if (!lane) return false;
  const auto library = library_events(reading);
  if (!library && has_empty_item(text)) return true;
  INFO(text);
  REQUIRE(library.has_value());
  REQUIRE(lane->size() == library->size());
  for (std::size_t i = 0; i < lane->size(); ++i) CHECK(shown((*lane)[i]) == (*library)[i]);
  return true;
}

const std::vector<std::string> kEveryday = {
    "name: prod\ncount: 3\nlist:\n  - a\n  - b: 1\n    c: 2\n  - - d\n    - e\nempty:\nlast: {}\n",
    "a:\n- 1\n- x: y\n  z: |\n    text\n\n      more\n- [1, {b: \"c\"}, 'd''e']\nf: \"g\\n\\\"h\\\"\"  # comment\n",
    "---\napiVersion: v1\nkind: Secret\nmetadata: {name: a, labels: {\"b\": c}}\n---\n# next\nkind: List\nitems: []\n",
    "base: &base {x: 1}\nlist: [&one {y: z}, *one, &two b]\nblock: &below\n  deep:\n  - &item c\n  - *item\n  - &all\n "
    "   d: e\n"
    "merged:\n  <<: *base\n  again: *below\ntext: &text |\n  f\nquoted: &q \"g\"\n",
    "said: |1-\n  one\n two\n\nlist:\n  - >2\n\n    three\n   # c\n  - |9\nlast: >1\n",
    "folded: >-\n  one\n  two\n\n  three\n    four\n\n  five\nlist:\n- >\n  a\n\n\n- &f >+\n  b\n  c\n\nlast: 1\n",
    "script: |-\n  #!/bin/sh\n  echo \"a: b\"\nkept: |+\n  x\n\nurl: http://example.com/#a\nflow: [\n  a, # c\n  "
    "b\n]\n",
};

TEST_CASE("the fast path reads common YAML like the library") {
  for (const std::string& text : kEveryday) CHECK(lane_agrees(text));
}

TEST_CASE("the fast path leaves the rest to the library") {
  for (const char* text :
       {"a: &x *y\n", "a: &x\n", "&x a: 1\n", "- &x a: 1\n", "*x : 1\n", "a: &x\n- 1\n", "a: [&x ]\n",
        "a: &x # c\n  b: 1\n", "a: !!str 1\n", "? a\n: b\n", "a: one\n  two\n", "a:\t1\n", "\"a\n b\": 1\n", "text\n",
        "a: [b\n  c]\n", "%YAML 1.2\n---\na: 1\n", "a: 1\r\n", "", "# c\n"}) {
    CHECK_FALSE(lane_agrees(text));
  }
}

TEST_CASE("the fast path agrees with the library on corrupted text") {
  std::mt19937 random(1);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  const std::vector<std::string> pieces = {"- ", "-",    "\n",   "  ",   ":",    ": ",   "#",     " # c", "'", "\"",
                                           "[",  "]",    "{",    "}",    ",",    "|",    "---\n", "\t",   "?", "&a",
                                           "\\", "\n  ", "key:", "- - ", "\n\n", "null", "&b ",   "*one", ">", "*"};
  std::size_t read = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string text = kEveryday[below(kEveryday.size())];
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t place = below(text.size());
      if (below(2) == 0) text.insert(place, pieces[below(pieces.size())]);
      else text.erase(place, 1 + below(3));
    }
    read += lane_agrees(text) ? 1 : 0;
  }
  CHECK(read > 300);
}

}  // namespace
}  // namespace capwright
