// Runs the crd stage for spec files.
#include "support/run_manifest.h"

#include <deque>
#include <fmt/format.h>

#include "crd/digest.h"
#include "crd/validate.h"
#include "pipeline/schemas.h"
#include "support/dump.h"
#include "yaml/read.h"

namespace capwright::spec {
namespace {

// The CRD of a kind with one version and a status, up to the schema of `spec`.
constexpr std::string_view kThing = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          status: {type: object, properties: {ready: {type: boolean}}}
          spec:
)";

class ManifestRun {
 public:
  explicit ManifestRun(const Case& test) : test_(test) {}

  std::vector<Mismatch> run() {
    read_crds();
    judge();
    for (const Block& block : test_.blocks) {
      if (block.info == "verdict") compare(block, verdict_);
      else if (block.info == "object") compare(block, object_);
      else if (block.info == "digests") compare(block, digests_);
      else if (block.info == "errors") compare(block, errors());
    }
    if (test_.find("errors") == nullptr && !sink_.diagnostics().empty())
      mismatches_.push_back({nullptr, errors(), "there are findings, and no `errors` block expects them"});
    return std::move(mismatches_);
  }

 private:
  const Block* file(std::string_view name) const {
    for (const Block* one : test_.files()) {
      if (one->info == name) return one;
    }
    return nullptr;
  }

  std::vector<YamlDocument> read_text(const std::string& name, const std::string& text) {
    return read_yaml_documents(sources_.add(name, text), stage_, {ScalarRules::Kubernetes});
  }
  std::vector<YamlDocument> read(std::string_view name) {
    const Block* block = file(name);
    return block == nullptr ? std::vector<YamlDocument>() : read_text(block->info, block->text);
  }

  std::vector<YamlDocument> crds() {
    const Block* spec = file("spec.yaml");
    if (spec == nullptr) return read("crds.yaml");
    std::string text(kThing);
    for (std::size_t at = 0; at < spec->text.size();) {
      const std::size_t end = spec->text.find('\n', at) + 1;
      text += "            " + spec->text.substr(at, end - at);
      at = end;
    }
    return read_text("spec.yaml", text);
  }

  void read_crds() {
    for (const crd::DigestText& digest : crd::make_digests(crds(), stage_)) {
      if (digest.name != crd::kKindsFile) digests_ += digest.text;
      texts_.push_back("schemas/crds/test-v1.0.0/" + digest.name);
      texts_.push_back(digest.text);
    }
  }

  // The server's own kinds are always known.
  std::vector<crd::DigestFile> files() const {
    std::vector<crd::DigestFile> all;
    for (const crd::DigestFile& built_in : built_in_digests()) {
      if (texts_.empty() || built_in.path.starts_with("schemas/crds/kubernetes-")) all.push_back(built_in);
    }
    for (std::size_t i = 0; i < texts_.size(); i += 2) all.push_back({texts_[i], texts_[i + 1]});
    return all;
  }

  void judge() {
    const std::vector<YamlDocument> stored = read("old.yaml");
    const std::vector<crd::DigestFile> known = files();
    const crd::Registry registry(known, {});
    for (const YamlDocument& document : read("manifest.yaml")) {
      crd::Request request{.object = document.value, .old = stored.empty() ? nullptr : &stored[0].value};
      add(crd::validate(request, registry, stage_));
    }
  }

  void add(const crd::Verdict& verdict) {
    using Outcome = crd::Verdict::Outcome;
    verdict_ += verdict.outcome == Outcome::Accepted  ? "accepted\n"
                : verdict.outcome == Outcome::Refused ? "refused\n"
                                                      : "unknown kind\n";
    for (const crd::Finding& finding : verdict.findings) {
      const LineCol at = sources_.line_col(finding.where);
      verdict_ += fmt::format("{}:{} [{}] {}{}{}\n", at.line, at.column, crd::phase_name(finding.phase), finding.path,
                              finding.path.empty() ? "" : ": ", finding.message);
      if (!finding.help.empty()) verdict_ += "  help: " + finding.help + "\n";
    }
    object_ += dump_json(verdict.object) + "\n";
  }

  std::string errors() const {
    std::string text;
    for (const Diagnostic& diagnostic : sink_.diagnostics()) {
      if (diagnostic.where.known()) {
        const LineCol at = sources_.line_col(diagnostic.where);
        text += fmt::format("{}:{}:{} ", sources_.path(diagnostic.where.file), at.line, at.column);
      }
      text += fmt::format("[{}] {}\n", diagnostic.info->code, diagnostic.message);
    }
    return text;
  }

  void compare(const Block& block, const std::string& actual) {
    if (actual != block.text) mismatches_.push_back({&block, actual, "`" + block.info + "` differs"});
  }

  const Case& test_;
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  const Limits limits_;
  Stage stage_{sources_, sink_, arena_, origins_, limits_};
  std::deque<std::string> texts_;  // owns paths and texts of digests
  std::string verdict_, object_, digests_;
  std::vector<Mismatch> mismatches_;
};

}  // namespace

bool is_manifest_case(const Case& test) {
  for (const Block* one : test.files()) {
    if (one->info == "manifest.yaml" || one->info == "crds.yaml" || one->info == "spec.yaml") return true;
  }
  return false;
}

std::vector<Mismatch> run_manifest_case(const Case& test) { return ManifestRun(test).run(); }

}  // namespace capwright::spec
