// `capwright preview`: a page on this machine that shows clusters as they would be rendered now.
#include "preview/preview.h"

#include <csignal>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "server/http_server.h"
#include "source/real_system.h"

namespace capwright::cli {
namespace {

struct PreviewOptions {
  CommonOptions common;
  workflow::ValueOptions values;
  std::uint16_t port = 0;
};

// Shows why the repository can't be used, as other commands do; 0: it can.
int check_repository(const workflow::OpenRequest& request, Console& console) {
  const auto open = workflow::open_project(request);
  const bool is_usable = open->project != nullptr && !open->sink.failed();
  return is_usable ? static_cast<int>(kClean) : show_faults(*open, console);
}

int run_preview(const PreviewOptions& options) {
  Console console(options.common);
  workflow::RepositoryOptions repository = options.common;
  repository.progress = nullptr;
  const int checked = check_repository({.repository = repository,
                                        .values = options.values,
                                        .plain = std::nullopt,
                                        .writes = false,
                                        .output = std::nullopt},
                                       console);
  if (checked != kClean) return checked;
  std::string token = real_token();
  if (token.empty()) return console.fail("the system has no random numbers for the token of the address");
  preview::Preview preview(repository, options.values, std::move(token));
  server::Settings settings;
  settings.port = options.port;
  settings.most_stop_seconds = 2;
  std::string why;
  const auto server = server::Server::open(
      settings, preview, [](const portal::Exchange&) {}, why);
  if (server == nullptr) return console.fail(fmt::format("can't listen on 127.0.0.1:{}: {}", options.port, why));
  console.print(preview.address_on(server->port()) + "\n");
  if (!console.flush()) return kUsageError;
  console.say("open this address in a browser on this machine; Ctrl-C ends the preview");
  preview.watch([&](std::string event) { server->stream(std::move(event)); });
  server->run();
  preview.end_watch();
  return kClean;
}

class PreviewCommand final : public CommandWith<PreviewOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("--port", options_.port, "Port on 127.0.0.1 (default: any free one)")->type_name("PORT");
    add_values(app, options_.values);
    add_common_but_format(app, options_.common);
  }
  int run() override { return run_preview(options_); }
};

}  // namespace

const CommandInfo preview_command{"preview",
                                  "Show clusters in a browser, live",
                                  make_command<PreviewCommand>,
                                  {{"Print the address of a page, and serve it until Ctrl-C", "capwright preview"},
                                   {"Use the same port each time", "capwright preview --port 8090"}}};

}  // namespace capwright::cli
