// The same text is read again by the pipeline, under the name of a values file.
#include "portal/request_values.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "report/json.h"
#include "yaml/read.h"

namespace capwright::portal {
namespace {

using ErrorsJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kMediaTypes{"application/json", "application/yaml", "application/x-yaml",
                                                      "text/yaml"};
constexpr std::size_t kLongestName = 63;  // of a DNS label

// Without parameters, such as `; charset=utf-8`, in lower case.
std::string essence_of(std::string_view media_type) {
  std::string essence(media_type.substr(0, media_type.find(';')));
  while (essence.ends_with(' ')) essence.pop_back();
  for (char& c : essence) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return essence;
}

bool is_name(std::string_view text) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !text.empty() && text.size() <= kLongestName && is_word(text.front()) && is_word(text.back()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return c == '-' || is_word(c); });
}

// `detail` comes first, as in the examples of RFC 9457.
ErrorsJson error_of(const report::Finding& finding) {
  const ErrorsJson whole = report::finding_json(finding);
  ErrorsJson error = {{"detail", whole["message"]}};
  for (const auto& [key, value] : whole.items()) {
    if (key != "message" && key != "clusters") error[key] = value;
  }
  if (const std::string missing = missing_pointer(*finding.diagnostic); !missing.empty()) error["missing"] = missing;
  return error;
}

}  // namespace

RequestValues::RequestValues(const std::string& body, std::string_view media_type)
    : is_json_(essence_of(media_type) == kMediaTypes.front()) {
  const FileId file = own_.sources.add_borrowed("values", body);
  document_ = read_yaml(file, own_.stage, {ScalarRules::Core, is_json_ ? TextSyntax::Json : TextSyntax::Yaml});
}

bool RequestValues::has_known_type(std::string_view media_type) {
  const std::string essence = essence_of(media_type);
  return std::find(kMediaTypes.begin(), kMediaTypes.end(), essence) != kMediaTypes.end();
}

const Value* RequestValues::find(std::string_view path) const {
  const Value* found = &document_;
  while (found != nullptr && !path.empty()) {
    const std::string_view key = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(key.size() + 1, path.size()));
    found = found->is(Kind::Map) ? found->find(key) : nullptr;
  }
  return found;
}

std::string_view RequestValues::text_at(std::string_view path) const {
  const Value* found = find(path);
  return found != nullptr && found->is(Kind::String) ? found->text() : std::string_view();
}

std::string RequestValues::cluster() const {
  const std::string_view name = text_at("cluster_name");
  return is_name(name) ? std::string(name) : std::string();
}

std::string RequestValues::pointer_at(std::uint32_t offset) const {
  return portal::pointer_at(document_, offset, own_.stage);
}

ErrorsJson errors_json(const report::Findings& findings, const RequestValues& values, std::string_view values_path) {
  ErrorsJson errors = ErrorsJson::array();
  for (const report::Finding& finding : findings.all()) {
    ErrorsJson error = error_of(finding);
    const Span where = finding.diagnostic->where;
    if (where.known() && finding.sources->path(where.file) == values_path)
      error["pointer"] = values.pointer_at(where.begin);
    errors.push_back(std::move(error));
  }
  return errors;
}

ErrorsJson errors_json(const report::Findings& findings) {
  ErrorsJson errors = ErrorsJson::array();
  for (const report::Finding& finding : findings.all()) errors.push_back(error_of(finding));
  return errors;
}

}  // namespace capwright::portal
