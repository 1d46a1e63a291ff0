// A fleet on one screen: each shape of change once, with the clusters that have it.
#include <fmt/format.h>

#include "files/text_diff.h"
#include "report/diff_words.h"
#include "report/palette.h"
#include "report/printable.h"

namespace capwright::report {
namespace {

using diff::Change;
using diff::ObjectPair;

constexpr std::size_t kMostNames = 5, kMostVariants = 4, kMostValue = 100;
constexpr std::size_t kAll = static_cast<std::size_t>(-1);

bool is_lines(const diff::ShownValue& before, const diff::ShownValue& after) {
  return before.text.find('\n') != std::string::npos && after.text.find('\n') != std::string::npos;
}

// The lines that differ between two texts of several lines, each after `indent`.
std::string changed_lines(const diff::ShownValue& before, const diff::ShownValue& after, std::string_view indent,
                          const Palette& palette) {
  const std::string hunks = unified_diff({"", before.text}, {"", after.text}, {.context = 0, .most_lines = 12});
  std::string text;
  for (std::size_t at = 0; at < hunks.size();) {
    const std::size_t end = std::min(hunks.find('\n', at), hunks.size());
    const std::string_view line = std::string_view(hunks).substr(at, end - at);
    const bool is_head = line.starts_with("--- ") || line.starts_with("+++ ") || line.starts_with("@@");
    if (!is_head && !line.empty())
      text += fmt::format("{}{}\n", indent, painted(printable(line), color_of_sign(line.front(), palette), palette));
    at = end + 1;
  }
  return text;
}

// What is before the values of a change. A file without a structure has no path.
std::string place_text(const std::string& path) { return path.empty() ? " " : fmt::format(" {}: ", printable(path)); }

// The color of an object's title. Earlier generations come and go with every change, so they aren't highlighted.
std::string_view color_of_event(ObjectPair::Kind event, const Palette& palette) {
  if (event == ObjectPair::Kind::Added) return palette.added;
  return event == ObjectPair::Kind::Removed ? palette.removed : palette.bold;
}

class FamilyText {
 public:
  FamilyText(const FleetDifferences& all, const DiffTextOptions& options)
      : all_(all), options_(options), palette_(palette_of(options.color)) {}

  void write_to(const Write& write) {
    const std::vector<diff::Family> families = diff::families_of(all_.clusters);
    write(summary_text(all_) + "\n");
    std::string title;
    for (const diff::Family& family : families) {
      const std::string its_title = family_title(family);
      std::string text;
      if (its_title != title) text = fmt::format("\n{}{}{}\n", color_of_title(family), its_title, palette_.reset);
      title = its_title;
      text += is_whole(family) ? clusters_line(family.variants.front(), "  ") : change_text(family);
      write(text);
    }
  }

 private:
  std::string_view color_of_title(const diff::Family& family) const {
    if (family.weight == diff::Weight::ClusterAdded) return palette_.added;
    if (family.weight == diff::Weight::ClusterRemoved) return palette_.removed;
    return color_of_event(family.event, palette_);
  }

  std::string clusters_line(const diff::Variant& variant, std::string_view indent) const {
    return fmt::format("{}{}\n", indent,
                       clusters_text(all_, variant.occurrences, options_.verbose ? kAll : kMostNames));
  }

  std::string change_text(const diff::Family& family) const {
    const std::size_t most = options_.verbose ? kAll : kMostVariants;
    std::string text;
    if (family.variants.size() == 1) {
      text = variant_text(family, family.variants.front(), sign(family) + place_text(family.path), "  ");
    } else {
      text = fmt::format("  {}{}{}\n", sign(family), place_text(family.path), counted(family.variants.size(), "way"));
      for (std::size_t i = 0; i < family.variants.size() && i < most; ++i)
        text += variant_text(family, family.variants[i], "", "      ");
      if (family.variants.size() > most)
        text += fmt::format("      and {} more, in {} together\n", family.variants.size() - most,
                            counted(family.clusters, all_.unit));
    }
    return text + maker_text(family.maker);
  }

