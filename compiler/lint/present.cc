// The frame chain of a finding: value, template line, rendered line.
#include "lint/present.h"

#include <algorithm>
#include <fmt/format.h>

#include "files/blame.h"

namespace capwright::lint {
namespace {

// Quotes that are the template's: the value between them made what counts.
Span without_quotes(Span span, std::string_view text) {
  const std::string_view scalar = text.substr(span.begin, span.size());
  const bool quoted = scalar.size() > 2 && (scalar[0] == '"' || scalar[0] == '\'') && scalar.back() == scalar[0];
  return quoted ? Span{span.file, span.begin + 1, span.end - 1} : span;
}

// The bytes of a rendered file to ask for the makers of: never none.
Span asked(const Place& place) {
  const std::string& text = place.file->rendered->body.text();
  const auto size = static_cast<std::uint32_t>(text.size());
  Span span = without_quotes(place.span, text);
  if (span.begin >= span.end) span.end = std::min(span.begin + 1, size);
  if (span.begin >= size) span = {span.file, size - 1, size};
  return span;
}

std::string subject_of(const Place& place) {
  if (place.object == nullptr) return {};
  return fmt::format("{}/{}{}{}", place.object->kind(), place.object->name(), place.path.empty() ? "" : " ",
                     place.path);
}

// All places of one spot, the one to edit first.
struct Chain {
  Span where;
  std::vector<Label> labels;
  std::vector<TraceFrame> trace;
};

std::string rendered_text(const Place& place) {
  return place.object == nullptr ? "rendered here" : fmt::format("rendered here, in {}", place.object->title());
}

Chain chain_of(const Place& place, Blame blame) {
  Chain chain{place.span, {}, {}};
  if (place.file == nullptr || place.file->rendered == nullptr || !place.span.known()) return chain;
  const Span bytes = asked(place);
  const CompiledCluster& compiled = *place.cluster->compiled();
  const Stage makers = place.cluster->makers();
  capwright::Blame found = blame_bytes(place.file->rendered->body, bytes.begin, bytes.end, makers, &compiled.trace);
  chain.where = found.where;
  chain.labels = std::move(found.labels);
  chain.trace = std::move(found.trace);
  const Label rendered{place.span, rendered_text(place)};
  if (blame == Blame::Template && found.by_value) {
    std::swap(chain.where, chain.labels.front().where);
    chain.labels.front().text = "from this value";
  }
  if (blame == Blame::Rendered) {
    chain.labels.insert(chain.labels.begin(), {chain.where, found.by_value ? "from this value" : "written here"});
    chain.where = place.span;
  } else {
    chain.labels.push_back(rendered);
  }
  return chain;
}

// An edit of the source, when the place's bytes come from one place as they are.
std::optional<Fix> source_fix(const Finding& finding) {
  if (!finding.replacement) return std::nullopt;
  const Replacement& replacement = *finding.replacement;
  const Chain chain = chain_of(replacement.place, Blame::Value);
  const SourceSet& sources = replacement.place.cluster->sources();
  const bool rendered = replacement.place.file != nullptr && replacement.place.file->rendered != nullptr;
  if (rendered && sources.text(chain.where) != sources.text(asked(replacement.place))) return std::nullopt;
  return Fix{replacement.title, replacement.safety, {{chain.where, replacement.text}}};
}

}  // namespace

void present(const Finding& finding, Blame blame, Sink& sink) {
  Chain chain = chain_of(finding.place, blame);
  if (finding.conceals) {
    finding.place.cluster->conceal(chain.where);
    for (const Label& label : chain.labels) finding.place.cluster->conceal(label.where);
  }
  Diagnostic& diagnostic = sink.add(*finding.info, chain.where, finding.message);
  diagnostic.severity = finding.severity;
  diagnostic.label = finding.caret;
  diagnostic.labels = std::move(chain.labels);
  diagnostic.trace = std::move(chain.trace);
  diagnostic.notes = finding.notes;
  diagnostic.subject = subject_of(finding.place);
  if (SourceSet::is_shared(chain.where.file)) diagnostic.pattern = finding.pattern;
  if (!finding.advice.empty()) diagnostic.help = finding.advice;
  diagnostic.fix = source_fix(finding);
  for (const Finding::Related& related : finding.related) {
    if (related.place.cluster != finding.place.cluster) continue;
    const Chain there = chain_of(related.place, blame);
    diagnostic.also(there.where, related.text);
  }
}

std::vector<Span> places_of(const Finding& finding) {
  const Chain chain = chain_of(finding.place, Blame::Value);
  std::vector<Span> places = {chain.where};
  for (const Label& label : chain.labels) places.push_back(label.where);
  return places;
}

Span FleetReport::carried(const Cluster& cluster, Span span) {
  if (!span.known()) return span;
  const auto [known, is_new] = known_.try_emplace({&cluster, span.file});
  if (is_new) {
    const SourceSet& from = cluster.sources();
    known->second = sources_.add(std::string(from.path(span.file)), std::string(from.text(span.file)));
    for (const Span secret : cluster.secrets()) {
      if (secret.file == span.file) secrets_.push_back({known->second, secret.begin, secret.end});
    }
  }
  return {known->second, span.begin, span.end};
}

void FleetReport::add(const Finding& finding, Blame blame) {
  const Cluster& cluster = *finding.place.cluster;
  Sink one;
  present(finding, blame, one);
  if (one.diagnostics().empty()) return;
  Diagnostic diagnostic = std::move(one.diagnostics().front());
  diagnostic.where = carried(cluster, diagnostic.where);
  for (Label& label : diagnostic.labels) label.where = carried(cluster, label.where);
  for (TraceFrame& frame : diagnostic.trace) frame.where = carried(cluster, frame.where);
  if (diagnostic.fix) {
    for (Edit& edit : diagnostic.fix->edits) edit.where = carried(cluster, edit.where);
  }
  for (const Finding::Related& related : finding.related) {
    if (related.place.cluster == nullptr || related.place.cluster == finding.place.cluster) continue;
    const Chain there = chain_of(related.place, blame);
    diagnostic.also(carried(*related.place.cluster, there.where), related.text);
  }
  diagnostics_.push_back(std::move(diagnostic));
}

}  // namespace capwright::lint
