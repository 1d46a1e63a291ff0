// Generations of one rendered file, oldest first, separated by lines `=====`. Digests are put in and nothing else is
// changed; rendering the last one again, after itself, gives the same bytes.
#include <cstddef>
#include <cstdint>

#include "files/previous.h"
#include "fuzz/trial.h"
#include "rotation/keep.h"
#include "rotation/rotate.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

const std::vector<std::string> kKinds = {"A", "B"};

FileSet file_of(std::string_view text, Trial& trial) {
  RenderedFile file;
  file.path = "clusters/c/a.yaml";
  Segment literal;
  literal.literal = true;
  const FileId source = trial.sources.add("main.j2", std::string(text));
  literal.where = {source, 0, static_cast<std::uint32_t>(text.size())};
  file.body.append(text, literal);
  file.digest = sha256(text);
  return FileSet("c", {std::move(file)});
}

rotation::ReadManifests read(const FileSet& files, Trial& trial, Sink& faults) {
  rotation::ReadManifests manifests;
  Stage reading{trial.sources, faults, manifests.arena, manifests.origins, trial.limits};
  const FileId source = trial.sources.add("a.yaml", files.files()[0].body.text());
  manifests.files.push_back(
      {0, source, read_yaml_documents(source, reading, {ScalarRules::Kubernetes, TextSyntax::Yaml})});
  return manifests;
}

std::string without_digests(const MappedText& text, const RenderTrace& trace) {
  std::string rest;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    const auto frame = static_cast<std::size_t>(text.segment_at(i)->frame);
    if (trace[frame].kind != RenderFrame::Kind::Digest) rest += text.text()[i];
  }
  return rest;
}

FileSet rotate(std::string_view text, RenderTrace& trace, const PreviousCluster& previous, Trial& trial) {
  Sink faults, faults_after;
  FileSet files = file_of(text, trial);
  const rotation::ReadManifests manifests = read(files, trial, faults);
  files = rotation::rotate_names(std::move(files), manifests, {kKinds, trace, previous}, trial.stage);
  const MappedText& body = files.files()[0].body;
  check_text(body, trace, trial);
  expect(without_digests(body, trace) == text, "digests are put in, and nothing else is changed");
  expect(files.files()[0].digest == sha256(body.text()), "the digest is that of the text");
  if (!faults.failed() && !trial.sink.failed()) {
    read(files, trial, faults_after);
    expect(!faults_after.failed(), "text that could be read can be read with digests in it");
  }
  return files;
}

PreviousCluster previous_of(const FileSet& files) {
  PreviousCluster previous;
  previous.index = make_index(files, {});
  for (const RenderedFile& file : files.files()) {
    previous.files.push_back({std::string(files.path_in_cluster(file)), PreviousFile::State::Intact, file.body.text()});
  }
  return previous;
}

FileSet next(std::string_view text, const PreviousCluster& previous, Trial& trial) {
  RenderTrace trace(1);
  FileSet files = rotate(text, trace, previous, trial);
  if (previous.index && !trial.sink.failed())
    files = rotation::keep_generations(std::move(files), previous, {previous}, trace, trial.stage);
  for (const RenderedFile& file : files.files()) check_text(file.body, trace, trial);
  return files;
}

void run(std::string_view input, Trial& trial) {
  if (!is_utf8(input)) return;
  PreviousCluster previous;
  std::string_view last;
  for (const std::string_view text : parts_of(input)) {
    if (text.empty()) return;
    previous = previous_of(next(text, previous, trial));
    last = text;
  }
  if (trial.sink.failed()) return;
  const PreviousCluster again = previous_of(next(last, previous, trial));
  expect(again.index->files == previous.index->files, "rendering again gives the same files");
  expect(again.index->rotation == previous.index->rotation, "rendering again retires nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