  std::string variant_text(const diff::Family& family, const diff::Variant& variant, const std::string& head,
                           const std::string& indent) const {
    std::string text;
    if (!family.secret && family.change == Change::Kind::Replace && is_lines(variant.before, variant.after)) {
      text = fmt::format("{}{}\n{}", indent, head.empty() ? "lines:" : head + "lines",
                         changed_lines(variant.before, variant.after, indent + "    ", palette_));
    } else {
      text = fmt::format("{}{}{}\n", indent, head, values_text(family, variant, options_.verbose ? kAll : kMostValue));
    }
    return text + clusters_line(variant, indent + "    ");
  }

  std::string maker_text(const diff::ShownMaker& maker) const {
    if (maker.template_place.empty() && maker.value_place.empty()) return {};
    if (maker.value_place.empty()) return fmt::format("      by {}\n", maker.template_place);
    const bool is_one = maker.template_place.empty() || maker.template_place == maker.value_place;  // in a patch
    if (is_one) return fmt::format("      by {}\n", maker.value_place);
    return fmt::format("      by {}, from {}\n", maker.template_place, maker.value_place);
  }

  std::string sign(const diff::Family& family) const {
    return with_painted_sign(std::string(1, sign_of(family)), palette_);
  }

  const FleetDifferences& all_;
  const DiffTextOptions& options_;
  const Palette& palette_;
};

class ClusterText {
 public:
  ClusterText(const FleetDifferences& all, const DiffTextOptions& options)
      : all_(all), options_(options), palette_(palette_of(options.color)) {}

  void write_to(const Write& write) const {
    for (const diff::ClusterRecord& cluster : all_.clusters) {
      if (cluster.differs) write(cluster_text(cluster) + "\n");
    }
    write(summary_text(all_) + "\n");
  }

 private:
  std::string cluster_text(const diff::ClusterRecord& cluster) const {
    const std::string title = printable(cluster.title());
    if (cluster.kind == diff::ClusterDiff::Kind::Added)
      return painted(title + ": added", palette_.added, palette_) + "\n";
    if (cluster.kind == diff::ClusterDiff::Kind::Removed)
      return painted(title + ": removed", palette_.removed, palette_) + "\n";
    std::string text = painted(title, palette_.bold, palette_) + "\n";
    for (const diff::ObjectRecord& object : cluster.objects) {
      if (object.counts || options_.verbose) text += object_text(object);
    }
    return text;
  }

  std::string object_text(const diff::ObjectRecord& object) const {
    std::string title = object.kind.empty() ? "" : object.kind + " ";
    if (!object.space.empty()) title += object.space + "/";
    title = printable(title + (object.name_before.empty() ? object.name : object.name_before + " → " + object.name));
    const std::string_view event = diff::event_name(object.event);
    const bool plain = object.event == ObjectPair::Kind::Changed || object.event == ObjectPair::Kind::Renamed;
    title += plain ? "" : fmt::format(": {}", event);
    std::string text = fmt::format("  {}\n", painted(title, color_of_event(object.event, palette_), palette_));
    for (const diff::ChangeRecord& change : object.changes) {
      const bool explains = object.event == ObjectPair::Kind::Renamed && change.kind == Change::Kind::Format;
      if (change.counts() || explains || options_.verbose) text += change_text(change);
    }
    return text;
  }

  std::string change_text(const diff::ChangeRecord& change) const {
    const std::string sign = with_painted_sign(std::string(1, sign_of(change)), palette_);
    const std::string head = fmt::format("    {}{}", sign, place_text(change.path));
    if (!change.secret && change.kind == Change::Kind::Replace && is_lines(change.before, change.after))
      return head + "lines\n" + changed_lines(change.before, change.after, "        ", palette_);
    return fmt::format("{}{}{}\n", head, values_text(change, options_.verbose ? kAll : kMostValue),
                       change.follows ? " (follows)" : "");
  }

  const FleetDifferences& all_;
  const DiffTextOptions& options_;
  const Palette& palette_;
};

}  // namespace

void write_diff_text(const FleetDifferences& differences, const DiffTextOptions& options, const Write& write) {
  if (options.by_cluster) ClusterText(differences, options).write_to(write);
  else FamilyText(differences, options).write_to(write);
}

std::string diff_as_text(const FleetDifferences& differences, const DiffTextOptions& options) {
  return written_by([&](const Write& write) { write_diff_text(differences, options, write); });
}

}  // namespace capwright::report
