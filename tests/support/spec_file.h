// A spec file is Markdown that reads as a specification and runs as tests. A heading is a test. A fenced block whose
// info string is a file name is a file in memory; every other one is an expectation (`output`, `errors`, `tree` …) or a
// setting (`options`). Text between blocks is for people.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::spec {

struct Block {
  std::string info;   // "main.j2", "output", "errors" …
  std::string text;   // ends with a line break unless empty
  std::size_t line;   // of the opening fence, from 1
  std::size_t lines;  // between the fences
};

struct Case {
  std::string title;  // headings joined: "for loops / an empty list takes the else branch"
  std::size_t line;
  std::vector<Block> blocks;

  const Block* find(std::string_view info) const;
  // Blocks that are files of the case: their names have a dot or a slash.
  std::vector<const Block*> files() const;
};

struct SpecFile {
  std::filesystem::path path;
  std::vector<std::string> lines;
  std::vector<Case> cases;  // only headings with blocks
};

// Ends the process with a message if the file can't be read or a fence is never closed.
SpecFile read_spec(const std::filesystem::path&);

// Replaces the text of blocks (`--bless`). Each pair: the block and its new text.
void rewrite_blocks(const SpecFile&, const std::vector<std::pair<const Block*, std::string>>& changes);

}  // namespace capwright::spec
