// `capwright lsp`: a language server on standard input and output.
#include <array>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/shared_options.h"
#include "lsp/frames.h"
#include "lsp/language_server.h"

namespace capwright::cli {
namespace {

struct LspOptions {
  CommonOptions common;
};

bool is_input_waiting() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

bool send(const std::vector<std::string>& messages) {
  for (const std::string& message : messages) {
    const std::string frame = lsp::framed(message);
    if (std::fwrite(frame.data(), 1, frame.size(), stdout) != frame.size()) return false;
  }
  return std::fflush(stdout) == 0;
}

int run_lsp(const LspOptions& options) {
  const Console console(options.common);
  std::signal(SIGPIPE, SIG_IGN);  // an editor that closes its end is an error of writing
  lsp::LanguageServer server(options.common);
  lsp::FrameReader frames(Limits().input_bytes);
  std::array<char, 65536> buffer{};
  while (!server.is_over()) {
    const ssize_t size = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size <= 0) return server.exit_code();  // the editor ended
    frames.feed({buffer.data(), static_cast<std::size_t>(size)});
    while (const auto message = frames.next()) {
      if (!send(server.handle(*message))) return kUsageError;
    }
    if (frames.is_broken()) return console.fail("standard input isn't a stream of messages with `Content-Length`");
    if (!is_input_waiting() && !send(server.settle())) return kUsageError;
  }
  return server.exit_code();
}

class LspCommand final : public CommandWith<LspOptions> {
 public:
  void add_options(CLI::App& app) override { add_common(app, options_.common, {"text"}); }
  int run() override { return run_lsp(options_); }
};

}  // namespace

const CommandInfo lsp_command{"lsp",
                              "Serve an editor by the Language Server Protocol",
                              make_command<LspCommand>,
                              {{"Start it as an editor does", "capwright lsp"}}};

}  // namespace capwright::cli
