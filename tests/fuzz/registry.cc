// A repository's own digests: targets (`provider version` a line), a `kinds.tsv`, a digest of example.com/v1 Thing and
// manifests, separated by lines `=====`. Anybody may have edited them: they are used, or they are as good as absent.
#include "crd/registry.h"

#include <cstddef>
#include <cstdint>

#include "crd/digest.h"
#include "crd/validate.h"
#include "fuzz/trial.h"
#include "yaml/read.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

std::vector<crd::Target> targets_of(std::string_view text) {
  std::vector<crd::Target> targets;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t space = std::min(line.find(' '), line.size());
    targets.push_back({std::string(line.substr(0, space)), std::string(line.substr(std::min(space + 1, line.size())))});
  }
  return targets;
}

void check_kinds(const crd::Registry& registry, Trial& trial) {
  const auto has_group = [](const crd::KindVersion& each) { return std::tie(each.group, each.kind); };
  const crd::KindVersion* last = nullptr;
  for (const crd::KindVersion& each : registry.kinds()) {
    expect(last == nullptr || has_group(*last) <= has_group(each), "kinds are sorted");
    last = &each;
    const crd::KindVersion* found = registry.find(each.api_version(), each.kind);
    expect(found == nullptr || (found->kind == each.kind && found->served), "what is found is served");
    bool is_listed = false;
    for (const crd::KindVersion& version : registry.versions(each.group, each.kind))
      is_listed = is_listed || version.version == each.version;
    expect(is_listed, "a kind has its version");
    trial.account += each.api_version() + " " + std::string(each.kind) + "\n";
  }
  for (const crd::Target& unknown : registry.unknown_targets()) trial.account += unknown.provider + unknown.version;
  expect(registry.served_releases().size() <= registry.releases().size(), "what is served is known");
}

void run(std::string_view input, Trial& trial) {
  std::vector<std::string_view> parts = parts_of(input);
  parts.resize(4);
  const std::string digest(parts[2]);
  for (const std::string& fault : crd::digest_faults(digest)) {
    expect(is_utf8(fault), "faults of digests are UTF-8");
    trial.account += fault + "\n";
  }
  const std::string name = crd::digest_name("example.com", "v1", "Thing");
  const std::string paths[] = {"a-v1.0.0/kinds.tsv", "a-v1.0.0/" + name, "a-b-v2.0.0-rc.1/kinds.tsv",
                               "a-b-v2.0.0-rc.1/" + name};
  const crd::DigestFile files[] = {{paths[0], parts[1]}, {paths[1], digest}, {paths[2], parts[1]}, {paths[3], digest}};
  const crd::Registry registry(files, targets_of(parts[0]));
  check_kinds(registry, trial);
  const FileId file = trial.sources.add("manifest.yaml", std::string(parts[3]));
  for (const YamlDocument& document : read_yaml_documents(file, trial.stage, {ScalarRules::Kubernetes})) {
    if (document.value.is_error()) continue;
    const crd::Verdict verdict = crd::validate({.object = document.value}, registry, trial.stage);
    for (const crd::Finding& finding : verdict.findings) {
      expect(is_utf8(finding.message) && is_utf8(finding.path), "findings are UTF-8");
      trial.account += finding.path + " " + finding.message + "\n";
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
