// Parts of the portal's API without a repository: pointers, tokens, queries and routes.
#include "portal/portal.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/sha.h"
#include "portal/access.h"
#include "portal/call.h"
#include "portal/request_values.h"
#include "portal/routes.h"
#include "yaml/read.h"

using namespace capwright;

namespace {

std::string pointer_to(const std::string& text, const std::string& word) {
  OwnStage own;
  const Value document = read_yaml(own.sources.add("values.json", text), own.stage);
  return portal::pointer_at(document, static_cast<std::uint32_t>(text.find(word)), own.stage);
}

portal::Access access_of(const std::string& text, bool& is_valid) {
  OwnStage own;
  portal::Access access = portal::Access::read(own.sources.add("tokens.yaml", text), own.stage);
  is_valid = !own.sink.failed();
  return access;
}

std::string one_token(const std::string& more) {
  return "tokens: [{name: portal, sha256: " + to_hex(sha256("a token")) + more + "}]\n";
}

}  // namespace

TEST_CASE("A pointer names the innermost value with the place") {
  const std::string text = R"({"pools": [{"count": 1}, {"count": "x", "a/b~c é": 2}], "empty": {}})";
  CHECK(pointer_to(text, "\"x\"") == "#/pools/1/count");
  CHECK(pointer_to(text, "\"count\": \"x\"") == "#/pools/1/count");
  CHECK(pointer_to(text, "2}]") == "#/pools/1/a~1b~0c%20%C3%A9");
  CHECK(pointer_to(text, "[{") == "#/pools");
  CHECK(pointer_to(text, "{}") == "#/empty");
  CHECK(pointer_to(text, "{\"pools") == "#");
  CHECK(pointer_to("[1, 2", "2") == "#");
}

TEST_CASE("A token has its actions and clusters") {
  bool is_valid = false;
  const portal::Access access =
      access_of(one_token(", actions: [render, audit], clusters: [\"edge-*\", lab]"), is_valid);
  REQUIRE(is_valid);
  const portal::Caller* caller = access.caller("Bearer a token");
  REQUIRE(caller != nullptr);
  CHECK(access.caller("bearer a token") == caller);
  CHECK(caller->name == "portal");
  CHECK(caller->may(portal::Action::Render));
  CHECK(caller->may(portal::Action::Audit));
  CHECK_FALSE(caller->may(portal::Action::Secrets));
  CHECK(caller->may_use("edge-1"));
  CHECK(caller->may_use("lab"));
  CHECK_FALSE(caller->may_use("prod-a"));
  for (const char* header : {"", "Bearer", "Bearer ", "Bearer a token ", "Basic a token", "a token", "Bearer A TOKEN"})
    CHECK(access.caller(header) == nullptr);
}

TEST_CASE("Without tokens, nothing is published and no secret is shown") {
  const portal::Access access = portal::Access::anonymous();
  CHECK(access.caller("")->may(portal::Action::Render));
  CHECK_FALSE(access.caller("")->may(portal::Action::Publish));
  CHECK_FALSE(access.caller("")->may(portal::Action::Secrets));
  CHECK_FALSE(access.grants(portal::Action::Publish));
  CHECK_FALSE(access.grants(portal::Action::Render));
}

TEST_CASE("Subjects have actions and clusters by their claims, the first that matches") {
  bool is_valid = false;
  const portal::Access access = access_of(
      "subjects: [{name: a, claims: {groups: x, azp: web}, actions: [publish], clusters: [\"edge-*\"]},\n"
      "           {name: b, claims: {groups: x}, actions: [render]}]\n",
      is_valid);
  REQUIRE(is_valid);
  CHECK(access.has_subjects());
  CHECK(access.grants(portal::Action::Publish));
  CHECK(access.caller("Bearer a.b.c") == nullptr);
  CHECK(access.find("Bearer a.b.c", 0, true).caller == nullptr);  // no provider is trusted

  const std::vector<portal::SubjectRule> rules{{{"a", {"edge-*"}, 1}, {{"groups", "x"}, {"azp", "web"}}},
                                               {{"b", {"*"}, 2}, {{"groups", "x"}}}};
  oidc::Claims claims;
  claims.subject = "ada";
  CHECK(portal::caller_of(claims, rules) == nullptr);
  claims.texts["groups"] = {"y", "x"};
  CHECK(portal::caller_of(claims, rules)->name == "b/ada");
  claims.texts["azp"] = {"web"};
  CHECK(portal::caller_of(claims, rules)->name == "a/ada");
  CHECK_FALSE(portal::caller_of(claims, rules)->may_use("prod-a"));
  claims.subject = "ada\n{";
  CHECK(portal::caller_of(claims, rules)->name.starts_with("a/sha256:"));
}

