// The invariants, and the account of a run.
#include "fuzz/trial.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/check.h"
#include "report/formats.h"
#include "report/text.h"
#include "text/utf8.h"

// The program ends itself by _Exit when a CW_CHECK fails; libFuzzer keeps the input only of one that aborts.
extern "C" [[noreturn]] void __wrap__Exit(int) { std::abort(); }  // NOLINT: the linker's name

namespace capwright::fuzz {
namespace {

void check_span(Span span, const SourceSet& sources) {
  if (!span.known()) return;
  expect(span.begin <= span.end, "a span begins before it ends");
  expect(span.end <= sources.text(span.file).size(), "a span lies in its file");
}

void check_origin(OriginId id, const Trial& trial) {
  for (const OriginId leaf : trial.origins.leaves(id)) {
    OriginId at = leaf;
    for (; at != OriginId::None; at = trial.origins[at].overrides) check_span(trial.origins[at].span, trial.sources);
  }
}

void check_finding(const Diagnostic& diagnostic, const SourceSet& sources) {
  expect(is_utf8(diagnostic.message), "messages are UTF-8");
  check_span(diagnostic.where, sources);
  for (const Label& label : diagnostic.labels) {
    check_span(label.where, sources);
    expect(is_utf8(label.text), "labels are UTF-8");
  }
  for (const TraceFrame& frame : diagnostic.trace) {
    check_span(frame.where, sources);
    expect(is_utf8(frame.what), "frames are UTF-8");
  }
  for (const std::string& note : diagnostic.notes) expect(is_utf8(note), "notes are UTF-8");
  expect(!diagnostic.help || is_utf8(*diagnostic.help), "help is UTF-8");
}

void check_own_findings(Trial& trial) {
  const std::vector<Diagnostic>& all = trial.sink.diagnostics();
  const bool has_error =
      std::any_of(all.begin(), all.end(), [](const Diagnostic& each) { return each.severity == Severity::Error; });
  expect(has_error == trial.sink.failed(), "a failed sink shows an error");
  check_findings(all, trial.sources, trial);
}

std::string place_text(Span span) {
  return fmt::format("@{}:{}-{}", static_cast<std::uint32_t>(span.file), span.begin, span.end);
}

}  // namespace

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

bool is_utf8(std::string_view text) { return utf8::is_valid(text); }

Limits small_limits() {
  Limits limits;
  limits.input_bytes = 1u << 16;
  limits.output_bytes = 1u << 16;
  limits.string_bytes = 1u << 15;
  limits.list_items = 1u << 12;
  limits.steps = 20'000;
  limits.depth = 50;
  limits.files = 50;
  limits.arena_bytes = 16u << 20;
  limits.aliases = 1'000;
  limits.diagnostics = 100;
  return limits;
}

std::vector<std::string_view> parts_of(std::string_view input) {
  constexpr std::string_view kSeparator = "=====\n";
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0, at = 0;;) {
    at = input.find(kSeparator, at);
    if (at == std::string_view::npos) {
      parts.push_back(input.substr(begin));
      return parts;
    }
    const bool own_line = at == 0 || input[at - 1] == '\n';
    if (own_line) parts.push_back(input.substr(begin, at - begin));
    at += kSeparator.size();
    if (own_line) begin = at;
  }
}

void check_findings(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, Trial& trial) {
  for (const Diagnostic& diagnostic : diagnostics) check_finding(diagnostic, sources);
  report::Findings findings;
  findings.add(diagnostics, sources, {}, "");
  const std::string shown = report::as_text(findings.all(), {});
  expect(is_utf8(shown), "findings are shown as UTF-8");
  trial.account += shown;
  if (findings.all().empty()) return;
  for (const report::ReportForm& form : report::report_forms()) {
    const std::string written = form.write(findings.all(), "fleet/");
    expect(is_utf8(written), "every form is UTF-8");
    const bool is_json = written.starts_with('{') || written.starts_with('[');
    expect(!is_json || nlohmann::json::accept(written), "JSON is JSON");
  }
  expect(report::as_concise(findings.all()).size() != 0, "a finding has a line");
}

