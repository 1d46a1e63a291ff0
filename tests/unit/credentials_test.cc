// Key material is found among many texts as in one alone: a form that only fits a whole text would be passed over.
#include "lint/credentials.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "lint/catalogue.h"

namespace capwright::lint {
namespace {

// One of each form. Nothing that looks like a real one stands in here.
std::vector<std::string> samples() {
  const auto a = [](std::size_t count) { return std::string(count, 'a'); };
  return {"-----BEGIN RSA PRIVATE KEY-----",
          "AGE-SECRET-KEY-1" + std::string(58, 'Q'),
          "AKIA" + std::string(16, 'B'),
          "ghp_" + a(36),
          "glpat-" + a(20),
          "xoxb-" + a(20),
          "hvs." + a(24),
          "AIza" + a(35),
          "sk_live_" + a(20),
          "npm_" + a(36),
          "eyJhbGciOi" + a(10) + ".eyJ" + a(20) + "." + a(20),
          "client-key-data: " + std::string(100, 'A'),
          "postgres://app:correct-horse@db.example.com"};
}

TEST_CASE("every form of key material has a sample") {
  std::set<std::string_view> found;
  for (const std::string& sample : samples()) {
    INFO(sample);
    const std::string_view what = key_material_in(sample);
    CHECK_FALSE(what.empty());
    found.insert(what);
  }
  std::set<std::string_view> forms;
  for (const Value& form : fact(credential_facts(), "key_material").items()) forms.insert(fact(form, "what").text());
  CHECK(found == forms);
}

TEST_CASE("key material is found on whichever line it stands") {
  for (const std::string& sample : samples()) {
    INFO(sample);
    for (const char* before : {"", "name\n", "\n"}) {
      for (const char* behind : {"", "\n", "\nv1.35.8\n"}) CHECK(may_hold_key_material(before + sample + behind));
    }
  }
  CHECK_FALSE(may_hold_key_material("name\nv1.35.8\nclient-key-data: short\n"));
}

}  // namespace
}  // namespace capwright::lint
