// Two comparisons with the index.
#include "rotation/pin.h"

#include "diag/catalog/manifest.h"
#include "rotation/naming.h"

namespace capwright::rotation {
namespace {

std::string help(const std::string& cluster) {
  return "`render --upgrade-set --check " + cluster + "` shows what would change; without `--check` it is done";
}

std::string shown_version(const std::string& version) { return version.empty() ? "no version" : version; }

}  // namespace

void check_pin(const Index& earlier, const Renderer& renderer, const std::string& cluster, Sink& sink) {
  const RenderStamp &before = earlier.stamp, &now = renderer.stamp;
  const bool same_set = before.template_set == now.template_set;
  if (renderer.built_in && same_set && before.template_set_version != now.template_set_version) {
    sink.report(diag::other_set_version, {}, shown_version(before.template_set_version), now.template_set,
                shown_version(now.template_set_version))
        .note("another version may render different specs, which replaces machines")
        .advise(help(cluster));
  }
  const std::string& naming = earlier.rotation.naming;
  if (renderer.rotates && !naming.empty() && naming != kNaming) {
    sink.report(diag::other_naming, {}, naming, kNaming)
        .note("all templates would get other names, and all machines be replaced")
        .advise(help(cluster));
  }
}

}  // namespace capwright::rotation
