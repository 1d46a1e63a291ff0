// Applications are found in the rendered files: values have `argocd.revision` also if nothing reads it.
#include "workflow/followed_branch.h"

#include <algorithm>
#include <fmt/format.h>

#include "diag/catalog/publish.h"
#include "pipeline/template_set.h"

namespace capwright::workflow {

std::string followed_revision(const CompiledCluster& cluster) {
  constexpr std::string_view kApplication = "kind: Application\n";
  if (cluster.set == nullptr || cluster.set->plain || !cluster.values.is(Kind::Map)) return {};
  const Value* argocd = cluster.values.find("argocd");
  const Value* revision = argocd != nullptr && argocd->is(Kind::Map) ? argocd->find("revision") : nullptr;
  if (revision == nullptr || !revision->is(Kind::String)) return {};
  const auto& files = cluster.files.files();
  const bool has_applications = std::any_of(files.begin(), files.end(), [&](const RenderedFile& file) {
    return file.body.text().find(kApplication) != std::string_view::npos;
  });
  return has_applications ? std::string(revision->text()) : "";
}

void FollowedBranches::add(const std::string& cluster, const std::string& revision) {
  if (revision.empty() || revision == config_.publish_branch) return;
  if (!cluster_.empty()) {
    ++others_;
    return;
  }
  cluster_ = cluster;
  revision_ = revision;
}

void FollowedBranches::report(Sink& sink) const {
  const std::string& published = config_.publish_branch;
  if (published.empty() || config_.delivery != Delivery::ArgoCd) return;
  const std::string& printed = config_.argocd.revision;
  if (!printed.empty() && printed != published) {
    sink.report(diag::another_branch_followed, config_.revision_where, "Argo CD follows", printed, published)
        .note("`capwright argocd applicationset` prints `argocd.revision`")
        .advise(fmt::format("set `argocd.revision` to `{}`, or remove it: `publish.branch` is its default", published));
  }
  if (cluster_.empty()) return;
  std::string who = fmt::format("Applications of `{}`", cluster_);
  if (others_ != 0) who += fmt::format(" and {} more follow", others_);
  else who += " follow";
  sink.report(diag::another_branch_followed, config_.publish_branch_where, who, revision_, published)
      .note("they read chart values from `argocd.revision` of the cluster's values")
      .advise(fmt::format("set `argocd: {{revision: {}}}` in a layer of all clusters", published));
}

}  // namespace capwright::workflow
