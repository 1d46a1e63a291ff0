// `capwright serve`: the portal's API over HTTP.
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/comparison_options.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "http/client.h"
#include "portal/portal.h"
#include "publish/world.h"
#include "server/http_server.h"
#include "source/real_fs.h"
#include "source/real_system.h"
#include "wizard/wizard.h"
#include "workflow/publish_settings.h"

namespace capwright::cli {
namespace {

struct ServeOptions {
  CommonOptions common;
  workflow::ValueOptions values;
  workflow::GateOptions gate;
  std::optional<std::string> token_env, token_file;  // where to read the token for Gitea's API
  std::optional<std::string> tokens, folder;
  struct {
    std::optional<std::string> issuer, audience, keys;
    std::int64_t skew_seconds = 60;
  } oidc;
  bool anonymous = false;
  bool wizard = false;
  std::string listen = "127.0.0.1:8080";
  server::Settings settings;
};

// One line of JSON for each response, on standard error.
void log_exchange(const portal::Exchange& exchange) {
  nlohmann::ordered_json line = {{"time", publish::rfc3339(real_seconds(), 0)}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) line[key] = text;
  };
  add("token", exchange.caller);
  add("method", exchange.method);
  add("route", exchange.route);
  add("cluster", exchange.cluster);
  add("fault", exchange.fault);
  line["status"] = exchange.status;
  line["request_bytes"] = exchange.request_bytes;
  line["response_bytes"] = exchange.response_bytes;
  constexpr double kMicroseconds = 1e3;  // of a millisecond
  line["milliseconds"] = static_cast<double>(exchange.microseconds) / kMicroseconds;
  std::fputs((line.dump() + "\n").c_str(), stderr);
}

// `127.0.0.1:8080`, `[::1]:0`. Empty: `text` isn't of this form.
std::optional<std::pair<std::string, std::uint16_t>> read_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::string address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, port);
  if (error != std::errc() || rest != end || address.empty()) return std::nullopt;
  return std::pair(address, port);
}

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

// The tokens of the file. Empty after showing the errors in it.
std::optional<portal::Access> read_tokens(const std::string& path, Console& console) {
  OwnStage own;
  RealFs files;
  std::string text;
  if (const IoError error = files.read(path, text, own.limits.input_bytes)) {
    console.fail(fmt::format("{} can't be read: {}", path, describe(error)));
    return std::nullopt;
  }
  portal::Access access = portal::Access::read(own.sources.add(path, std::move(text)), own.stage);
  if (!own.sink.failed()) return access;
  report::Findings findings;
  findings.add(own.sink.diagnostics(), own.sources, {}, "");
  console.show(findings);
  return std::nullopt;
}

constexpr std::size_t kMostKeys = 1 << 18;    // bytes of a key set
constexpr std::int64_t kMostKeySeconds = 10;  // for a request for it
constexpr std::int64_t kMostSkew = 600;       // seconds

// Whether the keys can't be replaced on the way: by TLS, or on this machine.
bool is_safe_url(const std::string& url) {
  constexpr std::string_view kPlain = "http://";
  if (url.starts_with("https://")) return true;
  if (!url.starts_with(kPlain)) return false;
  const std::string host = url.substr(kPlain.size(), url.find_first_of(":/", kPlain.size()) - kPlain.size());
  return host == "localhost" || host == "127.0.0.1";
}

// Reads the key set of a file or a URL.
oidc::ReadKeys reader_of(const std::string& where) {
  if (where.find("://") == std::string::npos) {
    return [where](std::string& why) -> std::optional<std::string> {
      RealFs files;
      std::string text;
      const IoError error = files.read(where, text, kMostKeys);
      if (error) why = describe(error);
      return error ? std::nullopt : std::optional(text);
    };
  }
  const std::shared_ptr<http::Client> client = http::real_client({kMostKeySeconds, authorities_file()});
  return [where, client](std::string& why) -> std::optional<std::string> {
    const http::Response response = client->send({"GET", where, "", "", kMostKeys});
    if (response.fault == http::Fault::None && response.status == 200) return response.body;
    why = response.status == 0 ? "there is no response" : fmt::format("the response has status {}", response.status);
    return std::nullopt;
  };
}

