// Edits the scalars where they are, so that comments and certificates keep their bytes.
#include "deploy/kubeconfig.h"

#include <algorithm>

#include "diag/catalog/deploy.h"
#include "text/ip_address.h"
#include "yaml/read.h"

namespace capwright::deploy {
namespace {

struct HostPlace {
  std::size_t begin = 0, end = 0;  // in a URL, with the brackets of IPv6
};

std::optional<HostPlace> host_in(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::nullopt;
  const std::size_t begin = scheme + 3;
  const bool has_brackets = begin < url.size() && url[begin] == '[';
  const std::size_t end =
      has_brackets ? url.find(']', begin) + 1 : std::min(url.find_first_of(":/", begin), url.size());
  return end <= begin ? std::nullopt : std::optional(HostPlace{begin, end});
}

bool is_this_machine(std::string_view host) {
  if (host == "localhost") return true;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::optional<ip::Address> address = ip::parse_address(host);
  return address && (ip::is_loopback(*address) || address->number == 0);
}

}  // namespace

std::optional<std::string> normalized_kubeconfig(FileId file, std::string_view address, int& servers, Stage& stage) {
  const Value document = read_yaml(file, stage, {ScalarRules::Kubernetes});
  const Value* clusters = document.find("clusters");
  if (document.text_at("kind") != "Config" || clusters == nullptr || !clusters->is(Kind::List)) {
    if (!document.is_error()) stage.sink.report(diag::not_a_kubeconfig, Span(), std::string(stage.sources.path(file)));
    return std::nullopt;
  }
  std::string text(stage.sources.text(file));
  servers = 0;
  if (address.empty()) return text;
  const bool is_ipv6 = address.find(':') != std::string_view::npos;
  const std::string host = is_ipv6 ? "[" + std::string(address) + "]" : std::string(address);
  for (auto cluster = clusters->items().rbegin(); cluster != clusters->items().rend(); ++cluster) {
    const Value* content = cluster->find("cluster");
    const Value* server = content == nullptr ? nullptr : content->find("server");
    if (server == nullptr || !server->is(Kind::String)) continue;
    const std::optional<HostPlace> place = host_in(server->text());
    if (!place || !is_this_machine(server->text().substr(place->begin, place->end - place->begin))) continue;
    const auto begin = static_cast<std::uint32_t>(place->begin), end = static_cast<std::uint32_t>(place->end);
    const Span where = span_inside(*server, begin, end, stage);
    if (where.size() != end - begin) continue;  // an alias, or an escaped text
    text.replace(where.begin, where.size(), host);
    ++servers;
  }
  return text;
}

}  // namespace capwright::deploy
