// JSON-RPC 2.0 and the methods of the Language Server Protocol 3.17 that editors call.
#include "lsp/language_server.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "lsp/frames.h"
#include "lsp/repository_view.h"
#include "pipeline/config.h"
#include "report/diff_words.h"

namespace capwright::lsp {
namespace {

using Json = nlohmann::ordered_json;

// Error codes of JSON-RPC and the protocol.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kNotInitialized = -32002;
constexpr int kRequestFailed = -32803;      // LSP: shown to the user
constexpr int kFullSync = 1;                // TextDocumentSyncKind
constexpr int kProperty = 10, kValue = 12;  // CompletionItemKind

// A member of a path of objects; null if any is missing.
const Json& at(const Json& json, std::initializer_list<const char*> path) {
  static const Json none;
  const Json* found = &json;
  for (const char* key : path) {
    if (!found->is_object() || !found->contains(key)) return none;
    found = &(*found)[key];
  }
  return *found;
}

std::string text_at(const Json& json, std::initializer_list<const char*> path) {
  const Json& found = at(json, path);
  return found.is_string() ? found.get<std::string>() : std::string();
}

std::size_t number_at(const Json& json, std::initializer_list<const char*> path) {
  const Json& found = at(json, path);
  return found.is_number_unsigned() ? found.get<std::size_t>() : 0;
}

Json position(LineCol at) { return {{"line", at.line - 1}, {"character", at.column - 1}}; }
Json range(const Place& place) { return {{"start", position(place.start)}, {"end", position(place.end)}}; }

int severity_number(Severity severity) {
  if (severity == Severity::Error) return 1;
  return severity == Severity::Warning ? 2 : 3;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

class LanguageServer::State {
 public:
  explicit State(workflow::RepositoryOptions repository) : repository_(std::move(repository)) {}

  std::vector<std::string> handle(std::string_view text) {
    const Json message = Json::parse(text, nullptr, false);
    if (message.is_discarded() || !message.is_object()) return {failure(Json(), kParseError, "not a JSON object")};
    const std::string method = text_at(message, {"method"});
    const Json& params = at(message, {"params"});
    if (!message.contains("id")) {
      notified(method, params);
      return {};
    }
    if (method.empty()) return {};  // a response; the server asks nothing
    const Json& id = message["id"];
    if (!id.is_number() && !id.is_string() && !id.is_null())
      return {failure(Json(), kInvalidRequest, "`id` is neither a number nor a string")};
    if (!view_ && method != "initialize") return {failure(message["id"], kNotInitialized, "`initialize` comes first")};
    if (is_shut_down_) return {failure(message["id"], kInvalidRequest, "the server was shut down")};
    for (const auto& [name, answer] : kRequests) {
      if (name != method) continue;
      std::vector<std::string> messages = settle();  // answers are about the text as it is
      refusal_.clear();
      const Json result = (this->*answer)(params);
      if (refusal_.empty()) messages.push_back(dumped({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", result}}));
      else messages.push_back(failure(message["id"], kRequestFailed, refusal_));
      return messages;
    }
    return {failure(message["id"], kMethodNotFound, fmt::format("`{}` isn't supported", method))};
  }

  std::vector<std::string> settle() {
    if (!is_dirty_ || !view_) return {};
    is_dirty_ = false;
    std::string stop;
    const RepositoryView::Problems before = std::exchange(problems_, view_->problems(stop));
    std::vector<std::string> messages;
    if (!stop.empty() && stop != last_stop_)
      messages.push_back(notification("window/showMessage", {{"type", 1}, {"message", stop}}));
    last_stop_ = stop;
    for (const auto& [path, found] : before) {
      if (!problems_.contains(path)) messages.push_back(published(path, {}));
    }
    for (const auto& [path, found] : problems_) {
      const auto known = before.find(path);
      if (known == before.end() || known->second != found) messages.push_back(published(path, found));
    }
    return messages;
  }

  bool is_over() const { return is_over_; }
  int exit_code() const { return is_shut_down_ || !view_ ? 0 : 1; }

 private:
  using Answer = Json (State::*)(const Json&);

  static std::string notification(std::string_view method, const Json& params) {
    return dumped({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }

  static std::string failure(const Json& id, int code, const std::string& message) {
    return dumped({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
  }

  std::string published(const std::string& path, const std::vector<Problem>& found) {
    Json list = Json::array();
    for (const Problem& problem : found) list.push_back(diagnostic(problem));
    return notification("textDocument/publishDiagnostics",
                        {{"uri", uri_of(view_->absolute(path))}, {"diagnostics", list}});
  }

  Json diagnostic(const Problem& problem) {
    Json json = {{"range", range(problem.where)},
                 {"severity", severity_number(problem.severity)},
                 {"code", problem.code},
                 {"source", "capwright"},
                 {"message", problem.message}};
    for (const auto& [place, text] : problem.related) {
      const Json location = {{"uri", uri_of(view_->absolute(place.path))}, {"range", range(place)}};
      json["relatedInformation"].push_back({{"location", location}, {"message", text}});
    }
    return json;
  }

  void notified(const std::string& method, const Json& params) {
    if (method == "exit") is_over_ = true;
    if (!view_) return;
    const std::string file = path_of(text_at(params, {"textDocument", "uri"}));
    if (method == "textDocument/didOpen" && !repository_.config) look_above(file);
    const std::string path = view_->shown(file);
    if (method == "initialized") is_dirty_ = true;
    else if (method == "textDocument/didOpen") change(path, text_at(params, {"textDocument", "text"}));
    else if (method == "textDocument/didChange") change_all(path, at(params, {"contentChanges"}));
    else if (method == "textDocument/didClose") close(path);
    else if (method == "workspace/didChangeWatchedFiles") forget(at(params, {"changes"}));
  }

  // Other commands refuse to read files outside of the repository (G034), so their texts in an editor don't count
  // either.
  static bool is_inside(std::string_view path) {
    return !path.empty() && path != "." && !path.starts_with("..") && !path.starts_with(".git/");
  }

  void change(const std::string& path, std::string text) {
    if (!is_inside(path)) return;
    view_->session().edit(path, text);
    documents_[path] = std::move(text);
    is_dirty_ = true;
  }

  void change_all(const std::string& path, const Json& changes) {
    if (changes.is_array() && !changes.empty()) change(path, text_at(changes.back(), {"text"}));
  }

  void close(const std::string& path) {
    view_->session().revert(path);
    documents_.erase(path);
    is_dirty_ = true;
  }

  void forget(const Json& changes) {
    for (const Json& changed : changes) view_->session().forget(view_->shown(path_of(text_at(changed, {"uri"}))));
    is_dirty_ = true;
  }

  Json initialize(const Json& params) {
    const Json& encodings = at(params, {"capabilities", "general", "positionEncodings"});
    is_utf16_ = !encodings.is_array() || std::find(encodings.begin(), encodings.end(), "utf-8") == encodings.end();
    root_ = path_of(text_at(params, {"rootUri"}));
    if (!root_.empty()) repository_.words = {root_ + "/" + std::string(kConfigName)};
    if (!look_for_config(root_)) open_view();
    const Json sync = {{"openClose", true}, {"change", kFullSync}};
    const Json capabilities = {{"positionEncoding", is_utf16_ ? "utf-16" : "utf-8"},
                               {"textDocumentSync", sync},
                               {"hoverProvider", true},
                               {"definitionProvider", true},
                               {"renameProvider", {{"prepareProvider", true}}},
                               {"codeLensProvider", {{"resolveProvider", false}}},
                               {"completionProvider", {{"triggerCharacters", {" "}}}},
                               {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}}};
    return {{"capabilities", capabilities}, {"serverInfo", {{"name", "capwright"}}}};
  }

  // The editor may have the folder of a repository open, or one above it.
  bool look_for_config(const std::string& folder) {
    if (folder.empty() || repository_.config || repository_.isolated) return false;
    const std::string config = folder + "/" + std::string(kConfigName);
    FileStat stat;
    if (RealFs().stat(config, stat)) return false;
    repository_.config = config;
    repository_.words = {config};
    open_view();
    return true;
  }

  // The nearest configuration above the first document that has one counts from then on.
  void look_above(const std::string& file) {
    std::filesystem::path folder = std::filesystem::path(file).lexically_normal().parent_path();
    while (!root_.empty() && folder.string().starts_with(root_ + "/")) {
      if (look_for_config(folder.string())) return;
      folder = folder.parent_path();
    }
  }

  void open_view() {
    view_.emplace(repository_, is_utf16_ ? report::ColumnUnit::Utf16 : report::ColumnUnit::Utf8, root_);
  }

  Json shut_down(const Json&) {
    is_shut_down_ = true;
    return nullptr;
  }

  // The document of a request and its value at the request's line.
  std::optional<LineValue> value_of(const Json& params) {
    const std::string path = view_->shown(path_of(text_at(params, {"textDocument", "uri"})));
    return view_->value_at(path, static_cast<std::uint32_t>(number_at(params, {"position", "line"}) + 1));
  }

  Json hover(const Json& params) {
    const auto value = value_of(params);
    if (!value) return nullptr;
    std::string text =
        fmt::format("`{}`{}", value->path, value->text.empty() ? "" : fmt::format(" = `{}`", value->text));
    if (!value->description.empty()) text += "\n\n" + value->description;
    const std::size_t count = value->files.size();
    text += fmt::format("\n\nRead by {} cluster{}; in `{}` its bytes are in {} file{}", value->clusters.size(),
                        value->clusters.size() == 1 ? "" : "s", value->clusters.front(), count, count == 1 ? "" : "s");
    text += count == 0 ? "." : ":";
    for (const std::string& file : value->files) text += fmt::format("\n* `{}`", file);
    return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
  }

  Json lenses(const Json& params) {
    Json list = Json::array();
    for (const KeyUse& use : view_->uses_of_keys(view_->shown(path_of(text_at(params, {"textDocument", "uri"}))))) {
      std::string title = fmt::format("used in {}", report::counted(use.files, "file"));
      if (use.clusters > 1) title += fmt::format(" of {}; {} clusters read this file", use.cluster, use.clusters);
      list.push_back({{"range", range(use.key)}, {"command", {{"title", title}, {"command", ""}}}});
    }
    return list;
  }

  // The template lines that print the value; in a template, what the cursor's word refers to.
  Json definition(const Json& params) {
    Json list = Json::array();
    std::vector<Place> places;
    if (const auto value = value_of(params)) places = value->printed;
    else if (const auto cursor = place_in_document(params))
      places = view_->definition_in_template(cursor->first, cursor->second);
    for (const Place& place : places)
      list.push_back({{"uri", uri_of(view_->absolute(place.path))}, {"range", range(place)}});
    return list;
  }

  // The path and the offset of a request; empty if the editor hasn't opened the document.
  std::optional<std::pair<std::string, std::size_t>> place_in_document(const Json& params) {
    const std::string path = view_->shown(path_of(text_at(params, {"textDocument", "uri"})));
    const auto document = documents_.find(path);
    if (document == documents_.end()) return std::nullopt;
    return std::pair(path, offset_at(document->second, number_at(params, {"position", "line"}),
                                     number_at(params, {"position", "character"}), is_utf16_));
  }

  Json prepare_rename(const Json& params) {
    const auto cursor = place_in_document(params);
    if (!cursor) return nullptr;
    const RenameTarget target = view_->rename_target(cursor->first, cursor->second);
    refusal_ = target.refusal;
    if (target.where.path.empty()) return nullptr;
    return {{"range", range(target.where)}, {"placeholder", target.name}};
  }

  Json rename(const Json& params) {
    const auto cursor = place_in_document(params);
    if (!cursor) return nullptr;
    const Renaming renaming = view_->rename(cursor->first, cursor->second, text_at(params, {"newName"}), documents_);
    refusal_ = renaming.refusal;
    Json edit = {{"changes", Json::object()}};
    for (const TextChange& change : renaming.changes)
      edit["changes"][uri_of(view_->absolute(change.where.path))].push_back(
          {{"range", range(change.where)}, {"newText", change.text}});
    return edit;
  }

  Json completion(const Json& params) {
    Json list = Json::array();
    const auto cursor = place_in_document(params);
    if (!cursor) return list;
    const auto& [path, offset] = *cursor;
    for (const Word& word : view_->words_at(path, cursor_at(documents_[path], offset))) {
      Json item = {{"label", word.label}, {"kind", word.is_key ? kProperty : kValue}};
      if (word.is_key) item["insertText"] = word.label + ": ";
      if (!word.detail.empty()) item["detail"] = word.detail;
      if (!word.documentation.empty()) item["documentation"] = {{"kind", "markdown"}, {"value", word.documentation}};
      list.push_back(std::move(item));
    }
    return list;
  }

  Json code_actions(const Json& params) {
    Json list = Json::array();
    const std::string path = view_->shown(path_of(text_at(params, {"textDocument", "uri"})));
    const auto found = problems_.find(path);
    if (found == problems_.end()) return list;
    const std::size_t first = number_at(params, {"range", "start", "line"}) + 1;
    const std::size_t last = number_at(params, {"range", "end", "line"}) + 1;
    for (const Problem& problem : found->second) {
      if (problem.fix_title.empty() || problem.where.start.line > last || problem.where.end.line < first) continue;
      Json changes = Json::object();
      for (const TextChange& change : problem.fix)
        changes[uri_of(view_->absolute(change.where.path))].push_back(
            {{"range", range(change.where)}, {"newText", change.text}});
      list.push_back({{"title", problem.fix_title},
                      {"kind", "quickfix"},
                      {"isPreferred", problem.is_safe_fix},
                      {"diagnostics", {diagnostic(problem)}},
                      {"edit", {{"changes", changes}}}});
    }
    return list;
  }

  static constexpr std::array<std::pair<std::string_view, Answer>, 9> kRequests{{
      {"initialize", &State::initialize},
      {"shutdown", &State::shut_down},
      {"textDocument/hover", &State::hover},
      {"textDocument/definition", &State::definition},
      {"textDocument/prepareRename", &State::prepare_rename},
      {"textDocument/rename", &State::rename},
      {"textDocument/completion", &State::completion},
      {"textDocument/codeLens", &State::lenses},
      {"textDocument/codeAction", &State::code_actions},
  }};

  workflow::RepositoryOptions repository_;
  std::string root_;                    // the folder that the editor opened, absolute; may be empty
  std::optional<RepositoryView> view_;  // from `initialize` on
  bool is_utf16_ = true, is_dirty_ = false, is_shut_down_ = false, is_over_ = false;
  workflow::FileTexts documents_;      // unsaved texts, by shown path
  RepositoryView::Problems problems_;  // as the editor has them
  std::string last_stop_;
  std::string refusal_;  // of the request that is being answered: shown to the user in place of a result
};

LanguageServer::LanguageServer(workflow::RepositoryOptions repository)
    : state_(std::make_unique<State>(std::move(repository))) {}
LanguageServer::~LanguageServer() = default;
std::vector<std::string> LanguageServer::handle(std::string_view message) { return state_->handle(message); }
std::vector<std::string> LanguageServer::settle() { return state_->settle(); }
bool LanguageServer::is_over() const { return state_->is_over(); }
int LanguageServer::exit_code() const { return state_->exit_code(); }

}  // namespace capwright::lsp
