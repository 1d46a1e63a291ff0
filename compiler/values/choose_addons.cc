// Each step reports all its findings before the next one; an add-on with a conflict is left out of later steps.
#include "values/choose_addons.h"

#include <algorithm>
#include <string>

#include "diag/catalog/layers.h"
#include "diag/suggest.h"

namespace capwright::values {
namespace {

bool holds(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The entry of `not_on` that matches such a cluster.
const Exclusion* misfit_on(const Addon& addon, std::string_view provider, std::string_view kubernetes_type) {
  for (const Exclusion& misfit : addon.not_on) {
    const bool by_provider = misfit.providers.empty() || holds(misfit.providers, provider);
    const bool by_type = misfit.kubernetes_types.empty() || holds(misfit.kubernetes_types, kubernetes_type);
    if (by_provider && by_type) return &misfit;
  }
  return nullptr;
}

class Choice {
 public:
  Choice(const Value& values, const AddonCatalogue& catalogue, Stage& stage)
      : values_(values),
        catalogue_(catalogue),
        stage_(stage),
        provider_(catalogue.provider),
        kubernetes_type_(values.text_at("kubernetes_type")) {}

  std::vector<ChosenAddon> run() {
    list();
    imply();
    std::erase_if(chosen_, [&](const ChosenAddon& chosen) { return !fits(chosen); });
    for (std::size_t later = 0; later < chosen_.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) exclude(chosen_[earlier], chosen_[later]);
    }
    for (const ChosenAddon& chosen : chosen_) check_needs(chosen);
    return std::move(chosen_);
  }

 private:
  Span place_of(const Value& value) const { return stage_.origins[value.origin()].span; }

  void list() {
    for (const Value& item : values_.find("addons")->items()) {
      const Value* id = item.find("id");
      const Addon* addon = id != nullptr ? catalogue_.find(id->text()) : nullptr;
      if (addon == nullptr) continue;  // already reported by the replacement of aliases
      chosen_.push_back({addon, &item, place_of(*id)});
      if (!addon->retired.empty()) {
        stage_.sink.report(diag::addon_retired, place_of(*id), addon->id).note(std::string(addon->retired));
      }
    }
  }

  void imply() {
    for (const Addon& addon : catalogue_.addons) {
      if (!holds(addon.implied_for, provider_) || !takes_type(addon) || is_chosen(addon.id)) continue;
      if (addon.role == "ccm" && has_role("ccm")) continue;  // of the repository, in its place
      chosen_.push_back({&addon, nullptr, place_of(*values_.find("provider"))});
    }
  }

  bool is_chosen(std::string_view id) const {
    return std::any_of(chosen_.begin(), chosen_.end(), [&](const ChosenAddon& c) { return c.addon->id == id; });
  }

  bool has_role(std::string_view role) const {
    return std::any_of(chosen_.begin(), chosen_.end(), [&](const ChosenAddon& c) { return c.addon->role == role; });
  }

  bool takes_type(const Addon& addon) const {
    return addon.kubernetes_types.empty() || holds(addon.kubernetes_types, kubernetes_type_);
  }

  bool fits(const ChosenAddon& chosen) {
    const std::optional<Incompatibility> unfit = find_incompatibility(*chosen.addon, provider_, kubernetes_type_);
    if (!unfit) return true;
    stage_.sink.report(diag::addon_not_for_provider, chosen.where, chosen.addon->id, unfit->what, unfit->is)
        .note(unfit->why);
    return false;
  }

  void exclude(const ChosenAddon& earlier, const ChosenAddon& later) {
    const std::string_view why = why_not_both(*earlier.addon, *later.addon);
    if (why.empty()) return;
    stage_.sink.report(diag::addon_excludes, later.where, earlier.addon->id, later.addon->id)
        .also(earlier.where, "the other one")
        .note(std::string(why))
        .advise("keep one of them");
  }

  void check_needs(const ChosenAddon& chosen) {
    for (const std::string_view id : chosen.addon->needs) {
      if (is_chosen(id)) continue;
      Diagnostic& diagnostic = stage_.sink.report(diag::addon_needs, chosen.where, chosen.addon->id, id);
      const Addon* needed = catalogue_.find(id);
      const std::optional<Incompatibility> unfit =
          needed != nullptr ? find_incompatibility(*needed, provider_, kubernetes_type_) : std::nullopt;
      if (unfit) diagnostic.note("it doesn't work here: " + unfit->why);
      else diagnostic.advise("add `" + std::string(id) + "` to `addons`");
    }
  }

  const Value& values_;
  const AddonCatalogue& catalogue_;
  Stage& stage_;
  std::string_view provider_, kubernetes_type_;
  std::vector<ChosenAddon> chosen_;
};

}  // namespace

std::optional<Incompatibility> find_incompatibility(const Addon& addon, std::string_view provider,
                                                    std::string_view kubernetes_type) {
  if (!addon.providers.empty() && !holds(addon.providers, provider))
    return Incompatibility{"provider", provider, "it works on " + list_names(addon.providers)};
  if (!addon.kubernetes_types.empty() && !holds(addon.kubernetes_types, kubernetes_type))
    return Incompatibility{"kubernetes type", kubernetes_type, "it works with " + list_names(addon.kubernetes_types)};
  const Exclusion* misfit = misfit_on(addon, provider, kubernetes_type);
  if (misfit == nullptr) return std::nullopt;
  if (misfit->providers.empty()) return Incompatibility{"kubernetes type", kubernetes_type, std::string(misfit->why)};
  return Incompatibility{"provider", provider, std::string(misfit->why)};
}

std::string_view why_not_both(const Addon& a, const Addon& b) {
  for (const Conflict& conflict : a.conflicts) {
    if (conflict.with == b.id) return conflict.why;
  }
  for (const Conflict& conflict : b.conflicts) {
    if (conflict.with == a.id) return conflict.why;
  }
  return a.role == "cni" && b.role == "cni" ? "one plug-in owns the network of the pods" : "";
}

std::vector<ChosenAddon> choose_addons(const Value& values, const AddonCatalogue& catalogue, Stage& stage) {
  return Choice(values, catalogue, stage).run();
}

}  // namespace capwright::values
