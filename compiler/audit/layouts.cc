// A layout is a list of statements that change the layout before it. Published ones never change.
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "audit/store.h"

namespace capwright::audit {
namespace {

using database::Connection;

constexpr std::array kRenders{
    "CREATE TABLE cluster_renders ("
    "id TEXT PRIMARY KEY, cluster TEXT NOT NULL, values_path TEXT NOT NULL, "
    "template_set TEXT NOT NULL, template_set_version TEXT NOT NULL, tool_version TEXT NOT NULL, "
    "source_commit TEXT NOT NULL, commit_id TEXT NOT NULL, remote TEXT NOT NULL, branch TEXT NOT NULL, "
    "who TEXT NOT NULL, host TEXT NOT NULL, published_at BIGINT NOT NULL, "
    "input_digest TEXT NOT NULL, number BIGINT NOT NULL, input_values TEXT NOT NULL, files TEXT NOT NULL)",
    "CREATE INDEX cluster_renders_by_cluster ON cluster_renders (cluster, number)"};
constexpr std::array kRequests{
    "CREATE TABLE publish_requests ("
    "id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, caller TEXT NOT NULL, cluster TEXT NOT NULL, "
    "state TEXT NOT NULL, holder TEXT NOT NULL, held_until BIGINT NOT NULL, pushed_onto TEXT NOT NULL, "
    "answer TEXT NOT NULL, requested_at BIGINT NOT NULL)"};

using Statements = std::span<const char* const>;
// Layout 1 is the first.
constexpr std::array<Statements, 2> kLayouts{Statements(kRenders), Statements(kRequests)};
constexpr std::int64_t kNewest = kLayouts.size();

constexpr const char* kVersions = "CREATE TABLE audit_layouts (version BIGINT PRIMARY KEY)";

// 0: empty. Until layout 2, databases had no table of layouts.
std::optional<std::int64_t> layout_of(Connection& connection, std::string& why) {
  const auto has_layouts = connection.has_table("audit_layouts", why);
  if (!has_layouts) return std::nullopt;
  if (!*has_layouts) {
    const auto has_renders = connection.has_table("cluster_renders", why);
    if (!has_renders) return std::nullopt;
    return *has_renders ? 1 : 0;
  }
  const auto rows = connection.run("SELECT MAX(version) FROM audit_layouts", {}, why);
  if (!rows) return std::nullopt;
  const std::string text = rows->empty() ? "" : rows->front().front().value_or("");
  std::int64_t layout = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), layout).ec == std::errc()) return layout;
  why = "the table `audit_layouts` has no version";
  return std::nullopt;
}

std::string why_newer(std::int64_t layout) {
  return fmt::format(
      "a newer capwright has changed the database to layout {}, and this one knows layouts up to {}: use the newer one",
      layout, kNewest);
}

bool run_all(Connection& connection, Statements statements, std::string& why) {
  for (const char* statement : statements) {
    if (!connection.run(statement, {}, why)) return false;
  }
  return true;
}

// In a transaction. A first layout without a row is that of a database from before the table.
bool apply(Connection& connection, std::int64_t from, std::string& why) {
  const auto has_versions = connection.has_table("audit_layouts", why);
  if (!has_versions || (!*has_versions && !connection.run(kVersions, {}, why))) return false;
  for (std::int64_t layout = *has_versions ? from + 1 : 1; layout <= kNewest; ++layout) {
    const Statements statements = kLayouts[static_cast<std::size_t>(layout) - 1];
    if (layout > from && !run_all(connection, statements, why)) return false;
    if (!connection.run("INSERT INTO audit_layouts (version) VALUES ($1)", {std::to_string(layout)}, why)) return false;
  }
  return true;
}

}  // namespace

bool can_read(Connection& connection, std::string& why) {
  const auto layout = layout_of(connection, why);
  if (!layout) return false;
  if (*layout > kNewest) why = why_newer(*layout);
  return *layout <= kNewest;
}

// A user who may only add rows doesn't come to the transaction.
bool migrate(Connection& connection, std::string& why) {
  auto layout = layout_of(connection, why);
  if (!layout) return false;
  if (*layout == kNewest) return true;
  if (*layout > kNewest) {
    why = why_newer(*layout);
    return false;
  }
  if (!connection.begin(why)) return false;
  layout = layout_of(connection, why);  // another process may have been first
  if (layout && *layout > kNewest) why = why_newer(*layout);
  else if (layout && apply(connection, *layout, why) && connection.run("COMMIT", {}, why)) return true;
  else if (layout) why = fmt::format("can't change the database from layout {} to {}: {}", *layout, kNewest, why);
  std::string ignored;
  connection.run("ROLLBACK", {}, ignored);
  return false;
}

}  // namespace capwright::audit
