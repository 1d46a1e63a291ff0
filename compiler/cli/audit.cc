// `capwright audit`: the rows of published renders.
#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audit/row.h"
#include "audit/store.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "database/database.h"
#include "embedded/embedded.h"
#include "pipeline/compile_fleet.h"
#include "report/printable.h"
#include "source/real_system.h"
#include "workflow/audit_session.h"
#include "workflow/audit_verify.h"

namespace capwright::cli {
namespace {

// Rows of published renders.
struct AuditOptions {
  enum class Task : std::uint8_t { List, Show, Verify, Record };
  CommonOptions common;
  Task task = Task::List;
  std::vector<std::string> targets;  // clusters; for Show and Verify also ids, or prefixes of ids
  std::uint32_t most = 20;           // List: rows; 0: all
  bool any_version = false;          // Verify: also rows of other versions of capwright
  std::string revision = "HEAD";     // Record
  std::string remote = "origin";     // Record
};

using audit::ClusterRender;
using AuditJson = nlohmann::ordered_json;
using report::printable;

constexpr std::size_t kShortCommit = 12;

// "2026-11-22 02:06:09 UTC".
std::string time_text(std::int64_t seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

std::string shown(const AuditJson& json) {
  return json.dump(2, ' ', false, AuditJson::error_handler_t::replace) + "\n";
}

// "capo 1.0.0"; for a removal "removed, was capo 1.0.0".
std::string templates_of(const ClusterRender& render) {
  std::string text = render.template_set;
  if (!render.template_set_version.empty()) text += " " + render.template_set_version;
  if (!render.is_removal()) return text;
  return text.empty() ? "removed" : "removed, was " + text;
}

// "main"; if the rows are of several remotes, "main of https://git.example.com/fleet.git".
std::string target_of(const ClusterRender& render, bool has_several_remotes) {
  const audit::Publication& published = render.publication;
  const std::string branch = published.branch.empty() ? "no branch" : published.branch;
  return has_several_remotes ? fmt::format("{} of {}", branch, published.remote) : branch;
}

bool has_several_remotes(const std::vector<ClusterRender>& renders) {
  return std::any_of(renders.begin(), renders.end(), [&](const ClusterRender& render) {
    return render.publication.remote != renders.front().publication.remote;
  });
}

bool has_several_targets(const std::vector<ClusterRender>& renders) {
  return has_several_remotes(renders) || std::any_of(renders.begin(), renders.end(), [&](const ClusterRender& render) {
           return render.publication.branch != renders.front().publication.branch;
         });
}

std::string render_line(const ClusterRender& render, bool has_several_remotes) {
  const audit::Publication& published = render.publication;
  return fmt::format("{}  {}  {:<20}  {}  {}  {}  {}\n", render.id, time_text(published.when),
                     printable(render.cluster), printable(templates_of(render)),
                     printable(published.commit.substr(0, kShortCommit)),
                     printable(target_of(render, has_several_remotes)), printable(published.who));
}

std::string whole_text(const ClusterRender& render, bool with_values) {
  const audit::Publication& published = render.publication;
  const bool is_removal = render.is_removal();
  const std::array<std::pair<std::string_view, std::string>, 10> fields{{
      {"cluster", render.cluster},
      {"values", is_removal ? "none: the cluster was removed from the branch" : render.values_path},
      {"templates", templates_of(render)},
      {"capwright", published.tool_version},
      {"rendered from", published.source},
      {"published as", published.commit},
      {"to", published.branch + " of " + published.remote},
      {"by", published.who + " on " + published.host},
      {"at", time_text(published.when)},
      {"input", is_removal ? "" : "sha256:" + render.input_digest},
  }};
  std::string text = render.id + "\n";
  for (const auto& [name, value] : fields) {
    if (!value.empty()) text += fmt::format("  {:<14}{}\n", name, printable(value));
  }
  if (is_removal) return text + "\n";
  text += "\n";
  for (const audit::RecordedFile& file : render.files) {
    text += fmt::format("  {}  {}\n", file.digest.empty() ? fmt::format("{:<64}", "with a secret") : file.digest,
                        printable(file.path));
    if (file.text) text += *file.text;
  }
  return text + "\n" + (with_values ? shown(AuditJson::parse(render.values, nullptr, false)) : "");
}

class AuditRun {
 public:
  AuditRun(const AuditOptions& options, workflow::AuditSession& session, Console& console)
      : options_(options), session_(session), console_(console) {}

  int list() {
    audit::Query query;
    query.clusters = options_.targets;
    query.most = options_.most == 0 ? 0 : options_.most + 1;
    auto renders = find(query);
    if (!renders) return kUsageError;
    const bool has_more = options_.most != 0 && renders->size() > options_.most;
    if (has_more) renders->pop_back();
    for (const std::string& target : options_.targets) {
      query.clusters = {target};
      query.most = 1;
      const auto any = find(query);
      if (!any) return kUsageError;
      if (any->empty()) return console_.fail(fmt::format("the log has no row for cluster `{}`", printable(target)));
    }
    if (is_json()) return print_json("renders", *renders, audit::row_json);
    const bool names_remotes = has_several_remotes(*renders);
    for (const ClusterRender& render : *renders) console_.print(render_line(render, names_remotes));
    if (has_more) console_.say("older rows aren't shown; `-n 0` shows all");
    return console_.finish();
  }

  int show() {
    const auto renders = named(options_.targets);
    if (!renders) return kUsageError;
    if (is_json()) return print_json("renders", *renders, audit::whole_row_json);
    for (const ClusterRender& render : *renders) console_.print(whole_text(render, console_.verbose()));
    const bool has_values = !std::ranges::all_of(*renders, &ClusterRender::is_removal);
    if (has_values && !console_.verbose()) console_.say("`-v` also shows the values");
    return console_.finish();
  }

  int verify() {
    const auto renders = named(options_.targets);
    if (!renders) return kUsageError;
    const std::vector<workflow::Verification> results = workflow::verify(*renders, session_, options_.any_version);
    std::size_t same = 0, removed = 0;
    AuditJson json{{"version", 1}, {"renders", AuditJson::array()}};
    const bool names_remotes = has_several_remotes(*renders), names_targets = has_several_targets(*renders);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ClusterRender& render = (*renders)[i];
      const workflow::Verification& result = results[i];
      same += result.verdict == workflow::Verification::Verdict::Same ? 1 : 0;
      removed += result.verdict == workflow::Verification::Verdict::Removed ? 1 : 0;
      json["renders"].push_back({{"id", render.id},
                                 {"cluster", render.cluster},
                                 {"commit", render.publication.commit},
                                 {"remote", render.publication.remote},
                                 {"branch", render.publication.branch},
                                 {"verdict", workflow::word_of(result.verdict)},
                                 {"faults", result.faults}});
      if (is_json()) continue;
      const std::string target = names_targets ? "  " + target_of(render, names_remotes) : "";
      console_.print(fmt::format("{:<13}  {}  {}{}\n", workflow::word_of(result.verdict), render.id,
                                 printable(render.cluster), printable(target)));
      for (const std::string& fault : result.faults) console_.print(fmt::format("      {}\n", printable(fault)));
    }
    if (is_json()) console_.print(cli::shown(json));
    if (!console_.flush()) return kUsageError;
    std::string gone;
    if (removed != 0) gone = fmt::format(", {} {} removed", removed, removed == 1 ? "was" : "were");
    const std::size_t compared = results.size() - removed;
    console_.say(fmt::format("{} of {} {} the same{}", same, compared, same == 1 ? "is" : "are", gone));
    return same == compared ? kClean : kFindings;
  }

  // For users who publish by other means: the commit's tree must equal the render of its values.
  int record() {
    Sink sink;
    const auto head = session_.repository->head(sink);
    const auto commit = head ? session_.repository->commit(options_.revision, sink) : std::nullopt;
    auto committed = commit ? workflow::open_commit(session_, *commit, sink) : std::nullopt;
    const auto url = committed ? session_.repository->remote_url(options_.remote, sink) : std::nullopt;
    const auto who = url ? session_.repository->identity(sink) : std::nullopt;
    if (!who) return show_faults(sink, console_);
    workflow::BaseProject& base = *committed->base;
    FleetOptions fleet;
    fleet.task = FleetOptions::Task::Check;
    fleet.tree = base.tree.get();
    fleet.keep = true;
    const std::vector<ClusterOutcome> outcomes = compile_fleet(base.clusters, *base.project, fleet);
    std::vector<const CompiledCluster*> clusters;
    for (const ClusterOutcome& outcome : outcomes) {
      if (!outcome.clean || !outcome.differences.empty()) {
        const auto& differences = outcome.differences;
        console_.fail(fmt::format("{} of {} differs from the render of {}{}; nothing is recorded", outcome.name,
                                  options_.revision, outcome.values_path,
                                  differences.empty() ? "" : fmt::format(": `{}`", differences.front().path)));
        return kFindings;
      }
      clusters.push_back(outcome.cluster.get());
    }
    const std::string id = git::hex(*commit), branch(head->branch());
    const audit::Publication publication{id,
                                         id,
                                         git::shown_url(*url),
                                         branch,
                                         fmt::format("{} <{}>", who->name, who->email),
                                         host_name(),
                                         real_seconds(),
                                         std::string(embedded::version())};
    std::string why;
    const auto added = audit::record(session_.place, publication, {clusters}, why);
    if (!added) return fail(why);
    console_.say(fmt::format("{} of {} clusters recorded", *added, clusters.size()));
    return kClean;
  }

 private:
  // How the missing database gets rows.
  std::string first_rows(const std::string& where) const {
    constexpr std::string_view kAdds = "`capwright publish` adds rows, and `capwright audit record` those of `HEAD`";
    if (!where.starts_with(session_.repository->shared_folder())) return std::string(kAdds);
    return fmt::format(
        "rows are kept in the clone that published; set `audit.database` to a PostgreSQL URL to share "
        "them. In this clone, {}",
        kAdds);
  }

  bool is_json() const { return options_.common.form == "json"; }

  int fail(const std::string& why) {
    console_.fail(fmt::format("can't use the audit database: {}", why));
    return kUsageError;
  }

  std::optional<std::vector<ClusterRender>> find(const audit::Query& query) {
    std::string why;
    const std::string& where = session_.place.database;
    FileStat stat;
    if (!database::is_url(where) && session_.open->fs.stat(where, stat)) {
      console_.fail(fmt::format("nothing is recorded yet: `{}` does not exist\nhelp: {}", where, first_rows(where)));
      return std::nullopt;
    }
    const auto store = audit::Store::open(where, database::Access::Read, why);
    auto renders = store != nullptr ? store->find(query, why) : std::nullopt;
    if (!renders) fail(why);
    return renders;
  }

  // Rows by id or prefix of an id, and the newest rows of clusters; those of all clusters if none is named.
  std::optional<std::vector<ClusterRender>> named(const std::vector<std::string>& targets) {
    audit::Query newest;
    newest.latest = newest.whole = true;
    if (targets.empty()) return find(newest);
    std::vector<ClusterRender> all;
    for (const std::string& target : targets) {
      newest.clusters = {target};
      auto renders = find(newest);
      if (renders && renders->empty()) {
        audit::Query by_id;
        by_id.id = target;
        by_id.whole = true;
        renders = find(by_id);
      }
      if (!renders) return std::nullopt;
      if (renders->empty()) {
        console_.fail(fmt::format("no row has the cluster `{0}` or an id that starts with `{0}`", printable(target)));
        return std::nullopt;
      }
      all.insert(all.end(), renders->begin(), renders->end());
    }
    return all;
  }

  template <class Form>
  int print_json(const char* key, const std::vector<ClusterRender>& renders, Form form) {
    AuditJson json{{"version", 1}, {key, AuditJson::array()}};
    for (const ClusterRender& render : renders) json[key].push_back(form(render));
    return console_.finish(cli::shown(json));
  }

  const AuditOptions& options_;
  workflow::AuditSession& session_;
  Console& console_;
};

int run_audit(const AuditOptions& options) {
  Console console(options.common);
  workflow::AuditSession session;
  if (const auto stop = workflow::open_audit(options.common, options.task == AuditOptions::Task::Record, session))
    return session.sink.failed() ? show_faults(session.sink, console) : show_faults(*stop, *session.open, console);
  AuditRun run(options, session, console);
  switch (options.task) {
    case AuditOptions::Task::List: return run.list();
    case AuditOptions::Task::Show: return run.show();
    case AuditOptions::Task::Verify: return run.verify();
    case AuditOptions::Task::Record: return run.record();
  }
  return kUsageError;
}

class AuditCommand final : public CommandWith<AuditOptions> {
 public:
  void add_options(CLI::App& app) override {
    using Task = AuditOptions::Task;
    app.require_subcommand(1);
    const auto add = [&](const char* name, Task task, const char* help) {
      CLI::App* command = app.add_subcommand(name, help);
      command->callback([this, task] { options_.task = task; });
      add_common(*command, options_.common, {"text", "json"});
      return command;
    };
    CLI::App* list = add("list", Task::List, "List the rows, newest first");
    list->add_option("cluster", options_.targets, "List only these clusters")->type_name("CLUSTER");
    list->add_option("-n,--most", options_.most, "Number of rows, newest first; 0 for all (default: 20)")
        ->type_name("N");
    CLI::App* show = add("show", Task::Show, "Print rows in full");
    show->add_option("row", options_.targets, "Cluster (its newest row of each remote and branch) or id of a row")
        ->type_name("CLUSTER|ID");
    CLI::App* verify = add("verify", Task::Verify, "Render the recorded commits again and compare");
    verify
        ->add_option("row", options_.targets,
                     "Clusters (their newest rows of each remote and branch) or ids of rows (default: all)")
        ->type_name("CLUSTER|ID");
    verify->add_flag("--any-version", options_.any_version, "Include rows that another version of capwright rendered");
    CLI::App* record = add("record", Task::Record, "Record a commit that was published by other means");
    record->add_option("--commit", options_.revision, "Commit (default: HEAD)")->type_name("REV");
    record->add_option("--remote", options_.remote, "Remote that it was pushed to (default: origin)");
  }
  int run() override { return run_audit(options_); }
};

}  // namespace

const CommandInfo audit_command{"audit",
                                "List and verify the records of publications",
                                make_command<AuditCommand>,
                                {{"List the newest publications of a cluster", "capwright audit list prod-a"},
                                 {"Print all facts of the newest one of each branch", "capwright audit show prod-a"},
                                 {"Render the published commits again and compare", "capwright audit verify"},
                                 {"Record a commit that a pipeline pushed", "capwright audit record --commit HEAD"}}};

}  // namespace capwright::cli
