// Deployments without programs: kills and failures at each call, the kubeconfig, redaction of a stream.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "deploy/deployer.h"
#include "deploy/kubeconfig.h"
#include "secrets/redacting_stream.h"
#include "source/memory_fs.h"

namespace capwright {
namespace {

constexpr const char* kKubeconfig = "kind: Config\nclusters: [{name: a, cluster: {server: https://127.0.0.1:6443}}]\n";
constexpr std::uint64_t kMostBytes = 1 << 20;

class MemoryPrivateFiles final : public PrivateFiles {
 public:
  explicit MemoryPrivateFiles(MemoryFs& files) : files_(files) {}
  IoError make_dirs(const std::string& folder) override { return capwright::make_dirs(files_, folder); }
  IoError replace(const std::string& path, std::string_view bytes) override {
    return replace_file(files_, path, bytes);
  }

 private:
  MemoryFs& files_;
};

// Counts what programs did. Each is a call of the file system, so it fails and dies like these; otherwise it succeeds.
class CountedPrograms final : public LongPrograms {
 public:
  CountedPrograms(MemoryFs& files, std::map<std::string, int>& counts) : files_(files), counts_(counts) {}

  LongEnd run(const LongRun& run, RunListener& listener) override {
    if (!files_.exists("fleet")) return {LongEnd::How::Signalled, 9, 0};
    const std::string name = run.program.substr(run.program.rfind('/') + 1), first = run.arguments.front();
    if (std::find(run.arguments.begin(), run.arguments.end(), "nodes") != run.arguments.end())
      listener.receive("node-1=True\n");
    if (first != "version" && first != "--version" && name != "kubectl") ++counts_[name + " " + first];
    return {LongEnd::How::Exited, first == "plan" ? 2 : 0, 0};
  }
  int wait(std::int64_t) override { return 0; }
  std::string find(std::string_view name, std::string_view) override { return "/bin/" + std::string(name); }

 private:
  MemoryFs& files_;
  std::map<std::string, int>& counts_;
};

class StillClock final : public steps::Clock {
 public:
  std::int64_t seconds() override { return 1'700'000'000; }
  int nanoseconds() override { return ++runs_; }
  void wait(std::int64_t) override {}

 private:
  static inline int runs_ = 0;
};

class Silence final : public deploy::Dialogue {
 public:
  void say(deploy::Step, std::string_view) override {}
  void show_output(std::string_view) override {}
  void print(std::string_view) override {}
  bool can_ask() override { return true; }
  bool agrees(std::string_view) override { return true; }
};

class DeploySite {
 public:
  DeploySite() {
    settings_.name = "prod-a";
    settings_.repository = "/fleet";
    settings_.folder = "clusters/prod-a";
    settings_.kubeconfig = "/secrets/kubeconfig";
    settings_.api_address = "api.example.com";
    settings_.kubespray = true;
    files.add("/fleet/clusters/prod-a/kubeconfig", kKubeconfig);
  }

  deploy::Ending run(Sink& sink) {
    MemoryPrivateFiles kept(files);
    CountedPrograms programs(files, counts);
    StillClock clock;
    Silence silence;
    deploy::Place place;
    place.who = "tester";
    place.host = "here";
    place.state_folder = "/state";
    deploy::Deployer deployer({files, kept, programs, clock, silence}, settings_, {}, place);
    return deployer.run(sink);
  }

  std::optional<deploy::State> state() {
    std::string text, why;
    if (files.read("/state/state.json", text, kMostBytes)) return std::nullopt;
    return deploy::read_state(text, why);
  }
  std::string kubeconfig() {
    std::string text;
    static_cast<void>(files.read("/secrets/kubeconfig", text, kMostBytes));
    return text;
  }

  MemoryFs files;
  std::map<std::string, int> counts;

