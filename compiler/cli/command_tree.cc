// The top level is made from commands.def; each command adds its own options and subcommands.
#include "cli/command_tree.h"

#include <algorithm>

#include "base/check.h"
#include "embedded/embedded.h"

namespace capwright::cli {
namespace {

const char* group_title(CommandGroup group) {
  switch (group) {
    case CommandGroup::Render: return "Render";
    case CommandGroup::Check: return "Check and compare";
    case CommandGroup::Publish: return "Publish and operate";
    case CommandGroup::Integrate: return "Work with other tools";
    case CommandGroup::Repository: return "Maintain a repository";
    case CommandGroup::Help: return "Help";
  }
  return "";
}

constexpr const char* kEnd =
    "`capwright help COMMAND` prints the options and examples of a command. Exit codes: 0 clean; 1 findings or "
    "differences; 2 usage, configuration or I/O error; 70 a bug in capwright.";

}  // namespace

std::vector<ListedCommand> all_commands() {
  std::vector<ListedCommand> commands{
#define CW_COMMAND(NAME, GROUP) {&NAME##_command, CommandGroup::GROUP},
#include "cli/commands.def"
#undef CW_COMMAND
  };
  std::stable_sort(commands.begin(), commands.end(), [](const auto& a, const auto& b) { return a.group < b.group; });
  return commands;
}

CommandTree::CommandTree() : root_("Render and check GitOps trees for fleets of Cluster API clusters", "capwright") {
  root_.require_subcommand(1);
  root_.set_help_flag("-h,--help", "Print help");
  root_.set_version_flag("-V,--version", "capwright " + std::string(embedded::version()), "Print the version");
  for (const ListedCommand& listed : all_commands())
    entries_.push_back({listed, root_.add_subcommand(listed.info->name, listed.info->help), nullptr});
  for (Entry& entry : entries_) entry.app->preparse_callback([&entry](std::size_t) { expand(entry); });
}

void CommandTree::expand(Entry& entry) {
  if (entry.command != nullptr) return;
  entry.command = entry.listed.info->make();
  entry.command->add_options(*entry.app);
}

CommandTree::Entry* CommandTree::entry_of(const CLI::App& app) {
  const CLI::App* top = &app;
  while (top->get_parent() != nullptr && top->get_parent() != &root_) top = top->get_parent();
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.app == top; });
  return found == entries_.end() ? nullptr : &*found;
}

std::unique_ptr<Command> CommandTree::parsed_command() {
  if (root_.get_subcommands().empty()) return nullptr;
  return std::move(entry_of(*root_.get_subcommands().front())->command);
}

CLI::App* CommandTree::find(std::span<const std::string> words) {
  CLI::App* app = &root_;
  for (const std::string& word : words) {
    const auto below = app->get_subcommands([&](CLI::App* each) { return each->get_name() == word; });
    if (below.empty()) return nullptr;
    app = below.front();
    if (app->get_parent() == &root_) expand(*entry_of(*app));
  }
  return app;
}

HelpPage CommandTree::page(CLI::App& app) {
  const Entry* entry = entry_of(app);
  HelpPage page = page_of(app, entry == nullptr ? std::vector<Example>() : entry->listed.info->examples);
  if (entry != nullptr) return page;
  CW_CHECK(page.commands.size() == entries_.size(), "the top level has the commands of the list");
  for (std::size_t i = 0; i < entries_.size(); ++i) page.commands[i].group = group_title(entries_[i].listed.group);
  page.end = kEnd;
  return page;
}

std::vector<HelpPage> CommandTree::all_pages() {
  std::vector<HelpPage> pages{page(root_)};
  for (Entry& entry : entries_) {
    expand(entry);
    pages.push_back(page(*entry.app));
    for (CLI::App* inner : entry.app->get_subcommands([](CLI::App*) { return true; })) pages.push_back(page(*inner));
  }
  return pages;
}

}  // namespace capwright::cli
