// The digest covers what all clusters share. Each cluster has a digest of its own inputs (ClaimsOfCluster::inputs).
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string_view>

#include "base/sha.h"
#include "embedded/embedded.h"
#include "git/repository.h"
#include "workflow/claims_file.h"
#include "yaml/write.h"

namespace capwright::workflow {
namespace {

std::string head_commit_of(const OpenProject& open) {
  const std::string& prefix = open.project->workspace().prefix;
  std::error_code failed;
  const std::string root = std::filesystem::weakly_canonical(prefix.empty() ? "." : prefix, failed).string();
  Sink outside;  // no repository, or one that can't be read: then the inputs of all clusters are compared
  const auto repository = git::open_repository(root, outside);
  const auto head = repository == nullptr ? std::nullopt : repository->head(outside);
  return head && head->commit ? git::hex(*head->commit) : "-";
}

// Without the values of `--set`, which may be secret: clusters have digests without secrets.
std::string options_of(const LintRequest& request, const OpenProject& open) {
  std::string text = fmt::format("select {}\nignore {}\nblame {}\nas of {}\nsources {}\n",
                                 fmt::join(request.select, ","), fmt::join(request.ignore, ","),
                                 static_cast<int>(request.blame), request.as_of.value_or(""), open.runs_sources);
  text += fmt::format("values {}\n", fmt::join(request.values.files, "\n"));
  for (const ValueOptions::Set& set : request.values.sets)
    text += fmt::format("set {}\n", set.assignment.substr(0, set.assignment.find('=')));
  text += fmt::format("baseline {}\nnew from {} {}\n", request.baseline.value_or(""), request.new_from_rev.value_or(""),
                      request.merge_base);
  if (request.plain) {
    text += fmt::format("templates {}\n{}\n{}\n{}\n", request.plain->folder, request.plain->main,
                        request.plain->schema.value_or(""), fmt::join(request.plain->jinja, ","));
  }
  return text;
}

}  // namespace

ClaimsHead claims_head(const LintRequest& request, OpenProject& open) {
  std::map<std::string_view, std::string_view> files;
  for (const FileId file : open.sources.files()) files.emplace(open.sources.path(file), open.sources.text(file));
  std::string state = options_of(request, open);
  for (const auto& [path, text] : files) state += fmt::format("{} {} {}\n{}", path.size(), path, text.size(), text);
  if (const Value* facts = open.project->own_kubernetes_facts()) state += canonical_json(*facts);
  return {request.shard, std::string(embedded::version()), head_commit_of(open), to_hex(sha256(state))};
}

}  // namespace capwright::workflow