void run_twice(std::string_view input, void (*run)(std::string_view, Trial&)) {
  std::string first;
  for (int round = 0; round < 2; ++round) {
    const auto trial = std::make_unique<Trial>();
    run(input, *trial);
    check_own_findings(*trial);
    if (round == 0) first = std::move(trial->account);
    else expect(first == trial->account, "a second run gives the same");
  }
}

void check_value(const Value& value, Trial& trial) {
  check_origin(value.origin(), trial);
  trial.account += kind_name(value.kind());
  const Origin& origin = trial.origins[value.origin()];
  trial.account += place_text(origin.span);
  if (value.tainted()) trial.account += '*';
  if (value.is(Kind::String)) {
    expect(is_utf8(value.text()), "strings are UTF-8");
    trial.account += value.text();
  } else if (value.is(Kind::Int)) {
    trial.account += fmt::format("{}", value.as_int());
  } else if (value.is(Kind::Float)) {
    trial.account += fmt::format("{}", value.as_float());
  } else if (value.is(Kind::List)) {
    for (const Value& item : value.items()) check_value(item, trial);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) {
      check_value(entry.key, trial);
      check_value(entry.value, trial);
      if (entry.key.is(Kind::String)) expect(value.find(entry.key.text()) == &entry.value, "a key finds its entry");
    }
  }
  trial.account += '\n';
}

void check_text(const MappedText& text, const RenderTrace& trace, Trial& trial) {
  trial.account += text.text();
  for (std::size_t i = 1; i < trace.size(); ++i) {
    expect(static_cast<std::size_t>(trace[i].parent) < i, "a frame comes after its parent");
    check_span(trace[i].call_site, trial.sources);
  }
  std::uint32_t next = 0;  // where a segment must begin: the first at 0, the others later than the one before
  for (const Segment& segment : text.segments()) {
    expect(next == 0 ? segment.begin == 0 : segment.begin >= next, "segments are in order, without gaps");
    expect(segment.begin < text.size(), "segments lie in the text");
    next = segment.begin + 1;
    expect(segment.where.known(), "every byte has a template's place");
    check_span(segment.where, trial.sources);
    check_origin(segment.value, trial);
    const auto frame = static_cast<std::size_t>(segment.frame);
    expect(frame == 0 || frame < trace.size(), "a segment's frame exists");
    trial.account += fmt::format("{}{}{}{} ", segment.begin, place_text(segment.where), segment.literal ? "l" : "",
                                 segment.tainted ? "*" : "");
  }
  expect(text.size() == 0 || !text.segments().empty(), "every byte has a segment");
}

void check_files(const FileSet& files, const MappedText& rendered, const RenderTrace& trace, Trial& trial) {
  expect(files.files().size() <= trial.limits.files, "no more files than allowed");
  std::set<std::string> lower_paths;
  std::string_view last;
  for (const RenderedFile& file : files.files()) {
    const std::string_view path = file.path;
    expect(path.starts_with(files.directory()) && path.size() > files.directory().size(), "a file is in its cluster");
    expect(path.find_first_of("\\\n\r") == std::string_view::npos && path.find('\0') == std::string_view::npos,
           "a path has no separator but `/`");
    expect(path.find("//") == std::string_view::npos && path.find("/../") == std::string_view::npos,
           "a path goes down only");
    expect(last < path, "files are sorted and differ");
    last = path;
    std::string lower(path);
    for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    expect(lower_paths.insert(lower).second, "no two paths differ by case alone");
    expect(rendered.text().find(file.body.text()) != std::string::npos, "a file is a piece of the rendered text");
    expect(file.body.size() != 0 && file.digest == sha256(file.body.text()),
           "a file is not empty and knows its digest");
    check_span(file.marker, trial.sources);
    trial.account += file.path;
    check_text(file.body, trace, trial);
  }
}

}  // namespace capwright::fuzz
