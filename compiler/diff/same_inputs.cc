// In a fleet nearly all clusters are unchanged; loading their values a second time would take as long as the first.
#include "diff/same_inputs.h"

namespace capwright::diff {
namespace {

bool is_same_set(const TemplateSet* before, const TemplateSet& after) {
  return before != nullptr && before->digest == after.digest && before->id == after.id &&
         before->version == after.version && before->main == after.main && before->rotated == after.rotated;
}

}  // namespace

SameInputs::SameInputs(Project& before, Project& after)
    : before_(before),
      same_configuration_(before.config().layers == after.config().layers &&
                          before.config().retain == after.config().retain &&
                          before.config().writes_tombstones() == after.config().writes_tombstones()) {}

bool SameInputs::of(const CompiledCluster& loaded) const {
  if (!same_configuration_ || !loaded.clean() || !has_same_set(loaded)) return false;
  for (const FileId file : loaded.sources.files()) {
    if (!before_.fs().holds(before_.workspace().io_path(loaded.sources.path(file)), loaded.sources.text(file)))
      return false;
  }
  return true;
}

bool SameInputs::has_same_set(const CompiledCluster& loaded) const {
  if (loaded.set->plain) return is_same_set(before_.plain_set(), *loaded.set);
  const Value* provider = loaded.values.find("provider");
  return provider != nullptr && provider->is(Kind::String) &&
         is_same_set(before_.template_set(provider->text()), *loaded.set);
}

}  // namespace capwright::diff
