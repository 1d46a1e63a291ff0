// Reads and rewrites spec files.
#include "support/spec_file.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace capwright::spec {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::size_t line, std::string_view what) {
  std::cerr << path.string() << ':' << line << ": " << what << '\n';
  std::exit(2);
}

std::size_t heading_level(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  return level != std::string_view::npos && level > 0 && line[level] == ' ' ? level : 0;
}

// The opening fence: three or more backticks, so that a block may contain fences.
std::size_t fence(std::string_view line) {
  const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
  return ticks >= 3 ? ticks : 0;
}

std::string join_headings(const std::vector<std::string>& headings) {
  std::string title;
  for (std::size_t i = 1; i < headings.size(); ++i) {  // the file's title is omitted
    if (headings[i].empty()) continue;
    if (!title.empty()) title += " / ";
    title += headings[i];
  }
  return title.empty() && !headings.empty() ? headings[0] : title;
}

}  // namespace

const Block* Case::find(std::string_view info) const {
  for (const Block& block : blocks) {
    if (block.info == info) return &block;
  }
  return nullptr;
}

std::vector<const Block*> Case::files() const {
  std::vector<const Block*> found;
  for (const Block& block : blocks) {
    if (block.info.find_first_of("./") != std::string::npos && block.info.find(' ') == std::string::npos) {
      found.push_back(&block);
    }
  }
  return found;
}

SpecFile read_spec(const std::filesystem::path& path) {
  SpecFile spec;
  spec.path = path;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, 0, "can't be read");
  for (std::string line; std::getline(in, line);) spec.lines.push_back(line);

  std::vector<std::string> headings;
  Case current;
  const auto finish = [&] {
    if (!current.blocks.empty()) spec.cases.push_back(std::move(current));
    current = {};
  };
  for (std::size_t i = 0; i < spec.lines.size(); ++i) {
    const std::string& line = spec.lines[i];
    if (const std::size_t level = heading_level(line)) {
      finish();
      headings.resize(level);
      headings[level - 1] = line.substr(level + 1);
      current.title = join_headings(headings);
      current.line = i + 1;
    } else if (const std::size_t ticks = fence(line)) {
      Block block{line.substr(ticks), "", i + 1, 0};
      const std::string close(ticks, '`');
      while (++i < spec.lines.size() && spec.lines[i] != close) block.text += spec.lines[i] + '\n';
      if (i == spec.lines.size()) fail(path, block.line, "this block is never closed");
      block.lines = i - block.line;
      current.blocks.push_back(std::move(block));
    }
  }
  finish();
  return spec;
}

void rewrite_blocks(const SpecFile& spec, const std::vector<std::pair<const Block*, std::string>>& changes) {
  std::map<std::size_t, std::pair<const Block*, std::string_view>> by_line;
  for (const auto& [block, text] : changes) by_line[block->line] = {block, text};
  std::ostringstream out;
  for (std::size_t i = 0; i < spec.lines.size(); ++i) {
    out << spec.lines[i] << '\n';
    const auto change = by_line.find(i + 1);
    if (change == by_line.end()) continue;
    out << change->second.second;
    if (!change->second.second.empty() && change->second.second.back() != '\n') out << '\n';
    i += change->second.first->lines;
  }
  std::ofstream(spec.path, std::ios::binary) << out.str();
}

}  // namespace capwright::spec
