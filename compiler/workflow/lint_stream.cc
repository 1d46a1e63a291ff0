// Only one document is in memory at a time.
#include "workflow/lint_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "diag/catalog/limits.h"
#include "files/io_fault.h"
#include "lint/engine/lint.h"
#include "lint/facts/credential_places.h"
#include "lint/facts/unknown_kinds.h"
#include "workflow/shown_path.h"
#include "workflow/standard_input.h"
#include "yaml/document_stream.h"

namespace capwright::workflow {
namespace {

// API servers reject objects of more than 3 MiB.
constexpr std::uint32_t kMostDocumentBytes = 8u << 20;

bool is_long(const std::string& target, OpenProject& open) {
  if (target == "-") return standard_input().is_longer_than(open.limits.input_bytes);
  FileStat stat;
  return !open.fs.stat(target, stat) && stat.type == FileType::Regular && stat.size > open.limits.input_bytes;
}

class StreamLint {
 public:
  StreamLint(const lint::Linter& linter, const lint::Context& context, lint::Blame blame, StreamFindings& findings)
      : linter_(linter), context_(context), blame_(blame), findings_(findings) {
    context_.is_stream = true;
  }

  // Reads until the end, or until the output is closed.
  bool read(const std::string& path, yaml::DocumentStream::Read read) {
    yaml::DocumentStream stream(std::move(read), std::min(context_.limits.input_bytes, kMostDocumentBytes));
    for (yaml::StreamDocument document; stream.next(document);) {
      findings_.add_document();
      if (!lint(path, std::move(document))) return false;
    }
    return true;
  }

 private:
  bool lint(const std::string& path, yaml::StreamDocument document) {
    lint::Cluster cluster("", context_);
    if (!document.is_whole()) {
      const FileId source = cluster.sources().add(path, std::move(document.text), document.first_line);
      cluster.sink()
          .report(diag::input_too_large, {source, 0, 0}, document.size, kMostDocumentBytes)
          .note("only the document that starts here is skipped");
    } else {
      cluster.add_manifest(path, std::move(document.text), document.first_line, lint::TargetKind::Named);
      lint::lint_document(linter_, cluster, blame_);
      findings_.add_unknown_kinds(lint::unknown_kinds(cluster));
    }
    if (cluster.sink().diagnostics().empty()) return true;
    return findings_.add(cluster.sink().diagnostics(), cluster.sources(), lint::redactor_of(cluster));
  }

  const lint::Linter& linter_;
  lint::Context context_;
  lint::Blame blame_;
  StreamFindings& findings_;
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

bool has_long_target(const LintRequest& request, OpenProject& open) {
  return std::any_of(request.targets.begin(), request.targets.end(),
                     [&](const std::string& target) { return is_long(target, open); });
}

std::optional<Stop> lint_streams(const lint::Linter& linter, const lint::Context& context, const LintRequest& request,
                                 OpenProject& open, StreamFindings& findings) {
  for (const std::string& target : request.targets) {
    if (is_long(target, open)) continue;
    return Stop::because(fmt::format("`{}` can't be linted together with an input of more than {} bytes; name it alone",
                                     target, open.limits.input_bytes));
  }
  const Workspace& workspace = open.project->workspace();
  StreamLint stream(linter, context, request.blame, findings);
  findings.add(open.sink.diagnostics(), open.sources, {});
  const auto add_unreadable = [&](std::string_view what, IoError error) {
    Sink faults;
    report_io_fault(faults, IoTask::Read, what, error, {});
    findings.add(faults.diagnostics(), open.sources, {});
  };
  for (const std::string& target : request.targets) {
    if (target == "-") {
      const auto read = [](char* buffer, std::size_t size) { return standard_input().read(buffer, size); };
      const std::string name = request.stdin_filename ? shown_path(workspace, *request.stdin_filename) : "<stdin>";
      const bool reads_on = stream.read(name, read);
      if (const IoError error = standard_input().error()) add_unreadable("<stdin>", error);
      if (!reads_on) break;
      continue;
    }
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(target.c_str(), "rb"));
    const auto read = [&](char* buffer, std::size_t size) { return std::fread(buffer, 1, size, file.get()); };
    const bool reads_on = file == nullptr || stream.read(shown_path(workspace, target), read);
    if (file == nullptr || std::ferror(file.get()) != 0) add_unreadable(target, {errno});
    if (!reads_on) break;
  }
  return std::nullopt;
}

}  // namespace capwright::workflow
