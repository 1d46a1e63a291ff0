// Sets up a MemoryFs from the blocks of a case.
#include "support/run_tree.h"

#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "files/output_tree.h"
#include "source/memory_fs.h"

namespace capwright::spec {
namespace {

constexpr std::string_view kHeader = "--- ";

FileSet rendered_before(const Case& test, const std::string& cluster) {
  std::vector<RenderedFile> files;
  for (DiskEntry& entry : entries_of(test.find("before"))) {
    RenderedFile& file = files.emplace_back();
    file.path = std::move(entry.path);
    file.body.append(entry.content, Segment());
    file.digest = sha256(entry.content);
  }
  return FileSet(cluster, std::move(files));
}

void write(MemoryFs& fs, const FileSet& files, const Outputs& outputs, bool force, Sink& sink) {
  OutputTree tree(fs, "", "");
  tree.allow(outputs);
  if (tree.open(OutputTree::Access::Write, sink)) write_cluster(tree, files, {"1", "", "", {}}, {force}, sink);
}

int error_number(std::string_view name) {
  for (int code = 1; code < 200; ++code) {
    const char* known = ::strerrorname_np(code);
    if (known != nullptr && name == known) return code;
  }
  return 0;
}

void misbehave(MemoryFs& fs, const Case& test) {
  fs.can_exchange = option(test, "exchange") != "false";
  fs.can_write = option(test, "writable") != "false";
  const std::string fault = option(test, "fail");
  if (fault.empty()) return;
  const std::size_t space = fault.find(' ');
  fs.fail_on(fault.substr(space + 1), error_number(fault.substr(0, space)));
}

void put(MemoryFs& fs, const DiskEntry& entry) {
  const std::size_t arrow = entry.path.find(" -> ");
  if (arrow != std::string::npos) {
    fs.add_symlink(entry.path.substr(0, arrow), entry.path.substr(arrow + 4));
  } else if (entry.path.ends_with('/')) {
    fs.add_dir(entry.path);
  } else {
    fs.add(entry.path, entry.content);
  }
}

std::string disk_after(const MemoryFs& fs) {
  std::string text;
  for (const auto& [path, content] : fs.tree()) {
    if (path.ends_with(kIndexName)) continue;
    text.append(kHeader).append(path);
    text += content.starts_with("-> ") ? " " + content + "\n" : content == "/" ? "/\n" : "\n" + content;
  }
  return text;
}

}  // namespace

std::vector<DiskEntry> entries_of(const Block* block) {
  std::vector<DiskEntry> entries;
  if (block == nullptr) return entries;
  std::string_view rest = block->text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (line.starts_with(kHeader)) {
      entries.push_back({std::string(line.substr(kHeader.size(), line.size() - kHeader.size() - 1)), ""});
    } else if (!entries.empty()) {
      entries.back().content += line;
    }
  }
  return entries;
}

std::string option(const Case& test, std::string_view key) {
  const Block* block = test.find("options");
  const std::string text = block == nullptr ? "" : "\n" + block->text;
  const std::size_t found = text.find("\n" + std::string(key) + ": ");
  if (found == std::string::npos) return "";
  const std::size_t begin = found + key.size() + 3;
  return text.substr(begin, text.find('\n', begin) - begin);
}

bool is_tree_option(std::string_view key) {
  return key == "force" || key == "exchange" || key == "writable" || key == "fail" || key == "outputs";
}

Outputs outputs_of(const Case& test) {
  std::vector<OutputPattern> patterns;
  std::string rest = option(test, "outputs"), why;
  while (!rest.empty()) {
    const std::string text = rest.substr(0, rest.find(' '));
    rest.erase(0, text.size() + 1);
    if (auto pattern = OutputPattern::parse(text, why)) patterns.push_back(*std::move(pattern));
  }
  return Outputs(std::move(patterns));
}

std::string write_to_disk(const Case& test, const FileSet& files, Sink& sink) {
  MemoryFs fs;
  const FileSet before = rendered_before(test, files.cluster());
  const Outputs outputs = outputs_of(test);
  if (!before.files().empty()) write(fs, before, outputs, false, sink);
  for (const DiskEntry& entry : entries_of(test.find("disk"))) put(fs, entry);
  misbehave(fs, test);
  write(fs, files, outputs, option(test, "force") == "true", sink);
  return disk_after(fs);
}

}  // namespace capwright::spec
