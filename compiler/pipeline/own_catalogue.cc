// Files are checked when the configuration is read. Each use reads the entries again, into the sources of that use.
#include "pipeline/own_catalogue.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diag/catalog/tree.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "files/path_rules.h"
#include "pipeline/own_addons.h"
#include "pipeline/read_source.h"
#include "pipeline/repository_bounds.h"
#include "schema/schema.h"
#include "values/merge.h"
#include "yaml/read.h"

namespace capwright {
namespace {

constexpr std::string_view kOwnSchema = "schemas/catalogue/own.schema.json";
constexpr std::string_view kAddons = "schemas/catalogue/addons.yaml";
constexpr std::string_view kKubernetes = "schemas/catalogue/kubernetes.yaml";

// Lists of a catalogue are of maps that a key tells apart; below it may be one more.
struct ListKey {
  std::string_view list, key;
  std::string_view title;                // for messages
  const ListKey* inner = nullptr;        // null: items are laid over as they are
  bool marked = false;                   // `from` in an item says which line it is from
  std::string_view one = {}, many = {};  // an item with `one` alone counts in place of all of `many` below it
};
constexpr ListKey kReleases{"releases", "minor", "release", nullptr, true};
constexpr ListKey kOffers{"offers", "title", "offer", &kReleases};
constexpr ListKey kAddonList{"addons", "id", "add-on", nullptr, false, "version", "versions"};

Value read_built_in(std::string_view path, Stage& stage) {
  return read_yaml(stage.sources.add(std::string(path), std::string(built_in_text(path))), stage);
}

std::span<const Value> items_at(const Value& map, std::string_view key) {
  const Value* list = map.find(key);
  return list != nullptr && list->is(Kind::List) ? list->items() : std::span<const Value>();
}

Value with_entry(const Value& map, std::string_view key, const Value& value, Stage& stage) {
  const std::array<Entry, 1> entry{{{make_key(stage.arena, key), value}}};
  const std::array<Value, 2> layers{map, make_map(stage.arena, entry)};
  return values::merge_layers(layers, stage).with_origin(map.origin());
}

std::string place_of(const Value& item, const Stage& stage) {
  const Span where = stage.origins[item.origin()].span;
  return fmt::format("{}:{}", stage.sources.path(where.file), stage.sources.line_col(where).line);
}

// The items of `below` with those of `above` of the same key laid over, and then those that are new.
Value laid_over(const Value& below, const Value& above, const ListKey& by, Stage& stage) {
  std::vector<Value> items(items_at(below, by.list).begin(), items_at(below, by.list).end());
  for (const Value& item : items_at(above, by.list)) {
    const auto old = std::find_if(items.begin(), items.end(),
                                  [&](const Value& known) { return known.text_at(by.key) == item.text_at(by.key); });
    Value own = item;
    if (by.marked) own = with_entry(item, "from", make_string(stage.arena, place_of(item, stage)), stage);
    if (old == items.end()) {
      items.push_back(own);
    } else if (by.inner != nullptr) {
      *old = laid_over(*old, own, *by.inner, stage);
    } else {
      std::vector<Value> layers{*old, own};
      if (!by.one.empty() && own.find(by.one) != nullptr && own.find(by.many) == nullptr) {
        const std::array<Entry, 1> none{{{make_key(stage.arena, by.many), Value::null()}}};
        layers.insert(layers.begin() + 1, make_map(stage.arena, none));
      }
      *old = values::merge_layers(layers, stage);
    }
  }
  return with_entry(below, by.list, make_list(stage.arena, items), stage);
}

// Reads and checks one of the files. An empty text when it doesn't count.
class OwnFile {
 public:
  OwnFile(FileSystem& fs, const Workspace& workspace, std::string shown, Stage& stage)
      : fs_(fs), workspace_(workspace), shown_(std::move(shown)), stage_(stage) {}