// Why the provider of the options can't be used. Empty: there is none, or `access` trusts it.
std::string trust_provider(const ServeOptions& options, portal::Access& access) {
  if (!options.oidc.issuer)
    return access.has_subjects()
               ? "the file of tokens has `subjects`: pass `--oidc-issuer`, `--oidc-audience` and `--oidc-keys`"
               : "";
  if (!access.has_subjects())
    return "`--oidc-issuer` needs `subjects` in the file of tokens, which say who may do what";
  const std::string& keys = *options.oidc.keys;
  if (keys.find("://") != std::string::npos && !is_safe_url(keys))
    return fmt::format("`--oidc-keys` takes a file, or a URL with `https`, not `{}`", keys);
  if (options.oidc.skew_seconds < 0 || options.oidc.skew_seconds > kMostSkew)
    return fmt::format("`--oidc-skew` takes 0 to {} seconds, not {}", kMostSkew, options.oidc.skew_seconds);
  auto issuer = std::make_shared<oidc::Issuer>(
      oidc::Expectations{*options.oidc.issuer, *options.oidc.audience, options.oidc.skew_seconds, 0}, reader_of(keys));
  std::string why;
  if (!issuer->load(real_seconds(), why)) return fmt::format("the keys of `{}` can't be used: {}", keys, why);
  access.trust(std::move(issuer));
  return {};
}

// What requests to publish may do. Empty after showing an error.
std::optional<portal::PublishOptions> publish_options(const ServeOptions& options, bool publishes, Console& console) {
  portal::PublishOptions publishing{{}, workflow::place_of_process(), options.token_env, options.token_file};
  const std::string bad_gate = workflow::read_gate(options.gate, publishing.gate);
  if (!bad_gate.empty()) console.fail(bad_gate);
  if (!bad_gate.empty()) return std::nullopt;
  if (!publishes || (options.values.files.empty() && options.values.sets.empty())) return publishing;
  console.fail(
      "a token has the action `publish`, and `--values` or `--set` add values that no commit would have; "
      "put them into a layer");
  return std::nullopt;
}

int run_serve(ServeOptions& options) {
  Console console(options.common);
  const auto place = read_address(options.listen);
  if (!place)
    return console.fail(
        fmt::format("`--listen` takes an address and a port, such as `127.0.0.1:8080`, not `{}`", options.listen));
  options.settings.address = place->first;
  options.settings.port = place->second;
  if (options.anonymous && !is_loopback(place->first))
    return console.fail("`--anonymous` needs a loopback address, such as `--listen 127.0.0.1:8080`");
  auto access = options.anonymous ? portal::Access::anonymous() : read_tokens(*options.tokens, console);
  if (!access) return kUsageError;
  if (const std::string why = trust_provider(options, *access); !why.empty()) return console.fail(why);
  auto publishing = publish_options(options, access->grants(portal::Action::Publish), console);
  if (!publishing) return kUsageError;

  portal::CheckoutOptions checkout{options.common, options.values, options.folder};
  // Requests must not reach the other files that the command line names.
  checkout.repository.words.clear();
  checkout.repository.progress = nullptr;
  if (options.common.config) checkout.repository.words = {*options.common.config};
  for (const std::string& file : options.values.files) checkout.repository.words.push_back(file);
  portal::Checkout trial(checkout);
  if (trial.open(portal::Purpose::Render) == nullptr) {
    console.show(trial.faults());
    return exit_code(trial.faults());
  }
  portal::Portal portal(std::move(checkout), *access, std::move(*publishing));
  std::string why;
  const bool logs = !options.common.quiet;
  wizard::Wizard wizard(portal);
  portal::Service& service = options.wizard ? static_cast<portal::Service&>(wizard) : portal;
  const auto server = server::Server::open(
      options.settings, service,
      [&](const portal::Exchange& exchange) {
        if (logs) log_exchange(exchange);
      },
      why);
  if (server == nullptr) return console.fail(fmt::format("can't listen on {}: {}", options.listen, why));
  console.say(fmt::format("listening on {}:{}", options.listen.substr(0, options.listen.rfind(':')), server->port()));
  if (options.wizard) console.say("the wizard is at /wizard/");
  server->run();
  console.say("stopped");
  return kClean;
}

