// Follows provenance forwards: from the places of a value to the segments and frames that name one of them.
#include "pipeline/explain_value.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "schema/reach.h"
#include "values/merge.h"

namespace capwright {
namespace {

// A reference adds the places of its target. The value's own place is the one that follows its key.
Span own_place(const CompiledCluster& cluster, const Value& value, Span key) {
  Span own;
  std::uint32_t nearest = std::numeric_limits<std::uint32_t>::max();
  for (const OriginId leaf : cluster.origins.leaves(value.origin())) {
    const Span place = cluster.origins[leaf].span;
    const bool follows = key.file == place.file && key.end <= place.begin;
    const std::uint32_t distance = follows ? place.begin - key.end : std::numeric_limits<std::uint32_t>::max() - 1;
    if (distance < nearest) own = place, nearest = distance;
  }
  return own;
}

// Visits all values with their paths and the places of the keys that lead to them.
template <class Visit>
void visit_values(const CompiledCluster& cluster, const Value& value, const std::string& path, Span key,
                  const Visit& visit) {
  visit(value, path, key);
  if (value.is(Kind::List)) {
    for (std::size_t i = 0; i < value.items().size(); ++i)
      visit_values(cluster, value.items()[i], fmt::format("{}[{}]", path, i), key, visit);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) {
      const values::PathStep step{entry.key.text(), -1};
      const std::string name = values::path_text({&step, 1});
      visit_values(cluster, entry.value, path.empty() ? name : path + "." + name,
                   cluster.origins[entry.key.origin()].span, visit);
    }
  }
}

class UseFinder {
 public:
  UseFinder(const CompiledCluster& cluster, std::set<Span> places)
      : cluster_(cluster), places_(std::move(places)), decided_by_(cluster.trace.size()) {}

  void look_at(const RenderedFile& file, ExplainedValue& found) {
    const std::string& text = file.body.text();
    const auto segments = file.body.segments();
    std::uint32_t line = 1, line_begin = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment& segment = segments[i];
      const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : file.body.size();
      const bool is_made = !segment.literal && is_ours(segment.value);
      const TraceFrame* frame = deciding(segment.frame);
      for (std::uint32_t begin = segment.begin; begin < end;) {
        const auto stop = static_cast<std::uint32_t>(std::min<std::size_t>(text.find('\n', begin), end));
        const std::string_view piece = std::string_view(text).substr(begin, stop - begin);
        if (is_made && !piece.empty()) {
          found.made.push_back(
              {file.path, piece, line, column_of(text, line_begin, begin), segment.where, segment.tainted});
        }
        if (frame != nullptr && piece.find_first_not_of(' ') != std::string_view::npos)
          add_line(file.path, line, *frame, found.decided);
        begin = stop;
        if (begin < end) line_begin = ++begin, ++line;
      }
    }
  }

 private:
  static std::uint32_t column_of(std::string_view text, std::uint32_t line_begin, std::uint32_t at) {
    const std::string_view before = text.substr(line_begin, at - line_begin);
    return 1 + static_cast<std::uint32_t>(
                   std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  }

  bool is_ours(OriginId id) const {
    const std::vector<OriginId> leaves = cluster_.origins.leaves(id);
    return std::any_of(leaves.begin(), leaves.end(),
                       [&](OriginId leaf) { return places_.contains(cluster_.origins[leaf].span); });
  }

  // The innermost condition or loop around a frame that our value decides; null if there is none.
  const TraceFrame* deciding(FrameId id) {
    if (id == FrameId::Root) return nullptr;
    std::optional<const TraceFrame*>& known = decided_by_[static_cast<std::size_t>(id)];
    if (known) return *known;
    const RenderFrame& frame = cluster_.trace[static_cast<std::size_t>(id)];
    const bool decides = frame.kind == RenderFrame::Kind::Condition || frame.kind == RenderFrame::Kind::Loop;
    const TraceFrame* result = nullptr;
    if (decides && is_ours(frame.value)) result = &*frames_.insert({frame.call_site, frame.what}).first;
    else result = deciding(frame.parent);
    decided_by_[static_cast<std::size_t>(id)] = result;
    return result;
  }

  static void add_line(std::string_view file, std::uint32_t line, const TraceFrame& frame,
                       std::vector<DecidedLines>& all) {
    for (auto known = all.rbegin(); known != all.rend() && known->file == file; ++known) {
      if (known->by.where != frame.where || known->by.what != frame.what || known->last + 1 < line) continue;
      known->last = line;
      return;
    }
    all.push_back({file, line, line, frame});
  }

  struct ByPlace {
    bool operator()(const TraceFrame& a, const TraceFrame& b) const {
      return std::tie(a.where, a.what) < std::tie(b.where, b.what);
    }
  };

  const CompiledCluster& cluster_;
  std::set<Span> places_;
  std::vector<std::optional<const TraceFrame*>> decided_by_;  // by frame
  std::set<TraceFrame, ByPlace> frames_;
};

std::set<Span> places_of(const CompiledCluster& cluster, const Value& value, Span key) {
  std::set<Span> places;
  visit_values(cluster, value, "", key, [&](const Value& below, const std::string&, Span own_key) {
    if (const Span place = own_place(cluster, below, own_key); place.known()) places.insert(place);
  });
  return places;
}

// The templates whose text the cluster has.
std::set<FileId> templates_in(const CompiledCluster& cluster) {
  std::set<FileId> used;
  for (const RenderedFile& file : cluster.files.files()) {
    for (const Segment& segment : file.body.segments()) used.insert(segment.where.file);
  }
  for (const RenderFrame& frame : cluster.trace) used.insert(frame.call_site.file);
  return used;
}

// Conditions that are false leave no text whose frames name them, so the templates themselves are searched: those that
// the cluster uses, or else all of its set.
std::vector<Span> places_that_read(const CompiledCluster& cluster, std::string_view path) {
  std::set<Span> found, in_use;
  if (cluster.set == nullptr || path.empty()) return {};
  const std::string generic = schema::without_numbers(path);
  for (const auto& [name, parsed] : cluster.set->templates) {
    for (const jinja::ReadPath& read : parsed->references.reads) {
      const std::string own = schema::without_numbers(jinja::path_text(read.steps));
      const bool is_below = own.size() > generic.size() && (own[generic.size()] == '.' || own[generic.size()] == '[');
      if (own == generic || (own.starts_with(generic) && is_below)) found.insert(read.steps.back().span);
    }
  }
  const std::set<FileId> used = templates_in(cluster);
  std::copy_if(found.begin(), found.end(), std::inserter(in_use, in_use.end()),
               [&](Span place) { return used.contains(place.file); });
  const std::set<Span>& best = in_use.empty() ? found : in_use;
  return {best.begin(), best.end()};
}

ExplainedValue explained(const CompiledCluster& cluster, const Value& value, std::string path, Span key) {
  ExplainedValue result{std::move(path), value, {}, {}, {}};
  UseFinder finder(cluster, places_of(cluster, value, key));
  for (const RenderedFile& file : cluster.files.files()) finder.look_at(file, result);
  if (result.made.empty() && result.decided.empty()) result.read = places_that_read(cluster, result.path);
  return result;
}

bool is_container(const Value& value) { return value.is(Kind::List) || value.is(Kind::Map); }

// A line of a file that sets values; 0: all of them.
struct SourceLine {
  const CompiledCluster& cluster;
  std::string_view file;
  std::uint32_t line;

