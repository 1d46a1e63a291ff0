// Walks the two trees in parallel: `sops` changes neither keys nor order nor the number of items.
#include "secrets/sops_document.h"

#include <algorithm>
#include <vector>

namespace capwright::secrets {
namespace {

constexpr std::string_view kMetadata = "sops";

bool is_encrypted_scalar(const Value& value) {
  return value.is(Kind::String) && value.text().starts_with("ENC[") && value.text().ends_with("]");
}

// Combines encrypted and decrypted trees.
class Decryption {
 public:
  explicit Decryption(Arena& arena) : arena_(arena) {}

  bool fits() const { return fits_; }

  Value join(const Value& encrypted, const Value& plain, bool top) {
    if (encrypted.is(Kind::Map) && plain.is(Kind::Map)) return join_maps(encrypted, plain, top);
    if (encrypted.is(Kind::List) && plain.is(Kind::List)) return join_lists(encrypted, plain);
    if (is_encrypted_scalar(encrypted)) return scalar(plain).with_origin(encrypted.origin()).with_taint();
    return encrypted;
  }

 private:
  Value join_maps(const Value& encrypted, const Value& plain, bool top) {
    std::vector<Entry> entries;
    for (const Entry& entry : encrypted.entries()) {
      if (top && entry.key.text() == kMetadata) continue;
      const Value* found = plain.find(entry.key.text());
      fits_ = fits_ && found != nullptr;
      if (found != nullptr) entries.push_back({entry.key, join(entry.value, *found, false)});
    }
    fits_ = fits_ && entries.size() == plain.entries().size();
    return make_map(arena_, entries).with_origin(encrypted.origin());
  }

  Value join_lists(const Value& encrypted, const Value& plain) {
    std::vector<Value> items;
    fits_ = fits_ && encrypted.items().size() == plain.items().size();
    for (std::size_t i = 0; fits_ && i < plain.items().size(); ++i) {
      items.push_back(join(encrypted.items()[i], plain.items()[i], false));
    }
    return make_list(arena_, items).with_origin(encrypted.origin());
  }

  // Copies the bytes, because the decrypted text isn't kept.
  Value scalar(const Value& plain) {
    fits_ = fits_ && !plain.is(Kind::Map) && !plain.is(Kind::List);
    return plain.is(Kind::String) ? make_string(arena_, plain.text()).with_style(ScalarStyle::DoubleQuoted) : plain;
  }

  Arena& arena_;
  bool fits_ = true;
};

}  // namespace

bool is_encrypted(const Value& document) {
  const Value* metadata = document.is(Kind::Map) ? document.find(kMetadata) : nullptr;
  if (metadata == nullptr || !metadata->is(Kind::Map)) return false;
  return metadata->find("mac") != nullptr && metadata->find("lastmodified") != nullptr;
}

std::optional<Value> with_decrypted_values(const Value& encrypted, const Value& plain, Arena& arena) {
  Decryption decryption(arena);
  const Value joined = decryption.join(encrypted, plain, true);
  return decryption.fits() ? std::optional(joined) : std::nullopt;
}

ReadStream::ReadStream(std::string_view path, std::string_view text, ScalarRules rules, const Limits& limits) {
  Stage stage{sources_, faults_, arena_, origins_, limits};
  const FileId file = sources_.add(std::string(path), std::string(text));
  documents_ = read_yaml_documents(file, stage, {rules, TextSyntax::ByName});
}

bool same_data(const ReadStream& a, const ReadStream& b) {
  const auto all_of_a = a.documents(), all_of_b = b.documents();
  return !a.failed() && !b.failed() &&
         std::equal(all_of_a.begin(), all_of_a.end(), all_of_b.begin(), all_of_b.end(),
                    [](const YamlDocument& x, const YamlDocument& y) { return json_equal(x.value, y.value); });
}

bool is_encrypted(const ReadStream& stream) {
  const auto documents = stream.documents();
  return !stream.failed() && !documents.empty() &&
         std::all_of(documents.begin(), documents.end(), [](const YamlDocument& d) { return is_encrypted(d.value); });
}

bool is_encrypted_as_a_whole(const ReadStream& encrypted) {
  const auto documents = encrypted.documents();
  return std::any_of(documents.begin(), documents.end(), [](const YamlDocument& document) {
    const Value* kind = document.value.find("kind");
    return kind != nullptr && is_encrypted_scalar(*kind);
  });
}

std::optional<std::string> readable_leaf(const ReadStream& encrypted, const std::vector<SecretLeaf>& leaves) {
  for (const SecretLeaf& leaf : leaves) {
    const bool there = leaf.document < encrypted.documents().size();
    const Value* found = there ? find_at(encrypted.documents()[leaf.document].value, leaf.path) : nullptr;
    if (found == nullptr || !is_encrypted_scalar(*found)) return text_of(leaf.path);
  }
  return std::nullopt;
}

}  // namespace capwright::secrets
