// Everything becomes replacements of bytes, in their order.
#include "migrate/rewrite.h"

#include <algorithm>

namespace capwright::migrate {
namespace {

using Replace = Rewrite::Replace;

bool is_statement(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line.starts_with("{%") || line.starts_with("{#");
}

// Adds the replacements of a shift.
void add_shift(std::string_view text, const Rewrite::Shift& shift, bool is_template, std::vector<Replace>& out) {
  for (std::uint32_t line = shift.begin; line < shift.end;) {
    const auto end = static_cast<std::uint32_t>(std::min(text.find('\n', line), text.size()));
    const std::string_view whole = text.substr(line, end - line);
    const std::size_t blank = std::min(whole.find_first_not_of(" \r"), whole.size());
    if (blank < whole.size() && !(is_template && is_statement(whole))) {
      if (shift.columns > 0) out.push_back({line, line, std::string(static_cast<std::size_t>(shift.columns), ' '), {}});
      const auto fewer = std::min(static_cast<std::size_t>(std::max(-shift.columns, 0)), blank);
      if (fewer > 0) out.push_back({line, line + static_cast<std::uint32_t>(fewer), {}, {}});
    }
    line = end + 1;
  }
}

std::string replaced(std::string_view text, std::vector<Replace> replaces) {
  std::stable_sort(replaces.begin(), replaces.end(), [](const Replace& a, const Replace& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::string out;
  std::uint32_t at = 0;
  for (const Replace& replace : replaces) {
    if (replace.begin > at) out += text.substr(at, replace.begin - at);
    out += replace.text;
    at = std::max(at, replace.end);
  }
  return out += text.substr(std::min<std::size_t>(at, text.size()));
}

// The pasted lines, with the replacements inside of them, which are taken from `replaces`.
std::string pasted(std::string_view text, const Rewrite::Paste& paste, bool is_template,
                   std::vector<Replace>& replaces) {
  std::vector<Replace> inside;
  std::erase_if(replaces, [&](const Replace& each) {
    const bool is_inside = each.begin >= paste.begin && each.end <= paste.end && each.begin < paste.end;
    if (is_inside) inside.push_back({each.begin - paste.begin, each.end - paste.begin, each.text, {}});
    return is_inside;
  });
  const std::string_view lines = text.substr(paste.begin, paste.end - paste.begin);
  add_shift(lines, {0, static_cast<std::uint32_t>(lines.size()), paste.columns}, is_template, inside);
  std::string out = paste.before + replaced(lines, std::move(inside));
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

}  // namespace

std::string perform(std::string_view text, const Rewrite& rewrite, bool is_template) {
  std::vector<Replace> all = rewrite.replaces;
  for (const Rewrite::Shift& shift : rewrite.shifts) add_shift(text, shift, is_template, all);
  if (rewrite.paste) {
    std::string lines = pasted(text, *rewrite.paste, is_template, all);
    if (rewrite.paste->at == text.size() && !text.ends_with('\n')) lines = "\n" + lines;
    all.push_back({rewrite.paste->at, rewrite.paste->at, std::move(lines), {}});
  }
  if (rewrite.gone) all.push_back({rewrite.gone->begin, rewrite.gone->end, {}, {}});
  return replaced(text, std::move(all));
}

}  // namespace capwright::migrate
