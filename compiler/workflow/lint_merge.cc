// Compares the clusters of several parts of a repository. Records say which clusters may affect each other; only those
// are linted again, so the findings are those that a run of all clusters has.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/sha.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/parallel.h"
#include "workflow/lint_run.h"
#include "workflow/source_manifests.h"

namespace capwright::workflow {
namespace {

constexpr std::uint64_t kMostBytes = 4ull << 30;  // of one claims file; a cluster takes about a kilobyte
constexpr std::size_t kInputDigits = 32;
constexpr std::size_t kMostFaults = 5;
constexpr std::string_view kAnyInputs = "*";

std::string short_digest(const Sha256& digest) { return to_hex(digest).substr(0, kInputDigits); }

// Collects errors, of which the first few are shown.
class MergeFaults {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    if (++count_ <= kMostFaults) messages_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  std::optional<Stop> stop() {
    if (count_ == 0) return std::nullopt;
    if (count_ > kMostFaults) messages_.push_back(fmt::format("… and {} more", count_ - kMostFaults));
    return Stop{std::move(messages_), false};
  }

 private:
  std::size_t count_ = 0;
  std::vector<std::string> messages_;
};

std::optional<Stop> read_claims_text(const std::string& file, OpenProject& open, std::string& text) {
  text.clear();
  const IoError error = open.fs.read(file, text, kMostBytes);
  if (!error) return std::nullopt;
  return Stop::because(fmt::format("`{}` can't be read: {}", file, describe(error)));
}

std::string part_of(const Shard& shard) { return fmt::format("part {} of {}", shard.number, shard.count); }

// The files and their parts, to say what is missing or doesn't belong together.
class PartList {
 public:
  explicit PartList(const ClaimsHead& here) : here_(here) {}

  void add(const std::string& file, const ClaimsHead& head, MergeFaults& faults) {
    if (first_file_.empty()) {
      first_file_ = file;
      count_ = head.shard.count;
    }
    if (head.tool != here_.tool)
      return faults.add("`{}` was written by capwright {}, and this is {}", file, head.tool, here_.tool);
    if (head.shard.count != count_) {
      return faults.add("`{}` is {}, but `{}` is one of {} parts", file, part_of(head.shard), first_file_, count_);
    }
    const auto [other, is_new] = files_.try_emplace(head.shard.number, file);
    if (!is_new) return faults.add("`{}` and `{}` are both {}", other->second, file, part_of(head.shard));
    const bool has_commits = head.commit != "-" && here_.commit != "-";
    if (has_commits && head.commit != here_.commit)
      return faults.add("`{}` was written at commit {:.10}, but HEAD is {:.10}", file, head.commit, here_.commit);
    is_one_commit_ = is_one_commit_ && has_commits;
    if (head.state != here_.state)
      faults.add("`{}` was written with other options, or another configuration, rules or schemas", file);
  }
  void find_missing(MergeFaults& faults) const {
    for (std::uint32_t number = 1; number <= count_; ++number) {
      if (!files_.contains(number))
        faults.add("{} is missing; pass the claims of all parts", part_of({number, count_}));
    }
  }
  // Whether all parts, and this run, know their commit.
  bool is_one_commit() const { return is_one_commit_; }

