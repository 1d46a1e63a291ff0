// Earlier manifests that can't be read are never taken for manifests that aren't there: whichever call fails, either
// the failure is reported, which stops a render, or everything was read.
#include "files/previous.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>

#include "files/output_tree.h"
#include "rendered_text.h"
#include "source/memory_fs.h"

namespace capwright {
namespace {

void write_prod(MemoryFs& fs) {
  Sink sink;
  OutputTree tree(fs, "out", "out");
  REQUIRE(tree.open(OutputTree::Access::Write, sink));
  const auto files = test::rendered_files({{"cluster.yaml", "a: 1\n"}, {"machine-templates.yaml", "b: 1\n"}});
  const auto result = write_cluster(tree, files, {"0.1.0", "capo", "1", {}}, {}, sink);
  REQUIRE(result.outcome == WriteResult::Outcome::Written);
}

bool is_whole(const PreviousCluster& previous) {
  return previous.index && previous.files.size() == 2 &&
         std::all_of(previous.files.begin(), previous.files.end(),
                     [](const PreviousFile& file) { return file.state == PreviousFile::State::Intact; });
}

// How many calls there are.
int fail_everywhere(int code) {
  for (int n = 0;; ++n) {
    MemoryFs fs;
    write_prod(fs);
    Sink sink;
    OutputTree tree(fs, "out", "out");
    fs.fail_at(static_cast<std::uint64_t>(n), code);
    if (tree.open(OutputTree::Access::Read, sink)) {
      const PreviousCluster previous = read_previous(tree, "prod", sink);
      INFO("call " << n << " answers " << code << ": " << (fs.log().empty() ? "" : fs.log().back()));
      CHECK((sink.failed() || is_whole(previous)));
    }
    if (!fs.reached()) return n;
  }
}

TEST_CASE("an earlier manifest that can't be read is reported, whichever call fails") {
  for (const int code : {EIO, EACCES, ELOOP, EISDIR, EMFILE, ENFILE, ENOMEM, ENXIO, EFBIG, EINTR, ENOSYS, EINVAL})
    CHECK(fail_everywhere(code) >= 4);
}

TEST_CASE("a part of an earlier manifest counts as an edited one") {
  MemoryFs fs;
  write_prod(fs);
  fs.add("out/clusters/prod/machine-templates.yaml", "b:");
  Sink sink;
  OutputTree tree(fs, "out", "out");
  REQUIRE(tree.open(OutputTree::Access::Read, sink));
  const PreviousCluster previous = read_previous(tree, "prod", sink);
  CHECK_FALSE(sink.failed());
  REQUIRE(previous.find("machine-templates.yaml") != nullptr);
  CHECK(previous.find("machine-templates.yaml")->state == PreviousFile::State::Edited);
}

}  // namespace
}  // namespace capwright
