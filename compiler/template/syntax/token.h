// The tokens that the lexer passes to the parser.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "source/source.h"

namespace capwright::jinja {

enum class TokenKind : std::uint8_t {
  Data,           // template text
  VariableBegin,  // {{
  VariableEnd,
  BlockBegin,  // {% or the prefix of a line statement
  BlockEnd,
  Name,
  String,
  Integer,
  Float,
  // operators
  Add,
  Subtract,
  Multiply,
  Divide,
  FloorDivide,
  Modulo,
  Power,
  Tilde,
  LeftBracket,
  RightBracket,
  LeftParen,
  RightParen,
  LeftBrace,
  RightBrace,
  Equal,
  NotEqual,
  Greater,
  GreaterEqual,
  Less,
  LessEqual,
  Assign,
  Dot,
  Colon,
  Pipe,
  Comma,
  Semicolon,
  EndOfTemplate,
  Fault,  // an error is reported; it matches nothing until the parser continues after the tag
};

struct Token {
  TokenKind kind = TokenKind::EndOfTemplate;
  std::uint32_t line = 1;
  Span span;
  // Data: after whitespace control, with the configured line breaks. String: unescaped. Otherwise the source text.
  std::string_view text;
};

// "Name", "FloorDivide": for dumps.
std::string_view token_kind_name(TokenKind);

// An operator's kind by its text, longest first; the text is empty if there is no operator.
struct OperatorText {
  std::string_view text;
  TokenKind kind = TokenKind::Fault;
};
OperatorText operator_at(std::string_view rest);
// "`+`": an operator or delimiter for messages; a phrase ("a name") for the other kinds.
std::string describe(TokenKind);
// A token for messages: "`endfor`", "a string", "text".
std::string describe(const Token&);

}  // namespace capwright::jinja
