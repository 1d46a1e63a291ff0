// Only errors that apply to every cloud: the ranges of machines, pods and services must be disjoint.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/catalog/values.h"
#include "pipeline/load_values.h"
#include "schema/place.h"
#include "text/ip_address.h"
#include "yaml/replace_scalar.h"

namespace capwright {
namespace {

struct Range {
  std::string path;
  ip::Network network;
  Span where;  // unknown: a default
  Value value;
};

bool has_range(const Value& value) {
  if (value.is(Kind::String)) return ip::parse_network(value.text()).has_value();
  if (value.is(Kind::List)) return std::any_of(value.items().begin(), value.items().end(), has_range);
  return value.is(Kind::Map) && std::any_of(value.entries().begin(), value.entries().end(),
                                            [](const Entry& entry) { return has_range(entry.value); });
}

// What errors of validation say about ranges.
class Faults {
 public:
  Faults(const Value& values, std::size_t first, const Stage& stage) {
    for (std::size_t i = first; i < stage.sink.diagnostics().size(); ++i) {
      const Diagnostic& fault = stage.sink.diagnostics()[i];
      if (!fault.where.known()) continue;
      places_.push_back(fault.where);
      if (fault.info == &diag::unknown_key.info) unknown_.push_back(fault.where);
    }
    hides_range_ = !unknown_.empty() && has_unknown_range(values, stage);
  }

  // Whether a wrong value is at this place.
  bool are_at(Span where) const { return std::find(places_.begin(), places_.end(), where) != places_.end(); }
  // Whether an unknown key has a range, such as a misspelt `pod_cidrs`: the default that applies instead isn't meant.
  bool hide_range() const { return hides_range_; }

 private:
  bool has_unknown_range(const Value& value, const Stage& stage) const {
    if (value.is(Kind::List))
      return std::any_of(value.items().begin(), value.items().end(),
                         [&](const Value& item) { return has_unknown_range(item, stage); });
    return value.is(Kind::Map) && std::any_of(value.entries().begin(), value.entries().end(), [&](const Entry& entry) {
             const Span key = stage.span_of(entry.key);
             const bool is_unknown = std::find(unknown_.begin(), unknown_.end(), key) != unknown_.end();
             return is_unknown ? has_range(entry.value) : has_unknown_range(entry.value, stage);
           });
  }

  std::vector<Span> places_, unknown_;
  bool hides_range_ = false;
};

void add(std::string path, const Value& value, const Stage& stage, std::vector<Range>& ranges) {
  if (!value.is(Kind::String)) return;
  if (const auto network = ip::parse_network(value.text()))
    ranges.push_back({std::move(path), *network, schema::written_at(value, stage.origins), value});
}

std::vector<Range> ranges_of(const Value& network, const Stage& stage) {
  std::vector<Range> ranges;
  if (const Value* nodes = network.find("node_cidr")) add("network.node_cidr", *nodes, stage, ranges);
  for (const std::string_view key : {"pod_cidrs", "service_cidrs"}) {
    const Value* list = network.find(key);
    if (list == nullptr || !list->is(Kind::List)) continue;
    for (std::size_t i = 0; i < list->items().size(); ++i)
      add(fmt::format("network.{}[{}]", key, i), list->items()[i], stage, ranges);
  }
  return ranges;
}

std::string words(const Range& range) {
  return fmt::format("{}`{}` (`{}`)", range.where.known() ? "" : "the default of ", range.path,
                     ip::to_text(range.network));
}

void report_overlap(const Range& one, const Range& other, Sink& sink) {
  const Range& at = other.where.known() ? other : one;
  Diagnostic& diagnostic =
      sink.report(diag::overlapping_ranges, at.where, words(at), words(&at == &other ? one : other));
  if (one.where.known() && other.where.known()) diagnostic.also(one.where, "overlaps this");
  else diagnostic.advise("set both to ranges that don't overlap");
}

}  // namespace

void check_ranges(const Value& values, std::size_t first, Stage& stage) {
  const Value* network = values.find("network");
  if (network == nullptr || !network->is(Kind::Map)) return;
  std::vector<Range> ranges = ranges_of(*network, stage);
  if (stage.sink.failed()) {
    const Faults faults(values, first, stage);
    std::erase_if(ranges, [&](const Range& range) {
      return range.where.known() ? faults.are_at(range.where) : faults.hide_range();
    });
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[i];
    if (range.network.has_host_bits()) {
      const std::string meant = ip::to_text(range.network.without_host_bits());
      Diagnostic& diagnostic =
          stage.sink.report(diag::host_bits_set, range.where, range.path, ip::to_text(range.network));
      diagnostic.advise(fmt::format("write `{}`", meant));
      if (std::optional<Edit> edit = replace_scalar(range.value, meant, stage))
        diagnostic.fix = Fix{"clear the host bits", Safety::Safe, {std::move(*edit)}};
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (range.network.overlaps(ranges[j].network)) report_overlap(ranges[j], range, stage.sink);
    }
  }
}

}  // namespace capwright
