// CAP706: the contents of clouds.yaml and cloud.conf.
#include <algorithm>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/credential_objects.h"
#include "lint/facts/credentials.h"
#include "text/trim.h"

namespace capwright::lint::rules::credential_content {
namespace {

bool is_http(std::string_view url) { return url.starts_with("http://"); }

Finding& warn(Finding& finding) {
  finding.severity = Severity::Warning;
  return finding;
}

// Groups of keys, of which one is required.
void check_auth(const Node& cloud, std::string_view type, Report& report) {
  const Value* groups = fact(credential_facts(), "clouds_auth").find(type);
  if (groups == nullptr) return;
  const Node auth = cloud["auth"];
  for (const Value& group : groups->items()) {
    const std::vector<std::string_view>& keys = words_of(group);
    const bool there = std::any_of(keys.begin(), keys.end(), [&](std::string_view key) {
      return auth.member(key).exists() || cloud.member(key).exists();
    });
    if (there) continue;
    report.at(auth ? auth : cloud, "`auth` has no {}", list_names(keys))
        .note("`{}` needs it to log in", type)
        .help("add it");
  }
}

void check_cloud(const Node& cloud, Report& report) {
  if (!cloud.is(Kind::Map)) return;
  const Node written = cloud["auth_type"], url = cloud["auth.auth_url"];
  const bool credential = cloud["auth.application_credential_id"] || cloud["auth.application_credential_secret"];
  std::string_view type = "password";
  if (written) type = written.text();
  else if (credential) type = "v3applicationcredential";
  if (!cloud["cloud"] && !cloud["profile"]) {
    if (!url) report.at(cloud["auth.auth_url"], "`auth` has no `auth_url`").help("add the URL of Keystone");
    check_auth(cloud, type, report);
  }
  if (!written && credential)
    report.at(cloud["auth_type"], "without `auth_type` the application credential is not used")
        .help("add `auth_type: v3applicationcredential`");
  if (type == "password" || type == "v3password")
    warn(report.at(written ? written : cloud["auth"], "a user's password grants all of the user's permissions"))
        .help(
            "use an application credential (`auth_type: v3applicationcredential`): it is limited to one project and "
            "can be replaced separately");
  if (is_http(url.text())) warn(report.at(url, "the credential is sent unencrypted")).help("use `https`");
  if (cloud["verify"].boolean() == false)
    warn(report.at(cloud["verify"], "without validation of the certificate, an attacker can impersonate OpenStack"))
        .help("remove `verify`, and add the CA certificate as `cacert` to the Secret");
}

// A line `key = value` of an INI file; empty: none.
struct Setting {
  std::string_view section, key, value;
};

std::vector<Setting> settings_of(std::string_view text) {
  std::vector<Setting> settings;
  std::string_view section;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end), " \t\r");
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      section = trimmed(line.substr(1, line.find_first_of("] \"") - 1), " \t\r");
      continue;
    }
    const std::size_t sign = std::min(line.find('='), line.size());
    std::string_view value = sign == line.size() ? "" : trimmed(line.substr(sign + 1), " \t\r");
    while (value.starts_with('"')) value.remove_prefix(1);
    settings.push_back({section, trimmed(line.substr(0, sign), " \t\r"), value});
  }
  return settings;
}

void check_key(const Node& place, const Setting& setting, Report& report) {
  const Value* section = fact(credential_facts(), "cloud_conf").find(setting.section);
  if (section == nullptr) return;
  const Value* obsolete = section->find("obsolete");
  if (const Value* why = obsolete == nullptr ? nullptr : obsolete->find(setting.key)) {
    warn(report.at(place, "`{}` of `[{}]` is obsolete", setting.key, setting.section))
        .note("{}", why->text())
        .help("remove it");
    return;
  }
  const std::vector<std::string_view>& known = words_of(fact(*section, "known"));
  if (std::find(known.begin(), known.end(), setting.key) != known.end()) return;
  const std::string_view best = nearest(setting.key, known);
  if (best.empty()) return;
  warn(report.at(place, "`[{}]` has no `{}`", setting.section, setting.key))
      .note("the controller ignores it")
      .help("did you mean `{}`?", best);
}

