// Reads and validates each request separately; keeps registries, because schemas are compiled on first use.
#include <istream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "admission/providers.h"
#include "cli/console.h"
#include "crd/validate.h"
#include "devtools/tasks.h"
#include "diag/catalog/text.h"
#include "pipeline/schemas.h"
#include "yaml/read.h"

namespace capwright::devtools {
namespace {

using nlohmann::ordered_json;

std::string text_in(const ordered_json& request, const char* key) {
  const auto found = request.find(key);
  return found != request.end() && found->is_string() ? found->get<std::string>() : std::string();
}

class Registries {
 public:
  // `release` may be empty: the newest stable release of every provider.
  const crd::Registry& find(const std::string& release) {
    std::unique_ptr<crd::Registry>& known = registries_[release];
    if (known == nullptr) {
      const std::size_t mark = release.find("-v");
      std::vector<crd::Target> targets;
      if (mark != std::string::npos) targets.push_back({release.substr(0, mark), release.substr(mark + 2)});
      known = std::make_unique<crd::Registry>(built_in_digests(), targets);
    }
    return *known;
  }

 private:
  std::map<std::string, std::unique_ptr<crd::Registry>> registries_;
};

class Judgement {
 public:
  // `admission` may be null: without the providers' webhooks.
  Judgement(const ordered_json& request, const crd::Admission* admission) : request_(request), admission_(admission) {}

  ordered_json run(const crd::Registry& registry) {
    const std::vector<YamlDocument> stored = read("<old>", text_in(request_, "old"));
    sink_ = Sink();
    const std::vector<YamlDocument> documents = read("<content>", text_in(request_, "content"));
    for (const Diagnostic& fault : sink_.diagnostics()) add_reading_fault(fault);
    const bool update = text_in(request_, "op") == "update";
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (documents[i].value.is(Kind::Null) || documents[i].value.is_error()) continue;
      crd::Request object{.object = documents[i].value, .admission = admission_};
      if (update && i < stored.size()) object.old = &stored[i].value;
      judge(object, i, registry);
    }
    return {{"id", request_.value("id", "")}, {"verdict", verdict()}, {"errors", errors_}};
  }

 private:
  const char* verdict() const {
    if (refused_) return "reject";
    return unknown_ ? "unknown-kind" : "ok";
  }

  std::vector<YamlDocument> read(const char* name, std::string text) {
    if (text.empty()) return {};
    const FileId file = sources_.add(name, std::move(text));
    return read_yaml_documents(file, stage_, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  }

  void add_reading_fault(const Diagnostic& fault) {
    if (fault.severity != Severity::Error) return;
    refused_ = true;
    const bool duplicate = fault.info == &diag::duplicate_key.info;
    add_error(0, "", duplicate ? "duplicate-key" : "parse", fault.where, fault.message);
  }

  void judge(const crd::Request& object, std::size_t document, const crd::Registry& registry) {
    const crd::Verdict verdict = crd::validate(object, registry, stage_);
    refused_ |= verdict.outcome == crd::Verdict::Outcome::Refused;
    unknown_ |= verdict.outcome == crd::Verdict::Outcome::UnknownKind;
    for (const crd::Finding& finding : verdict.findings)
      add_error(document, finding.path, crd::phase_name(finding.phase), finding.where, finding.message);
  }

  void add_error(std::size_t document, std::string_view path, std::string_view stage, Span where,
                 std::string_view message) {
    ordered_json error = {{"doc", document}, {"path", path}, {"stage", stage}};
    if (where.known()) error["line"] = sources_.line_col(where).line;
    error["message"] = message;
    errors_.push_back(std::move(error));
  }

  const ordered_json& request_;
  const crd::Admission* admission_;
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  const Limits limits_;
  Stage stage_{sources_, sink_, arena_, origins_, limits_};
  bool refused_ = false, unknown_ = false;
  ordered_json errors_ = ordered_json::array();
};

}  // namespace

int answer_verdicts(std::istream& requests, std::ostream& answers) {
  Registries registries;
  const admission::Providers providers(admission::built_in_rules(), admission::OtherObjects::Empty);
  std::string line;
  while (std::getline(requests, line)) {
    const ordered_json request = ordered_json::parse(line, nullptr, false);
    if (!request.is_object()) {
      answers << R"({"bad":"a request is a JSON object"})"
              << "\n"
              << std::flush;
      continue;
    }
    const crd::Admission* admission = request.value("webhooks", true) ? &providers : nullptr;
    const ordered_json answer = Judgement(request, admission).run(registries.find(text_in(request, "crds")));
    answers << answer.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << "\n" << std::flush;
  }
  return cli::kClean;
}

}  // namespace capwright::devtools
