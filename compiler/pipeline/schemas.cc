// Finds digests by path: first in the built-in table, then in the repository's folder.
#include "pipeline/schemas.h"

#include "diag/catalog/schemas.h"
#include "diag/suggest.h"
#include "embedded/embedded.h"
#include "facts/catalogue.h"
#include "files/io_fault.h"

namespace capwright {
namespace {

void read_release(FileSystem& fs, const Workspace& workspace, const std::string& folder, Stage& stage,
                  KnownSchemas& known) {
  std::vector<DirEntry> entries;
  if (fs.list(workspace.io_path(folder), entries)) return;
  for (const DirEntry& entry : entries) {
    if (entry.type == FileType::Directory) continue;
    std::string& path = known.own.emplace_back(folder + "/" + entry.name);
    std::string& text = known.own.emplace_back();
    const IoError error = fs.read(workspace.io_path(path), text, stage.limits.input_bytes);
    if (error) report_io_fault(stage.sink, IoTask::Read, path, error, {});
    else known.files.push_back({path, text});
  }
}

// `1.14` of `1.14.2`; empty for another form.
std::string_view minor_of(std::string_view version) {
  const std::size_t dot = version.find('.'), end = dot == std::string_view::npos ? dot : version.find('.', dot + 1);
  return end == std::string_view::npos ? std::string_view() : version.substr(0, end);
}

// The edit for a release without known schemas: those of another patch release. Empty if there are none.
std::string other_patch_release(const crd::Target& unknown, const crd::Registry& registry) {
  const std::string_view minor = minor_of(unknown.version);
  std::string_view found;
  for (const std::string_view release : registry.releases()) {
    const bool is_same = !minor.empty() && release.starts_with(fmt::format("{}-v{}.", unknown.provider, minor));
    if (is_same) found = release.substr(release.rfind("-v") + 2);
  }
  if (found.empty()) return {};
  return fmt::format(
      "write `{}: \"{}\"`, which takes the schemas of {}; or add those of {} with `capwright schema add --release "
      "{}-v{}`",
      unknown.provider, minor, found, unknown.version, unknown.provider, unknown.version);
}

// The releases of a provider, or the known providers.
std::string known_targets(std::string_view provider, const crd::Registry& registry) {
  std::vector<std::string_view> providers, versions;
  for (const std::string_view release : registry.releases()) {
    const std::size_t mark = release.rfind("-v");
    if (mark == std::string_view::npos) continue;
    const std::string_view of = release.substr(0, mark);
    if (providers.empty() || providers.back() != of) providers.push_back(of);
    if (of == provider) versions.push_back(release.substr(mark + 2));
  }
  if (!versions.empty()) return "known: " + list_names(versions, 20);
  const std::string suggestion = did_you_mean(provider, providers);
  return suggestion.empty() ? "known: " + list_names(providers, 20) : suggestion;
}

std::vector<crd::FeatureGate> known_gates(const Config& config, Stage& stage) {
  std::vector<crd::FeatureGate> gates;
  for (const GateRule& rule : config.feature_gates) {
    const auto other = std::find_if(config.feature_gates.data(), &rule, [&](const GateRule& earlier) {
      return earlier.name == rule.name && earlier.is_on != rule.is_on;
    });
    if (other != &rule)
      stage.sink.report(diag::contradictory_feature_gate, rule.where, rule.name)
          .also(other->where, other->is_on ? "on here" : "off here")
          .advise("keep the entry that says how the management cluster's providers run");
    gates.push_back({rule.name, rule.is_on});
    if (gate_default(rule.name)) continue;
    const std::string suggestion = did_you_mean(rule.name, gate_names());
    stage.sink.report(diag::unknown_feature_gate, rule.where, rule.name)
        .advise(suggestion.empty() ? "known: " + list_names(gate_names(), gate_names().size()) : suggestion);
  }
  return gates;
}

}  // namespace

std::span<const crd::DigestFile> built_in_digests() {
  static const std::vector<crd::DigestFile> digests = [] {
    std::vector<crd::DigestFile> found;
    for (const embedded::File& file : embedded::files()) {
      if (file.path.starts_with(kDigestFolder)) found.push_back({file.path, file.text});
    }
    return found;
  }();
  return digests;
}

KnownSchemas load_schemas(FileSystem& fs, const Workspace& workspace, const Config& config, Stage& stage) {
  KnownSchemas known;
  known.files.assign(built_in_digests().begin(), built_in_digests().end());
  std::vector<DirEntry> releases;
  const std::string folder(kDigestFolder.substr(0, kDigestFolder.size() - 1));
  if (!fs.list(workspace.io_path(folder), releases)) {
    for (const DirEntry& release : releases) read_release(fs, workspace, folder + "/" + release.name, stage, known);
  }
  std::vector<crd::Target> targets;
  for (const TargetRule& rule : config.targets) targets.push_back({rule.provider, rule.version});
  known.registry = std::make_unique<crd::Registry>(known.files, targets, known_gates(config, stage));
  for (const crd::Target& unknown : known.registry->unknown_targets()) {
    for (const TargetRule& rule : config.targets) {
      if (rule.provider != unknown.provider) continue;
      const std::string other = other_patch_release(unknown, *known.registry);
      stage.sink.report(diag::unknown_target, rule.where, unknown.provider, unknown.version)
          .advise(other.empty() ? known_targets(unknown.provider, *known.registry) : other);
    }
  }
  return known;
}

}  // namespace capwright
