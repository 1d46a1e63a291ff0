// The steps from text to a template that can run.
#include "template/syntax/parse.h"

#include "template/resolve/resolve.h"
#include "template/syntax/parser.h"

namespace capwright::jinja {

std::unique_ptr<Template> parse(FileId file, std::string_view name, const SourceSet& sources, const Options& options,
                                Sink& sink) {
  auto result = std::make_unique<Template>();
  result->name = name;
  result->file = file;
  result->options = options;
  const std::size_t errors_before = sink.error_count();
  const TemplateText text(file, sources.text(file), options.keep_trailing_newline, result->arena);
  Lexer lexer(text, result->options, result->arena, sink);
  Parser parser(lexer, result->options, result->arena, sink);
  result->body = parser.parse_template();
  // Names and blocks of a tree with holes would only give rise to false reports.
  if (sink.error_count() == errors_before) resolve(*result, sink);
  if (sink.error_count() != errors_before) return nullptr;
  return result;
}

}  // namespace capwright::jinja