TEST_CASE("An invalid file of tokens is reported") {
  bool is_valid = true;
  const std::vector<std::string> texts{"",
                                       "tokens: {}",
                                       "subjects: [{name: a, claims: {}, actions: [render]}]",
                                       "subjects: [{name: a, claims: {groups: [x]}, actions: [render]}]",
                                       "subjects: [{name: a, actions: [render]}]",
                                       "tokens: [{name: a}]",
                                       one_token(", actions: []"),
                                       one_token(", actions: [render, everything]"),
                                       one_token(", actions: [render], cluster: [a]"),
                                       "tokens: [",
                                       "- a"};
  for (const std::string& text : texts) {
    access_of(text, is_valid);
    CHECK_FALSE(is_valid);
  }
}

TEST_CASE("A query's values are decoded") {
  CHECK(portal::query_value("cluster=edge-1&limit=5", "limit") == "5");
  CHECK(portal::query_value("cluster=edge-1&limit=5", "cluster") == "edge-1");
  CHECK(portal::query_value("a=%C3%A9+x%2", "a") == "é x%2");
  CHECK(portal::query_value("a&b=", "a").empty());
  CHECK(portal::query_value("", "a").empty());
}

TEST_CASE("Each route finds its own paths, and no other one") {
  for (const portal::Route& route : portal::all_routes()) {
    CAPTURE(route.pattern);
    std::string path(route.pattern);
    if (const std::size_t at = path.find("{id}"); at != std::string::npos) path.replace(at, 4, "some-id");
    std::string_view id;
    std::size_t count = 0;
    for (const portal::Route& other : portal::all_routes())
      count += portal::has_path(other, path, id) && other.method == route.method ? 1 : 0;
    CHECK(count == 1);
    CHECK((route.handler == nullptr) == (route.page != portal::Page::None));
  }
  std::string_view id;
  const auto routes = portal::all_routes();
  const auto is_render = [](const portal::Route& route) { return route.pattern.ends_with("/render"); };
  const portal::Route& render = *std::find_if(routes.begin(), routes.end(), is_render);
  CHECK(portal::has_path(render, "/api/v1/cluster-templates/capo/render", id));
  CHECK(id == "capo");
  for (const char* path : {"/api/v1/cluster-templates//render", "/api/v1/cluster-templates/a/b/render",
                           "/api/v1/cluster-templates/render", "/api/v1/cluster-templates/capo/render/", ""})
    CHECK_FALSE(portal::has_path(render, path, id));
}

TEST_CASE("Metrics count requests by route and status, with the time that they took") {
  portal::Metrics metrics;
  portal::Exchange exchange;
  exchange.method = "POST";
  exchange.route = "/a";
  exchange.status = 200;
  exchange.response_bytes = 7;
  for (const std::int64_t microseconds : {400, 500, 501, 20'000'000}) {
    exchange.microseconds = microseconds;
    metrics.add(exchange);
  }
  metrics.add({});
  const std::string text = metrics.text(3);
  const auto has = [&](const char* line) { return text.find(std::string("\n") + line + "\n") != std::string::npos; };
  CHECK(has("capwright_http_requests_total{method=\"POST\",route=\"/a\",status=\"200\"} 4"));
  CHECK(has("capwright_http_requests_total{method=\"none\",route=\"none\",status=\"0\"} 1"));
  CHECK(has("capwright_http_request_duration_seconds_bucket{route=\"/a\",le=\"0.0005\"} 2"));
  CHECK(has("capwright_http_request_duration_seconds_bucket{route=\"/a\",le=\"0.001\"} 3"));
  CHECK(has("capwright_http_request_duration_seconds_bucket{route=\"/a\",le=\"10\"} 3"));
  CHECK(has("capwright_http_request_duration_seconds_bucket{route=\"/a\",le=\"+Inf\"} 4"));
  CHECK(has("capwright_http_request_duration_seconds_sum{route=\"/a\"} 20.001401"));
  CHECK(has("capwright_http_response_bytes_total 28"));
  CHECK(has("capwright_http_requests_answering 3"));
}

TEST_CASE("A request is refused before its body is read") {
  bool is_valid = false;
  const portal::Portal served({}, access_of(one_token(", actions: [schemas]"), is_valid));
  portal::Exchange exchange;
  const auto status = [&](std::string method, std::string path, std::string header) {
    exchange = {};
    portal::Request head;
    head.method = std::move(method);
    head.path = std::move(path);
    head.authorization = std::move(header);
    const auto response = served.admit(head, exchange);
    return response ? response->status : 0;
  };
  CHECK(status("GET", "/healthz", "") == 200);
  CHECK(status("GET", "/openapi.json", "") == 200);
  CHECK(status("GET", "/metrics", "") == 200);
  CHECK(status("GET", "/problems/busy", "") == 200);
  CHECK(status("GET", "/readyz", "") == 0);
  CHECK(status("GET", "/problems/none", "") == 404);
  CHECK(status("GET", "/", "") == 404);
  CHECK(status("PUT", "/healthz", "") == 405);
  CHECK(status("GET", "/api/v1/schemas/capo", "") == 401);
  CHECK(status("GET", "/api/v1/audit", "Bearer a token") == 403);
  CHECK(exchange.caller == "portal");
  CHECK(status("GET", "/api/v1/schemas/capo", "Bearer a token") == 0);
  CHECK(exchange.route == "/api/v1/schemas/{id}");
}
