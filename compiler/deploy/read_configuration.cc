// Follows the paths of the catalogue. A path is a text such as `opencenter.meta.name`; lists aren't entered.
#include "deploy/read_configuration.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "diag/catalog/deploy.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "facts/catalogue.h"
#include "secrets/credentials.h"
#include "secrets/placeholders.h"
#include "text/ip_address.h"

namespace capwright::deploy {
namespace {

constexpr int kMostReferences = 16;  // a longer chain is a cycle

const BuiltInYaml& catalogue() {
  static const BuiltInYaml known("schemas/catalogue/deployment.yaml");
  return known;
}

const Value* at_path(const Value& document, std::string_view path) {
  const Value* value = &document;
  while (value != nullptr && !path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    value = value->find(step);
  }
  return value;
}

std::string_view variable_in(const std::vector<Variable>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Variable& each) { return each.name == name; });
  return found == all.end() ? std::string_view() : std::string_view(found->value);
}

class ConfigurationReader {
 public:
  ConfigurationReader(const Source& source, Stage& stage)
      : source_(source),
        stage_(stage),
        facts_(fact(catalogue().content(), source.vocabulary == Vocabulary::Opencenter ? "opencenter" : "values")) {}

  Settings read() {
    find_secrets(source_.document, "", false);
    settings_.configuration = source_.path;
    settings_.name = source_.target.name;
    settings_.organization = source_.target.organization;
    if (source_.vocabulary == Vocabulary::Opencenter) read_opencenter();
    else read_values();
    read_address();
    read_credentials();
    return std::move(settings_);
  }

 private:
  struct Found {
    std::string text;
    std::string_view path;  // of the catalogue; empty: it isn't set
    Span where;
  };

