// Rows of one publication share their source commits.
#include "workflow/audit_verify.h"

#include <fmt/format.h>
#include <map>

#include "base/sha.h"
#include "embedded/embedded.h"
#include "pipeline/compile_cluster.h"

namespace capwright::workflow {
namespace {

using audit::ClusterRender;
using audit::RecordedFile;

// The two commits of a publication: the rendered one and the pushed one.
class PublishedCommits {
 public:
  PublishedCommits(AuditSession& session, const audit::Publication& publication) : session_(session) {
    const auto source = session.repository->commit(publication.source, sink_);
    const auto commit = session.repository->commit(publication.commit, sink_);
    if (!source || !commit) return;
    source_ = open_commit(session, *source, sink_);
    files_ = session.repository->files(*commit, session.folder, sink_);
    if (!source_ || files_ == nullptr) return;
    const std::string& output = source_->base->project->config().output;
    tree_.emplace(*files_, output, output == "." ? "" : output + "/");
    prefix_ = output == "." ? "" : output + "/";
    is_open_ = tree_->open(OutputTree::Access::Read, sink_);
  }

  Verification verify(const ClusterRender& recorded) {
    if (recorded.is_removal()) return verify_removal(recorded);
    if (!is_open_) return {Verification::Verdict::Unknown, {why_not()}};
    const auto compiled = compile_cluster(recorded.values_path, *source_->base->project, &*tree_);
    if (!compiled->clean()) {
      const Sink& sink =
          compiled->set != nullptr && compiled->set->sink.failed() ? compiled->set->sink : compiled->sink;
      return {Verification::Verdict::Unknown,
              {fmt::format("{} can't be rendered: {}", recorded.values_path, first_error(sink))}};
    }
    Verification result;
    const ClusterRender again = audit::record_of(*compiled, recorded.publication, false);
    if (again.input_digest != recorded.input_digest)
      result.faults.emplace_back("values or templates differ from the recorded ones");
    compare_files(recorded, again, result);
    for (const RecordedFile& file : recorded.files) compare_commit(file, result);
    if (!result.faults.empty()) result.verdict = Verification::Verdict::Differs;
    return result;
  }

 private:
  static std::string first_error(const Sink& sink) {
    for (const Diagnostic& each : sink.diagnostics()) {
      if (each.severity == Severity::Error) return each.message;
    }
    return "its values don't name a template set";
  }

  std::string why_not() const { return sink_.failed() ? first_error(sink_) : "one of its commits can't be read"; }

  // Without the commit, only the row is checked.
  Verification verify_removal(const ClusterRender& recorded) const {
    FileStat stat;
    const bool is_there = is_open_ && tree_->has_clusters() &&
                          !tree_->fs().stat(tree_->clusters() / recorded.cluster, stat) &&
                          stat.type == FileType::Directory;
    if (is_there)
      return {Verification::Verdict::Differs,
              {fmt::format("clusters/{} exists in the commit that removed it", recorded.cluster)}};
    return {Verification::Verdict::Removed, {"nothing to compare: this commit removed the cluster"}};
  }

  static void compare_files(const ClusterRender& recorded, const ClusterRender& again, Verification& result) {
    std::map<std::string_view, std::pair<const RecordedFile*, const RecordedFile*>> files;
    for (const RecordedFile& file : recorded.files) files[file.path].first = &file;
    for (const RecordedFile& file : again.files) files[file.path].second = &file;
    for (const auto& [path, both] : files) {
      const auto [was, is] = both;
      if (was == nullptr) result.faults.push_back(fmt::format("{} is rendered but wasn't recorded", path));
      else if (is == nullptr) result.faults.push_back(fmt::format("{} was recorded but isn't rendered", path));
      else if (!was->digest.empty() && was->digest != is->digest)
        result.faults.push_back(fmt::format("the render of {} differs from the record", path));
    }
  }

  // Compares with the commit's file, whatever wrote it.
  void compare_commit(const RecordedFile& file, Verification& result) const {
    if (file.digest.empty()) return;
    std::string bytes;
    const IoError error = files_->read(prefix_ + file.path, bytes, session_.open->limits.input_bytes);
    if (error) result.faults.push_back(fmt::format("can't read {} in the commit: {}", file.path, describe(error)));
    else if (to_hex(sha256(bytes)) != file.digest)
      result.faults.push_back(fmt::format("{} in the commit differs from the record", file.path));
  }

  AuditSession& session_;
  Sink sink_;
  std::optional<CommittedProject> source_;
  std::unique_ptr<git::CommitFiles> files_;
  std::optional<OutputTree> tree_;  // has the earlier generations
  std::string prefix_;              // of `clusters/`, in both commits
  bool is_open_ = false;
};

}  // namespace

std::vector<Verification> verify(const std::vector<ClusterRender>& renders, AuditSession& session, bool any_tool) {
  std::map<std::pair<std::string, std::string>, std::unique_ptr<PublishedCommits>> commits;
  std::vector<Verification> results;
  for (const ClusterRender& render : renders) {
    const audit::Publication& published = render.publication;
    if (!any_tool && !render.is_removal() && published.tool_version != embedded::version()) {
      results.push_back({Verification::Verdict::OtherTool,
                         {fmt::format("rendered by capwright {}, but this is {}; compare anyway with `--any-version`",
                                      published.tool_version, embedded::version())}});
      continue;
    }
    auto& opened = commits[{published.source, published.commit}];
    if (opened == nullptr) opened = std::make_unique<PublishedCommits>(session, published);
    results.push_back(opened->verify(render));
  }
  return results;
}

std::string_view word_of(Verification::Verdict verdict) {
  switch (verdict) {
    case Verification::Verdict::Same: return "same";
    case Verification::Verdict::Differs: return "differs";
    case Verification::Verdict::Removed: return "removed";
    case Verification::Verdict::OtherTool: return "other-version";
    case Verification::Verdict::Unknown: return "unknown";
  }
  return "";
}

}  // namespace capwright::workflow
