// Dumps that are plain lists: tokens and references.
#include <fmt/format.h>

#include "template/syntax/lexer.h"
#include "template/syntax/parse.h"
#include "template/syntax/quote.h"

namespace capwright::jinja {
namespace {

std::string_view word(TemplateReference::Kind kind) {
  switch (kind) {
    case TemplateReference::Kind::Include: return "include";
    case TemplateReference::Kind::Import: return "import";
    case TemplateReference::Kind::Extends: return "extends";
  }
  return {};
}

std::string_view word(Definition::Kind kind) {
  switch (kind) {
    case Definition::Kind::Set: return "set";
    case Definition::Kind::Macro: return "macro";
    case Definition::Kind::Import: return "import";
    case Definition::Kind::Loop: return "for";
    case Definition::Kind::With: return "with";
    case Definition::Kind::Parameter: return "parameter";
  }
  return {};
}

}  // namespace

std::string print_tokens(FileId file, const SourceSet& sources, const Options& options) {
  Arena arena;
  Sink ignored;
  const TemplateText text(file, sources.text(file), options.keep_trailing_newline, arena);
  Lexer lexer(text, options, arena, ignored);
  std::string out;
  while (true) {
    const Token token = lexer.next();
    if (token.kind == TokenKind::EndOfTemplate) return out;
    const LineCol place = sources.line_col(token.span);
    fmt::format_to(std::back_inserter(out), "{}:{} {} {}\n", place.line, place.column, token_kind_name(token.kind),
                   quote(token.text));
    if (token.kind == TokenKind::Fault) return out;
  }
}

std::string print_references(const Template& tree) {
  std::string out;
  const auto line = std::back_inserter(out);
  for (const ReadPath& read : tree.references.reads) {
    fmt::format_to(line, "reads {}{}{}\n", path_text(read.steps), read.guarded ? ", guarded" : "",
                   read.called ? ", called" : "");
  }
  for (const TemplateReference& reference : tree.references.templates) {
    fmt::format_to(line, "{} {}{}\n", word(reference.kind), quote(reference.name),
                   reference.optional ? ", optional" : "");
  }
  for (const Definition& definition : tree.references.definitions) {
    fmt::format_to(line, "defines {} by {}{}{}\n", definition.name, word(definition.kind),
                   definition.toplevel ? ", toplevel" : "", definition.read ? "" : ", never read");
  }
  return out;
}

}  // namespace capwright::jinja
