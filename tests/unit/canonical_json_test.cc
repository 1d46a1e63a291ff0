// RFC 8785, with the RFC's own samples: names of objects in running clusters are digests of this text.
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "value/stage.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright {
namespace {

std::string canonical(std::string text, ScalarRules rules = ScalarRules::Core, const char* path = "a.json") {
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  const Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  const Value value = read_yaml(sources.add(path, std::move(text)), stage, {rules, TextSyntax::ByName});
  REQUIRE_FALSE(sink.failed());
  return canonical_json(value);
}

std::string canonical_yaml(std::string text) { return canonical(std::move(text), ScalarRules::Kubernetes, "a.yaml"); }

std::string number(std::uint64_t bits) { return canonical_json(Value::floating(std::bit_cast<double>(bits))); }

TEST_CASE("canonical JSON: the sample of RFC 8785, 3.2.2") {
  CHECK(canonical(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  })") == R"({"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
          R"("string":"€$\u000f\nA'B\"\\\\\"/"})");
}

TEST_CASE("canonical JSON: keys are sorted by UTF-16 code units, by RFC 8785, 3.2.3") {
  CHECK(canonical(R"({"\u20ac": 5, "\r": 1, "\ufb33": 7, "1": 2, "\ud83d\ude00": 6, "\u0080": 3, "\u00f6": 4})") ==
        "{\"\\r\":1,\"1\":2,\"\xc2\x80\":3,\"ö\":4,\"€\":5,\"😀\":6,\"\xef\xac\xb3\":7}");
  CHECK(
      canonical(R"({"ab": 1, "a": 2, "": 3, "\ud7ff": 4, "\ue000": 5, "\udbff\udfff": 6, "\ud800\udc00": 7})") ==
      "{\"\":3,\"a\":2,\"ab\":1,\"\xed\x9f\xbf\":4,\"\xf0\x90\x80\x80\":7,\"\xf4\x8f\xbf\xbf\":6,\"\xee\x80\x80\":5}");
}

TEST_CASE("canonical JSON: numbers in ECMAScript's form, with the samples of RFC 8785, appendix B") {
  CHECK(number(0x0000000000000000) == "0");
  CHECK(number(0x8000000000000000) == "0");
  CHECK(number(0x0000000000000001) == "5e-324");
  CHECK(number(0x8000000000000001) == "-5e-324");
  CHECK(number(0x7fefffffffffffff) == "1.7976931348623157e+308");
  CHECK(number(0x4340000000000000) == "9007199254740992");
  CHECK(number(0xc340000000000000) == "-9007199254740992");
  CHECK(number(0x4430000000000000) == "295147905179352830000");
  CHECK(number(0x44b52d02c7e14af5) == "9.999999999999997e+22");
  CHECK(number(0x44b52d02c7e14af6) == "1e+23");
  CHECK(number(0x44b52d02c7e14af7) == "1.0000000000000001e+23");
  CHECK(number(0x444b1ae4d6e2ef4e) == "999999999999999700000");
  CHECK(number(0x444b1ae4d6e2ef4f) == "999999999999999900000");
  CHECK(number(0x444b1ae4d6e2ef50) == "1e+21");
  CHECK(number(0x3eb0c6f7a0b5ed8c) == "9.999999999999997e-7");
  CHECK(number(0x3eb0c6f7a0b5ed8d) == "0.000001");
  CHECK(number(0x41b3de4355555554) == "333333333.33333325");
  CHECK(number(0x41b3de4355555557) == "333333333.33333343");
  CHECK(number(0xbecbf647612f3696) == "-0.0000033333333333333333");
  CHECK(number(0x43143ff3c1cb0959) == "1424953923781206.2");
}

TEST_CASE("canonical JSON: equal whole numbers have one form, and keep all their digits") {
  CHECK(canonical_yaml("[1, 1.0, 1e0, 0x10, 010, 1_000]") == "[1,1,1,16,8,1000]");
  CHECK(canonical_yaml("[9223372036854775807, -9223372036854775808, 9007199254740993]") ==
        "[9223372036854775807,-9223372036854775808,9007199254740993]");
}

TEST_CASE("canonical JSON: control characters, quotes and everything else of a string") {
  CHECK(canonical(R"("\u0000\u0001\b\t\n\u000b\f\r\u001f\u007f\"\\/<>&'")") ==
        "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f\x7f\\\"\\\\/<>&'\"");
  CHECK(canonical(R"("größe \u65e5 \ud83d\ude00 \u2028")") == "\"größe 日 😀 \xe2\x80\xa8\"");
}

TEST_CASE("canonical JSON: different values have different forms") {
  CHECK(canonical_yaml("[1, '1', true, 'true', null, 'null', yes, '', [], {}, [[]]]") ==
        R"([1,"1",true,"true",null,"null",true,"",[],{},[[]]])");
  CHECK(canonical("[.inf, -.inf, .nan]", ScalarRules::Core, "a.yaml") == "[Infinity,-Infinity,NaN]");
}

}  // namespace
}  // namespace capwright
