// The ownership index reads back what it wrote, and rejects paths outside of its cluster.
#include "files/index.h"

#include <catch2/catch.hpp>
#include <string>

#include "rendered_text.h"

namespace capwright {
namespace {

RenderStamp index_stamp() { return {"0.1.0", "capo", "1.2.0", sha256("inputs")}; }

std::string why_unreadable(std::string_view text) {
  std::string why;
  CHECK_FALSE(read_index(text, why));
  return why;
}

std::string with_file(std::string_view file) { return fmt::format("{{\"format\": 1, \"files\": [{}]}}", file); }

TEST_CASE("an index lists each file with size and digest, sorted") {
  const FileSet files = test::rendered_files({{"b.yaml", "b: 1\n"}, {"addons/x/a.yaml", "a: 1\n"}});
  const std::string text = index_text(make_index(files, index_stamp()));
  CHECK(text == R"({
  "format": 1,
  "tool": "0.1.0",
  "template_set": "capo",
  "template_set_version": "1.2.0",
  "input": "sha256:)" +
                    to_hex(sha256("inputs")) + R"(",
  "files": [
    {"path": "addons/x/a.yaml", "size": 5, "sha256": ")" +
                    to_hex(sha256("a: 1\n")) + R"("},
    {"path": "b.yaml", "size": 5, "sha256": ")" +
                    to_hex(sha256("b: 1\n")) + R"("}
  ]
}
)");
}

TEST_CASE("an index reads back its own output") {
  Index index{index_stamp(), {}, {}};
  index.stamp.template_set = "a \"quoted\"\\ name\x01";
  index.files.push_back({"größe.yaml", 12345678901, sha256("x"), true});
  index.files.push_back({"a/b.yaml", 0, sha256(""), false});
  std::string why;
  const auto read = read_index(index_text(index), why);
  REQUIRE(read);
  CHECK(read->stamp.same_inputs(index.stamp));
  CHECK(read->stamp.tool_version == "0.1.0");
  REQUIRE(read->files.size() == 2);
  CHECK(*read->find("a/b.yaml") == index.files[1]);
  CHECK(*read->find("größe.yaml") == index.files[0]);
  CHECK(read->find("c") == nullptr);
}

TEST_CASE("an index with rotated names has the second format, and reads back") {
  Index index{index_stamp(), {"sha256-rfc8785", {}}, {}};
  index.rotation.objects.push_back({"MachineTemplate", "infra.example.com", "a-12345678", "a.yaml", 0});
  index.rotation.objects.push_back({"MachineTemplate", "infra.example.com", "a-9abcdef0", "retired.yaml", 2});
  const std::string text = index_text(index);
  CHECK(text.find("\"format\": 2") != std::string::npos);
  CHECK(text.find(R"(
  "naming": "sha256-rfc8785",
  "rotated": [
    {"kind": "MachineTemplate", "group": "infra.example.com", "name": "a-12345678", "file": "a.yaml"},
    {"kind": "MachineTemplate", "group": "infra.example.com", "name": "a-9abcdef0", "file": "retired.yaml", "retired": 2}
  ],
)") != std::string::npos);
  std::string why;
  const auto read = read_index(text, why);
  REQUIRE(read);
  CHECK(read->rotation == index.rotation);
}

TEST_CASE("an index with changed rotated names doesn't match its inputs") {
  const FileSet plain = test::rendered_files({{"a.yaml", "a: 1\n"}});
  const FileSet files("prod", {plain.files().begin(), plain.files().end()},
                      {"sha256-rfc8785", {{"MachineTemplate", "", "a-12345678", "a.yaml", 0}}});
  Index index = make_index(files, sealed(index_stamp(), files, true));
  CHECK(comes_from(index, index_stamp()));
  index.rotation.objects[0].retired = 1;
  CHECK_FALSE(comes_from(index, index_stamp()));
  index.rotation = {};
  CHECK_FALSE(comes_from(index, index_stamp()));
}

TEST_CASE("an index may have any spacing and order") {
  std::string why;
  CHECK(read_index("{\"files\":[],\"format\":1}", why));
  CHECK(read_index("\r\n{ \"files\" : [ ] ,\n\t\"format\" : 1 }\n\n", why));
}

TEST_CASE("an invalid index is reported with the reason and the line") {
  CHECK(why_unreadable("") == "line 1: expected `{`");
  CHECK(why_unreadable("{\n<<<<<<< HEAD\n") == "line 2: expected `\"`");
  CHECK(why_unreadable("{}") == "line 1: `format` is missing");
  CHECK(why_unreadable("{\"format\": 1}") == "line 1: `files` is missing");
  CHECK(why_unreadable("{\"format\": 4, \"files\": []}") == "line 1: its format is 4; this capwright supports 3");
  CHECK(why_unreadable("{\"rotated\": [{\"name\": \"a\"}]}") == "line 1: `kind` is missing");
  CHECK(why_unreadable("{\"rotated\": [{\"kind\": \"A\", \"name\": \"a\", \"file\": \"../a\"}]}") ==
        "line 1: `../a` isn't a path of a rendered file");
  CHECK(why_unreadable("{\"rotated\": [{\"retired\": 4294967296}]}") == "line 1: the number is too large");
  CHECK(why_unreadable("{\"format\": 1, \"files\": []} x") == "line 1: unexpected text after the end");
  CHECK(why_unreadable("{\"format\": 1, \"owner\": 1}") == "line 1: `owner` is not known");
  CHECK(why_unreadable("{\"format\": 99999999999999999999}") == "line 1: expected an integer");
  CHECK(why_unreadable("{\"tool\": \"a\\q\"}") == "line 1: unsupported escape");
  CHECK(why_unreadable("{\"tool\": \"a\n\"}") == "line 1: the string is not closed");
  CHECK(why_unreadable("{\"input\": \"sha256:12\"}") == "line 1: expected a SHA-256 digest");
}

TEST_CASE("an index with files elsewhere is rejected") {
  const std::string rest = "\", \"size\": 1, \"sha256\": \"" + to_hex(sha256("")) + "\"}";
  for (const char* path :
       {"../other/x", "//etc/passwd", "/passwd", "a/../../b", ".git/config", "", "a//b", ".capwright-index"}) {
    CHECK(why_unreadable(with_file("{\"path\": \"" + std::string(path) + rest)) ==
          "line 1: `" + std::string(path) + "` isn't a path of a rendered file");
  }
  const std::string fine = "{\"path\": \"a" + rest;
  CHECK(why_unreadable(with_file(fine + "," + fine)) == "line 1: `a` is listed twice");
  CHECK(why_unreadable(with_file("{\"path\": \"a\", \"size\": 1}")) == "line 1: `sha256` is missing");
}

TEST_CASE("a truncated index is rejected and never crashes the reader") {
  const FileSet files = test::rendered_files({{"b.yaml", "b: 1\n"}, {"a.yaml", "a: 1\n"}});
  const std::string text = index_text(make_index(files, index_stamp()));
  std::string why;
  for (std::size_t size = 0; size < text.size() - 1; ++size) CHECK_FALSE(read_index(text.substr(0, size), why));
  CHECK(read_index(text, why));
}

}  // namespace
}  // namespace capwright
