// A fleet of a thousand clusters, of which one was published, leaves one row.
#include "audit/recorder.h"

#include <algorithm>
#include <map>

#include "audit/store.h"

namespace capwright::audit {
namespace {

bool is_same(const ClusterRender& a, const ClusterRender& b) {
  return a.input_digest == b.input_digest && std::equal(a.files.begin(), a.files.end(), b.files.begin(), b.files.end(),
                                                        [](const RecordedFile& x, const RecordedFile& y) {
                                                          return x.path == y.path && x.digest == y.digest;
                                                        });
}

}  // namespace

std::optional<std::size_t> record(const Place& place, const Publication& publication,
                                  const std::vector<const CompiledCluster*>& clusters, std::string& why) {
  const std::unique_ptr<Store> store = Store::open(place.database, database::Access::Write, why);
  if (store == nullptr) return std::nullopt;
  Query newest;
  newest.remote = publication.remote;
  newest.branch = publication.branch;
  newest.latest = newest.whole = true;
  const auto known = store->find(newest, why);
  if (!known) return std::nullopt;
  std::map<std::string_view, const ClusterRender*> latest;
  for (const ClusterRender& render : *known) latest.try_emplace(render.cluster, &render);
  std::vector<ClusterRender> added;
  for (const CompiledCluster* cluster : clusters) {
    ClusterRender render = record_of(*cluster, publication, place.keeps_text);
    const auto earlier = latest.find(render.cluster);
    if (earlier != latest.end() && is_same(*earlier->second, render)) continue;
    // Not by the time: two publications may be of one second, and clocks of machines differ.
    if (earlier != latest.end()) render.number = earlier->second->number + 1;
    added.push_back(std::move(render));
  }
  if (!added.empty() && !store->add(added, why)) return std::nullopt;
  return added.size();
}

}  // namespace capwright::audit
