// The parser's token stream, its errors and recovery.
#include "template/syntax/parser.h"

#include <algorithm>
#include <array>

#include "diag/catalog/limits.h"
#include "diag/catalog/template_syntax.h"
#include "diag/suggest.h"

namespace capwright::jinja {
namespace {

// With more errors the text isn't a template.
constexpr std::uint32_t kMostFaults = 20;

struct TagWords {
  std::string_view tag;
  std::string_view end;
};
constexpr std::array kClosedTags{
    TagWords{"for", "endfor"},       TagWords{"if", "endif"},
    TagWords{"macro", "endmacro"},   TagWords{"call", "endcall"},
    TagWords{"filter", "endfilter"}, TagWords{"set", "endset"},
    TagWords{"with", "endwith"},     TagWords{"block", "endblock"},
    TagWords{"raw", "endraw"},       TagWords{"autoescape", "endautoescape"},
};
constexpr std::array<std::string_view, 5> kSimpleTags{"extends", "include", "import", "from", "print"};

// The equivalent of a tag of other engines or of Jinja2's other extensions.
struct ForeignTag {
  std::string_view tag;
  std::string_view advice;
};
constexpr std::array kForeignTags{
    ForeignTag{"elseif", "write `elif`"},
    ForeignTag{"elsif", "write `elif`"},
    ForeignTag{"end", "name what it ends: `endif`, `endfor` …"},
    ForeignTag{"load", "templates are loaded with `import` or `include`"},
    ForeignTag{"trans", "translations (the i18n extension) are not part of this engine"},
    ForeignTag{"debug", "the debug extension is not part of this engine"},
    ForeignTag{"endraw", "it needs a `raw` before it, with nothing else in the tag"},
    ForeignTag{"raw", "`raw` takes no arguments"},
};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Parser::Parser(Lexer& lexer, const Options& options, Arena& arena, Sink& sink)
    : lexer_(lexer), options_(options), arena_(arena), sink_(sink) {
  current_ = lexer_.next();
}

Body Parser::parse_template() { return parse_body({}); }

// ---- tokens ----

// The token after the current one. An error in it counts at once, as in Jinja2.
const Token& Parser::peek() {
  if (!peeked_) peeked_ = lexer_.next();
  if (peeked_->kind == TokenKind::Fault) current_.kind = TokenKind::Fault;
  return *peeked_;
}

Token Parser::take() {
  if (faulty()) return current_;
  taken_ = current_;
  if (at(TokenKind::EndOfTemplate)) return taken_;
  current_ = peeked_ ? *peeked_ : lexer_.next();
  peeked_.reset();
  if (taken_.kind == TokenKind::BlockBegin || taken_.kind == TokenKind::VariableBegin) {
    tag_ = taken_;
    tag_holds_another_ = false;
  }
  tag_holds_another_ |= taken_.kind == TokenKind::LeftBrace && taken_.span.end == current_.span.begin &&
                        (at(TokenKind::LeftBrace) || at(TokenKind::Modulo));
  if (faulty()) ++faults_;
  return taken_;
}

bool Parser::take_if(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool Parser::take_word(std::string_view word) {
  if (!at_word(word)) return false;
  take();
  return true;
}

Token Parser::expect(TokenKind kind) {
  if (at(kind)) return take();
  fail_expected(describe_end(kind));
  return current_;
}

void Parser::expect_word(std::string_view word) {
  if (!take_word(word)) fail_expected("`" + std::string(word) + "`");
}

void Parser::finish_tag(TokenKind end) {
  expect(end);
  if (faulty()) recover();
}

void Parser::recover() {
  lexer_.skip_tag();
  peeked_.reset();
  if (faults_ >= kMostFaults) {
    current_.kind = TokenKind::EndOfTemplate;
    end_reported_ = true;
    return;
  }
  current_ = lexer_.next();
  if (faulty()) ++faults_;
}

// ---- errors ----

bool Parser::begin_fault() {
  if (faulty()) return false;
  const bool at_end = at(TokenKind::EndOfTemplate);
  current_.kind = TokenKind::Fault;
  ++faults_;
  if (!at_end) return true;
  const bool silent = end_reported_ || lexer_.text_lost();
  end_reported_ = true;
  return !silent;
}

void Parser::fail_expected(const std::string& what) {
  if (at(TokenKind::EndOfTemplate)) {
    fail(diag::unfinished_tag, current_.span, what);
    return;
  }
  const bool at_tag_end = at(TokenKind::BlockEnd) || at(TokenKind::VariableEnd);
  const std::string found = at_tag_end ? describe_end(current_.kind) : describe(current_);
  const bool is_comparison = at(TokenKind::Assign), is_else_if = at_word("if") && taken_.text == "else";
  Diagnostic& said = fail(diag::unexpected_token, current_.span, what, found);
  if (is_comparison) said.advise("to compare, write `==`");
  else if (is_else_if) said.advise("write `elif` instead of `else if`");
  else point_back(what, said);
}

// The mistake may be on an earlier line: a string or a tag that isn't closed there goes on to here.
void Parser::point_back(const std::string& what, Diagnostic& said) const {
  const Span string = taken_.span;
  const bool has_lines = taken_.kind == TokenKind::String && taken_.text.find('\n') != std::string_view::npos;
  if (has_lines)
    said.also({string.file, string.begin, string.begin + 1},
              "a string of several lines starts here: is its end missing?");
  else if (tag_.line < current_.line)
    said.also(tag_.span, fmt::format("the tag starts here: is {} missing?", tag_holds_another_ ? end_of_tag() : what));
}

std::string Parser::end_of_tag() const {
  return describe_end(tag_.kind == TokenKind::VariableBegin ? TokenKind::VariableEnd : TokenKind::BlockEnd);
}

// The name of a kind of token for messages: ends of tags with this template's delimiters.
std::string Parser::describe_end(TokenKind kind) const {
  if (kind == TokenKind::VariableEnd) return "`" + options_.variable_end + "`";
  if (kind != TokenKind::BlockEnd) return describe(kind);
  return in_line_statement_ ? "the end of the line" : "`" + options_.block_end + "`";
}

void Parser::fail_unclosed(EndTags ends) {
  // The last one: those before it are intermediate tags such as `elif` and `else`.
  const std::string_view end_tag = ends.back();
  if (open_tags_.empty()) return fail_expected(std::string(end_tag));
  const OpenTag open = open_tags_.back();
  fail(diag::unclosed_tag, current_.span, std::string(open.name), std::string(end_tag))
      .also(open.span, "opened here")
      .advise(fmt::format("add `{} {} {}`", options_.block_start, end_tag, options_.block_end));
}

// A tag that isn't allowed here.
void Parser::fail_tag(const Token& name) {
  for (const EndTags& ends : end_tags_) {
    if (is_one_of(name.text, ends)) return fail_crossed(name);
  }
  const bool ends_something = name.text == "else" || name.text == "elif" ||
                              std::any_of(kClosedTags.begin(), kClosedTags.end(), [&](const TagWords& words) {
                                return words.end == name.text && words.tag != "raw";
                              });
  ends_something ? fail_misplaced(name) : fail_unknown_tag(name);
}

// Ends a tag further out: treats the inner ones as closed, so that only this error is reported.
void Parser::fail_crossed(const Token& name) {
  const OpenTag open = open_tags_.back();
  for (auto ends = end_tags_.rbegin(); !is_one_of(name.text, *ends); ++ends) forgiven_.push_back(ends->back());
  const std::string wanted = list_names(end_tags_.back());
  Diagnostic& said = fail(diag::crossed_tags, name.span, std::string(name.text), std::string(open.name), wanted);
  said.also(open.span, "still open");
  current_.kind = TokenKind::Name;
  unwinding_ = true;
}

void Parser::fail_misplaced(const Token& name) {
  if (const auto end = std::find(forgiven_.begin(), forgiven_.end(), name.text); end != forgiven_.end()) {
    forgiven_.erase(end);
    begin_fault();
    return;
  }
  // A misspelt end tag also looks like an unclosed tag.
  if (!open_tags_.empty()) end_reported_ = true;
  Diagnostic& said = fail(diag::misplaced_tag, name.span, std::string(name.text));
  if (!open_tags_.empty()) {
    said.also(open_tags_.back().span, "the tag that is open here")
        .note(fmt::format("`{}` is followed by {}", open_tags_.back().name, list_names(end_tags_.back())));
  }
}

void Parser::fail_unknown_tag(const Token& name) {
  if (name.text.starts_with("end") && is_one_of(name.text.substr(3), unknown_tags_)) {
    begin_fault();  // the error in its opening tag is already reported
    return;
  }
  unknown_tags_.push_back(name.text);
  Diagnostic& said = fail(diag::unknown_template_tag, name.span, std::string(name.text));
  for (const ForeignTag& foreign : kForeignTags) {
    if (foreign.tag == name.text) {
      said.advise(std::string(foreign.advice));
      return;
    }
  }
  const std::vector<std::string_view> candidates = known_tags();
  const std::string_view meant = nearest(name.text, candidates);
  if (meant.empty()) {
    said.note(fmt::format("tags are {}", list_names(candidates, candidates.size())));
    return;
  }
  said.advise(fmt::format("did you mean `{}`?", meant));
  for (const TagWords& words : kClosedTags) {
    if (words.tag == meant) forgiven_.push_back(words.end);
  }
  if (end_tags_.empty() || !is_one_of(meant, end_tags_.back())) return;
  current_.kind = TokenKind::Name;
  current_.text = meant;
  unwinding_ = true;
}

std::vector<std::string_view> Parser::known_tags() const {
  std::vector<std::string_view> names;
  if (!end_tags_.empty()) names.assign(end_tags_.back().begin(), end_tags_.back().end());
  for (const TagWords& words : kClosedTags) names.push_back(words.tag);
  names.insert(names.end(), kSimpleTags.begin(), kSimpleTags.end());
  if (options_.extension_do) names.push_back("do");
  if (options_.extension_loopcontrols) names.insert(names.end(), {"break", "continue"});
  return names;
}

// Such a template isn't a mistake: parsing stops.
void Parser::fail_depth(std::string_view what, Span where) {
  fail(diag::nested_too_deep, where, what, options_.depth);
  faults_ = kMostFaults;
}

// ---- nodes ----

void Parser::hold(Expr& parent, const Expr* child) {
  if (child == nullptr) return;
  parent.height = std::max(parent.height, static_cast<std::uint16_t>(child->height + 1));
  if (parent.height > options_.depth) fail_depth("expressions", parent.span);
}

void Parser::hold(Expr& parent, const Arguments& arguments) {
  for (const Expr* argument : arguments.positional) hold(parent, argument);
  for (const Keyword& keyword : arguments.keywords) hold(parent, keyword.value);
  hold(parent, arguments.star);
  hold(parent, arguments.star_star);
}

Expr* Parser::placeholder() { return make<Constant>(NodeKind::Constant, here()); }

Parser::Level::Level(Parser& parser, std::string_view what) : parser_(parser) {
  if (++parser_.depth_ > parser_.options_.depth) parser_.fail_depth(what, parser_.current_.span);
}

}  // namespace capwright::jinja
