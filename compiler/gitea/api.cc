// JSON over HTTP. Responses are parsed defensively: a proxy may have sent them instead of Gitea.
#include "gitea/api.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "diag/catalog/git.h"
#include "diag/catalog/publish.h"
#include "git/remote_access.h"
#include "text/base64.h"

namespace capwright::gitea {
namespace {

using git::ObjectId;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostAnswer = 32u << 20;  // bytes; a page of a tree has some hundred kilobytes
constexpr int kPageSize = 1000;                 // files; the host's default maximum
constexpr int kMostPages = 2000;
constexpr std::size_t kMostWords = 300;  // bytes of the host's message in a diagnostic

const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string text_of(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

bool flag_of(const Json& object, const char* key, bool otherwise) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_boolean() ? value->get<bool>() : otherwise;
}

std::optional<ObjectId> id_of(const Json* object, const char* key) {
  return object == nullptr ? std::nullopt : git::parse_object_id(text_of(*object, key));
}

Json parse(const std::string& text) { return Json::parse(text, nullptr, false); }

std::string_view words_of(http::Fault fault) {
  switch (fault) {
    case http::Fault::UnknownHost: return "its host name can't be resolved";
    case http::Fault::Refused: return "the connection was refused";
    case http::Fault::TimedOut: return "the request timed out";
    default: return "the connection was closed";
  }
}

// Git's message on the host when two pushes collide. The other push's branch may not be visible yet.
bool is_held_by_another(std::string_view words) {
  return words.find("cannot lock ref") != std::string_view::npos ||
         words.find("failed to lock") != std::string_view::npos;
}

Json person(const Person& someone) { return {{"name", someone.name}, {"email", someone.email}}; }

Json operation(const FileChange& change) {
  Json file;
  if (!change.bytes) file["operation"] = "delete";
  else file["operation"] = change.before ? "update" : "create";
  file["path"] = change.path;
  if (change.bytes) file["content"] = to_base64(*change.bytes);
  if (change.before) file["sha"] = hex(*change.before);
  return file;
}

std::string body_of(const ChangeRequest& request) {
  Json body;
  body["branch"] = request.branch;
  if (!request.new_branch.empty()) body["new_branch"] = request.new_branch;
  if (request.replaces) body["force_push"] = true;
  body["message"] = request.message;
  body["author"] = body["committer"] = person(request.author);
  body["dates"] = {{"author", request.author.when}, {"committer", request.author.when}};
  body["files"] = Json::array();
  for (const FileChange& change : request.files) body["files"].push_back(operation(change));
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Empty: not the host's response to a change.
std::optional<MadeCommit> made_commit(const std::string& text) {
  const Json answer = parse(text);
  const Json* commit = member(answer, "commit");
  const auto id = id_of(commit, "sha");
  const auto tree = commit == nullptr ? std::nullopt : id_of(member(*commit, "tree"), "sha");
  const Json* parents = commit == nullptr ? nullptr : member(*commit, "parents");
  if (!id || !tree || parents == nullptr || !parents->is_array()) return std::nullopt;
  MadeCommit made{*id, *tree, {}};
  for (const Json& parent : *parents) {
    const auto above = id_of(&parent, "sha");
    if (!above) return std::nullopt;
    made.parents.push_back(*above);
  }
  return made;
}

bool add_files(const Json& entries, std::map<std::string, ObjectId>& files) {
  for (const Json& entry : entries) {
    if (text_of(entry, "type") != "blob") continue;
    const auto id = id_of(&entry, "sha");
    const std::string path = text_of(entry, "path");
    if (!id || path.empty()) return false;
    files[path] = *id;
  }
  return true;
}

}  // namespace

// ---- interpretation of responses ----

http::Response Api::get(const std::string& path) {
  return client_.send({"GET", place_.api + path, "", token_, kMostAnswer});
}

// The host's message, made safe for a terminal and without the token.
std::string Api::words_of(const http::Response& response) const {
  const Json answer = parse(response.body);
  std::string words = text_of(answer, "message");
  if (words.empty()) return "no reason given";
  for (std::size_t at = 0; !token_.empty() && (at = words.find(token_, at)) != std::string::npos;)
    words.replace(at, token_.size(), "***");
  for (char& c : words) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  if (words.size() <= kMostWords) return words;
  std::size_t end = kMostWords;
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xc0) == 0x80) --end;
  return words.substr(0, end) + " …";
}

bool Api::misunderstood(std::string_view why, Sink& sink) {
  sink.report(diag::answer_not_understood, Span(), place_.api, std::string(why));
  return false;
}

