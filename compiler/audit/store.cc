// SQL that both SQLite and PostgreSQL support.
#include "audit/store.h"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace capwright::audit {
namespace {

using database::Cell;
using database::Row;

constexpr const char* kInsert =
    "INSERT INTO cluster_renders (id, cluster, values_path, template_set, template_set_version, tool_version, "
    "source_commit, commit_id, remote, branch, who, host, published_at, input_digest, number, input_values, files) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) ON CONFLICT (id) DO NOTHING";
constexpr std::string_view kColumns =
    "id, cluster, values_path, template_set, template_set_version, tool_version, source_commit, commit_id, remote, "
    "branch, who, host, published_at, input_digest, number";
constexpr std::size_t kShort = 15, kWhole = 17;

Row row_of(const ClusterRender& render) {
  const Publication& published = render.publication;
  return {render.id,
          render.cluster,
          render.values_path,
          render.template_set,
          render.template_set_version,
          published.tool_version,
          published.source,
          published.commit,
          published.remote,
          published.branch,
          published.who,
          published.host,
          std::to_string(published.when),
          render.input_digest,
          std::to_string(render.number),
          render.values,
          files_json(render.files)};
}

// Empty if it isn't a valid row.
std::optional<ClusterRender> render_of(const Row& row) {
  if (row.size() != kShort && row.size() != kWhole) return std::nullopt;
  ClusterRender render;
  Publication& published = render.publication;
  const std::array<std::string*, 12> texts{&render.id,
                                           &render.cluster,
                                           &render.values_path,
                                           &render.template_set,
                                           &render.template_set_version,
                                           &published.tool_version,
                                           &published.source,
                                           &published.commit,
                                           &published.remote,
                                           &published.branch,
                                           &published.who,
                                           &published.host};
  for (std::size_t i = 0; i < texts.size(); ++i) *texts[i] = row[i].value_or("");
  const auto read = [](const std::string& text, std::int64_t& number) {
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
  };
  if (!read(row[12].value_or(""), published.when) || !read(row[14].value_or(""), render.number)) return std::nullopt;
  render.input_digest = row[13].value_or("");
  if (row.size() == kShort) return render;
  render.values = row[15].value_or("");
  auto files = read_files(row[16].value_or(""));
  if (!files) return std::nullopt;
  render.files = std::move(*files);
  return render;
}

// A LIKE pattern for texts that start with `text`.
std::string beginning(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

std::string statement_of(const Query& query, Row& parameters) {
  const auto placed = [&](std::string text) {
    parameters.emplace_back(std::move(text));
    return fmt::format("${}", parameters.size());
  };
  std::string statement = fmt::format("SELECT {}{} FROM cluster_renders r WHERE 1 = 1", kColumns,
                                      query.whole ? ", input_values, files" : "");
  std::string names;
  for (const std::string& cluster : query.clusters) names += (names.empty() ? "" : ", ") + placed(cluster);
  if (!names.empty()) statement += fmt::format(" AND cluster IN ({})", names);
  if (!query.id.empty()) statement += fmt::format(" AND id LIKE {} ESCAPE '\\'", placed(beginning(query.id)));
  if (!query.remote.empty()) statement += fmt::format(" AND remote = {}", placed(query.remote));
  if (!query.branch.empty()) statement += fmt::format(" AND branch = {}", placed(query.branch));
  if (query.latest) {
    statement +=
        " AND number = (SELECT MAX(number) FROM cluster_renders WHERE cluster = r.cluster AND remote = "
        "r.remote AND branch = r.branch)";
  }
  statement += " ORDER BY published_at DESC, number DESC, commit_id, cluster";
  if (query.most != 0) statement += fmt::format(" LIMIT {}", query.most);
  return statement;
}

}  // namespace

std::unique_ptr<Store> Store::open(const std::string& where, database::Access access, std::string& why) {
  std::unique_ptr<database::Connection> connection = database::connect(where, access, why);
  if (connection == nullptr) return nullptr;
  const bool is_usable = access == database::Access::Read ? can_read(*connection, why) : migrate(*connection, why);
  if (!is_usable) return nullptr;
  return std::unique_ptr<Store>(new Store(std::move(connection)));
}

bool Store::run(const std::string& statement, const Row& parameters, std::string& why) {
  return connection_->run(statement, parameters, why).has_value();
}

bool Store::insert(const std::vector<ClusterRender>& renders, std::string& why) {
  for (const ClusterRender& render : renders) {
    if (!run(kInsert, row_of(render), why)) return false;
  }
  return true;
}

bool Store::end(bool is_complete, std::string& why) {
  if (is_complete && run("COMMIT", {}, why)) return true;
  std::string ignored;
  run("ROLLBACK", {}, ignored);
  return false;
}

bool Store::add(const std::vector<ClusterRender>& renders, std::string& why) {
  return connection_->begin(why) && end(insert(renders, why), why);
}

std::optional<std::vector<ClusterRender>> Store::find(const Query& query, std::string& why) {
  Row parameters;
  const std::string statement = statement_of(query, parameters);
  const auto rows = connection_->run(statement, parameters, why);
  if (!rows) return std::nullopt;
  std::vector<ClusterRender> renders;
  for (const Row& row : *rows) {
    std::optional<ClusterRender> render = render_of(row);
    if (!render) {
      why = fmt::format("the row `{}` can't be read", row[0].value_or(""));
      return std::nullopt;
    }
    renders.push_back(std::move(*render));
  }
  return renders;
}

}  // namespace capwright::audit
