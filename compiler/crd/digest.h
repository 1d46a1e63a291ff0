// Digests: the parts of a CRD that the server needs, without its prose, in files that diff well. schemas/crds/README.md
// describes the form; registry.h finds and reads them.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crd/program.h"
#include "value/stage.h"
#include "value/value.h"
#include "yaml/read.h"

namespace capwright::crd {

// A file in a release's directory.
struct DigestText {
  std::string name;  // "kinds.tsv", "cluster.x-k8s.io_v1beta2_Cluster.json"
  std::string text;
  Span where = {};  // of the version in its CRD
};

inline constexpr std::string_view kKindsFile = "kinds.tsv";
inline constexpr std::string_view kCoreGroup = "core";  // the name in files for the unnamed group

// The name of the file for a version of a kind.
std::string digest_name(std::string_view group, std::string_view version, std::string_view kind);

// The digests of all CRDs among `documents`, also inside Lists (`kubectl get crd -o yaml`); other objects are ignored.
// An invalid CRD is reported and skipped. Sorted by name.
std::vector<DigestText> make_digests(const std::vector<YamlDocument>& documents, Stage&);

// Compiles the text of a digest to the Schema that objects are validated against.

// `digest` is the JSON of a digest's file; its strings must outlive the Schema. Null if it is invalid; then `fault`
// says why. Definitions may refer only to earlier ones, so that no schema contains itself.
std::unique_ptr<Schema> compile_digest(const Value& digest, PatternSet& patterns, std::string& fault);

// The errors of a digest's text: invalid JSON, an invalid digest, rules that don't compile. Empty if it is valid.
std::vector<std::string> digest_faults(const std::string& text);

}  // namespace capwright::crd
