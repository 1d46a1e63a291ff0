// Secrets in another program's output are redacted in every encoding.
#include <catch2/catch.hpp>
#include <string>

#include "secrets/texts.h"
#include "text/base64.h"

using namespace capwright;

namespace {

constexpr std::string_view kSecret = "p4ss<word>&\"tail\"/Xk29";

std::string covered(const std::string& words) {
  SecretTexts texts;
  secrets::add_encoded(kSecret, texts);
  return texts.redact(words);
}

}  // namespace

TEST_CASE("a secret in Base64 is redacted at every offset") {
  for (const std::string_view alphabet : {kBase64, kBase64Url}) {
    for (std::size_t before = 0; before < 7; ++before) {
      for (std::size_t behind = 0; behind < 4; ++behind) {
        const std::string text =
            to_base64(std::string(before, 'a') + std::string(kSecret) + std::string(behind, 'z'), alphabet);
        const std::string shown = covered("error: " + text);
        INFO(text << " -> " << shown);
        // At most one digit at each end, which also depends on the neighbouring bytes, and text that isn't the secret.
        CHECK(shown.find("<secret>") != std::string::npos);
        CHECK(shown.size() <= 7 + 8 + (before * 8 + 5) / 6 + 1 + (behind * 8 + 5) / 6 + 4);
      }
    }
  }
}

TEST_CASE("a secret in hexadecimal, in JSON and in a URL is redacted") {
  CHECK(covered("x 703473733c776f72643e26227461696c222f586b3239 y") == "x <secret> y");
  CHECK(covered("x 703473733C776F72643E26227461696C222F586B3239 y") == "x <secret> y");
  CHECK(covered(R"({"a":"p4ss\u003cword\u003e\u0026\"tail\"/Xk29"})") == R"({"a":"<secret>"})");
  CHECK(covered("GET /?q=p4ss%3Cword%3E%26%22tail%22%2FXk29") == "GET /?q=<secret>");
  CHECK(covered("as it is: p4ss<word>&\"tail\"/Xk29.") == "as it is: <secret>.");
}

TEST_CASE("words that aren't secrets are kept") {
  CHECK(covered("no key could decrypt the data: age1qyqszqgpqyqszqgpqyqszqgp") ==
        "no key could decrypt the data: age1qyqszqgpqyqszqgpqyqszqgp");
}
