// Cutting a stream into documents gives the same result as reading it as a whole, for any block size.
#include "yaml/document_stream.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <random>

#include "value/stage.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright {
namespace {

using yaml::DocumentStream;
using yaml::StreamDocument;

// "1:text" of each document: its first line and its text.
std::vector<std::string> cut(std::string_view text, std::size_t block = 1u << 20, std::size_t most = 1u << 20) {
  std::size_t at = 0;
  DocumentStream stream(
      [&](char* buffer, std::size_t size) {
        const std::size_t count = text.copy(buffer, std::min(size, block), at);
        at += count;
        return count;
      },
      most);
  std::vector<std::string> documents;
  for (StreamDocument document; stream.next(document);)
    documents.push_back(fmt::format("{}:{}{}", document.first_line, document.text, document.is_whole() ? "" : "…"));
  return documents;
}

using Texts = std::vector<std::string>;

TEST_CASE("a line `---` ends a document, also inside open structures") {
  CHECK(cut("a: 1\n---\nb: 2\n") == Texts{"1:a: 1\n", "2:---\nb: 2\n"});
  CHECK(cut("a: 1\n--- # more\nb: 2") == Texts{"1:a: 1\n", "2:--- # more\nb: 2"});
  CHECK(cut("a: 1\n--- {b: 2}\n---\tc\n") == Texts{"1:a: 1\n", "2:--- {b: 2}\n", "3:---\tc\n"});
  CHECK(cut("a: |\n  x\n---\nb: \"\n---\n\"\n") == Texts{"1:a: |\n  x\n", "3:---\nb: \"\n", "5:---\n\"\n"});
  CHECK(cut("a: 1\r\n---\r\nb: 2\r\n") == Texts{"1:a: 1\r\n", "2:---\r\nb: 2\r\n"});
  CHECK(cut("a: |\n  ---\n ---\nb: ---x\n---x: 1\n----\n").size() == 1);
}

TEST_CASE("a line `...` ends a document") {
  CHECK(cut("a: 1\n...\nb: 2\n... # end\n") == Texts{"1:a: 1\n...\n", "3:b: 2\n... # end\n"});
  CHECK(cut("a: 1\n....\n").size() == 1);
}

TEST_CASE("comments and directives belong to the next document; a document without other content is omitted") {
  CHECK(cut("# a\n---\n# b\n\na: 1\n---\n---\n# c\n---\n%YAML 1.1\n---\nb: 2\n") ==
        Texts{"1:# a\n---\n# b\n\na: 1\n", "9:---\n%YAML 1.1\n", "11:---\nb: 2\n"});
  CHECK(cut("...\n%YAML 1.1\n# x\n---\nb: 2\n") == Texts{"2:%YAML 1.1\n# x\n---\nb: 2\n"});
  CHECK(cut("").empty());
  CHECK(cut("---\n---\n...\n \n# x").empty());
}

TEST_CASE("concatenated JSON is cut between objects") {
  CHECK(cut("{\"a\": 1}\n{\"b\": \"}{\\\"{\"}\n\n {\"c\": [{}]}") ==
        Texts{"1:{\"a\": 1}\n", "2:{\"b\": \"}{\\\"{\"}\n\n ", "4:{\"c\": [{}]}"});
  CHECK(cut("{\"a\": 1}{\"b\":\n2}{}") == Texts{"1:{\"a\": 1}", "1:{\"b\":\n2}", "2:{}"});
  CHECK(cut("{a: b}: c\n{d: e}\n").size() == 1);
  CHECK(cut("a: {}\n{}\n").size() == 1);
  CHECK(yaml::json_objects("{\"a\": 1}").empty());
  CHECK(yaml::json_objects("{\"a\": 1}\n---\n{\"b\": 1}{}").empty());
  CHECK(yaml::json_objects(" {\"a\": 1} {\"b\": 1}").size() == 2);
}

TEST_CASE("a document that is too long is truncated, and those after it are complete") {
  CHECK(cut("a: 12345\nb: 2\n---\nc: 3\n", 5, 10) == Texts{"1:a: 12345\nb…", "3:---\nc: 3\n"});
}

std::string random_stream(std::mt19937& random) {
  static const std::string_view kLines[] = {
      "---",        "--- # x", "...",  "a: 1",  "b: |", "  text", "# c",  "",  "- x", "...\n%YAML 1.1\n---",
      "{\"a\": 1}", "{\"b\":", "[2]}", "--- |", "'q",   "\"---",  "---x", "\t"};
  std::string text;
  for (std::size_t i = random() % 12; i != 0; --i) {
    text += kLines[random() % std::size(kLines)];
    text += random() % 8 == 0 ? "\r\n" : "\n";
  }
  if (random() % 4 == 0 && !text.empty()) text.pop_back();
  return text;
}

TEST_CASE("nothing is lost or moved, for any block size") {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_stream(random);
    INFO(text);
    const Texts whole = cut(text);
    CHECK(whole == cut(text, 1 + random() % 7));
    std::size_t at = 0;
    for (const std::string& document : whole) {
      const std::size_t colon = document.find(':');
      const std::string_view rest = std::string_view(document).substr(colon + 1);
      const std::size_t found = text.find(rest, at);
      REQUIRE(found != std::string::npos);
      CHECK(std::stol(document) ==
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(found), '\n'));
      at = found + rest.size();
    }
  }
}

// Documents with content, as JSON; empty if one has an error.
std::optional<Texts> values_of(const Texts& texts) {
  Texts values;
  for (const std::string& text : texts) {
    SourceSet sources;
    Sink sink;
    Arena arena;
    OriginTable origins;
    const Limits limits;
    Stage stage{sources, sink, arena, origins, limits};
    for (const YamlDocument& document :
         read_yaml_documents(sources.add("a.yaml", text), stage, {ScalarRules::Kubernetes, TextSyntax::Yaml}))
      if (!document.value.is(Kind::Null)) values.push_back(canonical_json(document.value));
    if (sink.failed()) return std::nullopt;
  }
  return values;
}

TEST_CASE("documents equal those of the YAML reader for the whole stream") {
  std::mt19937 random(11);
  int compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_stream(random);
    const std::optional<Texts> whole = values_of({text});
    if (!whole) continue;
    Texts parts = cut(text);
    for (std::string& part : parts) part.erase(0, part.find(':') + 1);
    INFO(text);
    const std::optional<Texts> cut_up = values_of(parts);
    REQUIRE(cut_up);
    CHECK(*cut_up == *whole);
    ++compared;
  }
  CHECK(compared > 300);
}

}  // namespace
}  // namespace capwright
