// If one of a thousand clusters changes, only its row is added.
#include "audit/recorder.h"

#include <algorithm>
#include <map>

namespace capwright::audit {
namespace {

bool is_same(const ClusterRender& a, const ClusterRender& b) {
  return a.is_removal() == b.is_removal() && a.input_digest == b.input_digest &&
         std::equal(
             a.files.begin(), a.files.end(), b.files.begin(), b.files.end(),
             [](const RecordedFile& x, const RecordedFile& y) { return x.path == y.path && x.digest == y.digest; });
}

}  // namespace

std::optional<std::vector<ClusterRender>> new_rows(Store& store, const Publication& publication, const Fleet& fleet,
                                                   bool keeps_text, std::string& why) {
  Query newest;
  newest.remote = publication.remote;
  newest.branch = publication.branch;
  newest.latest = newest.whole = true;
  const auto known = store.find(newest, why);
  if (!known) return std::nullopt;
  std::map<std::string_view, const ClusterRender*> latest;
  for (const ClusterRender& render : *known) latest.try_emplace(render.cluster, &render);
  std::vector<ClusterRender> added;
  const auto add = [&](ClusterRender row) {
    const auto found = latest.find(row.cluster);
    const ClusterRender* earlier = found == latest.end() ? nullptr : found->second;
    if (earlier != nullptr && is_same(*earlier, row)) return;
    // Numbered instead of ordered by time: two publications may have the same second, and clocks differ.
    if (earlier != nullptr) row.number = earlier->number + 1;
    if (earlier != nullptr && row.is_removal() && row.template_set.empty()) {
      row.template_set = earlier->template_set;
      row.template_set_version = earlier->template_set_version;
    }
    added.push_back(std::move(row));
  };
  for (const CompiledCluster* cluster : fleet.clusters) add(record_of(*cluster, publication, keeps_text));
  for (const GoneCluster& gone : fleet.gone) add(removal_of(gone, publication));
  return added;
}

std::optional<std::size_t> record(const Place& place, const Publication& publication, const Fleet& fleet,
                                  std::string& why) {
  const std::unique_ptr<Store> store = Store::open(place.database, database::Access::Write, why);
  if (store == nullptr) return std::nullopt;
  const auto added = new_rows(*store, publication, fleet, place.keeps_text, why);
  if (!added || (!added->empty() && !store->add(*added, why))) return std::nullopt;
  return added->size();
}

}  // namespace capwright::audit