class ServeCommand final : public CommandWith<ServeOptions> {
 public:
  void add_options(CLI::App& app) override {
    server::Settings& settings = options_.settings;
    app.add_option("--listen", options_.listen, "Address and port (default: 127.0.0.1:8080); port 0 takes a free one")
        ->type_name("ADDRESS:PORT");
    CLI::Option* tokens =
        app.add_option("--tokens", options_.tokens, "File with the digests of bearer tokens and their scopes")
            ->type_name("FILE");
    app.add_flag("--anonymous", options_.anonymous,
                 "Answer requests without a token, on a loopback address; without secrets")
        ->excludes(tokens);
    app.add_flag("--wizard", options_.wizard,
                 "Also serve a page at /wizard/ with a form that validates, previews and publishes a cluster");
    CLI::Option* issuer = app.add_option("--oidc-issuer", options_.oidc.issuer,
                                         "Also accept tokens of this OpenID Connect provider, by their claim `iss`")
                              ->type_name("URL")
                              ->needs(tokens);
    CLI::Option* audience = app.add_option("--oidc-audience", options_.oidc.audience, "The claim `aud` of these tokens")
                                ->type_name("TEXT")
                                ->needs(issuer);
    CLI::Option* keys =
        app.add_option("--oidc-keys", options_.oidc.keys, "File or URL of the provider's JSON Web Key Set")
            ->type_name("FILE|URL")
            ->needs(issuer);
    issuer->needs(audience, keys);
    app.add_option("--oidc-skew", options_.oidc.skew_seconds, "Seconds by which clocks may differ (default: 60)")
        ->type_name("SECONDS")
        ->needs(issuer);
    app.add_option("--folder", options_.folder,
                   "Folder of the values files of new clusters (default: the first in `values` of capwright.yaml)")
        ->type_name("DIR");
    app.add_option("-j,--jobs", settings.workers, "Number of requests to answer in parallel (default: processors)")
        ->type_name("N");
    app.add_option("--max-body", settings.most_body, "Bytes of a request's body (default: 1048576)")
        ->type_name("BYTES");
    app.add_option("--max-connections", settings.most_connections, "Open connections (default: 512)")->type_name("N");
    app.add_option("--max-queue", settings.most_waiting, "Requests that wait for a worker (default: 256)")
        ->type_name("N");
    app.add_option("--timeout", settings.most_read_seconds, "Seconds for a client to send a request (default: 30)")
        ->type_name("SECONDS");
    app.add_option("--token-env", options_.token_env,
                   "Variable with the token for Gitea's API, for requests that publish")
        ->type_name("NAME");
    app.add_option("--token-file", options_.token_file, "File with that token")->type_name("FILE");
    add_gate(app, options_.gate);
    add_values(app, options_.values);
    add_common_but_format(app, options_.common);
  }
  int run() override { return run_serve(options_); }

 protected:
  std::string contradiction() const override {
    if (options_.tokens || options_.anonymous) return {};
    return "pass `--tokens FILE`, or `--anonymous` for requests from this machine without tokens";
  }
};

}  // namespace

const CommandInfo serve_command{
    "serve",
    "Answer a portal's requests over HTTP",
    make_command<ServeCommand>,
    {{"Answer requests from this machine", "capwright serve --anonymous"},
     {"Create clusters in a browser on this machine", "capwright serve --tokens tokens.yaml --wizard"},
     {"Answer requests with tokens", "capwright serve --tokens /etc/capwright/tokens.yaml --listen 10.0.0.5:8080"}}};

}  // namespace capwright::cli
