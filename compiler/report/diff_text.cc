// A fleet on one screen: each shape of change once, with the clusters that have it.
#include <fmt/format.h>

#include "files/text_diff.h"
#include "report/diff_words.h"
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
std::string changed_lines(const diff::ShownValue& before, const diff::ShownValue& after, std::string_view indent) {
  const std::string hunks = unified_diff({"", before.text}, {"", after.text}, {.context = 0, .most_lines = 12});
  std::string text;
  for (std::size_t at = 0; at < hunks.size();) {
    const std::size_t end = std::min(hunks.find('\n', at), hunks.size());
    const std::string_view line = std::string_view(hunks).substr(at, end - at);
    const bool is_head = line.starts_with("--- ") || line.starts_with("+++ ") || line.starts_with("@@");
    if (!is_head) text += fmt::format("{}{}\n", indent, printable(line));
    at = end + 1;
  }
  return text;
}

class FamilyText {
 public:
  FamilyText(const FleetDifferences& all, const DiffTextOptions& options) : all_(all), options_(options) {}

  std::string text() {
    const std::vector<diff::Family> families = diff::families_of(all_.clusters);
    std::string text = summary_text(all_) + "\n";
    std::string title;
    for (const diff::Family& family : families) {
      const std::string its_title = family_title(family);
      if (its_title != title) text += fmt::format("\n{}\n", its_title);
      title = its_title;
      text += family.path.empty() ? clusters_line(family.variants.front(), "  ") : change_text(family);
    }
    return text;
  }

 private:
  std::string clusters_line(const diff::Variant& variant, std::string_view indent) const {
    return fmt::format("{}{}\n", indent,
                       clusters_text(all_, variant.occurrences, options_.verbose ? kAll : kMostNames));
  }

  std::string change_text(const diff::Family& family) const {
    const std::size_t most = options_.verbose ? kAll : kMostVariants;
    std::string text;
    if (family.variants.size() == 1) {
      text = variant_text(family, family.variants.front(),
                          fmt::format("{} {}: ", sign_of(family), printable(family.path)), "  ");
    } else {
      text =
          fmt::format("  {} {}: {}\n", sign_of(family), printable(family.path), counted(family.variants.size(), "way"));
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
                         changed_lines(variant.before, variant.after, indent + "    "));
    } else {
      text = fmt::format("{}{}{}\n", indent, head, values_text(family, variant, options_.verbose ? kAll : kMostValue));
    }
    return text + clusters_line(variant, indent + "    ");
  }

  std::string maker_text(const diff::ShownMaker& maker) const {
    if (maker.template_place.empty() && maker.value_place.empty()) return {};
    if (maker.value_place.empty()) return fmt::format("      by {}\n", maker.template_place);
    if (maker.template_place.empty()) return fmt::format("      by {}\n", maker.value_place);
    return fmt::format("      by {}, from {}\n", maker.template_place, maker.value_place);
  }

  const FleetDifferences& all_;
  const DiffTextOptions& options_;
};

class ClusterText {
 public:
  ClusterText(const FleetDifferences& all, const DiffTextOptions& options) : all_(all), options_(options) {}

  std::string text() const {
    std::string text;
    for (const diff::ClusterRecord& cluster : all_.clusters) {
      if (cluster.differs) text += (text.empty() ? "" : "\n") + cluster_text(cluster);
    }
    return text + (text.empty() ? "" : "\n") + summary_text(all_) + "\n";
  }

 private:
  std::string cluster_text(const diff::ClusterRecord& cluster) const {
    std::string text = printable(cluster.title());
    if (cluster.kind == diff::ClusterDiff::Kind::Added) return text + ": added\n";
    if (cluster.kind == diff::ClusterDiff::Kind::Removed) return text + ": removed\n";
    text += "\n";
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
    std::string text = fmt::format("  {}{}{}\n", title, plain ? "" : ": ", plain ? "" : event);
    for (const diff::ChangeRecord& change : object.changes) {
      const bool explains = object.event == ObjectPair::Kind::Renamed && change.kind == Change::Kind::Format;
      if (change.counts() || explains || options_.verbose) text += change_text(change);
    }
    return text;
  }

  std::string change_text(const diff::ChangeRecord& change) const {
    const std::string head = fmt::format("    {} {}: ", sign_of(change), printable(change.path));
    if (!change.secret && change.kind == Change::Kind::Replace && is_lines(change.before, change.after))
      return head + "lines\n" + changed_lines(change.before, change.after, "        ");
    return fmt::format("{}{}{}\n", head, values_text(change, options_.verbose ? kAll : kMostValue),
                       change.follows ? " (follows)" : "");
  }

  const FleetDifferences& all_;
  const DiffTextOptions& options_;
};

}  // namespace

std::string diff_as_text(const FleetDifferences& differences, const DiffTextOptions& options) {
  return options.by_cluster ? ClusterText(differences, options).text() : FamilyText(differences, options).text();
}

}  // namespace capwright::report
