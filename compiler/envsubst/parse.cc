// Parses a template and lists its variables.
#include <algorithm>
#include <map>

#include "diag/catalog/envsubst.h"
#include "diag/catalog/limits.h"
#include "envsubst/envsubst.h"
#include "envsubst/scanner.h"
#include "text/unicode.h"

namespace capwright::envsubst {
namespace {

using Accept = Scanner::Accept;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

bool is_legacy_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// The text without the spaces of `${ NAME }`, which clusterctl accepts for templates of before envsubst.
class WithoutSpaces {
 public:
  WithoutSpaces(FileId file, std::string_view source) : file_(file) {
    std::size_t copied = 0;
    for (std::size_t at = source.find("${"); at != std::string_view::npos; at = source.find("${", at + 1)) {
      std::size_t name = at + 2;
      while (name < source.size() && is_space(source[name])) ++name;
      std::size_t end = name;
      while (end < source.size() && is_legacy_name(source[end])) ++end;
      std::size_t close = end;
      while (close < source.size() && is_space(source[close])) ++close;
      const bool is_spaced = name > at + 2 || close > end;
      if (name == end || !is_spaced || close >= source.size() || source[close] != '}') continue;
      keep(source, copied, at + 2);
      keep(source, name, end);
      copied = at = close;
    }
    keep(source, copied, source.size());
  }

  std::string_view text() const { return text_; }
  // The place of the bytes [begin, end); one piece for each run without dropped spaces.
  std::vector<Span> pieces(std::size_t begin, std::size_t end) const {
    std::vector<Span> found;
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), begin,
                                        [](std::size_t offset, const Run& run) { return offset < run.begin; });
    const auto first = static_cast<std::size_t>(after - runs_.begin());
    for (std::size_t i = first == 0 ? 0 : first - 1; i < runs_.size() && runs_[i].begin < end; ++i) {
      const std::size_t run_end = i + 1 < runs_.size() ? runs_[i + 1].begin : text_.size();
      const std::size_t from = std::max(begin, runs_[i].begin), to = std::min(end, run_end);
      if (from < to) found.push_back(place(runs_[i], from, to));
    }
    return found;
  }
  Span span(std::size_t begin, std::size_t end) const {
    const std::vector<Span> all = pieces(begin, std::max(end, begin + 1));
    return all.empty() ? Span{file_, 0, 0} : cover(all.front(), all.back());
  }

 private:
  struct Run {
    std::size_t begin, source;
  };
  Span place(const Run& run, std::size_t begin, std::size_t end) const {
    const std::size_t offset = run.source - run.begin;
    return {file_, static_cast<std::uint32_t>(begin + offset), static_cast<std::uint32_t>(end + offset)};
  }
  void keep(std::string_view source, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    runs_.push_back({text_.size(), begin});
    text_ += source.substr(begin, end - begin);
  }

  FileId file_;
  std::string text_;
  std::vector<Run> runs_;
};

bool any(char32_t, std::size_t) { return true; }
bool name_part(char32_t c, std::size_t) { return unicode::is_alpha(c) || unicode::is_decimal(c) || c == '_'; }
bool not_closing(char32_t c, std::size_t) { return c != '}'; }
bool not_colon_or_closing(char32_t c, std::size_t) { return c != ':' && c != '}'; }
bool not_slash(char32_t c, std::size_t) { return c != '/'; }
bool one_colon(char32_t c, std::size_t size) { return c == ':' && size == 1; }
bool colons(char32_t c, std::size_t) { return c == ':'; }
bool slashes(char32_t c, std::size_t) { return c == '/'; }
bool one_equal(char32_t c, std::size_t size) { return c == '=' && size == 1; }
bool one_hash(char32_t c, std::size_t size) { return c == '#' && size == 1; }
bool hashes(char32_t c, std::size_t size) { return c == '#' && size < 3; }
bool percents(char32_t c, std::size_t size) { return c == '%' && size < 3; }
bool casing(char32_t c, std::size_t size) { return (c == ',' || c == '^') && size < 3; }
bool fallback(char32_t c, std::size_t size) {
  return (size == 1 && c == ':') || (size == 2 && (c == '=' || c == '-' || c == '?' || c == '+'));
}
bool replacing(char32_t c, std::size_t size) {
  return (size == 1 && c == '/') || (size == 2 && (c == '/' || c == '#' || c == '%'));
}

// The errors of the library, in its words.
constexpr std::string_view kBadSubstitution = "bad substitution", kNoClosingBrace = "missing closing brace",
                           kNoName = "unable to parse variable name",
                           kBadArgument = "unable to parse substitution within function",
                           kBadDefault = "unable to parse default function";

constexpr ScanMode kText{.text = true}, kClose{.close = true}, kTextOrClose{.text = true, .close = true},
    kArgument{.text = true, .open = true}, kEscapedArgument{.text = true, .open = true, .escapes = true};

class Parser {
 public:
  Parser(FileId file, Stage& stage) : stage_(stage), text_(file, stage.sources.text(file)), scanner_(text_.text()) {}

  std::optional<Template> parse() {
    Template nodes;
    while (true) {
      scanner_.escape_backslash(false);
      scanner_.expect(any, kEscapedArgument);
      const Token token = scanner_.scan();
      if (token == Token::End) return nodes;
      Node& node = nodes.emplace_back();
      if (token == Token::Text) take_text(node);
      else if (!substitution(node)) return std::nullopt;
    }
  }

