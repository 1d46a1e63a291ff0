// Selects releases by name, finds kinds by a hash of group and kind, and compiles schemas at first use.
#include "crd/registry.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>

#include "base/hash.h"
#include "cel/semver.h"
#include "crd/digest.h"
#include "text/utf8.h"
#include "yaml/read.h"

namespace capwright::crd {

// Parts of Registry::Contents, hence in no unnamed namespace.

// A directory of digests: "schemas/crds/capo-v0.14.7" is release 0.14.7 of the provider capo.
struct Release {
  std::string_view name, provider, version;
  std::string_view folder;  // the directory, with the final `/`
  std::string_view kinds;   // the text of its kinds.tsv
  std::size_t rank = 0;     // if two releases have a kind, the higher rank wins
};

// A schema and what it was read from; filled at the first call.
struct LoadedSchema {
  std::once_flag once;
  std::unique_ptr<SourceSet> sources;
  std::unique_ptr<Arena> arena;
  std::unique_ptr<const Schema> schema;
};

struct LineRange {
  std::uint32_t begin, end;
};

// Its texts are those of digests.
struct KindName {
  std::string_view group, kind;
  friend bool operator==(const KindName&, const KindName&) = default;
};
struct HashOfName {
  std::size_t operator()(const KindName& name) const { return hash_text(name.kind) * 31u ^ hash_text(name.group); }
};

namespace {

constexpr std::string_view kMetaFile = "meta_v1_ObjectMeta.json";

std::optional<Release> release_of(const DigestFile& file) {
  if (!file.path.ends_with(kKindsFile)) return std::nullopt;
  Release release;
  release.folder = file.path.substr(0, file.path.size() - kKindsFile.size());
  if (!release.folder.ends_with('/')) return std::nullopt;
  const std::string_view path = release.folder.substr(0, release.folder.size() - 1);
  release.name = path.substr(path.rfind('/') + 1);
  const std::size_t mark = release.name.find("-v");
  if (mark == std::string_view::npos) return std::nullopt;
  release.provider = release.name.substr(0, mark);
  release.version = release.name.substr(mark + 2);
  release.kinds = file.text;
  return release;
}

std::string_view without_v(std::string_view version) { return version.starts_with('v') ? version.substr(1) : version; }

// "0.14" matches every 0.14.x, "0.14.7" only itself.
bool fits(std::string_view version, std::string_view wanted) {
  wanted = without_v(wanted);
  if (!version.starts_with(wanted)) return false;
  return wanted.empty() || version.size() == wanted.size() || version[wanted.size()] == '.' ||
         version[wanted.size()] == '-';
}

bool is_newer(std::string_view a, std::string_view b) {
  Arena arena;
  const auto left = cel::parse_semver(a, true, arena), right = cel::parse_semver(b, true, arena);
  if (!left || !right) return left ? true : !right && a > b;
  const bool stable = left->pre.empty(), other_stable = right->pre.empty();
  return stable != other_stable ? stable : cel::compare(*left, *right) > 0;
}

// `capi` also applies to `capi-kubeadm`, unless that has its own target.
const Target* target_of(std::string_view provider, std::span<const Target> targets) {
  const Target* found = nullptr;
  for (const Target& target : targets) {
    if (provider == target.provider) return &target;
    if (provider.starts_with(target.provider) && provider[target.provider.size()] == '-') found = &target;
  }
  return found;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;; ++at) {
    const std::size_t end = std::min(line.find(separator, at), line.size());
    parts.push_back(line.substr(at, end - at));
    if (end == line.size()) return parts;
    at = end;
  }
}

bool has_state(std::string_view states, std::string_view wanted) {
  const std::vector<std::string_view> all = split(states, ',');
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

std::optional<KindVersion> read_kind(std::string_view line, const Release& release) {
  const std::vector<std::string_view> cells = split(line, '\t');
  if (cells.size() != 6 || cells[0] == "group" || !utf8::is_valid(line)) return std::nullopt;
  KindVersion kind;
  kind.group = cells[0] == kCoreGroup ? std::string_view() : cells[0];
  kind.kind = cells[1];
  kind.plural = cells[2];
  kind.namespaced = cells[3] == "Namespaced";
  kind.version = cells[4];
  kind.served = has_state(cells[5], "served");
  kind.storage = has_state(cells[5], "storage");
  kind.deprecated = has_state(cells[5], "deprecated");
  kind.release = release.name;
  return kind;
}

}  // namespace

struct Registry::Contents {
  std::unordered_map<std::string_view, std::string_view> texts;  // by path
  std::map<std::string_view, Release> releases;                  // by name; the last of equal names wins
  std::map<std::string_view, const Release*> chosen;             // by provider
  std::vector<Target> unknown;
  std::vector<FeatureGate> gates;
  std::vector<KindVersion> kinds;
  std::unordered_map<KindName, LineRange, HashOfName> by_kind;
  PatternSet patterns;
  std::unique_ptr<LoadedSchema[]> loaded;
  LoadedSchema meta;

