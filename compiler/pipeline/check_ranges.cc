// Only errors that apply to every cloud: the ranges of machines, pods and services must be disjoint.
#include <fmt/format.h>
#include <string>
#include <vector>

#include "diag/catalog/layers.h"
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

void check_ranges(const Value& values, Stage& stage) {
  const Value* network = values.find("network");
  if (network == nullptr || !network->is(Kind::Map)) return;
  const std::vector<Range> ranges = ranges_of(*network, stage);
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