  bool has(Span place) const {
    if (!place.known() || cluster.sources.path(place.file) != file) return false;
    const std::uint32_t first = cluster.sources.line_col(place).line;
    const std::uint32_t last = cluster.sources.line_col(place.file, std::max(place.end, place.begin + 1) - 1).line;
    return line == 0 || (first <= line && line <= last);
  }
  // Also a scalar that a higher layer overrides.
  bool sets(const Value& scalar, Span key) const {
    const Span own = own_place(cluster, scalar, key);
    if (has(own)) return true;
    for (const OriginId leaf : cluster.origins.leaves(scalar.origin())) {
      if (cluster.origins[leaf].span != own) continue;
      for (OriginId below = cluster.origins[leaf].overrides; below != OriginId::None;
           below = cluster.origins[below].overrides) {
        if (has(cluster.origins[below].span)) return true;
      }
    }
    return false;
  }
};

}  // namespace

ExplainedValue explain_value(const CompiledCluster& cluster, const Value& value, std::string path) {
  Span key;
  visit_values(cluster, cluster.values, "", Span(), [&](const Value&, const std::string& at, Span own_key) {
    if (at == path) key = own_key;
  });
  return explained(cluster, value, std::move(path), key);
}

std::vector<ExplainedValue> explain_source_line(const CompiledCluster& cluster, std::string_view file,
                                                std::uint32_t line) {
  const SourceLine here{cluster, file, line}, anywhere{cluster, file, 0};
  // The merged value has only one of the keys that open it.
  std::set<std::string> opened;
  for (const Value& layer : cluster.layers) {
    visit_values(cluster, layer, "", Span(), [&](const Value&, const std::string& path, Span key) {
      if (here.has(key)) opened.insert(path);
    });
  }
  struct Target {
    Value value;
    std::string path;
    Span key;
  };
  std::vector<Target> scalars, containers;
  const auto add = [&](const Value& value, const std::string& path, Span key) {
    if (path.empty()) return;
    if (!is_container(value) && here.sets(value, key)) scalars.push_back({value, path, key});
    if (is_container(value) && (here.has(key) || opened.contains(path))) containers.push_back({value, path, key});
  };
  visit_values(cluster, cluster.values, "", Span(), add);
  // Those of own templates are in capwright.yaml, and aren't values.
  if (cluster.set != nullptr && cluster.set->plain) {
    visit_values(cluster, cluster.own.patches, "patches", Span(),
                 [&](const Value& value, const std::string& path, Span key) {
                   if (path.find("].patch.") != std::string::npos || path.find("].patch[") != std::string::npos)
                     add(value, path, key);
                 });
  }
  if (scalars.empty() && !containers.empty()) {
    const Target& first = containers.front();  // the items of a list have the key of the list
    visit_values(cluster, first.value, first.path, first.key,
                 [&](const Value& value, const std::string& path, Span key) {
                   if (!is_container(value) && anywhere.sets(value, key)) scalars.push_back({value, path, key});
                 });
    if (scalars.empty()) scalars.push_back(first);
  }
  std::vector<ExplainedValue> result;
  for (const Target& target : scalars) result.push_back(explained(cluster, target.value, target.path, target.key));
  return result;
}

}  // namespace capwright
