// The steps from text to an executable template.
#include "template/syntax/parse.h"

#include "diag/catalog/text.h"
#include "template/resolve/resolve.h"
#include "template/syntax/parser.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// Jinja2's loaders decode strictly, so they can't read a template that isn't UTF-8.
bool check_encoding(FileId file, std::string_view text, Sink& sink) {
  const std::size_t invalid = utf8::first_invalid(text);
  if (invalid == std::string_view::npos) return true;
  const auto at = static_cast<std::uint32_t>(invalid);
  sink.report(diag::invalid_utf8, {file, at, at + 1}, static_cast<unsigned char>(text[at]), at)
      .advise("save the file as UTF-8");
  return false;
}

}  // namespace

std::unique_ptr<Template> parse(FileId file, std::string_view name, const SourceSet& sources, const Options& options,
                                Sink& sink) {
  if (!check_encoding(file, sources.text(file), sink)) return nullptr;
  auto result = std::make_unique<Template>();
  result->name = name;
  result->file = file;
  result->options = options;
  const std::size_t errors_before = sink.error_count();
  const TemplateText text(file, sources.text(file), options.keep_trailing_newline, result->arena);
  Lexer lexer(text, result->options, result->arena, sink);
  Parser parser(lexer, result->options, result->arena, sink);
  result->body = parser.parse_template();
  // In an incomplete tree, resolving names and blocks would cause false reports.
  if (sink.error_count() == errors_before) resolve(*result, sink);
  if (sink.error_count() != errors_before) return nullptr;
  return result;
}

}  // namespace capwright::jinja
