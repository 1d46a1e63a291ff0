// Memory, digests and sources: the foundations.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/hash.h"
#include "base/sha.h"
#include "base/wide.h"
#include "source/source.h"

namespace capwright {
namespace {

TEST_CASE("SHA-256 gives the digests of FIPS 180-4's examples") {
  CHECK(to_hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(to_hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(to_hex(sha256(std::string(1'000'000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a hash is the same at compile time and run time, for every text size") {
  static_assert(hash_text("") != 0);
  constexpr std::string_view kText = "spec.controlPlaneEndpoint";
  constexpr std::uint32_t kHashes[] = {hash_text(kText.substr(0, 0)),  hash_text(kText.substr(0, 1)),
                                       hash_text(kText.substr(0, 2)),  hash_text(kText.substr(0, 3)),
                                       hash_text(kText.substr(0, 4)),  hash_text(kText.substr(0, 7)),
                                       hash_text(kText.substr(0, 8)),  hash_text(kText.substr(0, 9)),
                                       hash_text(kText.substr(0, 16)), hash_text(kText)};
  std::size_t i = 0;
  for (const std::size_t size : {0, 1, 2, 3, 4, 7, 8, 9, 16, 25}) {
    const std::string text(kText.substr(0, size));
    CHECK(hash_text(text) == kHashes[i++]);
  }
}

TEST_CASE("texts that differ in one byte have different hashes") {
  for (std::size_t size = 1; size < 40; ++size) {
    const std::string text(size, 'a');
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = 'b';
      INFO(size << ' ' << at);
      CHECK(hash_text(other) != hash_text(text));
    }
    CHECK(hash_text(text + 'a') != hash_text(text));
  }
}

TEST_CASE("the first of sixteen bytes for which a comparison is true is found") {
  const std::string none(16, 'x');
  CHECK_FALSE(is_any(wide_at(none.data()) == '-'));
  CHECK(first_of(wide_at(none.data()) == '-') == 16);
  for (std::size_t at = 0; at < 16; ++at) {
    std::string text(16, 'x');
    text[at] = '-';
    CHECK(is_any(wide_at(text.data()) == '-'));
    CHECK(first_of(wide_at(text.data()) == '-') == at);
    text.back() = '-';
    CHECK(first_of(wide_at(text.data()) == '-') == at);
  }
}

TEST_CASE("objects in an arena are kept and aligned, for every size") {
  Arena arena;
  std::vector<std::string_view> texts;
  for (std::size_t size = 1; size < 100'000; size = size * 3 + 1) texts.push_back(arena.text(std::string(size, 'x')));
  for (const std::string_view text : texts) CHECK(text.find_first_not_of('x') == std::string_view::npos);
  for (int i = 0; i < 100; ++i) {
    arena.text("y");
    CHECK(reinterpret_cast<std::uintptr_t>(arena.make<double>(1.5)) % alignof(double) == 0);
  }
  CHECK(arena.bytes_reserved() >= 100'000);
  CHECK(arena.text("").empty());
}

TEST_CASE("a moved arena keeps its memory") {
  Arena arena;
  const std::string_view text = arena.text("kept");
  const Arena moved = std::move(arena);
  CHECK(text == "kept");
  CHECK(moved.bytes_reserved() > 0);
}

TEST_CASE("lines and columns start at 1 and count code points") {
  SourceSet sources;
  const FileId file = sources.add("a.yaml", "one\ntwö x\n\r\nlast");
  const auto at = [&](std::uint32_t offset) { return sources.line_col(file, offset); };
  CHECK(at(0) == LineCol{1, 1});
  CHECK(at(3) == LineCol{1, 4});
  CHECK(at(4) == LineCol{2, 1});
  CHECK(at(9) == LineCol{2, 5});  // ö has two bytes
  CHECK(at(13) == LineCol{4, 1});
  CHECK(at(1000) == LineCol{4, 5});
  CHECK(sources.line_text(file, 5) == "twö x");
  CHECK(sources.line_text(file, 11).empty());
  CHECK(sources.line_text(file, 1000) == "last");
}

TEST_CASE("text outside a source is empty, not undefined") {
  SourceSet sources;
  const FileId file = sources.add("a.yaml", "abc");
  CHECK(sources.text(Span{file, 1, 9}) == "bc");
  CHECK(sources.text(Span{file, 7, 9}).empty());
  CHECK(sources.text(Span{}).empty());
  CHECK(sources.path(FileId::None).empty());
}

}  // namespace
}  // namespace capwright
