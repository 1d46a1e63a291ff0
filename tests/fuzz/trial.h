// What the fuzz targets share: one run of a stage on hostile bytes, and what must hold whatever the bytes are.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "value/stage.h"

namespace capwright::fuzz {

// Ends the process with `what` unless `holds`, so that libFuzzer keeps the input.
void expect(bool holds, const char* what);

bool is_utf8(std::string_view text);

// Bounds that hostile input reaches within milliseconds.
Limits small_limits();

// Everything that one run works on and makes.
struct Trial {
  std::shared_ptr<const void> outlived;  // what findings point at, such as rules read from the input
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits = small_limits();
  Stage stage{sources, sink, arena, origins, limits};
  std::string account;  // all that came out, as text: what a second run must give again
};

// The input's parts, which lines `=====` separate; at least one.
std::vector<std::string_view> parts_of(std::string_view input);

// Runs `run` on two fresh trials, checks their findings, and that both gave the same.
void run_twice(std::string_view input, void (*run)(std::string_view, Trial&));

// Every span of a value lies in its file, text is UTF-8, keys find their entries. Adds to the account.
void check_value(const Value& value, Trial& trial);

// Findings have places in `sources` and are shown as UTF-8 in every form; JSON is JSON. Adds them to the account.
void check_findings(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, Trial& trial);

// Segments cover the text without gaps, in order; their places and values exist. Adds to the account.
void check_text(const MappedText& text, const RenderTrace& trace, Trial& trial);

// Files are pieces of `rendered`, inside their cluster, and no two may be one. Adds to the account.
void check_files(const FileSet& files, const MappedText& rendered, const RenderTrace& trace, Trial& trial);

}  // namespace capwright::fuzz
