// Secrets are found where they stand, and covered where somebody repeats them.
#include <catch2/catch.hpp>
#include <string>

#include "pipeline/secret_lines.h"
#include "secrets/secret_leaves.h"
#include "secrets/sops_document.h"
#include "value/secret_texts.h"

namespace capwright {
namespace {

TEST_CASE("a part of a secret is covered wherever it stands") {
  SecretTexts texts;
  texts.add("correct-horse-battery");
  CHECK(texts.cover("line 3: correct-horse-battery!") == "line 3: <secret>!");
  CHECK(texts.cover("near \"horse-batter\"") == "near \"<secret>\"");
  CHECK(texts.cover("a horse and a battery") == "a horse and a battery");
}

TEST_CASE("a short secret is covered as a word of its own, and not inside of others") {
  SecretTexts texts;
  texts.add("admin");
  texts.add("abc");
  CHECK(texts.cover("`admin` in admin_password, abc") == "`<secret>` in admin_password, abc");
}

// `text` with everything that is taken for a secret as `#`.
std::string masked(std::string text, bool assignment = false) {
  const SecretNames names{{"password", "access_key"}, {"secrets"}};
  for (const Span span : secret_lines(text, FileId{}, assignment, names)) {
    for (std::uint32_t i = span.begin; i < span.end; ++i) text[i] = '#';
  }
  return text;
}

TEST_CASE("in values that can't be read, secrets are known by their keys") {
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

TEST_CASE("in an assignment of the command line, the value is one if its path may name a secret") {
  CHECK(masked("a.b=x", true) == "a.b=x");
  CHECK(masked("a.password.b=x", true) == "a.password.b=#");
  CHECK(masked("secrets.a=x", true) == "secrets.a=#");
  CHECK(masked("a.password: x", true) == "a.password###");
}

// A rendered file in which `<…>` stands for bytes of a secret.
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

std::string places(const RenderedFile& file) {
  const secrets::SecretLeaves leaves = secrets::find_secret_leaves(file, Limits{});
  std::string text;
  for (const secrets::SecretLeaf& leaf : leaves.inside) {
    text += std::to_string(leaf.document) + ":" + secrets::text_of(leaf.path) + " ";
  }
  return text + std::to_string(leaves.outside.size());
}

TEST_CASE("secrets belong into the data of a Secret") {
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

TEST_CASE("documents are equal by what they hold") {
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