// The settings that a controller needs to log in.
void check_login(const Node& place, const std::vector<Setting>& settings, Report& report) {
  const auto has = [&](std::string_view key) {
    return std::any_of(settings.begin(), settings.end(), [&](const Setting& one) {
      return one.section == "Global" && one.key == key && !one.value.empty();
    });
  };
  if (has("use-clouds") || settings.empty()) return;
  if (!has("auth-url")) report.at(place, "`[Global]` has no `auth-url`").help("add the URL of Keystone");
  const bool by_credential = has("application-credential-id") || has("application-credential-name");
  const bool by_user = has("username") || has("user-id") || has("trust-id");
  if (!by_credential && !by_user)
    report.at(place, "`[Global]` has no credential")
        .help("add `application-credential-id` and `application-credential-secret`");
  else if (by_credential && !has("application-credential-secret"))
    report.at(place, "`[Global]` has no `application-credential-secret`").help("add it");
}

void check_cloud_conf(const Node& place, std::string_view text, Report& report) {
  const std::vector<Setting> settings = settings_of(text);
  check_login(place, settings, report);
  for (const Setting& setting : settings) {
    check_key(place, setting, report);
    const bool insecure =
        setting.section == "Global" && setting.key == "tls-insecure" && setting.value.starts_with("true");
    if (insecure)
      warn(report.at(place, "with `tls-insecure`, an attacker can impersonate OpenStack")).help("use `ca-file`");
    const bool plain = setting.section == "Global" && setting.key == "auth-url" && is_http(setting.value);
    if (plain) warn(report.at(place, "the credential is sent unencrypted")).help("use `https` in `auth-url`");
  }
}

// Checks a manifest in a ClusterResourceSet.
void check_carried(const Node& place, const Cluster& cluster, Report& report) {
  for (const Value& document : documents_in(place.text(), cluster)) {
    const Value* data = document.find("stringData");
    const Value* text = data == nullptr || !data->is(Kind::Map) ? nullptr : data->find("cloud.conf");
    if (text != nullptr && text->is(Kind::String)) check_cloud_conf(place, text->text(), report);
  }
}

void check(const Cluster& cluster, Report& report) {
  for (const RenderedSecret& secret : rendered_secrets(cluster)) {
    for (const auto& [key, node] : secret.texts) {
      if (key == "clouds.yaml") {
        for (const auto& [name, cloud] : node.yaml()["clouds"].members()) check_cloud(cloud, report);
      } else if (key == "cloud.conf") {
        check_cloud_conf(node, node.text(), report);
      } else if (node.text().find("cloud.conf:") != std::string_view::npos) {
        check_carried(node, cluster, report);
      }
    }
  }
}

}  // namespace

CW_LINT_RULE(credential_content){
    .code = "CAP706",
    .name = "credential-content",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a `clouds.yaml` or `cloud.conf` that can't authenticate, or that is insecure.

## Why is this bad?

If a field for the login is missing, the provider or the cloud controller manager never reaches OpenStack: an error. Warnings
are a user's password instead of an application credential, `http`, disabled certificate validation, and keys that current
controllers ignore because they are obsolete or misspelled.

The rule checks files in Secrets and in templates of ExternalSecrets, also inside a Secret that a ClusterResourceSet carries.

## Example

```yaml
apiVersion: v1
kind: Secret
metadata: {name: cloud}
stringData:
  clouds.yaml: |
    clouds:
      openstack:
        auth_type: v3applicationcredential
        auth:   # error: [credential-content] "`auth` has no `application_credential_secret`"
          auth_url: http://keystone.example.com/v3   # warning: [credential-content] "unencrypted"
          application_credential_id: <id>
        verify: false   # warning: [credential-content] "without validation of the certificate, an attacker can"
```

## Use instead

```yaml
apiVersion: v1
kind: Secret
metadata: {name: cloud}
stringData:
  clouds.yaml: |
    clouds:
      openstack:
        auth_type: v3applicationcredential
        auth:
          auth_url: https://keystone.example.com/v3
          application_credential_id: <id>
          application_credential_secret: <secret>
        region_name: RegionOne
  cloud.conf: |
    [Global]
    auth-url="https://keystone.example.com/v3"
    application-credential-id=<id>
    application-credential-secret=<secret>
    [LoadBalancer]
    lb-provider=ovn
    [BlockStorage]
    ignore-volume-az=true
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::credential_content
