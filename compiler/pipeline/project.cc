// Loads template sets on demand, each once.
#include "pipeline/project.h"

#include <utility>

#include "pipeline/own_catalogue.h"
#include "pipeline/own_templates.h"

namespace capwright {

Project::Project(FileSystem& fs, Workspace workspace, Config config, ProjectOptions options)
    : fs_(fs), workspace_(std::move(workspace)), config_(std::move(config)), options_(std::move(options)) {
  if (options_.programs != nullptr)
    sops_ =
        std::make_unique<secrets::Sops>(*options_.programs, options_.limits, workspace_.prefix, options_.vault_address);
  folder_ = chosen_templates(options_.plain, config_.own_templates);
  if (folder_) plain_ = load_plain_folder(*folder_, fs_, workspace_, options_.limits);
  else known_ = known_sets(fs_, workspace_, config_, sink_);
  const OwnCatalogue& own = config_.catalogue;
  Stage stage{catalogue_sources_, sink_, catalogue_arena_, catalogue_origins_, options_.limits};
  if (!own.kubernetes.text.empty()) own_kubernetes_ = kubernetes_facts(own, stage);
  if (!own.addons.text.empty() || !own.own_addons.empty())
    own_addons_ = values::read_addon_catalogue(addon_facts(own, stage));
}

const KnownSet* Project::known_set(std::string_view provider_or_id) const {
  const KnownSet* wanted = nullptr;
  for (const KnownSet& known : known_) {
    if (known.id == provider_or_id) wanted = &known;
    if (wanted == nullptr && known.provider == provider_or_id) wanted = &known;
  }
  return wanted;
}

std::vector<std::string_view> Project::sets_for(std::string_view provider) const {
  std::vector<std::string_view> ids;
  for (const KnownSet& known : known_) {
    if (known.provider == provider) ids.push_back(known.id);
  }
  return ids;
}

const TemplateSet* Project::template_set(std::string_view provider_or_id) {
  const KnownSet* wanted = known_set(provider_or_id);
  if (wanted == nullptr) return nullptr;
  const std::scoped_lock lock(loading_);
  auto [at, is_new] = loaded_.try_emplace(wanted->id);
  if (is_new) at->second = load_set(*wanted, options_.limits, config_.catalogue);
  return at->second.get();
}

SecretNames Project::secret_names() {
  SecretNames names;
  const auto add = [&](const TemplateSet& set) {
    if (set.schema == nullptr) return;
    for (const schema::PropertyPage& page : schema::property_pages(*set.schema)) {
      if (!page.secret) continue;
      names.keys.push_back(page.path.substr(page.path.rfind('.') + 1));
      if (const std::size_t dot = page.path.find('.'); dot != std::string::npos)
        names.sections.push_back(page.path.substr(0, dot));
    }
  };
  if (plain_ != nullptr) add(*plain_);
  for (const KnownSet& known : known_) add(*template_set(known.id));
  return names;
}

std::vector<std::string_view> Project::names_of_sets() const {
  std::vector<std::string_view> names;
  for (const KnownSet& known : known_) {
    if (!known.provider.empty()) names.push_back(known.provider);
    names.push_back(known.id);
  }
  return names;
}

std::string Project::owner_of_output(std::string_view shown) const {
  const std::string folder = config_.output == "." ? "" : config_.output + "/";
  if (!folder_ || !shown.starts_with(folder)) return {};
  return std::string(folder_->outputs.owner(shown.substr(folder.size())));
}

std::vector<const TemplateSet*> Project::sets_with_findings() const {
  std::vector<const TemplateSet*> sets;
  if (plain_ && !plain_->sink.diagnostics().empty()) sets.push_back(plain_.get());
  const std::scoped_lock lock(loading_);
  for (const auto& [id, set] : loaded_) {
    if (!set->sink.diagnostics().empty()) sets.push_back(set.get());
  }
  return sets;
}

}  // namespace capwright
