// Secrets are found in place, and redacted in text that repeats them.
#include <catch2/catch.hpp>
#include <string>

#include "secrets/lines.h"
#include "secrets/sealed_secret.h"
#include "secrets/secret_leaves.h"
#include "secrets/sops_document.h"
#include "secrets/texts.h"

namespace capwright {
namespace {

TEST_CASE("a part of a secret is redacted at every position") {
  SecretTexts texts;
  texts.add("correct-horse-battery");
  CHECK(texts.redact("line 3: correct-horse-battery!") == "line 3: <secret>!");
  CHECK(texts.redact("near \"horse-batter\"") == "near \"<secret>\"");
  CHECK(texts.redact("a horse and a battery") == "a horse and a battery");
}

TEST_CASE("every part of a secret is redacted at every position, and nothing next to it") {
  const std::string secret = "q7Zk2m-XwT9vLpR4sYbN8cHd";
  SecretTexts texts;
  texts.add(secret);
  for (std::size_t first = 0; first < secret.size(); ++first) {
    for (std::size_t size = SecretTexts::kShortestRun; first + size <= secret.size(); ++size) {
      for (std::size_t before = 0; before < 20; ++before) {
        const std::string lead(before, '.'), part = secret.substr(first, size);
        CHECK(texts.redact(lead + part) == lead + "<secret>");
        CHECK(texts.redact(lead + part + ".") == lead + "<secret>.");
      }
      const std::string_view less = std::string_view(secret).substr(first, SecretTexts::kShortestRun - 1);
      CHECK(texts.find(less).empty());
    }
  }
}

TEST_CASE("reserving room for secrets doesn't change the result") {
  const std::string secret = "correct horse battery staple", other = "a second secret, which nobody announced, follows";
  SecretTexts told, untold;
  told.add("the first of all");
  told.expect(secret.size());
  untold.expect(0);
  untold.add("the first of all");
  for (SecretTexts* texts : {&told, &untold}) texts->add(secret), texts->add(other);
  for (const std::string& text : {"see " + secret, "see " + other, std::string("not the first of all")})
    CHECK(told.redact(text) == untold.redact(text));
  CHECK(told.redact("see " + secret) == "see <secret>");
}

TEST_CASE("a short secret is redacted as a separate word, and not inside of others") {
  SecretTexts texts;
  texts.add("admin");
  texts.add("abc");
  CHECK(texts.redact("`admin` in admin_password, abc") == "`<secret>` in admin_password, abc");
  SecretTexts longer;
  longer.add("hunter-22");
  longer.add("correct-ho");
  for (std::size_t before = 0; before < 12; ++before) {
    const std::string lead(before, '.');
    CHECK(longer.redact(lead + "hunter-22 correct-ho") == lead + "<secret> <secret>");
  }
  texts.add("s3cr");
  texts.add("hunter-22");
  for (std::size_t before = 0; before < 12; ++before) {
    const std::string lead(before, '.');
    CHECK(texts.redact(lead + "s3cr admin hunter-22") == lead + "<secret> <secret> <secret>");
    CHECK(texts.redact(lead + "hunter-22.") == lead + "<secret>.");
  }
}

// `text` with everything that is detected as a secret replaced by `#`.
std::string masked(std::string text, bool assignment = false) {
  const SecretNames names{{"password", "access_key"}, {"secrets"}};
  for (const Span span : secret_lines(text, FileId{}, assignment, names)) {
    for (std::uint32_t i = span.begin; i < span.end; ++i) text[i] = '#';
  }
  return text;
}

TEST_CASE("in values that can't be parsed, secrets are detected by their keys") {
  CHECK(masked("a: 1\npassword: x\nb: 2\n") == "a: 1\npassword:##\nb: 2\n");
  CHECK(masked("passwords: x\n") == "passwords:##\n");
  CHECK(masked("x:\n  - password: |\n      one\n    b: 2\n") == "x:\n  - password:##\n      ###\n    b: 2\n");
  CHECK(masked("password: \"x\nb: 2\n") == "password:###\n####\n");
  CHECK(masked("{\"a\": {\"password\": \"x\" \"y\"}}\n") == "{\"a\": {\"password\":##########\n");
  CHECK(masked("secrets:\n  form: x\n  y\nb: 2\n") == "secrets:\n  form:##\n  #\nb: 2\n");
  CHECK(masked("secrets: x\n") == "secrets:##\n");
  CHECK(masked("x:\n  password: -----BEGIN\nabc/+=\n-----END\n  b: 2\n") ==
        "x:\n  password:###########\n######\n-----###\n  b: 2\n");
}

TEST_CASE("in a command-line assignment, the value is a secret if its path may name one") {
  CHECK(masked("a.b=x", true) == "a.b=x");
  CHECK(masked("a.password.b=x", true) == "a.password.b=#");
  CHECK(masked("secrets.a=x", true) == "secrets.a=#");
  CHECK(masked("a.password: x", true) == "a.password###");
}

// A rendered file in which `<…>` marks bytes of a secret.
RenderedFile rendered(std::string path, std::string_view text) {
  RenderedFile file;
  file.path = std::move(path);
  file.secret = true;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('<'), text.size());
    file.body.append(text.substr(0, open), Segment{});
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('>');
    Segment secret;
    secret.tainted = true;
    file.body.append(text.substr(1, close - 1), secret);
    text.remove_prefix(close + 1);
  }
  return file;
}

std::string places(const RenderedFile& file, secrets::SecretHolder holder = secrets::SecretHolder::Secret) {
  const secrets::SecretLeaves leaves = secrets::find_secret_leaves(file, holder, Limits{});
  std::string text;
  for (const secrets::SecretLeaf& leaf : leaves.inside) {
    text += std::to_string(leaf.document) + ":" + secrets::text_of(leaf.path) + " ";
  }
  return text + std::to_string(leaves.outside.size());
}

