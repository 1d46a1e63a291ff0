// Parses the file again with a separate source: secrets are rare, and no copy of them is kept.
#include "secrets/secret_leaves.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "files/path_rules.h"
#include "secrets/sealed_secret.h"
#include "yaml/read.h"

namespace capwright::secrets {
namespace {

struct Leaf {
  Span span;
  SecretLeaf place;
  bool secret = false;
};

bool is_secret(const Value& document) {
  const Value* kind = document.find("kind");
  return kind != nullptr && kind->is(Kind::String) && kind->text() == "Secret";
}

class LeafList {
 public:
  LeafList(const OriginTable& origins, SecretHolder holder) : origins_(origins), holder_(holder) {}

  void add_document(const Value& document, std::size_t number) {
    if (!document.is(Kind::Map)) return;
    number_ = number;
    if (holder_ == SecretHolder::Secret && is_secret(document)) {
      add_data(document, {}, {"data", "stringData"});
    } else if (holder_ == SecretHolder::SealedSecret && is_sealed_secret(document)) {
      const Value* spec = document.find("spec");
      if (spec != nullptr && spec->is(Kind::Map)) add_data(*spec, {{"spec", std::nullopt}}, {"encryptedData"});
    }
  }
  // The leaf that contains all of [begin, end); null if there is none.
  Leaf* around(std::uint32_t begin, std::uint32_t end) {
    for (Leaf& leaf : leaves_) {
      if (leaf.span.begin <= begin && end <= leaf.span.end) return &leaf;
    }
    return nullptr;
  }
  std::vector<Leaf>& leaves() { return leaves_; }

 private:
  void add_data(const Value& map, const DataPath& path, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
      if (const Value* data = map.find(key)) add_below(*data, path, {std::string(key), std::nullopt});
    }
  }
  void add(const Value& value, const DataPath& path) {
    if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) add_below(entry.value, path, {std::string(entry.key.text()), {}});
    } else if (value.is(Kind::List)) {
      for (std::size_t i = 0; i < value.items().size(); ++i) add_below(value.items()[i], path, {"", i});
    } else {
      leaves_.push_back({origins_[value.origin()].span, {number_, path}});
    }
  }
  void add_below(const Value& value, DataPath path, DataStep step) {
    path.push_back(std::move(step));
    add(value, path);
  }

  const OriginTable& origins_;
  SecretHolder holder_;
  std::size_t number_ = 0;
  std::vector<Leaf> leaves_;
};

}  // namespace

SecretLeaves find_secret_leaves(const RenderedFile& file, SecretHolder holder, const Limits& limits) {
  OwnStage own(limits);  // its errors are dropped: all rendered YAML is checked elsewhere
  LeafList list(own.origins, holder);
  if (has_data_name(file.path)) {
    const FileId text = own.sources.add(file.path, file.body.text());
    const auto documents = read_yaml_documents(text, own.stage, {ScalarRules::Kubernetes, TextSyntax::ByName});
    for (std::size_t i = 0; i < documents.size(); ++i) list.add_document(documents[i].value, i);
  }
  SecretLeaves found;
  const std::string_view text = file.body.text();
  const auto segments = file.body.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!segments[i].tainted) continue;
    constexpr std::string_view kBlank = " \t\r\n";
    const std::uint32_t next = i + 1 < segments.size() ? segments[i + 1].begin : file.body.size();
    const std::string_view bytes = text.substr(segments[i].begin, next - segments[i].begin);
    const std::size_t first = bytes.find_first_not_of(kBlank);
    if (first == std::string_view::npos) continue;
    const auto begin = static_cast<std::uint32_t>(segments[i].begin + first);
    const auto end = static_cast<std::uint32_t>(segments[i].begin + bytes.find_last_not_of(kBlank) + 1);
    if (Leaf* leaf = list.around(begin, end)) leaf->secret = true;
    else found.outside.push_back(segments[i]);
  }
  for (Leaf& leaf : list.leaves()) {
    if (leaf.secret) found.inside.push_back(std::move(leaf.place));
  }
  return found;
}

}  // namespace capwright::secrets