  OwnCatalogue::File read(std::string_view built_in, const ListKey& by) {
    FileStat stat;
    if (fs_.stat(workspace_.io_path(shown_), stat)) return {};
    if (!RepositoryBounds(fs_, workspace_.prefix.empty() ? "." : workspace_.prefix).have(workspace_.io_path(shown_))) {
      stage_.sink.report(diag::outside_of_repository, {}, shown_);
      return {};
    }
    const std::optional<FileId> file = read_optional_source(fs_, workspace_, shown_, Span(), stage_);
    if (!file) return {};
    const std::size_t errors = stage_.sink.error_count();
    const Value document = read_yaml(*file, stage_);
    if (stage_.sink.error_count() != errors || !has_shape(document, by)) return {};
    const Value known = read_built_in(built_in, stage_);
    if (!names_known(document, known, by) || !is_newer(document, known)) return {};
    return {shown_, std::string(stage_.sources.text(*file))};
  }

 private:
  bool has_shape(const Value& document, const ListKey& by) {
    const Value all = read_built_in(kOwnSchema, stage_);
    const Value* part = all.find("$defs")->find(by.list);
    return schema::validate(*schema::compile(*part, stage_), document, stage_);
  }

  bool names_known(const Value& document, const Value& known, const ListKey& by) {
    std::vector<std::string_view> names;
    for (const Value& item : items_at(known, by.list)) names.push_back(item.text_at(by.key));
    bool all_known = true;
    for (const Value& item : items_at(document, by.list)) {
      const std::string_view name = item.text_at(by.key);
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const Span where = stage_.origins[item.find(by.key)->origin()].span;
      const std::string meant = did_you_mean(name, names);
      stage_.sink.report(diag::unknown_catalogue_entry, where, by.title, name)
          .advise(meant.empty() ? "known: " + list_names(names) : meant);
      all_known = false;
    }
    return all_known;
  }

  bool is_newer(const Value& document, const Value& known) {
    const std::string_view own = document.text_at("as_of"), built_in = known.text_at("as_of");
    if (own >= built_in) return true;  // dates of ISO 8601 are in the order of their texts
    stage_.sink.report(diag::older_catalogue, stage_.origins[document.find("as_of")->origin()].span, built_in, own);
    return false;
  }

  FileSystem& fs_;
  const Workspace& workspace_;
  std::string shown_;
  Stage& stage_;
};

Value facts(std::string_view built_in, const OwnCatalogue::File& own, const ListKey& by, Stage& stage) {
  const Value below = read_built_in(built_in, stage);
  if (own.text.empty()) return below;
  const Value above = read_yaml(stage.sources.add(own.shown, own.text), stage);
  return with_entry(laid_over(below, above, by, stage), "as_of", *above.find("as_of"), stage);
}

}  // namespace

OwnCatalogue read_own_catalogue(FileSystem& fs, const Workspace& workspace, const std::string& folder, Span named,
                                Stage& stage) {
  return {OwnFile(fs, workspace, folder + "/addons.yaml", stage).read(kAddons, kAddonList),
          OwnFile(fs, workspace, folder + "/kubernetes.yaml", stage).read(kKubernetes, kOffers),
          folder,
          named,
          {}};
}

void report_unused_files(const OwnCatalogue& own, FileSystem& fs, const Workspace& workspace, Sink& sink) {
  constexpr std::array<std::string_view, 2> kRead{"addons.yaml", "kubernetes.yaml"};
  std::vector<DirEntry> entries;
  if (const IoError error = fs.list(workspace.io_path(own.folder), entries)) {
    if (error.code == ENOENT && own.named.known())
      sink.report(diag::unused_catalogue_file, own.named, own.folder, "the folder doesn't exist");
    return;
  }
  for (const DirEntry& entry : entries) {
    if (!has_data_name(entry.name) || std::find(kRead.begin(), kRead.end(), entry.name) != kRead.end()) continue;
    const std::string meant = did_you_mean(entry.name, kRead);
    sink.report(diag::unused_catalogue_file, own.named, own.folder + "/" + entry.name,
                "a catalogue has `addons.yaml` and `kubernetes.yaml`")
        .advise(meant.empty() ? "remove the file" : meant);
  }
}

Value addon_facts(const OwnCatalogue& own, Stage& stage) {
  const Value known = facts(kAddons, own.addons, kAddonList, stage);
  return own.own_addons.empty() ? known : with_own_addons(known, own.own_addons, stage);
}

Value kubernetes_facts(const OwnCatalogue& own, Stage& stage) {
  return facts(kKubernetes, own.kubernetes, kOffers, stage);
}

}  // namespace capwright
