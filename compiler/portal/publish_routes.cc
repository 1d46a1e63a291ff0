// POST …/publish: the headers and the query; publications.cc has the rest.
#include <algorithm>
#include <fmt/format.h>

#include "base/sha.h"
#include "plan/plan.h"
#include "portal/cluster_request.h"
#include "portal/handlers.h"
#include "portal/problem.h"
#include "portal/publications.h"

namespace capwright::portal {
namespace {

constexpr std::size_t kLongestKey = 255, kIdDigits = 32, kObjectDigits = 40;

// The key, with or without the quotes of a structured field (RFC 9651). Empty: it isn't one.
std::string_view key_of(std::string_view header) {
  if (header.size() >= 2 && header.starts_with('"') && header.ends_with('"'))
    header = header.substr(1, header.size() - 2);
  const bool is_plain =
      std::all_of(header.begin(), header.end(), [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
  return is_plain && header.size() <= kLongestKey ? header : std::string_view();
}

// Of `"ID"`. Empty: it isn't of this form.
std::string entity_of(std::string_view header) {
  if (header.size() != kObjectDigits + 2 || !header.starts_with('"') || !header.ends_with('"')) return {};
  const std::string_view id = header.substr(1, kObjectDigits);
  const bool is_id =
      std::all_of(id.begin(), id.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  return is_id ? std::string(id) : std::string();
}

std::string fingerprint_of(const Request& request) {
  std::string all;
  for (const std::string& part : {request.path, request.query, request.content_type, request.if_match.value_or(""),
                                  request.if_none_match.value_or("")})
    all += to_hex(sha256(part));
  return to_hex(sha256(all + to_hex(sha256(request.body))));
}

std::optional<Response> read_allowed(std::string_view text, PublishRequest& wanted) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!plan::verb_of(word))
      return problem(ProblemKind::MalformedRequest, "`allow` takes verbs of a plan, such as `roll,delete`");
    wanted.allowed.emplace(word);
  }
  return std::nullopt;
}

}  // namespace

std::optional<PublishRequest> read_publish_request(const Call& call, Response& refused) {
  const Request& request = call.request;
  const auto refuse = [&](const char* detail) {
    refused = problem(ProblemKind::MalformedRequest, detail);
    return std::nullopt;
  };
  PublishRequest wanted;
  const std::string_view key = key_of(request.idempotency_key);
  if (key.empty()) return refuse("send `Idempotency-Key` with 1 to 255 printable ASCII characters, best a new UUID");
  wanted.id = to_hex(sha256(fmt::format("{}\n{}", call.caller.name, key))).substr(0, kIdDigits);
  wanted.fingerprint = fingerprint_of(request);
  wanted.if_missing = request.if_none_match == "*";
  if (request.if_none_match && !wanted.if_missing) return refuse("`If-None-Match` takes `*`");
  wanted.expected_id = entity_of(request.if_match.value_or(""));
  if (request.if_match && wanted.expected_id.empty()) return refuse("`If-Match` takes a `values_id` in double quotes");
  if (wanted.if_missing && !wanted.expected_id.empty())
    return refuse("`If-Match` and `If-None-Match` exclude each other");
  if (auto wrong = read_allowed(query_value(request.query, "allow"), wanted)) {
    refused = std::move(*wrong);
    return std::nullopt;
  }
  return wanted;
}

Response publish(const Call& call) {
  Response refused;
  const auto wanted = read_publish_request(call, refused);
  if (!wanted) return refused;
  const auto request = cluster_request(call, Purpose::Render, true, refused);
  if (request == nullptr) return refused;
  if (request->cluster.empty()) return problem(ProblemKind::MalformedValues, "the body has no values");
  return call.publications.publish(call, *request, *wanted);
}

}  // namespace capwright::portal
