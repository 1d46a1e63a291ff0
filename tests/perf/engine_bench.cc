// How long the template engine takes for an output byte: the template compiled once, the values read once, origins on.
//   engine-bench FOLDER MAIN VALUES MILLISECONDS     prints the output's bytes and nanoseconds a byte
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "template/eval/render.h"
#include "template/syntax/parse.h"
#include "value/stage.h"
#include "yaml/read.h"

using namespace capwright;

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class Folder final : public jinja::TemplateLoader {
 public:
  Folder(const std::filesystem::path& path, SourceSet& sources, Sink& sink) {
    jinja::Options options;
    options.trim_blocks = options.lstrip_blocks = options.keep_trailing_newline = true;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string name = entry.path().filename().string();
      templates_[name] = jinja::parse(sources.add(name, text_of(entry.path())), name, sources, options, sink);
    }
  }
  const jinja::Template* find(std::string_view name) const override {
    const auto found = templates_.find(name);
    return found == templates_.end() ? nullptr : found->second.get();
  }
  bool exists(std::string_view name) const override { return templates_.contains(name); }
  std::vector<std::string_view> names() const override { return {}; }

 private:
  std::map<std::string, std::unique_ptr<jinja::Template>, std::less<>> templates_;
};

// One render as a cluster has it: memory, origins and findings of its own, the templates shared. 0 when it fails.
std::size_t render_once(const jinja::RenderInput& input, const OriginTable& loaded, SourceSet& sources) {
  Sink sink;
  Arena arena;
  OriginTable origins = loaded;
  const Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  const jinja::RenderResult result = jinja::render(input, stage);
  return sink.failed() ? 0 : result.text.size();
}

double milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  const Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  const Folder folder(argv[1], sources, sink);
  jinja::RenderInput input;
  input.main = folder.find(argv[2]);
  input.loader = &folder;
  input.context = read_yaml(sources.add("values.yaml", text_of(argv[3])), stage);
  const std::size_t bytes = input.main == nullptr || sink.failed() ? 0 : render_once(input, origins, sources);
  if (bytes == 0) {
    std::fprintf(stderr, "the template can't be rendered\n");
    return 1;
  }
  int budget = 0;
  const std::string_view text = argv[4];
  std::from_chars(text.data(), text.data() + text.size(), budget);
  constexpr int kRoundsAtOnce = 16;  // asking for the time takes 3 % of a round
  std::size_t rounds = 0;
  const double start = milliseconds();
  for (; milliseconds() - start < budget; rounds += kRoundsAtOnce) {
    for (int i = 0; i < kRoundsAtOnce; ++i) render_once(input, origins, sources);
  }
  const double spent = milliseconds() - start;
  std::printf("%zu %.3f\n", bytes, spent * 1e6 / static_cast<double>(rounds * bytes));
}
