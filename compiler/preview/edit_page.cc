// Unsaved texts. Only inputs of a cluster can be edited, and a text with secrets only value by value.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "portal/problem.h"
#include "preview/preview_call.h"
#include "preview/value_inputs.h"

namespace capwright::preview {
namespace {

Json edited_json(const Call& call) { return {{"generation", call.repository.generation()}}; }

// What a request to change a value says.
struct ValueEdit {
  std::string path, before, after;
  std::size_t begin = 0;
  bool is_valid = false;
};

ValueEdit read_edit(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  ValueEdit edit;
  const bool has_texts = json.is_object() && json.value("path", Json()).is_string() &&
                         json.value("before", Json()).is_string() && json.value("after", Json()).is_string();
  if (!has_texts || !json.value("begin", Json()).is_number_unsigned()) return edit;
  return {json["path"], json["before"], json["after"], json["begin"].get<std::size_t>(), true};
}

// Whether the page may change the file. Otherwise `problem` is the response.
bool is_editable(const std::string& path, const OpenCluster& opened, const Call& call, portal::Response& problem) {
  const InputText input = read_input(path, *opened.compiled, call.repository);
  if (!input.is_known) problem = refused(404, fmt::format("`{}` isn't a values file or layer of this cluster", path));
  else if (!input.is_editable()) problem = refused(409, fmt::format("`{}` can't be edited: {}", path, input.why_fixed));
  return input.is_editable();
}

}  // namespace

portal::Response put_draft(const Call& call) {
  portal::Response problem;
  const OpenCluster* opened = cluster_of(call, problem);
  if (opened == nullptr) return problem;
  const std::string path = call.parameter("path");
  if (!is_editable(path, *opened, call, problem)) return problem;
  call.repository.edit(path, call.request.body);
  return portal::json_response(edited_json(call));
}

portal::Response put_value(const Call& call) {
  const ValueEdit edit = read_edit(call.request.body);
  if (!edit.is_valid) return refused(400, "the body has no `path`, `begin`, `before` and `after`");
  portal::Response problem;
  const OpenCluster* opened = cluster_of(call, problem);
  if (opened == nullptr) return problem;
  if (!is_editable(edit.path, *opened, call, problem)) return problem;
  std::string text = call.repository.text(edit.path).value_or("");
  const bool is_there = edit.begin <= text.size() && text.compare(edit.begin, edit.before.size(), edit.before) == 0;
  if (!is_there || edit.before.empty())
    return refused(409, fmt::format("`{}` has changed since; select the line again", edit.path));
  text.replace(edit.begin, edit.before.size(), edit.after);
  call.repository.edit(edit.path, std::move(text));
  return portal::json_response(edited_json(call));
}

portal::Response remove_draft(const Call& call) {
  call.repository.revert(call.parameter("path"));
  return portal::json_response(edited_json(call));
}

portal::Response write_draft(const Call& call) {
  const std::string why = call.repository.write(call.parameter("path"));
  if (!why.empty()) return refused(409, why);
  return portal::json_response(edited_json(call));
}

}  // namespace capwright::preview
