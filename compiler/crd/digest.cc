// Reads CRDs as the server does: names and versions first, then the schema of each served version.
#include "crd/digest.h"

#include <algorithm>
#include <map>

#include "crd/schema_text.h"
#include "diag/catalog/schemas.h"
#include "yaml/write.h"

namespace capwright::crd {
namespace {

constexpr std::string_view kKindsHeader = "group\tkind\tplural\tscope\tversion\tstate\n";

bool flag_at(const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  return value != nullptr && value->is(Kind::Bool) && value->as_bool();
}

// Whether a name can be part of a file name and of a tab-separated line.
bool is_plain(std::string_view name) {
  return !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

struct Names {
  std::string_view group, kind, plural, scope;
};

class Digester {
 public:
  explicit Digester(Stage& stage) : stage_(stage) {}

  void add(const Value& document) {
    if (!document.is(Kind::Map)) return;
    const std::string_view kind = document.text_at("kind");
    if (kind == "CustomResourceDefinition") return add_crd(document);
    const Value* items = document.find("items");
    if (!kind.ends_with("List") || items == nullptr || !items->is(Kind::List)) return;
    for (const Value& item : items->items()) add(item);
  }

  std::vector<DigestText> files() const {
    if (files_.empty()) return {};
    std::vector<DigestText> all;
    std::string kinds(kKindsHeader);
    for (const auto& [key, line] : lines_) kinds += line;
    for (const auto& [name, text] : files_) all.push_back({name, text.text, text.where});
    all.push_back({std::string(kKindsFile), kinds});
    std::sort(all.begin(), all.end(), [](const DigestText& a, const DigestText& b) { return a.name < b.name; });
    return all;
  }

 private:
  void add_crd(const Value& crd) {
    const Value* spec = crd.find("spec");
    const Value* names = spec != nullptr ? spec->find("names") : nullptr;
    const Value* versions = spec != nullptr ? spec->find("versions") : nullptr;
    if (names == nullptr || versions == nullptr || !versions->is(Kind::List)) {
      refuse(crd, "a CRD of apiextensions.k8s.io/v1 needs `spec.names` and a list `spec.versions`");
      return;
    }
    const Names of{spec->text_at("group"), names->text_at("kind"), names->text_at("plural"), spec->text_at("scope")};
    if (!is_plain(of.group) || !is_plain(of.kind) || !is_plain(of.plural) || !is_plain(of.scope)) {
      refuse(*spec, "`group`, `scope`, `names.kind` and `names.plural` must be names");
      return;
    }
    for (const Value& version : versions->items()) add_version(of, version);
  }

  void add_version(const Names& of, const Value& version) {
    const std::string_view name = version.text_at("name");
    if (!is_plain(name)) return refuse(version, "each of `spec.versions` needs a `name`");
    const bool served = flag_at(version, "served");
    std::string state = served ? "served" : "";
    const auto add_state = [&](std::string_view key) {
      if (flag_at(version, key)) state += (state.empty() ? "" : ",") + std::string(key);
    };
    add_state("storage");
    add_state("deprecated");
    lines_[{std::string(of.group), std::string(of.kind), std::string(name)}] =
        fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", of.group, of.kind, of.plural, of.scope, name, state);
    if (!served) return;
    const Value* schema = schema_of(version);
    if (schema == nullptr || check_types(*schema, ""))
      files_[digest_name(of.group, name, of.kind)] = {version_text(of, version), place_of(version)};
  }

  std::string version_text(const Names& of, const Value& version) {
    std::string text = fmt::format("{{\"group\":\"{}\",\"version\":\"{}\",\"kind\":\"{}\"", of.group,
                                   version.text_at("name"), of.kind);
    if (const Value* subresources = version.find("subresources")) {
      if (subresources->find("status") != nullptr) text += ",\"status\":true";
      if (const Value* scale = subresources->find("scale")) {
        text += ",\"specReplicasPath\":" + quoted(scale->text_at("specReplicasPath"));
        text += ",\"statusReplicasPath\":" + quoted(scale->text_at("statusReplicasPath"));
      }
    }
    const Value* schema = schema_of(version);
    const Value anything = make_map(stage_.arena, {});
    return text + ",\n" + SchemaText(schema != nullptr ? *schema : anything).text() + "}\n";
  }

  static const Value* schema_of(const Value& version) {
    const Value* validation = version.find("schema");
    return validation != nullptr ? validation->find("openAPIV3Schema") : nullptr;
  }

  // In a structural schema every field has a type. Reports a missing type and returns false.
  // https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
  bool check_types(const Value& schema, const std::string& path) {
    if (!schema.is(Kind::Map)) return true;
    const bool may_have_none =
        flag_at(schema, "x-kubernetes-int-or-string") || flag_at(schema, "x-kubernetes-preserve-unknown-fields");
    if (!path.empty() && schema.find("type") == nullptr && !may_have_none) {
      refuse(schema, fmt::format("`{}` has no `type`", path));
      return false;
    }
    bool has_types = true;
    const auto check = [&](std::string_view keyword, const std::string& below) {
      if (const Value* child = schema.find(keyword)) has_types &= check_types(*child, below);
    };
    check("items", path + "[]");
    check("additionalProperties", path + ".*");
    const Value* properties = schema.find("properties");
    if (properties == nullptr || !properties->is(Kind::Map)) return has_types;
    for (const Entry& entry : properties->entries())
      has_types &= check_types(entry.value, path + (path.empty() ? "" : ".") + std::string(entry.key.text()));
    return has_types;
  }

  Span place_of(const Value& value) const { return stage_.origins[value.origin()].span; }

  std::string quoted(std::string_view text) { return canonical_json(make_string(stage_.arena, text)); }

  void refuse(const Value& value, std::string_view why) {
    stage_.sink.report(diag::broken_crd, place_of(value), std::string(why));
  }

  Stage& stage_;
  struct Written {
    std::string text;
    Span where;
  };
  std::map<std::string, Written> files_;
  std::map<std::array<std::string, 3>, std::string> lines_;  // by group, kind and version
};

}  // namespace

std::string digest_name(std::string_view group, std::string_view version, std::string_view kind) {
  return fmt::format("{}_{}_{}.json", group, version, kind);
}

std::vector<DigestText> make_digests(const std::vector<YamlDocument>& documents, Stage& stage) {
  Digester digester(stage);
  for (const YamlDocument& document : documents) digester.add(document.value);
  return digester.files();
}

}  // namespace capwright::crd
