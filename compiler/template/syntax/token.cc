// Names and descriptions of tokens.
#include "template/syntax/token.h"

#include <array>

namespace capwright::jinja {
namespace {

struct KindText {
  std::string_view name;
  std::string_view description;  // operators: their text
};
constexpr std::array kKinds{
    KindText{"Data", "text"},
    KindText{"VariableBegin", "the start of an expression"},
    KindText{"VariableEnd", "the end of the expression"},
    KindText{"BlockBegin", "the start of a tag"},
    KindText{"BlockEnd", "the end of the tag"},
    KindText{"Name", "a name"},
    KindText{"String", "a string"},
    KindText{"Integer", "a number"},
    KindText{"Float", "a number"},
    KindText{"Add", "+"},
    KindText{"Subtract", "-"},
    KindText{"Multiply", "*"},
    KindText{"Divide", "/"},
    KindText{"FloorDivide", "//"},
    KindText{"Modulo", "%"},
    KindText{"Power", "**"},
    KindText{"Tilde", "~"},
    KindText{"LeftBracket", "["},
    KindText{"RightBracket", "]"},
    KindText{"LeftParen", "("},
    KindText{"RightParen", ")"},
    KindText{"LeftBrace", "{"},
    KindText{"RightBrace", "}"},
    KindText{"Equal", "=="},
    KindText{"NotEqual", "!="},
    KindText{"Greater", ">"},
    KindText{"GreaterEqual", ">="},
    KindText{"Less", "<"},
    KindText{"LessEqual", "<="},
    KindText{"Assign", "="},
    KindText{"Dot", "."},
    KindText{"Colon", ":"},
    KindText{"Pipe", "|"},
    KindText{"Comma", ","},
    KindText{"Semicolon", ";"},
    KindText{"EndOfTemplate", "the end of the template"},
    KindText{"Fault", "a fault"},
};
static_assert(kKinds.size() == static_cast<std::size_t>(TokenKind::Fault) + 1);
constexpr std::size_t kFirstOperator = static_cast<std::size_t>(TokenKind::Add);
constexpr std::size_t kLastOperator = static_cast<std::size_t>(TokenKind::Semicolon);
constexpr std::size_t kLongestShown = 40;

const KindText& text_of(TokenKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
bool is_operator(TokenKind kind) {
  return static_cast<std::size_t>(kind) >= kFirstOperator && static_cast<std::size_t>(kind) <= kLastOperator;
}
std::string quoted(std::string_view text) {
  if (text.size() <= kLongestShown && text.find('`') == std::string_view::npos) return "`" + std::string(text) + "`";
  return {};
}

}  // namespace

std::string_view token_kind_name(TokenKind kind) { return text_of(kind).name; }

OperatorText operator_at(std::string_view rest) {
  OperatorText found;
  for (std::size_t i = kFirstOperator; i <= kLastOperator; ++i) {
    const std::string_view text = kKinds[i].description;
    if (text.size() > found.text.size() && rest.starts_with(text)) found = {text, static_cast<TokenKind>(i)};
  }
  return found;
}

std::string describe(TokenKind kind) {
  const std::string_view text = text_of(kind).description;
  return is_operator(kind) ? quoted(text) : std::string(text);
}

std::string describe(const Token& token) {
  const bool shows_text =
      token.kind == TokenKind::Name || token.kind == TokenKind::Integer || token.kind == TokenKind::Float;
  if (shows_text) return quoted(token.text).empty() ? describe(token.kind) : quoted(token.text);
  return describe(token.kind);
}

}  // namespace capwright::jinja