 private:
  deploy::Settings settings_;
};

// Whatever happens in a first run, a second one ends the deployment, and repeats no step that was recorded as done.
// Returns the number of calls.
int check_resumes(bool dies) {
  for (int at = 0;; ++at) {
    DeploySite site;
    if (dies) site.files.die_at(static_cast<std::uint64_t>(at));
    else site.files.fail_at(static_cast<std::uint64_t>(at), EIO);
    Sink sink;
    site.run(sink);
    const bool was_reached = site.files.reached();
    site.files.revive();
    const std::optional<deploy::State> before = site.state();
    site.counts.clear();
    Sink none;
    const deploy::Ending ending = site.run(none);
    INFO("call " << at);
    for (const Diagnostic& each : none.diagnostics()) UNSCOPED_INFO(each.message);
    REQUIRE(ending.how == deploy::Ending::How::Done);
    REQUIRE(site.kubeconfig().find("://api.example.com:6443") != std::string::npos);
    REQUIRE(site.state()->finished);
    const std::map<std::string, deploy::Step> steps = {{"tofu init", deploy::Step::Init},
                                                       {"tofu apply", deploy::Step::Apply},
                                                       {"python3 -m", deploy::Step::Venv},
                                                       {"pip install", deploy::Step::Pip},
                                                       {"ansible-playbook --inventory", deploy::Step::Playbook}};
    for (const auto& [call, step] : steps) {
      const bool was_done = before && !before->finished && before->is_done(step);
      INFO(call);
      REQUIRE(site.counts[call] == (was_done ? 0 : 1));
    }
    if (!was_reached) return at;
  }
}

std::string normalized(std::string_view text, std::string_view address) {
  OwnStage own;
  int servers = 0;
  const auto result =
      deploy::normalized_kubeconfig(own.sources.add("kubeconfig", std::string(text)), address, servers, own.stage);
  return result ? fmt::format("{}: {}", servers, *result) : "none";
}

TEST_CASE("a deployment resumes after a kill or a failure at each call", "[deploy]") {
  constexpr int kFewest = 100;
  CHECK(check_resumes(true) > kFewest);
  CHECK(check_resumes(false) > kFewest);
}

TEST_CASE("a kubeconfig gets the address of the API", "[deploy]") {
  const auto with_server = [](std::string_view server) {
    return fmt::format("kind: Config\nclusters:\n- cluster:\n    server: {} # api\n", server);
  };
  for (const char* host : {"127.0.0.1", "127.9.9.9", "localhost", "0.0.0.0", "[::1]", "[::]"}) {
    INFO(host);
    CHECK(normalized(with_server(fmt::format("\"https://{}:6443/x\"", host)), "api.example.com") ==
          "1: " + with_server("\"https://api.example.com:6443/x\""));
  }
  CHECK(normalized(with_server("https://127.0.0.1"), "2001:db8::1") == "1: " + with_server("https://[2001:db8::1]"));
  CHECK(normalized(with_server("https://other.example.com:6443"), "10.0.0.5") ==
        "0: " + with_server("https://other.example.com:6443"));
  CHECK(normalized(with_server("https://127.0.0.1:6443"), "") == "0: " + with_server("https://127.0.0.1:6443"));
  CHECK(normalized(with_server("https://127.0.0.1.example.com"), "10.0.0.5").starts_with("0: "));
  CHECK(normalized("a: b", "10.0.0.5") == "none");
  CHECK(normalized("kind: Config\nclusters: {}\n", "10.0.0.5") == "none");
  CHECK(normalized("kind: Config\nclusters: [1, {cluster: x}]\n", "10.0.0.5").starts_with("0: "));
  CHECK(normalized("kind: [", "10.0.0.5") == "none");
}

TEST_CASE("a stream is redacted as its whole text is", "[deploy]") {
  SecretTexts texts;
  for (const char* secret :
       {"s3cret-of-the-cloud-0001", "pass", "-----BEGIN KEY-----\nAAAABBBBCCCC\nDDDD\n-----END", "hunter-22"})
    secrets::add_encoded(secret, texts);
  const std::string_view parts[] = {"s3cret-of-the-cloud-0001",
                                    "pass",
                                    "password",
                                    "hunter-22",
                                    "-----BEGIN KEY-----\nAAAA",
                                    "BBBBCCCC\nDDDD",
                                    "\n",
                                    " ",
                                    "=",
                                    "s3cret-of-the",
                                    "-cloud",
                                    "x",
                                    "hunter",
                                    "-22",
                                    "the token is "};
  std::uint32_t random = 7;
  const auto next = [&](std::size_t limit) {
    random = random * 1'664'525 + 1'013'904'223;
    return static_cast<std::size_t>(random >> 8) % limit;
  };
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t count = next(12); count > 0; --count) text += parts[next(std::size(parts))];
    std::string streamed;
    secrets::RedactingStream stream(texts, [&](std::string_view lines) { streamed += lines; });
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = std::min(1 + next(9), text.size() - at);
      stream.write(std::string_view(text).substr(at, size));
      at += size;
    }
    stream.finish();
    REQUIRE(streamed == texts.redact(text));
  }
}

}  // namespace
}  // namespace capwright
