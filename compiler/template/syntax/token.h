// The words of a template: what the lexer hands to the parser.
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
  Fault,  // a fault is reported; it matches nothing until the parser goes on behind the tag
};

struct Token {
  TokenKind kind = TokenKind::EndOfTemplate;
  std::uint32_t line = 1;
  Span span;
  // Data: after whitespace control, with the configured line breaks. String: unescaped. Otherwise as written.
  std::string_view text;
};

// "Name", "FloorDivide": for dumps.
std::string_view token_kind_name(TokenKind);

// An operator's kind by its text, longest first; the text's size is 0 when none stands there.
struct OperatorText {
  std::string_view text;
  TokenKind kind = TokenKind::Fault;
};
OperatorText operator_at(std::string_view rest);
// "`+`": an operator or delimiter as messages show it; the kind's own words ("a name") for the others.
std::string describe(TokenKind);
// What stands there, as messages say it: "`endfor`", "a string", "text".
std::string describe(const Token&);

}  // namespace capwright::jinja