 private:
  const ClaimsHead& here_;
  std::string first_file_;
  std::uint32_t count_ = 0;
  std::map<std::uint32_t, std::string> files_;
  bool is_one_commit_ = true;
};

}  // namespace

// A cluster whose name isn't unique is rendered without the tree, and its inputs aren't compared.
std::string LintRun::inputs_of(std::size_t number, const Opened& opened) const {
  std::string all;
  if (opened.compiled != nullptr) {
    if (!looked_[number].clean) return std::string(kAnyInputs);
    for (const lint::File& file : opened.cluster->files()) {
      const std::string_view text = opened.cluster->sources().text(file.source);
      if (file.rendered == nullptr) all += fmt::format("{} {} {}\n{}", file.path.size(), file.path, text.size(), text);
    }
    const auto& digest = opened.compiled->stamp.input_digest;
    return short_digest(all.empty() ? digest : sha256(to_hex(digest) + all));
  }
  for (const lint::Manifest& manifest : groups_[number - targets_.values.size() - targets_.sets.size()].manifests)
    all += fmt::format("{} {} {}\n{}", manifest.path.size(), manifest.path, manifest.text.size(), manifest.text);
  return short_digest(sha256(all));
}

// A folder in `clusters/` may have the name of a source.
std::string LintRun::claims_path(std::size_t number) const {
  if (is_rendered(number)) return targets_.values[number];
  const std::size_t group = number - targets_.values.size();
  return group < sources_ ? groups_[group].name : "clusters/" + groups_[group].name;
}

std::string LintRun::claims(const ClaimsHead& head) {
  ClaimsText text(head);
  fleet_.begin_records();
  for (std::size_t i = 0; i < looked_.size(); ++i) {
    if (!is_in_part(i)) continue;
    text.add(
        {!is_rendered(i), claims_path(i), looked_[i].name, looked_[i].was_linted, looked_[i].inputs, fleet_.record(i)});
  }
  return text.finish(fleet_.denials(), fleet_.used_comments());
}

std::optional<Stop> LintRun::add_parts(const std::vector<std::string>& files) {
  std::unordered_map<std::string, std::size_t> values, sources;
  for (std::size_t i = 0; i < looked_.size(); ++i) (is_rendered(i) ? values : sources).emplace(claims_path(i), i);
  std::vector<char> is_seen(looked_.size());
  MergeFaults faults;
  std::string text;
  std::vector<lint::Denial> used;
  for (const std::string& file : files) {
    if (auto stop = read_claims_text(file, open_, text)) return stop;
    ClaimsVisitor visitor;
    visitor.cluster = [&](ClaimsOfCluster cluster) {
      const auto& numbers = cluster.is_source ? sources : values;
      const auto known = numbers.find(cluster.path);
      if (known == numbers.end()) {
        faults.add("`{}` has claims of `{}`, which isn't in this repository", file, cluster.path);
        return std::string();
      }
      is_seen[known->second] = true;
      Looked& looked = looked_[known->second];
      looked.name = std::move(cluster.name);
      looked.was_linted = cluster.was_linted;
      looked.clean = cluster.was_linted && cluster.inputs != kAnyInputs;
      looked.inputs = std::move(cluster.inputs);
      fleet_.add(known->second, cluster.record);
      return std::string();
    };
    visitor.denials = [&](const std::vector<lint::Denial>& denials) { fleet_.deny(denials, {}); };
    visitor.used_comments = [&](const std::vector<lint::Denial>& denials) { fleet_.deny({}, denials); };
    if (const std::string fault = read_claims(text, visitor); !fault.empty()) faults.add("`{}` {}", file, fault);
  }
  for (std::size_t i = 0; i < looked_.size(); ++i) {
    if (!is_seen[i]) faults.add("`{}` is in none of the parts", claims_path(i));
  }
  return faults.stop();
}

// Those of capwright.yaml that are linted again: a source may be a command that takes long.
void LintRun::read_needed_sources(const std::vector<std::size_t>& numbers) {
  const std::size_t values = targets_.values.size();
  const auto is_source = [&](std::size_t number) { return number >= values && number < values + sources_; };
  std::vector<const ManifestSource*> wanted;
  for (const std::size_t number : numbers) {
    if (is_source(number)) wanted.push_back(&open_.project->config().sources[number - values]);
  }
  auto group = read_manifest_sources(wanted, access_to_sources(open_), open_.sink);
  std::size_t next = 0;
  for (const std::size_t number : numbers) {
    if (is_source(number)) groups_[number - values] = std::move(group[next++]);
  }
}

std::optional<Stop> LintRun::lint_needed(bool checks_all) {
  const std::vector<std::size_t> needed = fleet_.needed();
  std::vector<std::size_t> all = needed;
  if (checks_all) {
    all.resize(looked_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  }
  read_needed_sources(all);
  std::vector<Opened> opened(all.size());
  std::vector<char> is_changed(all.size());
  parallel_for(all.size(), request_.jobs, {open_.progress, "Comparing", "clusters"}, [&](std::size_t i) {
    const std::size_t number = all[i];
    if (!looked_[number].was_linted) return;
    Opened again = open(number);
    is_changed[i] = again.cluster == nullptr || inputs_of(number, again) != looked_[number].inputs;
    if (is_changed[i] || !std::binary_search(needed.begin(), needed.end(), number)) return;
    lint::FleetNotes notes = lint::lint_cluster(linter_, *again.cluster, request_.blame);
    fleet_.complete(number, std::move(notes));
    for (const lint::File& file : again.cluster->files()) looked_[number].files.append(file.path).push_back('\0');
    if (fleet_.may_want(number)) opened[i] = std::move(again);
  });
  MergeFaults faults;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_changed[i]) continue;
    faults.add("`{}` has other inputs than when its part was linted; lint the part again", claims_path(all[i]));
  }
  if (auto stop = faults.stop()) return stop;
  lint::Fleet fleet;
  for (const std::size_t number : fleet_.wanted()) {
    const auto at = std::lower_bound(all.begin(), all.end(), number) - all.begin();
    fleet.clusters.push_back(opened[static_cast<std::size_t>(at)].cluster.get());
  }
  fleet_.finish(fleet, fleet_findings_);
  return std::nullopt;
}

std::optional<Stop> LintRun::merge(LintTargets targets, const ClaimsHead& here) {
  begin(std::move(targets));
  std::vector<lint::ManifestGroup> sources;
  for (const ManifestSource& source : open_.project->config().sources) sources.push_back({source.name, {}, {}});
  sources_ = sources.size();
  groups_.insert(groups_.begin(), std::make_move_iterator(sources.begin()), std::make_move_iterator(sources.end()));
  looked_.resize(targets_.values.size() + groups_.size());
  opened_.clear();

  MergeFaults faults;
  PartList parts(here);
  std::string text;
  for (const std::string& file : request_.merge_claims) {
    if (auto stop = read_claims_text(file, open_, text)) return stop;
    ClaimsHead head;
    if (const std::string fault = read_claims_head(text, head); !fault.empty()) faults.add("`{}` {}", file, fault);
    else parts.add(file, head, faults);
  }
  if (auto stop = faults.stop()) return stop;
  parts.find_missing(faults);
  if (auto stop = faults.stop()) return stop;
  if (auto stop = add_parts(request_.merge_claims)) return stop;
  report_twice();
  return lint_needed(!parts.is_one_commit());
}

}  // namespace capwright::workflow