  void choose(std::span<const Target> targets);
  void read_kinds();
  void drop_overruled();
  void load(const KindVersion&, LoadedSchema&);
  void load_file(const std::string& path, LoadedSchema&);
};

void Registry::Contents::choose(std::span<const Target> targets) {
  for (const auto& [name, release] : releases) {
    const Target* target = target_of(release.provider, targets);
    if (target != nullptr && !fits(release.version, target->version)) continue;
    const Release*& best = chosen[release.provider];
    if (best == nullptr || is_newer(release.version, best->version)) best = &release;
  }
  for (const Target& target : targets) {
    const auto found = chosen.find(target.provider);
    if (found == chosen.end()) unknown.push_back(target);
  }
}

void Registry::Contents::read_kinds() {
  for (const auto& [provider, release] : chosen) {
    if (release == nullptr) continue;
    for (const std::string_view line : split(release->kinds, '\n')) {
      if (auto kind = read_kind(line, *release)) kinds.push_back(*kind);
    }
  }
  drop_overruled();
  std::stable_sort(kinds.begin(), kinds.end(), [](const KindVersion& a, const KindVersion& b) {
    return std::tie(a.group, a.kind, a.version) < std::tie(b.group, b.kind, b.version);
  });
  by_kind.reserve(kinds.size());
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {
    kinds[i].number = i;
    const auto [known, is_new] = by_kind.try_emplace(KindName{kinds[i].group, kinds[i].kind}, LineRange{i, i + 1});
    if (!is_new) known->second.end = i + 1;
  }
  loaded = std::make_unique<LoadedSchema[]>(kinds.size());
}

// A repository's release may override kinds of a built-in one, such as all CRDs of a cluster.
void Registry::Contents::drop_overruled() {
  std::unordered_map<KindName, std::size_t, HashOfName> best;
  for (const KindVersion& kind : kinds) {
    std::size_t& rank = best[{kind.group, kind.kind}];
    rank = std::max(rank, releases.at(kind.release).rank);
  }
  std::erase_if(kinds, [&](const KindVersion& kind) {
    return releases.at(kind.release).rank < best[{kind.group, kind.kind}];
  });
}

void Registry::Contents::load(const KindVersion& kind, LoadedSchema& into) {
  const Release& release = releases.at(kind.release);
  const std::string_view group = kind.group.empty() ? kCoreGroup : kind.group;
  load_file(std::string(release.folder) + digest_name(group, kind.version, kind.kind), into);
}

void Registry::Contents::load_file(const std::string& path, LoadedSchema& into) {
  const auto found = texts.find(path);
  if (found == texts.end()) return;
  into.sources = std::make_unique<SourceSet>();
  into.arena = std::make_unique<Arena>();
  Sink sink;
  OriginTable origins;
  const Limits limits;
  Stage stage{*into.sources, sink, *into.arena, origins, limits};
  const Value digest = read_yaml(into.sources->add(path, std::string(found->second)), stage);
  std::string fault;
  into.schema = compile_digest(digest, patterns, fault);
}

Registry::Registry(std::span<const DigestFile> files, std::span<const Target> targets, std::vector<FeatureGate> gates)
    : contents_(std::make_unique<Contents>()) {
  contents_->gates = std::move(gates);
  contents_->texts.reserve(files.size());
  for (const DigestFile& file : files) {
    contents_->texts[file.path] = file.text;
    auto release = release_of(file);
    if (!release) continue;
    release->rank = contents_->texts.size();
    contents_->releases[release->name] = *release;
  }
  contents_->choose(targets);
  contents_->read_kinds();
}

Registry::~Registry() = default;

const std::vector<Target>& Registry::unknown_targets() const { return contents_->unknown; }

const std::vector<FeatureGate>& Registry::feature_gates() const { return contents_->gates; }

std::vector<std::string_view> Registry::releases() const {
  std::vector<std::string_view> names;
  for (const auto& [name, release] : contents_->releases) names.push_back(name);
  return names;
}

std::vector<std::string_view> Registry::served_releases() const {
  std::vector<std::string_view> names;
  for (const auto& [provider, release] : contents_->chosen) names.push_back(release->name);
  return names;
}

std::span<const KindVersion> Registry::kinds() const { return contents_->kinds; }

std::span<const KindVersion> Registry::versions(std::string_view group, std::string_view kind) const {
  const auto found = contents_->by_kind.find({group, kind});
  if (found == contents_->by_kind.end()) return {};
  return kinds().subspan(found->second.begin, found->second.end - found->second.begin);
}

const KindVersion* Registry::find(std::string_view api_version, std::string_view kind) const {
  const std::size_t slash = api_version.rfind('/');
  const std::string_view group = slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
  const std::string_view version = slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
  for (const KindVersion& known : versions(group, kind)) {
    if (known.version == version && known.served) return &known;
  }
  return nullptr;
}

const Schema* Registry::schema(const KindVersion& kind) const {
  LoadedSchema& loaded = contents_->loaded[kind.number];
  std::call_once(loaded.once, [&] { contents_->load(kind, loaded); });
  return loaded.schema.get();
}

const Node* Registry::object_meta() const {
  LoadedSchema& loaded = contents_->meta;
  std::call_once(loaded.once, [&] {
    const auto kubernetes = contents_->chosen.find("kubernetes");
    if (kubernetes != contents_->chosen.end())
      contents_->load_file(std::string(kubernetes->second->folder) + std::string(kMetaFile), loaded);
  });
  return loaded.schema != nullptr ? loaded.schema->root : nullptr;
}

std::string KindVersion::api_version() const {
  return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
}

}  // namespace capwright::crd