// Reports a response that isn't a success. `sent`: the size of the request.
Outcome Api::judge(const http::Response& response, std::string_view what, std::size_t sent, Sink& sink) {
  const std::string& shown = place_.api;
  switch (response.fault) {
    case http::Fault::None: break;
    case http::Fault::Certificate:
      sink.report(diag::unknown_host_key, Span(), shown, "its certificate is not trusted")
          .advise("for your own certificate authority, run `git config http.sslCAInfo FILE`");
      return Outcome::Failed;
    case http::Fault::NoUrl: sink.report(diag::no_gitea_url, Span(), shown); return Outcome::Failed;
    case http::Fault::TooLong: sink.report(diag::answer_too_long, Span(), shown); return Outcome::Unclear;
    case http::Fault::TimedOut:
    case http::Fault::Broken:
    default: {
      sink.report(diag::remote_unreachable, Span(), shown, std::string(gitea::words_of(response.fault)));
      const bool was_connected = response.fault == http::Fault::TimedOut || response.fault == http::Fault::Broken;
      return was_connected ? Outcome::Unclear : Outcome::Failed;
    }
  }
  const int status = response.status;
  if (status >= 200 && status < 300) return Outcome::Done;
  if (status >= 300 && status < 400) {
    sink.report(diag::api_redirects, Span(), shown, git::shown_url(response.location))
        .advise("if that address is correct, set `publish.gitea.url` to the repository's URL there");
    return Outcome::Failed;
  }
  switch (status) {
    case 401: sink.report(diag::token_refused, Span(), shown, words_of(response)); return Outcome::Failed;
    case 403:
      sink.report(diag::token_not_enough, Span(), shown, std::string(what), words_of(response));
      return is_held_by_another(response.body) ? Outcome::Overtaken : Outcome::Forbidden;
    case 404: sink.report(diag::remote_repository_missing, Span(), shown); return Outcome::Refused;
    case 409:
    case 422:
    case 423:
      sink.report(diag::change_refused, Span(), shown, std::string(what), words_of(response));
      return Outcome::Refused;
    case 413:
      sink.report(diag::request_too_large, Span(), shown, sent)
          .advise("raise the limit of the proxy in front of the host, such as `client_max_body_size` of nginx");
      return Outcome::Failed;
    default: sink.report(diag::api_fails, Span(), shown, status, words_of(response)); return Outcome::Refused;
  }
}

// ---- queries ----

bool Api::find_branch(const std::string& name, std::optional<Branch>& branch, Sink& sink) {
  branch.reset();
  const http::Response response = get("/branches/" + escape_path(name));
  if (response.fault == http::Fault::None && response.status == 404) {
    // 404 can mean a missing branch or a missing repository.
    return judge(get(""), "reading the repository", 0, sink) == Outcome::Done;
  }
  if (judge(response, "reading the branch", 0, sink) != Outcome::Done) return false;
  const Json answer = parse(response.body);
  const auto commit = id_of(member(answer, "commit"), "id");
  if (!commit) return misunderstood("it has no `commit.id` of a branch", sink);
  branch = Branch{*commit, flag_of(answer, "protected", false), flag_of(answer, "user_can_push", true)};
  return true;
}

bool Api::list_files(const ObjectId& commit, std::map<std::string, ObjectId>& files, Sink& sink) {
  std::size_t entries = 0;
  for (int page = 1; page <= kMostPages; ++page) {
    const http::Response response =
        get(fmt::format("/git/trees/{}?recursive=true&page={}&per_page={}", hex(commit), page, kPageSize));
    if (judge(response, "reading the files", 0, sink) != Outcome::Done) return false;
    const Json answer = parse(response.body);
    const Json* tree = member(answer, "tree");
    if (tree == nullptr || !(tree->is_array() || tree->is_null()) || !add_files(*tree, files))
      return misunderstood("it has no `tree` of files", sink);
    entries += tree->size();
    const bool is_last = !flag_of(answer, "truncated", false);
    if (!is_last && tree->empty()) return misunderstood("its pages of files don't end", sink);
    if (!is_last) continue;
    const Json* total = member(answer, "total_count");
    if (total != nullptr && *total != entries) return misunderstood("pages of files are missing", sink);
    return true;
  }
  return misunderstood("its pages of files don't end", sink);
}

bool Api::read_file(const std::string& branch, const std::string& path, std::optional<std::string>& bytes, Sink& sink) {
  bytes.reset();
  const http::Response response = get(fmt::format("/raw/{}?ref={}", escape_path(path), escape_path(branch)));
  if (response.fault == http::Fault::None && response.status == 404) return true;
  if (judge(response, "reading a file", 0, sink) != Outcome::Done) return false;
  bytes = response.body;
  return true;
}

// ---- changes ----

Outcome Api::change(const ChangeRequest& request, MadeCommit& made, Sink& sink) {
  const std::string body = body_of(request);
  // The response describes each file, including its text.
  const http::Response response =
      client_.send({"POST", place_.api + "/contents", body, token_, kMostAnswer + 4 * body.size()});
  const std::string& target = request.new_branch.empty() ? request.branch : request.new_branch;
  const Outcome outcome = judge(response, fmt::format("changing `{}`", target), body.size(), sink);
  if (outcome != Outcome::Done) return outcome;
  const auto commit = made_commit(response.body);
  if (!commit) {
    misunderstood("it has no `commit` that was made", sink);
    return Outcome::Unclear;
  }
  made = *commit;
  return Outcome::Done;
}

Outcome Api::delete_branch(const std::string& name, Sink& sink) {
  const http::Response response =
      client_.send({"DELETE", place_.api + "/branches/" + escape_path(name), "", token_, kMostAnswer});
  return judge(response, fmt::format("deleting `{}`", name), 0, sink);
}

}  // namespace capwright::gitea