 private:
  bool fail(std::string_view why) {
    if (failed_) return false;
    failed_ = true;
    const std::size_t end = std::max(scanner_.position(), begin_ + 2);
    const Span where = text_.span(begin_, end);
    const std::string_view shown = stage_.sources.text(where);
    stage_.sink.report(diag::bad_substitution, where, shown.substr(0, shown.find('\n')), why)
        .advise("correct the substitution, or write `$${` for the text `${`");
    return false;
  }

  void take_text(Node& node) {
    for (const auto& [begin, end] : scanner_.ranges()) {
      const std::vector<Span> pieces = text_.pieces(begin, end);
      node.pieces.insert(node.pieces.end(), pieces.begin(), pieces.end());
    }
  }

  bool token(Accept accept, std::string& taken, std::string_view error) {
    scanner_.expect(accept, kText);
    if (scanner_.scan() != Token::Text) return fail(error);
    taken = scanner_.token();
    return true;
  }

  bool close() {
    scanner_.expect(nullptr, kClose);
    return scanner_.scan() == Token::Close || fail(kBadSubstitution);
  }

  // After `${`.
  bool substitution(Node& node) {
    const std::size_t begin = begin_ = scanner_.position() - 2;
    if (++depth_ > stage_.limits.depth) {
      stage_.sink.report(diag::nested_too_deep, text_.span(begin, begin + 2), "substitutions", stage_.limits.depth);
      failed_ = true;
      return false;
    }
    scanner_.escape_backslash(true);
    node.is_text = false;
    const bool done = scanner_.peek() == '#' ? length(node) : named(node);
    if (!done) return false;
    node.where = text_.span(begin, scanner_.position());
    --depth_;
    return true;
  }

  bool named(Node& node) {
    if (!token(name_part, node.name, kNoName)) return false;
    switch (scanner_.peek()) {
      case ':': return default_or_slice(node);
      case '=': return default_text(node, one_equal);
      case ',':
      case '^': return token(casing, node.operation, kBadSubstitution) && close();
      case '/': return replacement(node);
      case '#': return removal(node, hashes);
      case '%': return removal(node, percents);
      default: break;
    }
    scanner_.expect(name_part, kClose);
    return scanner_.scan() == Token::Close || fail(kNoClosingBrace);
  }

  bool length(Node& node) {
    return token(one_hash, node.operation, kBadSubstitution) && token(name_part, node.name, kBadSubstitution) &&
           close();
  }

  bool argument(Node& node, Accept accept, ScanMode mode) {
    scanner_.expect(accept, mode);
    const Token token = scanner_.scan();
    Node& added = node.arguments.emplace_back();
    if (token == Token::Open) return substitution(added);
    if (token != Token::Text) return fail(kBadArgument);
    take_text(added);
    return true;
  }

  bool default_or_slice(Node& node) {
    const char32_t second = scanner_.peek_second();
    const bool is_default = second == '=' || second == '-' || second == '?' || second == '+';
    return is_default ? default_text(node, fallback) : slice(node);
  }

  bool default_text(Node& node, Accept accept) {
    if (!token(accept, node.operation, kBadDefault)) return false;
    while (scanner_.peek() != '}') {
      if (!argument(node, not_closing, kArgument)) return false;
    }
    return close();
  }

  bool slice(Node& node) {
    if (!token(one_colon, node.operation, kBadSubstitution)) return false;
    if (!argument(node, not_colon_or_closing, kArgument)) return false;
    scanner_.expect(colons, kTextOrClose);
    const Token token = scanner_.scan();
    if (token == Token::Close) return true;
    if (token != Token::Text) return fail(kBadSubstitution);
    return argument(node, not_closing, kArgument) && close();
  }

  bool removal(Node& node, Accept accept) {
    return token(accept, node.operation, kBadSubstitution) && argument(node, not_closing, kArgument) && close();
  }

  bool replacement(Node& node) {
    if (!token(replacing, node.operation, kBadSubstitution)) return false;
    if (!argument(node, not_slash, kEscapedArgument)) return false;
    std::string slash;
    if (!token(slashes, slash, kBadSubstitution)) return false;
    if (scanner_.peek() == '}') return close();
    return argument(node, not_closing, kEscapedArgument) && close();
  }

  Stage& stage_;
  WithoutSpaces text_;
  Scanner scanner_;
  std::size_t begin_ = 0;  // of the innermost substitution
  std::uint32_t depth_ = 0;
  bool failed_ = false;
};

std::string listed_default(const Node& node, const SourceSet& sources) {
  std::string text;
  for (const Node& argument : node.arguments) {
    if (!argument.is_text) text += "${" + argument.name + "}";
    for (const Span piece : argument.pieces) text += sources.text(piece);
  }
  return text;
}

}  // namespace

std::optional<Template> parse(FileId file, Stage& stage) { return Parser(file, stage).parse(); }

std::vector<Variable> variables(const Template& parsed, const SourceSet& sources) {
  std::map<std::string, Variable, std::less<>> known;
  for (const Node& node : parsed) {
    if (node.is_text || known.contains(node.name)) continue;
    known.emplace(node.name, Variable{node.name, listed_default(node, sources), node.where});
  }
  std::vector<Variable> sorted;
  for (auto& [name, variable] : known) sorted.push_back(std::move(variable));
  return sorted;
}

}  // namespace capwright::envsubst
