// CAP622: settings of etcd that it rejects, or that its authors warn of.
#include <charconv>
#include <cstdint>
#include <optional>

#include "lint/engine/rule.h"
#include "lint/facts/flags.h"

namespace capwright::lint::rules::etcd_limits {
namespace {

// etcd 3.6 server/embed/config.go and etcd.io/docs: the largest suggested database, and the defaults.
constexpr std::int64_t kLargestQuota = std::int64_t{8} << 30;
constexpr std::int64_t kElection = 1000, kHeartbeat = 100;

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void check_quota(const Node& flags, Report& report) {
  const Flag quota = flag_of(flags, "quota-backend-bytes");
  if (quota.text.empty()) return;
  const std::optional<std::int64_t> bytes = number(quota.text);
  if (!bytes) {
    report.at(quota.place, "`quota-backend-bytes` is `{}`, which isn't a number of bytes", quota.text)
        .note("etcd ends with an error, and the control plane doesn't start")
        .help("write the bytes, such as `8589934592` for 8 GiB");
  } else if (*bytes > kLargestQuota) {
    report.at(quota.place, "the quota of etcd is {} MiB; its authors suggest at most 8192", *bytes >> 20)
        .note(
            "a new member receives the whole database, and defragmentation blocks a member; both take longer with its "
            "size")
        .help("lower the quota, and find out what fills the database")
        .as(Severity::Warning);
  }
}

void check_election(const Node& flags, Report& report) {
  const Flag election = flag_of(flags, "election-timeout"), heartbeat = flag_of(flags, "heartbeat-interval");
  if (election.text.empty() && heartbeat.text.empty()) return;
  const std::optional<std::int64_t> wait = election.text.empty() ? kElection : number(election.text);
  const std::optional<std::int64_t> beat = heartbeat.text.empty() ? kHeartbeat : number(heartbeat.text);
  if (!wait || !beat || *wait >= 5 * *beat) return;
  report
      .at(election.text.empty() ? heartbeat.place : election.place,
          "the election timeout of {} ms is less than 5 heartbeats of {} ms", *wait, *beat)
      .note("etcd ends with an error, and the control plane doesn't start")
      .help("set `election-timeout` to 10 times `heartbeat-interval`");
}

void check(const Object& control_plane, Report& report) {
  for (const Node flags : {control_plane["spec.kubeadmConfigSpec.clusterConfiguration.etcd.local.extraArgs"],
                           control_plane["spec.serverConfig.etcd.customConfig.extraArgs"]}) {
    check_quota(flags, report);
    check_election(flags, report);
  }
}

}  // namespace

CW_LINT_RULE(etcd_limits){
    .code = "CAP622",
    .name = "etcd-limits",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds = "KubeadmControlPlane RKE2ControlPlane",
    .docs = R"md(
## What it does

Reports an election timeout of etcd below 5 heartbeats, and a quota that isn't a number or is larger than 8 GiB.

## Why is this bad?

etcd rejects such timeouts, and a quota that isn't a number, so the control plane doesn't start. A longer heartbeat needs a longer
election timeout, which is another flag. A quota above 8 GiB is a
warning, because a large database takes long to send to a new member and to defragment.

## Example

```yaml
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  kubeadmConfigSpec:
    clusterConfiguration:
      etcd:
        local:
          extraArgs:
            - {name: heartbeat-interval, value: "500"}   # error: [etcd-limits] "1000 ms is less than 5 heartbeats of 500 ms"
            - {name: quota-backend-bytes, value: 8Gi}   # error: [etcd-limits] "which isn't a number of bytes"
```

## Use instead

```yaml
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  kubeadmConfigSpec:
    clusterConfiguration:
      etcd:
        local:
          extraArgs:
            - {name: heartbeat-interval, value: "500"}
            - {name: election-timeout, value: "5000"}
            - {name: quota-backend-bytes, value: "8589934592"}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::etcd_limits
