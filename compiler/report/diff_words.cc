// Makes texts from inputs printable.
#include "report/diff_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "files/text_diff.h"
#include "report/printable.h"

namespace capwright::report {
namespace {

using diff::Change;
using diff::ObjectPair;

std::string shown(const diff::ShownValue& value, std::size_t most) {
  if (value.text.size() <= most) return printable(value.text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(value.text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("{}… ({} B)", printable(value.text.substr(0, end)), value.size);
}

std::string secret_text(Change::Kind kind, const diff::ShownValue& before, const diff::ShownValue& after) {
  const std::uint64_t size = after.exists ? after.size : before.size;
  std::string_view what = "changed";
  if (kind == Change::Kind::Add) what = "added";
  else if (kind == Change::Kind::Remove) what = "removed";
  return size == 0 ? fmt::format("<secret, {}>", what) : fmt::format("<secret, {}, {} B>", what, size);
}

std::string joined(Change::Kind kind, bool secret, const diff::ShownValue& before, const diff::ShownValue& after,
                   std::size_t most) {
  if (secret) return secret_text(kind, before, after);
  switch (kind) {
    case Change::Kind::Add: return shown(after, most);
    case Change::Kind::Remove: return shown(before, most);
    case Change::Kind::Reorder: return "different order";
    case Change::Kind::Format: return "the same data in another form";
    case Change::Kind::Replace: break;
  }
  return fmt::format("{} → {}", shown(before, most), shown(after, most));
}

// The number of objects; occurrences of one object are adjacent.
std::size_t objects_in(std::span<const diff::Occurrence> occurrences) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < occurrences.size(); ++i) {
    const bool is_same = i > 0 && occurrences[i - 1].cluster == occurrences[i].cluster &&
                         occurrences[i - 1].object == occurrences[i].object;
    count += is_same ? 0 : 1;
  }
  return count;
}

char sign(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::Add: return '+';
    case Change::Kind::Remove: return '-';
    case Change::Kind::Format: return '=';
    case Change::Kind::Replace:
    case Change::Kind::Reorder: break;
  }
  return '~';
}

}  // namespace

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string values_text(const diff::Family& family, const diff::Variant& variant, std::size_t most) {
  return joined(family.change, family.secret, variant.before, variant.after, most);
}

std::string values_text(const diff::ChangeRecord& change, std::size_t most) {
  return joined(change.kind, change.secret, change.before, change.after, most);
}

std::string changed_lines_text(const diff::ChangeRecord& change, std::size_t most) {
  const std::string_view before = change.before.text, after = change.after.text;
  const bool is_lines = before.find('\n') != std::string_view::npos && after.find('\n') != std::string_view::npos;
  if (change.secret || change.kind != Change::Kind::Replace || !is_lines) return {};
  const std::vector<LineChange> changes = line_changes(before, after);
  if (changes.empty()) return {};
  std::size_t lines = 0;
  for (const LineChange& each : changes)
    lines += std::max(each.old_end - each.old_begin, each.new_end - each.new_begin);
  const auto side = [&](std::string_view text, std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return std::string("(no line)");
    for (std::uint32_t line = 0; line < begin; ++line) text.remove_prefix(text.find('\n') + 1);
    return shown({true, {}, std::string(text.substr(0, text.find('\n'))), text.find('\n')}, most);
  };
  const LineChange& first = changes.front();
  const std::string more = lines > 1 ? fmt::format(" and {} more", counted(lines - 1, "line")) : "";
  return fmt::format("{} → {}{}", side(before, first.old_begin, first.old_end),
                     side(after, first.new_begin, first.new_end), more);
}

char sign_of(const diff::Family& family) { return sign(family.change); }
char sign_of(const diff::ChangeRecord& change) { return sign(change.kind); }

std::string family_title(const diff::Family& family) {
  if (family.weight == diff::Weight::ClusterAdded) return "clusters added";
  if (family.weight == diff::Weight::ClusterRemoved) return "clusters removed";
  std::string title = printable(family.kind);
  if (!family.name.empty()) title += " " + printable(family.name);
  switch (family.event) {
    case ObjectPair::Kind::Added: return title + ": added";
    case ObjectPair::Kind::Removed: return title + ": removed";
    case ObjectPair::Kind::Renamed: return title + ", under a new name";
    case ObjectPair::Kind::Kept: return title + ": an earlier generation, added";
    case ObjectPair::Kind::Dropped: return title + ": an earlier generation, removed";
    case ObjectPair::Kind::Changed: break;
  }
  return title;
}

bool is_whole(const diff::Family& family) {
  if (!family.path.empty()) return false;
  return family.event != ObjectPair::Kind::Changed || !family.variants.front().before.exists;
}

std::string counted_clusters(std::size_t all, std::size_t other_folders, std::string_view unit) {
  if (other_folders == 0) return counted(all, unit);
  const std::string folders = counted(other_folders, "folder");
  return other_folders == all ? folders : fmt::format("{} and {}", counted(all - other_folders, unit), folders);
}

std::string clusters_text(const FleetDifferences& all, std::span<const diff::Occurrence> occurrences,
                          std::size_t most) {
  std::vector<std::uint32_t> clusters;  // occurrences are sorted by cluster
  for (const diff::Occurrence& at : occurrences) {
    if (clusters.empty() || clusters.back() != at.cluster) clusters.push_back(at.cluster);
  }
  const auto others = all.other_folders.empty() ? 0 : std::ranges::count_if(clusters, [&](std::uint32_t number) {
    return all.other_folders.contains(all.clusters.name(number));
  });
  std::string text = counted_clusters(clusters.size(), static_cast<std::size_t>(others), all.unit) + ": ";
  if (const std::size_t objects = objects_in(occurrences); objects > clusters.size())
    text = counted(objects, "object") + " in " + text;
  for (std::size_t i = 0; i < clusters.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + printable(all.clusters[clusters[i]].title());
  if (clusters.size() > most) text += fmt::format(" and {} more", clusters.size() - most);
  return text;
}

std::string failures_text(std::size_t failed, const std::vector<std::string>& names, std::string_view unit) {
  constexpr std::size_t kMost = 5;
  std::string text = counted(failed, unit) + " can't be compared";
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i) text += (i == 0 ? ": " : ", ") + printable(names[i]);
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

std::string summary_text(const FleetDifferences& all) {
  std::size_t differing = 0, folders = 0;
  for (const diff::ClusterRecord& cluster : all.clusters) {
    if (cluster.differs) ++(all.other_folders.contains(cluster.cluster) ? folders : differing);
  }
  const std::string failures = all.failed != 0 ? failures_text(all.failed, all.not_compared, all.unit) : "";
  if (all.compared == 0 && all.failed != 0) return failures;
  if (all.compared == 0 && !all.faults.empty()) return "nothing can be compared";
  const std::string compared = counted(all.compared, all.failed != 0 ? "other" : all.unit);
  std::string text = "no differences in " + compared;
  if (differing != 0) text = fmt::format("{} of {} differ{}", differing, compared, differing == 1 ? "s" : "");
  if (folders != 0) text += fmt::format("; {} differ{}", counted(folders, "other folder"), folders == 1 ? "s" : "");
  if (all.ignored != 0) text += fmt::format("; {} ignored", counted(all.ignored, "change"));
  return failures.empty() ? text : failures + "; " + text;
}

}  // namespace capwright::report