  // Every leaf: secrets, and unknown keys of opencenter.
  void find_secrets(const Value& value, const std::string& path, bool is_secret) {
    if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) {
        const std::string below =
            path.empty() ? std::string(entry.key.text()) : fmt::format("{}.{}", path, entry.key.text());
        const bool is_unread = is_unknown(below, entry.value);
        if (is_unread) report_unknown(below, entry.key);
        if (is_unread) add_places(entry.value);
        else find_secrets(entry.value, below, is_secret_key(below, entry.key.text(), is_secret));
      }
    } else if (value.is(Kind::List)) {
      for (const Value& item : value.items()) find_secrets(item, path, is_secret);
    } else if (value.is(Kind::String) && is_placeholder(value.text())) {
      if (!is_read(path)) report_other_placeholder(path, value);
    } else if (value.is(Kind::String) && (is_secret || value.tainted())) {
      secrets::add_encoded(value.text(), settings_.secrets);
      add_places(value);
    }
  }

  bool is_read(std::string_view path) const {
    const auto settings = fact(facts_, "settings").entries();
    return std::any_of(settings.begin(), settings.end(), [&](const Entry& setting) {
      const auto& paths = words_of(setting.value);
      return std::find(paths.begin(), paths.end(), path) != paths.end();
    });
  }

  void report_other_placeholder(const std::string& path, const Value& value) {
    if (source_.vocabulary == Vocabulary::Opencenter)
      stage_.sink.report(diag::other_placeholder, stage_.span_of(value), path, std::string(value.text()));
  }

  // A misspelt key may hold a secret, so the lines of messages don't show its value.
  void add_places(const Value& value) { settings_.secret_places.push_back(stage_.span_of(value)); }

  bool is_secret_key(std::string_view path, std::string_view key, bool is_below_secret) const {
    if (source_.vocabulary == Vocabulary::Values) return false;  // schemas have tainted them
    if (is_below_secret || path == "secrets") return !secrets::is_public_key(key);
    if (secrets::is_secret_name(key) || secrets::is_called_secret(key)) return true;
    const auto settings = fact(facts_, "settings").entries();
    return std::any_of(settings.begin(), settings.end(), [&](const Entry& setting) {
      const auto& paths = words_of(setting.value);
      return is_secret_variable(setting.key.text()) && std::find(paths.begin(), paths.end(), path) != paths.end();
    });
  }

  bool is_unknown(std::string_view path, const Value& value) const {
    if (source_.vocabulary != Vocabulary::Opencenter) return false;
    const std::string below = std::string(path) + ".";
    const auto covers = [&](std::string_view known) {
      if (known.ends_with(".*")) {
        known.remove_suffix(2);
        if (path.starts_with(known) && (path.size() == known.size() || path[known.size()] == '.')) return true;
      }
      return known == path || (value.is(Kind::Map) && known.starts_with(below));
    };
    const auto& unused = words_of(fact(facts_, "unused"));
    if (std::any_of(unused.begin(), unused.end(), covers)) return false;
    const auto settings = fact(facts_, "settings").entries();
    return std::none_of(settings.begin(), settings.end(), [&](const Entry& setting) {
      const auto& paths = words_of(setting.value);
      return std::any_of(paths.begin(), paths.end(), covers);
    });
  }

  void report_unknown(const std::string& path, const Value& key) {
    std::vector<std::string_view> known;
    for (const Entry& setting : fact(facts_, "settings").entries())
      for (const std::string_view each : words_of(setting.value)) known.push_back(each);
    for (const std::string_view each : words_of(fact(facts_, "unused")))
      if (!each.ends_with(".*")) known.push_back(each);
    const std::string meant = did_you_mean(path, known);
    Diagnostic& finding = stage_.sink.report(diag::unknown_opencenter_key, stage_.span_of(key), path);
    if (!meant.empty()) finding.advise(meant);
  }

  // The value of a setting as text, with references replaced.
  Found find(std::string_view setting) {
    const Value* paths = fact(facts_, "settings").find(setting);
    if (paths == nullptr) return {};
    for (const std::string_view path : words_of(*paths)) {
      const Value* value = at_path(source_.document, path);
      if (value == nullptr || value->is(Kind::Null)) continue;
      const Span where = stage_.span_of(*value);
      if (value->is(Kind::Bool)) return {value->as_bool() ? "true" : "false", path, where};
      if (!value->is(Kind::String)) {
        report_invalid(path, where, std::string(kind_name(value->kind())), "a text");
        return {};
      }
      std::string text = resolved(std::string(value->text()), where);
      if (text.starts_with("ENC[")) continue;  // encrypted by sops, and not decrypted here
      if (text.empty()) continue;
      if (is_placeholder(text)) stage_.sink.report(diag::deployment_placeholder, where, std::string(path), text);
      return {std::move(text), path, where};
    }
    return {};
  }

  static bool is_placeholder(std::string_view text) {
    return secrets::exposure_of("password", text) == secrets::Exposure::Unset;
  }

  // `${path}`, from the top or below `opencenter`.
  std::string resolved(std::string text, Span where) {
    if (source_.vocabulary != Vocabulary::Opencenter) return text;
    for (int count = 0; count < kMostReferences; ++count) {
      const std::size_t begin = text.find("${"), end = text.find('}', begin);
      if (begin == std::string::npos || end == std::string::npos) return text;
      const std::string path = text.substr(begin + 2, end - begin - 2);
      const Value* value = at_path(source_.document, path);
      if (value == nullptr) value = at_path(source_.document, "opencenter." + path);
      if (value == nullptr || !value->is(Kind::String)) {
        stage_.sink.report(diag::unknown_opencenter_reference, where, path);
        return {};
      }
      text.replace(begin, end + 1 - begin, value->text());
    }
    stage_.sink.report(diag::unknown_opencenter_reference, where, text);
    return {};
  }

  void report_invalid(std::string_view path, Span where, const std::string& value, const char* expected) {
    stage_.sink.report(diag::deployment_value_invalid, where, std::string(path), value, expected);
  }

  void read_opencenter() {
    const std::string_view version = source_.document.text_at("schema_version");
    if (version != "2.0") {
      stage_.sink.report(diag::opencenter_version, stage_.span_of(source_.document), std::string(version))
          .advise("set `schema_version: \"2.0\"`, or convert the file with opencenter");
    }
    check_name("name", source_.target.name);
    check_name("organization", source_.target.organization);
    const Found repository = find("repository");
    if (repository.path.empty()) report_missing("repository", "the folder of the GitOps repository");
    settings_.repository = absolute(repository.text);
    settings_.folder = "infrastructure/clusters/" + settings_.name;
    settings_.kubeconfig = absolute("secrets/" + settings_.name + "-kubeconfig");
    settings_.kubespray = find("method").text == "kubespray";
    if (const Found tofu = find("opentofu"); tofu.text == "false")
      report_invalid(tofu.path, tofu.where, "false", "`true`: without OpenTofu there is nothing to deploy");
  }

  void read_values() {
    settings_.repository = source_.folder;
    settings_.folder = "infrastructure/clusters/" + settings_.name;
  }

  void check_name(std::string_view setting, const std::string& expected) {
    const Found found = find(setting);
    if (!found.path.empty() && found.text != expected && !is_placeholder(found.text))
      report_invalid(found.path, found.where, fmt::format("`{}`", found.text), "the name in the path of the file");
  }

  std::string absolute(std::string_view path) const {
    if (path == "~" || path.starts_with("~/")) return source_.home + std::string(path.substr(1));
    std::string text = (std::filesystem::path(source_.folder) / path).lexically_normal().string();
    while (text.size() > 1 && text.ends_with('/')) text.pop_back();
    return text;
  }

  void report_missing(std::string_view setting, std::string what) {
    const Value* paths = fact(facts_, "settings").find(setting);
    stage_.sink.report(diag::deployment_value_missing, Span(), std::move(what))
        .note(fmt::format("in {}", source_.path))
        .advise(fmt::format("set `{}`", words_of(*paths).front()));
  }

  void read_address() {
    Found address = find("api_address");
    if (address.path.empty() && find("vrrp_enabled").text == "true") address = find("vrrp_address");
    if (address.path.empty() || is_placeholder(address.text)) return;
    if (!ip::parse_address(address.text))
      report_invalid(address.path, address.where, fmt::format("`{}`", address.text), "an IP address");
    settings_.api_address = address.text;
  }

  void add_credential(std::string_view name, std::string_view value) {
    if (value.empty() || !variable_in(settings_.credentials, name).empty()) return;
    settings_.credentials.push_back({std::string(name), std::string(value)});
    if (is_secret_variable(name) && !is_placeholder(value)) secrets::add_encoded(value, settings_.secrets);
  }

  void read_credentials() {
    if (const Found provider = find("provider");
        !provider.path.empty() && provider.text != "openstack" && provider.text != "capo")
      return;
    for (const Entry& setting : fact(facts_, "settings").entries()) {
      const std::string_view name = setting.key.text();
      if (!name.starts_with("OS_")) continue;
      add_credential(name, find(name).text);
      add_credential(name, variable_in(source_.environment, name));
    }
    // An opencenter configuration names the same variables as values do, and more.
    for (const Entry& setting : fact(fact(catalogue().content(), "opencenter"), "settings").entries())
      if (setting.key.text().starts_with("OS_"))
        add_credential(setting.key.text(), variable_in(source_.environment, setting.key.text()));
    for (const std::string_view name : words_of(fact(catalogue().content(), "openstack")))
      add_credential(name, variable_in(source_.environment, name));
    for (const Entry& entry : fact(catalogue().content(), "defaults").entries())
      add_credential(entry.key.text(), entry.value.text());
    check_credentials();
  }

  void check_credentials() {
    const auto has = [&](std::string_view name) { return !variable_in(settings_.credentials, name).empty(); };
    for (const Variable& credential : settings_.credentials) {
      if (is_placeholder(credential.value) && variable_in(source_.environment, credential.name) == credential.value)
        stage_.sink.report(diag::deployment_placeholder, Span(), credential.name, credential.value);
    }
    if (const std::string_view url = variable_in(settings_.credentials, "OS_AUTH_URL"); url.empty()) {
      report_missing("OS_AUTH_URL", "the URL of OpenStack's identity service");
    } else if (!url.starts_with("https://") && !url.starts_with("http://") && !is_placeholder(url)) {
      const Found found = find("OS_AUTH_URL");
      report_invalid(found.path.empty() ? "OS_AUTH_URL" : found.path, found.where, fmt::format("`{}`", url), "a URL");
    }
    const bool by_credential = has("OS_APPLICATION_CREDENTIAL_ID") && has("OS_APPLICATION_CREDENTIAL_SECRET");
    if (by_credential || (has("OS_USERNAME") && has("OS_PASSWORD")) || has("OS_TOKEN")) return;
    stage_.sink.report(diag::deployment_value_missing, Span(), "OpenStack's credential")
        .note(fmt::format("{} has none in plain text, nor has the environment", source_.path))
        .advise(
            "set OS_APPLICATION_CREDENTIAL_ID and OS_APPLICATION_CREDENTIAL_SECRET in the environment, or OS_USERNAME "
            "and OS_PASSWORD");
  }

  const Source& source_;
  Stage& stage_;
  const Value& facts_;
  Settings settings_;
};

}  // namespace

Settings read_configuration(const Source& source, Stage& stage) { return ConfigurationReader(source, stage).read(); }

bool is_secret_variable(std::string_view name) {
  const auto& all = words_of(fact(catalogue().content(), "secret"));
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::vector<Variable> inherited_variables(const std::vector<Variable>& environment) {
  std::vector<Variable> kept;
  for (const std::string_view name : words_of(fact(catalogue().content(), "inherited"))) {
    const std::string_view value = variable_in(environment, name);
    if (!value.empty()) kept.push_back({std::string(name), std::string(value)});
  }
  return kept;
}

}  // namespace capwright::deploy
