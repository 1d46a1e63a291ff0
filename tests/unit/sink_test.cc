// The same error at the same place is one diagnostic, regardless of the number and state of others.
#include <catch2/catch.hpp>
#include <string>

#include "diag/diag.h"

namespace capwright {
namespace {

constexpr DiagInfo kInfo{"X1", "x", Severity::Error, "", ""}, kOther{"X2", "y", Severity::Warning, "", ""};
constexpr FileId kFile{0};

Span at(std::uint32_t begin) { return {kFile, begin, begin + 1}; }

TEST_CASE("a diagnostic is stored once, and counted") {
  for (const std::uint32_t count : {3u, 63u, 64u, 65u, 1000u}) {
    Sink sink;
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t i = 0; i < count; ++i) sink.add(kInfo, at(i), "message");
    }
    REQUIRE(sink.diagnostics().size() == count);
    for (std::uint32_t i = 0; i < count; ++i) {
      CHECK(sink.diagnostics()[i].where == at(i));
      CHECK(sink.diagnostics()[i].repeats == 2);
    }
    CHECK(sink.error_count() == 3 * count);
  }
}

TEST_CASE("another code, place or message is another diagnostic") {
  Sink sink;
  for (std::uint32_t i = 0; i < 100; ++i) sink.add(kInfo, at(i), "message");
  sink.add(kOther, at(7), "message");
  sink.add(kInfo, {kFile, 7, 9}, "message");
  sink.add(kInfo, {FileId{1}, 7, 8}, "message");
  sink.add(kInfo, at(7), "other message");
  CHECK(sink.diagnostics().size() == 104);
  // Diagnostics without a place each count.
  for (int i = 0; i < 2; ++i) sink.add(kInfo, Span(), "message");
  CHECK(sink.diagnostics().size() == 106);
}

TEST_CASE("changed diagnostics are compared in their current form") {
  Sink sink;
  for (std::uint32_t i = 0; i < 200; ++i) sink.add(kInfo, at(i), "message");
  std::erase_if(sink.diagnostics(), [](const Diagnostic& each) { return each.where.begin % 2 == 0; });
  sink.diagnostics().front().message = "covered";
  for (std::uint32_t i = 0; i < 200; ++i) sink.add(kInfo, at(i), "message");
  CHECK(sink.diagnostics().size() == 201);
  sink.add(kInfo, at(1), "covered");
  CHECK(sink.diagnostics().size() == 201);
  CHECK(sink.diagnostics().front().repeats == 1);
}

}  // namespace
}  // namespace capwright
