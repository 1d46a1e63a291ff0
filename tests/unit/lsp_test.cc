// The parts of the language server that know nothing of repositories.
#include <catch2/catch.hpp>

#include "lsp/frames.h"
#include "lsp/values_cursor.h"

using namespace capwright;
using lsp::cursor_at;
using lsp::ValuesCursor;

namespace {

// The cursor at `|`.
ValuesCursor at_bar(std::string text) {
  const std::size_t at = text.find('|');
  return cursor_at(text.erase(at, 1), at);
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("A cursor knows the keys above it") {
  CHECK(at_bar("a: 1\nb|").parents.empty());
  CHECK(at_bar("a: 1\nb|").key == "b");
  CHECK(at_bar("a:\n  b:\n    c|").parents == Keys{"a", "b"});
  CHECK(at_bar("a:\n  b:\n    x: 1\n  # comment\n\n  c|").parents == Keys{"a"});
  CHECK(at_bar("a:\n  b: 1\n|").parents.empty());
}

TEST_CASE("A cursor is in an item of a list, whose dash may have the column of the list's key") {
  CHECK(at_bar("pools:\n  - name: a\n    fl|").parents == Keys{"pools", "[]"});
  CHECK(at_bar("pools:\n- name: a\n  fl|").parents == Keys{"pools", "[]"});
  CHECK(at_bar("pools:\n  - |").parents == Keys{"pools", "[]"});
  CHECK(at_bar("pools:\n  - name: a\n  - n|").parents == Keys{"pools", "[]"});
}

TEST_CASE("A cursor after a key is at its value") {
  CHECK(at_bar("a:\n  b: tr|").is_value);
  CHECK(at_bar("a:\n  b: tr|").key == "b");
  CHECK_FALSE(at_bar("a:\n  b|: true").is_value);
}

TEST_CASE("Positions count UTF-16 units, or bytes") {
  const std::string text = "x\nä😀b\n";  // 2, 4 and 1 bytes; 1, 2 and 1 units
  CHECK(lsp::offset_at(text, 1, 3, true) == 8);
  CHECK(lsp::offset_at(text, 1, 6, false) == 8);
  CHECK(lsp::offset_at(text, 1, 99, true) == 9);
  CHECK(lsp::offset_at(text, 9, 0, true) == text.size());
}

TEST_CASE("Messages are cut out of any pieces of the stream") {
  const std::string stream = lsp::framed("one") + "content-length: 2\r\nX: y\r\n\r\nab";
  for (std::size_t size = 1; size <= stream.size(); ++size) {
    lsp::FrameReader frames(100);
    std::vector<std::string> messages;
    for (std::size_t at = 0; at < stream.size(); at += size) {
      frames.feed(std::string_view(stream).substr(at, size));
      while (const auto message = frames.next()) messages.push_back(*message);
    }
    CHECK(messages == Keys{"one", "ab"});
  }
}

TEST_CASE("A message that is too long, or has no length, breaks the stream") {
  for (const char* text : {"Content-Length: 101\r\n\r\n", "Content-Length: -1\r\n\r\n", "X: 1\r\n\r\n"}) {
    lsp::FrameReader frames(100);
    frames.feed(text);
    CHECK_FALSE(frames.next().has_value());
    CHECK(frames.is_broken());
  }
}

TEST_CASE("Paths survive in URIs") {
  for (const std::string path : {"/srv/a b/ä%20.yaml", "/x", "/a+b:c#d?e"})
    CHECK(lsp::path_of(lsp::uri_of(path)) == path);
  CHECK(lsp::path_of("file://localhost/a%2Fb") == "/a/b");
  CHECK(lsp::path_of("untitled:Untitled-1").empty());
}
