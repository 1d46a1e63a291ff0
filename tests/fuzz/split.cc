// Rendered text, written as a template whose `{{…}}` stand for values of these very bytes (`{{!…}}` for secret ones).
// What is cut is the text, whole: no byte of it may be lost, nor a value make a file.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "files/file_set.h"
#include "files/index.h"
#include "fuzz/trial.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

MappedText render(FileId file, Trial& trial) {
  const std::string_view source = trial.sources.text(file);
  MappedText rendered;
  const auto span = [&](std::size_t begin, std::size_t end) {
    return Span{file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  };
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t open = std::min(source.find("{{", at), source.size());
    Segment literal;
    literal.where = span(at, open);
    literal.literal = true;
    rendered.append(source.substr(at, open - at), literal);
    at = open;
    if (at == source.size()) break;
    const std::size_t close = std::min(source.find("}}", open), source.size());
    const bool secret = source.substr(open).starts_with("{{!");
    const std::size_t begin = std::min(open + (secret ? 3 : 2), close);
    at = std::min(close + 2, source.size());
    Segment value;
    value.where = span(open, at);
    value.value = trial.origins.input(span(begin, close));
    value.tainted = secret;
    rendered.append(source.substr(begin, close - begin), value);
  }
  return rendered;
}

// Without findings the files are all of the text but for what stands before the first marker, and the marker lines.
void check_nothing_lost(const FileSet& files, const MappedText& rendered) {
  std::size_t bytes = 0;
  for (const RenderedFile& file : files.files()) {
    bytes += std::string_view("# FILE: ").size() + file.path.size() + 1 + file.body.size();
  }
  const std::size_t lead_in = rendered.text().starts_with("# FILE: ") ? 0 : rendered.text().find("\n# FILE: ") + 1;
  expect(lead_in + bytes == rendered.size(), "the files are all of the text");
}

// The index of the files reads back as what it was.
void check_index(const FileSet& files) {
  RenderStamp stamp;
  stamp.tool_version = "0";
  const Index index = make_index(files, stamp);
  std::string why;
  const auto again = read_index(index_text(index), why);
  expect(again.has_value() && again->files == index.files, "an index reads back");
  expect(index_text(*again) == index_text(index), "an index is written one way");
}

void run(std::string_view input, Trial& trial) {
  if (!is_utf8(input)) return;  // a render gives UTF-8 only, see render.cc
  const FileId file = trial.sources.add("main.j2", std::string(input));
  const MappedText rendered = render(file, trial);
  check_text(rendered, {}, trial);
  const FileSet files = split_files(rendered, "c", trial.stage);
  check_files(files, rendered, {}, trial);
  if (!trial.sink.failed()) check_nothing_lost(files, rendered);
  if (!files.files().empty()) check_index(files);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
