// Key material is found among many texts as in a single one: if the texts in `holds` don't cover a form, its matches
// are missed.
#include "lint/facts/credentials.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "lint/facts/catalogue.h"

namespace capwright::lint {
namespace {

// A sample of each form, and of each way to begin it. No sample looks like a real key in the source.
std::vector<std::string> samples() {
  const auto a = [](std::size_t count) { return std::string(count, 'a'); };
  std::vector<std::string> all = {"-----BEGIN PRIVATE KEY-----",
                                  "-----BEGIN RSA PRIVATE KEY-----",
                                  "-----BEGIN PGP PRIVATE KEY BLOCK-----",
                                  "AGE-SECRET-KEY-1" + std::string(58, 'Q'),
                                  "github_pat_" + a(50),
                                  "AIza" + a(35),
                                  "npm_" + a(36),
                                  "eyJhbGciOi" + a(10) + ".eyJ" + a(20) + "." + a(20),
                                  "client-key-data: " + std::string(100, 'A'),
                                  "kubeadm join --token " + a(6) + "." + a(16),
                                  "postgres://app:correct-horse@db.example.com"};
  for (const char* name :
       {"access_token=", "private_token=", "auth_token=", "token=", "api_key=", "apikey=", "sig=", "X-Amz-Signature="})
    all.push_back("https://example.com/x?page=1&" + (name + a(16)));
  for (const char* begin : {"AKIA", "ASIA"}) all.push_back(begin + std::string(16, 'B'));
  for (const char* begin : {"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}) all.push_back(begin + a(36));
  for (const char* begin : {"glpat-", "gldt-", "glrt-", "glptt-"}) all.push_back(begin + a(20));
  for (const char* begin : {"xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-"}) all.push_back(begin + a(20));
  for (const char* begin : {"hvs.", "hvb."}) all.push_back(begin + a(24));
  for (const char* begin : {"rk_live_", "sk_live_"}) all.push_back(begin + a(20));
  return all;
}

TEST_CASE("every form of key material has a sample") {
  std::set<std::string_view> found;
  for (const std::string& sample : samples()) {
    INFO(sample);
    const std::string_view what = secrets::key_material_in(sample);
    CHECK_FALSE(what.empty());
    found.insert(what);
  }
  std::set<std::string_view> forms;
  for (const Value& form : fact(credential_facts(), "key_material").items()) forms.insert(fact(form, "what").text());
  CHECK(found == forms);
}

TEST_CASE("key material is found on every line") {
  for (const std::string& sample : samples()) {
    INFO(sample);
    for (const char* before : {"", "name\n", "\n"}) {
      for (const char* behind : {"", "\n", "\nv1.35.8\n"})
        CHECK(secrets::may_hold_key_material(before + sample + behind));
    }
  }
  CHECK_FALSE(secrets::may_hold_key_material("name\nv1.35.8\nhttps://git.example.com/apps\nnpm\nAK\n"));
  CHECK(secrets::key_material_in("client-key-data: short").empty());
}

TEST_CASE("key material is found in YAML forms that hide its usual form") {
  for (const char* yaml : {"a: \"gh\\x70_0123\"\n", "a: >\n  -----BEGIN\n  PRIVATE KEY-----\n"})
    CHECK(secrets::may_hold_key_material(yaml));
}

TEST_CASE("names show that a random text is a secret") {
  constexpr std::string_view kRandom = "Xk29vLq8ZtR4mW";
  for (const char* name : {"password", "adminPassword", "db.passwd", "apiKey", "API_KEY", "my-api-key", "clientsecret",
                           "aws_secret-key", "bearerToken", "3password"}) {
    INFO(name);
    CHECK(secrets::is_random_secret(name, kRandom));
  }
  for (const char* name : {"", "key", "api", "passwordRef", "apikeys", "public-key", "ex/password", "api--key"}) {
    INFO(name);
    CHECK_FALSE(secrets::is_random_secret(name, kRandom));
  }
}

}  // namespace
}  // namespace capwright::lint
