// The rejected paths, and their invalid bytes.
#include "files/path_rules.h"

#include <catch2/catch.hpp>
#include <string>

namespace capwright {
namespace {

// "Rule:invalid bytes", or "fine".
std::string judge(std::string_view path) {
  static constexpr const char* kNames[] = {"Text",   "Relative", "Slashes", "Parts",    "Ending",
                                           "Length", "Git",      "Windows", "Reserved", "Cluster"};
  const auto fault = find_path_fault(path, "clusters/prod/");
  if (!fault) return "fine";
  return std::string(kNames[static_cast<int>(fault->rule)]) + ":" +
         std::string(path.substr(fault->begin, fault->end - fault->begin));
}

TEST_CASE("ordinary paths are valid") {
  CHECK(judge("clusters/prod/cluster.yaml") == "fine");
  CHECK(judge("clusters/prod/addons/kube-prometheus-stack/values.yaml") == "fine");
  CHECK(judge("clusters/prod/.gitkeep") == "fine");
  CHECK(judge("clusters/prod/a..b/...c") == "fine");
  CHECK(judge("clusters/prod/größe/日本.yaml") == "fine");
  CHECK(judge("clusters/prod/console.yaml") == "fine");
  CHECK(judge("clusters/prod/" + std::string(255, 'a')) == "fine");
}

TEST_CASE("for paths that leave the cluster's directory the error names the part") {
  CHECK(judge("clusters/other/x.yaml") == "Cluster:other");
  CHECK(judge("clusters/production/x.yaml") == "Cluster:production");
  CHECK(judge("cluster/prod/x.yaml") == "Cluster:cluster");
  CHECK(judge("x.yaml") == "Cluster:x.yaml");
  CHECK(judge("clusters/prod") == "Cluster:prod");
  CHECK(judge("clusters/PROD/x.yaml") == "Cluster:PROD");
}

TEST_CASE("absolute paths and drive letters are rejected") {
  CHECK(judge("/etc/passwd") == "Relative:/");
  CHECK(judge("C:/x") == "Relative:C:");
  CHECK(judge("c:x") == "Relative:c:");
}

TEST_CASE("empty parts and dots are rejected") {
  CHECK(judge("") == "Parts:");
  CHECK(judge("clusters//prod/x") == "Parts:");
  CHECK(judge("clusters/prod/") == "Parts:");
  CHECK(judge("clusters/prod/./x") == "Parts:.");
  CHECK(judge("clusters/prod/../x") == "Parts:..");
}

TEST_CASE("characters that are invisible or not portable are rejected") {
  CHECK(judge("clusters/prod/a b") == "Text: ");
  CHECK(judge("clusters/prod/a ") == "Text: ");
  CHECK(judge("clusters/prod/a\tb") == "Text:\t");
  CHECK(judge(std::string_view("clusters/prod/a\0b", 17)) == std::string("Text:") + '\0');
  CHECK(judge("clusters/prod/\x7f") == "Text:\x7f");
  CHECK(judge("clusters/prod/a\u200db") == "Text:\u200d");  // zero-width joiner
  CHECK(judge("clusters/prod/a\u00a0b") == "Text:\u00a0");  // no-break space
  CHECK(judge("clusters/prod/\u202e") == "Text:\u202e");    // right-to-left override
  CHECK(judge("clusters/prod/\xff\xfe") == "Text:\xff");
  CHECK(judge("clusters/prod/\xc0\xaf") == "Text:\xc0");  // an overlong `/`
  CHECK(judge("clusters\\prod\\x") == "Slashes:\\");
}

TEST_CASE("names that some system reads differently are rejected") {
  CHECK(judge("clusters/prod/x.") == "Ending:x.");
  CHECK(judge("clusters/prod/x./y") == "Ending:x.");
  CHECK(judge("clusters/prod/" + std::string(256, 'a')) == "Length:" + std::string(256, 'a'));
  CHECK(judge("clusters/prod/.git/config") == "Git:.git");
  CHECK(judge("clusters/prod/.GiT") == "Git:.GiT");
  CHECK(judge("clusters/prod/GIT~1/config") == "Git:GIT~1");
  CHECK(judge("clusters/prod/.g\u034fit") == "Git:.g\u034fit");  // a joiner that file systems drop
  CHECK(judge("clusters/prod/con") == "Windows:con");
  CHECK(judge("clusters/prod/NUL.yaml") == "Windows:NUL.yaml");
  CHECK(judge("clusters/prod/lpt9.tar.gz/x") == "Windows:lpt9.tar.gz");
  CHECK(judge("clusters/prod/com0") == "fine");
  CHECK(judge("clusters/prod/a:b") == "Windows::");
  CHECK(judge("clusters/prod/what?.yaml") == "Windows:?");
  CHECK(judge("clusters/prod/.capwright-index") == "Reserved:.capwright-index");
  CHECK(judge("clusters/prod/.CAPWRIGHT-x/y") == "Reserved:.CAPWRIGHT-x");
}

TEST_CASE("paths are folded by case and Unicode form") {
  CHECK(folded_path("Addons/X.yaml") == folded_path("addons/x.YAML"));
  CHECK(folded_path("stra\u00dfe") == folded_path("STRASSE"));
  CHECK(folded_path("caf\u00e9") == folded_path("cafe\u0301"));
  CHECK(folded_path("\u212b") == folded_path("\u00e5"));              // the Ångström sign
  CHECK(folded_path("\u1e9b\u0323") == folded_path("\u1e61\u0323"));  // folding and reordering together
  CHECK(folded_path("\u03c3") == folded_path("\u03c2"));              // both sigmas
  CHECK(folded_path("a/b") != folded_path("a-b"));
  CHECK(folded_path("a/b") < folded_path("a-b"));
}

}  // namespace
}  // namespace capwright
