// Quotes, hyphens and the like are escaped: troff would print typographic ones, which can't be copied to a shell.
#include <algorithm>
#include <fmt/format.h>

#include "cli/help_page.h"
#include "embedded/embedded.h"

namespace capwright::cli {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '`': out += "\\(ga"; break;
      case '\'': out += "\\(aq"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      default: out += c;
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }

// A paragraph with a title: its own line, and the text below.
std::string tagged(const std::string& title, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", title, escaped(text));
}

std::string title_of(const HelpOption& option) {
  if (option.is_argument) return "\\fI" + escaped(option.title()) + "\\fR";
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  const std::string gap = option.type.empty() || option.type.starts_with('[') ? "" : " ";
  const std::string value = option.type.empty() ? "" : "\\fI" + escaped(option.type) + "\\fR";
  return fmt::format("{}{}{}", fmt::join(names, ", "), gap, value);
}

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return text;
}

std::string examples_of(const HelpPage& page) {
  if (page.examples.empty()) return {};
  std::string text = ".SH EXAMPLES\n";
  for (const Example& example : page.examples) {
    const std::string_view gap = &example == &page.examples.front() ? "" : ".PP\n";
    text += fmt::format("{}{}:\n.PP\n.RS 4\n.nf\n{}\n.fi\n.RE\n", gap, escaped(example.purpose), bold(example.line));
  }
  return text;
}

// The page above, and those below.
std::string see_also(const HelpPage& page, const std::vector<HelpPage>& all) {
  std::vector<std::string> names;
  for (const HelpPage& other : all) {
    const std::string &shorter = std::min(page.name, other.name), longer = std::max(page.name, other.name);
    const std::size_t space = longer.rfind(' ');
    if (space != std::string::npos && longer.substr(0, space) == shorter)
      names.push_back(fmt::format("{}(1)", bold(man_name(other))));
  }
  return names.empty() ? "" : fmt::format(".SH SEE ALSO\n{}\n", fmt::join(names, ",\n"));
}

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n.TP\n0\nClean\n.TP\n1\nFindings or differences\n.TP\n2\nUsage, configuration or I/O error\n"
    ".TP\n70\nA bug in capwright\n";

}  // namespace

std::string man_name(const HelpPage& page) {
  std::string name = page.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string as_man_page(const HelpPage& page, const std::vector<HelpPage>& all) {
  const std::string name = man_name(page);
  std::string text = fmt::format(".TH \"{}\" 1 \"\" \"capwright {}\" \"capwright manual\"\n",
                                 escaped(in_capitals(name)), escaped(embedded::version()));
  text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(page.summary));
  text += fmt::format(".SH SYNOPSIS\n{}{}\n", bold(page.name), escaped(page.usage.substr(page.name.size())));
  std::string group;
  for (const CommandSummary& command : page.commands) {
    const std::string title = command.group.empty() ? "Commands" : command.group;
    if (title != group) text += fmt::format(".SH {}\n", escaped(in_capitals(title)));
    group = title;
    text += tagged(bold(command.name), command.summary);
  }
  for (const HelpGroup& options : page.groups) {
    text += fmt::format(".SH {}\n", escaped(in_capitals(options.title)));
    for (const HelpOption& option : options.options) text += tagged(title_of(option), option.full_text());
  }
  return text + examples_of(page) + kExitStatus + see_also(page, all);
}

}  // namespace capwright::cli
