// The ownership index, which anybody may have edited: what it says is either refused or one of ours.
#include "files/index.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "files/outputs.h"
#include "files/path_rules.h"
#include "fuzz/trial.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

void run(std::string_view input, Trial& trial) {
  std::string why;
  const auto index = read_index(input, why);
  expect(index.has_value() == why.empty(), "an index that is refused says why");
  trial.account += why;
  if (!index) return;
  for (const IndexedFile& file : index->files) {
    const std::string_view path = std::string_view(file.path).substr(is_outside(file.path) ? 1 : 0);
    expect(!find_path_fault(path, "").has_value(), "an index names no path that breaks the rules");
    expect(!is_outside(file.path) || may_be_output(path), "an index names no path that no output may have");
  }
  const std::string written = index_text(*index);
  const auto again = read_index(written, why);
  expect(again.has_value() && again->files == index->files, "an index reads back");
  expect(index_text(*again) == written, "an index is written one way");
  trial.account += written;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
