// A default that a patch replaces isn't reported: no user wrote it.
#include "pipeline/hidden_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "diag/catalog/patches.h"
#include "values/merge.h"

namespace capwright {
namespace {

Value without(const Value& value, std::span<const values::PathStep> path, Arena& arena) {
  const bool is_last = path.size() == 1;
  if (value.is(Kind::List)) {
    std::vector<Value> items(value.items().begin(), value.items().end());
    const auto item = items.begin() + path[0].index;
    if (is_last) items.erase(item);
    else *item = without(*item, path.subspan(1), arena);
    return make_list(arena, items).with_origin(value.origin());
  }
  std::vector<Entry> entries;
  for (const Entry& entry : value.entries()) {
    const bool is_step = entry.key.text() == path[0].key;
    if (!is_step) entries.push_back(entry);
    else if (!is_last) entries.push_back({entry.key, without(entry.value, path.subspan(1), arena)});
  }
  return make_map(arena, entries).with_origin(value.origin());
}

class HiddenValues {
 public:
  HiddenValues(const Value& values, std::span<const patch::HiddenInput> hidden, const schema::Schema* schema,
               Stage& stage)
      : values_(values), schema_(schema), stage_(stage) {
    for (const patch::HiddenInput& each : hidden) hidden_.emplace(each.input, &each);
    if (schema != nullptr) errors_ = errors_in(values);
  }

  void find() {
    for (const Entry& entry : values_.entries()) {
      const auto& lists = values::kGrowingLists;
      const bool is_patch = std::find(std::begin(lists), std::end(lists), entry.key.text()) != std::end(lists);
      if (is_patch) continue;
      path_.push_back({entry.key.text(), -1});
      look_below(entry.value, stage_.span_of(entry.key));
      path_.pop_back();
    }
  }

 private:
  // What is in a value, and the first of its hidden parts.
  struct Found {
    std::size_t values = 0, hidden = 0;
    const patch::HiddenInput* first = nullptr;
    Span where;

    void add(const Found& below) {
      values += below.values;
      hidden += below.hidden;
      if (first == nullptr) first = below.first, where = below.where;
    }
    bool is_hidden() const { return hidden != 0 && hidden == values; }
  };

  // The input that sets a value: the last one, because those that a `${reference}` names come before it.
  Found found_at(const Value& scalar) const {
    const std::vector<OriginId> leaves = stage_.origins.leaves(scalar.origin());
    const bool is_input = !leaves.empty() && stage_.origins[leaves.back()].kind == Origin::Kind::Input;
    if (!is_input) return {};
    const auto known = hidden_.find(leaves.back());
    if (known == hidden_.end()) return {1, 0, nullptr, {}};
    const Span where = stage_.origins[leaves.back()].span;
    if (!where.known() || SourceSet::is_shared(where.file)) return {1, 0, nullptr, {}};
    return {1, 1, known->second, where};
  }

  // Reports the hidden parts of a value that isn't hidden as a whole.
  Found look_below(const Value& value, Span key) {
    Found all;
    std::vector<std::pair<values::PathStep, Found>> parts;
    const auto look_at_part = [&](values::PathStep step, const Value& below, Span own_key) {
      path_.push_back(step);
      parts.emplace_back(step, look_below(below, own_key));
      path_.pop_back();
      all.add(parts.back().second);
    };
    if (value.is(Kind::List)) {
      for (std::size_t i = 0; i < value.items().size(); ++i)
        look_at_part({"", static_cast<std::int64_t>(i)}, value.items()[i], Span());
    } else if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries())
        look_at_part({entry.key.text(), -1}, entry.value, stage_.span_of(entry.key));
    } else {
      all = found_at(value);
    }
    if (all.is_hidden() && key.known() && !SourceSet::is_shared(key.file) && !parts.empty()) all.where = key;
    if (all.is_hidden() && path_.size() > 1) return all;  // reported with what is around it, or by it
    if (all.is_hidden()) report(all);
    for (const auto& [step, part] : parts) {
      if (all.is_hidden() || !part.is_hidden()) continue;
      path_.push_back(step);
      report(part);
      path_.pop_back();
    }
    return all;
  }

  void report(const Found& found) {
    const std::string path = values::path_text(path_);
    Diagnostic& diagnostic = stage_.sink.report(diag::hidden_value, found.where, path);
    const patch::HiddenInput& hidden = *found.first;
    if (hidden.patch.known()) {
      const LineCol at = stage_.sources.line_col(hidden.patch);
      diagnostic.note(fmt::format("the patch at {}:{}:{} {} {}", stage_.sources.path(hidden.patch.file), at.line,
                                  at.column, hidden.removed ? "removes" : "replaces", hidden.field));
    }
    if (hidden.marks) diagnostic.note("only labels and annotations of objects still have the value");
    const std::string_view edit =
        is_required() ? ", and set `{}` to the value that you want" : "; or remove `{}`, to keep what the patch sets";
    diagnostic.advise("remove that from the patch" + fmt::format(fmt::runtime(edit), path));
  }

  // Whether the values need the key at the path, also because of what other keys say. Values that are completed, such
  // as add-ons, may have errors anyway.
  bool is_required() const { return schema_ != nullptr && errors_in(without(values_, path_, stage_.arena)) > errors_; }

  std::size_t errors_in(const Value& values) const {
    Sink aside;
    Stage checking{stage_.sources, aside, stage_.arena, stage_.origins, stage_.limits};
    schema::validate(*schema_, schema::apply_defaults(*schema_, values, checking), checking);
    return aside.error_count();
  }

  const Value& values_;
  std::map<OriginId, const patch::HiddenInput*> hidden_;
  const schema::Schema* schema_;
  Stage& stage_;
  std::size_t errors_ = 0;
  std::vector<values::PathStep> path_;
};

}  // namespace

void report_hidden_values(const Value& values, std::span<const patch::HiddenInput> hidden, const schema::Schema* schema,
                          Stage& stage) {
  if (!hidden.empty() && values.is(Kind::Map)) HiddenValues(values, hidden, schema, stage).find();
}

std::size_t count_accepted(std::span<const Diagnostic> findings, const SourceSet& sources) {
  const auto is_accepted = [&](const Diagnostic& finding) {
    const bool is_of_patch = finding.info == &diag::hidden_value.info || finding.info == &diag::dropped_items.info;
    if (!is_of_patch || !finding.where.known()) return false;
    const std::string_view text = sources.text(finding.where.file);
    const std::string_view line =
        text.substr(finding.where.begin, text.find('\n', finding.where.begin) - finding.where.begin);
    const std::size_t comment = line.find("capwright: ignore=");
    return comment != std::string_view::npos && line.find(finding.info->code, comment) != std::string_view::npos;
  };
  return static_cast<std::size_t>(std::ranges::count_if(findings, is_accepted));
}

}  // namespace capwright
