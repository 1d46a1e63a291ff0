// CRDs, manifests and stored objects, separated by lines `=====`: whatever they say, judging ends and names places.
// CRDs that begin with a line `digest` are the text of a digest of example.com/v1, kind Thing.
#include <cstddef>
#include <cstdint>
#include <deque>

#include "crd/digest.h"
#include "crd/validate.h"
#include "fuzz/trial.h"
#include "yaml/read.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

constexpr std::string_view kDigestMark = "digest\n";
constexpr std::string_view kThing =
    "group\tkind\tplural\tscope\tversion\tstate\nexample.com\tThing\tthings\tNamespaced\tv1\tserved,storage\n";

std::deque<std::string> digests_of(std::string_view crds, Trial& trial) {
  std::deque<std::string> texts;  // paths and texts in turn
  if (crds.starts_with(kDigestMark)) {
    texts = {"a-v1/kinds.tsv", std::string(kThing), "a-v1/" + crd::digest_name("example.com", "v1", "Thing"),
             std::string(crds.substr(kDigestMark.size()))};
    return texts;
  }
  const FileId file = trial.sources.add("crds.yaml", std::string(crds));
  const std::vector<YamlDocument> documents = read_yaml_documents(file, trial.stage, {ScalarRules::Kubernetes});
  for (const crd::DigestText& digest : crd::make_digests(documents, trial.stage)) {
    texts.push_back("a-v1/" + digest.name);
    texts.push_back(digest.text);
  }
  return texts;
}

void account_for(const crd::Verdict& verdict, Trial& trial) {
  for (const crd::Finding& finding : verdict.findings) {
    expect(is_utf8(finding.message) && is_utf8(finding.path), "findings are UTF-8");
    expect(finding.where.known(), "a finding on an object that was read has a place");
    expect(finding.where.end <= trial.sources.text(finding.where.file).size(), "a place lies in its file");
    trial.account += finding.path + " " + finding.message + "\n";
  }
  const bool accepted = verdict.outcome == crd::Verdict::Outcome::Accepted;
  expect(accepted == verdict.findings.empty(), "what is accepted has no findings");
}

void run(std::string_view input, Trial& trial) {
  const std::vector<std::string_view> parts = parts_of(input);
  const std::deque<std::string> texts = digests_of(parts[0], trial);
  std::vector<crd::DigestFile> files;
  for (std::size_t i = 0; i < texts.size(); i += 2) {
    files.push_back({texts[i], texts[i + 1]});
    trial.account += texts[i + 1];
    if (texts[i].ends_with(".json"))
      for (const std::string& fault : crd::digest_faults(texts[i + 1])) trial.account += fault + "\n";
  }
  const crd::Registry registry(files, {});
  const auto read = [&](std::size_t part, const char* name) {
    if (parts.size() <= part) return std::vector<YamlDocument>();
    const FileId file = trial.sources.add(name, std::string(parts[part]));
    return read_yaml_documents(file, trial.stage, {ScalarRules::Kubernetes});
  };
  const std::vector<YamlDocument> stored = read(2, "old.yaml");
  for (const YamlDocument& document : read(1, "manifest.yaml")) {
    if (document.value.is_error()) continue;
    crd::Request request{.object = document.value};
    if (!stored.empty() && !stored[0].value.is_error()) request.old = &stored[0].value;
    account_for(crd::validate(request, registry, trial.stage), trial);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
