// The files that set up Argo CD for a repository, rendered from built-in templates (schemas/argocd/).
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "workflow/open_project.h"

namespace capwright::workflow {

enum class SidecarForm : std::uint8_t { Kustomize, Values };

// The plugin.yaml that completes the credentials of a form, `avp` or `sops`. `from_tree`: of the rendered tree;
// otherwise capwright renders values files first, which works for `avp` only.
std::string credential_plugin(const std::string& form, bool from_tree);

class ArgoCdFiles {
 public:
  // `given` are options of the command line. What neither they nor capwright.yaml set comes from the clusters' values.
  // `published`: the branch that the tree is published to, which Argo CD follows by default; empty: the values' branch.
  ArgoCdFiles(OpenProject& open, ArgoCdConfig given, std::string published = {})
      : open_(open), given_(std::move(given)), published_(std::move(published)) {}

  // Each returns the text, or "" if error() has the reason.
  std::string project();
  // `by_plugin`: the plugin renders values files, and only those are committed; otherwise the tree is applied.
  std::string application_set(bool by_plugin);
  std::string repo_server_patch(SidecarForm);

  const std::string& error() const { return error_; }
  // About values that don't fit the files; empty: none.
  const std::string& note() const { return note_; }
  // Of clusters whose values have errors, so that the files may lack what these would set.
  void add_findings(report::Findings& findings) const;

 private:
  using Texts = std::map<std::string, std::string>;

  // Sets the error if a setting has another form.
  std::string checked(const std::string& key, const std::string& value);
  // The setting by the first that has it; `key` is its path below `argocd` of the values.
  std::string setting(std::string ArgoCdConfig::*member, const std::string& key, std::string_view fallback);
  void read_clusters();
  void add_note(const std::string& line);
  Texts shared_settings();
  // The form of credentials that needs a plugin in the Applications, `avp` or `sops`; empty: none.
  std::string form_of_credentials(bool by_plugin);
  // For `manifest-generate-paths`: the folders at the top, and the files there, that the clusters' values come from.
  std::string inputs() const;

  OpenProject& open_;
  const ArgoCdConfig given_;
  const std::string published_;
  bool has_read_ = false;
  std::map<std::string, std::map<std::string, std::string>>
      found_;                                  // by key: values with the first cluster that has each
  std::pair<std::string, std::string> stray_;  // a revision other than `published_`, and the first cluster with it
  std::set<std::string> read_files_;           // relative to the root
  std::vector<std::unique_ptr<CompiledCluster>> broken_;
  std::vector<std::string> unregistered_;  // clusters that need a registration and don't render one
  std::string error_, note_;
};

}  // namespace capwright::workflow