TEST_CASE("secrets must be in the data of a Secret") {
  CHECK(places(rendered(
            "a.yaml",
            "kind: Secret\nstringData: {a: \"<x>\", b: c}\n---\nkind: Secret\ndata:\n  d: |\n    e\n    <f>\n")) ==
        "0:stringData.a 1:data.d 0");
  CHECK(places(rendered("a.yaml", "kind: Secret\nmetadata: {name: <x>}\n")) == "1");
  CHECK(places(rendered("a.yaml", "kind: ConfigMap\ndata: {a: <x>}\n")) == "1");
  CHECK(places(rendered("a.yaml", "kind: Secret\ndata:\n  <x>: b\n")) == "1");
  CHECK(places(rendered("a.yaml", "kind: Secret\ndata:\n  # <x>\n  a: b\n")) == "1");
  CHECK(places(rendered("a.yaml", "kind: Secret\ndata: {a: [b, <x>]}\n")) == "0:data.a[1] 0");
  CHECK(places(rendered("a.yaml", "kind: Secret\ndata: {a: [<x>\n")) == "1");
  CHECK(places(rendered("a.json", "{\"kind\": \"Secret\", \"data\": {\"a\": \"<x>\"}}")) == "0:data.a 0");
  CHECK(places(rendered("a.txt", "kind: Secret\ndata: {a: <x>}\n")) == "1");
}

TEST_CASE("with sealing, secrets must be in the data of a SealedSecret") {
  const auto sealed = [](std::string_view text) {
    const std::string api = "apiVersion: bitnami.com/v1alpha1\n";
    return places(rendered("a.yaml", api + std::string(text)), secrets::SecretHolder::SealedSecret);
  };
  CHECK(sealed("kind: SealedSecret\nspec: {encryptedData: {a: <x>}}\n") == "0:spec.encryptedData.a 0");
  CHECK(sealed("kind: SealedSecret\nspec: {template: {data: {a: <x>}}}\n") == "1");
  CHECK(sealed("kind: SealedSecret\nencryptedData: {a: <x>}\n") == "1");
  CHECK(sealed("kind: Secret\nstringData: {a: <x>}\n") == "1");
  const std::string_view of_others = "kind: SealedSecret\nspec: {encryptedData: {a: <x>}}\n";
  CHECK(places(rendered("a.yaml", of_others), secrets::SecretHolder::SealedSecret) == "1");
  CHECK(places(rendered("a.yaml", of_others)) == "1");
}

// In the program's format: the length of the key, the key, the text, a tag; in base64 without a library.
std::string cipher_text(std::size_t key, std::size_t text) {
  const std::size_t bytes = 2 + key + text + 16;
  std::string shown = key == 256 ? "AQAA" : "AAAA";
  while (shown.size() * 3 / 4 + 3 <= bytes) shown += "abc/";
  if (bytes % 3 == 1) shown += "ab==";
  if (bytes % 3 == 2) shown += "abc=";
  return shown;
}

TEST_CASE("the length of the text is computed from a cipher text") {
  for (std::size_t size = 0; size < 7; ++size) CHECK(secrets::sealed_size(cipher_text(256, size)) == size);
  CHECK_FALSE(secrets::sealed_size(cipher_text(0, 300)));
  CHECK_FALSE(secrets::sealed_size(cipher_text(256, 0).substr(4)));
  CHECK_FALSE(secrets::sealed_size(cipher_text(256, 1).replace(9, 1, " ")));
  CHECK_FALSE(secrets::sealed_size("PLACEHOLDER-run-kubeseal"));
  CHECK_FALSE(secrets::sealed_size(""));
}

TEST_CASE("SealedSecrets are distinguished by the binding of their cipher texts") {
  const std::string text =
      "apiVersion: v1\nkind: Secret\n---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\n"
      "metadata: {name: a, namespace: b, annotations: {sealedsecrets.bitnami.com/namespace-wide: \"true\"}}\n"
      "spec:\n  encryptedData:\n    x: |\n      one\n    y: 'two'\n  template: {}\n";
  const auto found = secrets::find_sealed_secrets("a.yaml", text, Limits{});
  REQUIRE(found.size() == 1);
  CHECK(found[0].scope == "namespace-wide");
  REQUIRE(found[0].items.size() == 2);
  const auto bytes = [&](const secrets::SealedItem& item) { return text.substr(item.begin, item.end - item.begin); };
  CHECK(found[0].items[0].text == "one\n");
  CHECK(bytes(found[0].items[0]) == ": |\n      one");
  CHECK(bytes(found[0].items[1]) == ": 'two'");
  secrets::SealedSecret other = found[0];
  CHECK(other.is_bound_as(found[0]));
  other.namespace_name = "c";
  CHECK_FALSE(other.is_bound_as(found[0]));
  CHECK(secrets::find_sealed_secrets("a.yaml", text + "---\na: [\n", Limits{}).empty());
}

TEST_CASE("documents are equal if their data is equal") {
  const auto read = [](std::string_view text) {
    return secrets::ReadStream("a.yaml", text, ScalarRules::Kubernetes, Limits{});
  };
  CHECK(secrets::same_data(read("a: {b: 1, c: [x]}\n"), read("# c\na:\n    c:\n        - x\n    b: 1\n")));
  CHECK_FALSE(secrets::same_data(read("a: 1\n"), read("a: 1\n---\nb: 1\n")));
  CHECK_FALSE(secrets::same_data(read("a: 1\n"), read("a: '1'\n")));
  CHECK_FALSE(secrets::same_data(read("a: [\n"), read("a: [\n")));
}

}  // namespace
}  // namespace capwright
