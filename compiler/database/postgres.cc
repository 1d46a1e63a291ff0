// PostgreSQL, with libpq. libpq reads parameters that aren't in the URL, above all passwords, from its usual sources:
// PGPASSFILE, PGSERVICE and others.
#include <libpq-fe.h>

#include "database/database.h"

namespace capwright::database {
namespace {

std::string one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return text;
}

// Of the transaction. The number is that of capwright among the programs that use the database.
constexpr const char* kLock = "SELECT pg_advisory_xact_lock(4848219137)";

// By a snapshot of this statement: to_regclass() may answer from a cache that is older than the lock.
constexpr const char* kFindTable =
    "SELECT 1 FROM pg_catalog.pg_tables WHERE tablename = $1 AND schemaname = ANY (current_schemas(false))";

class Postgres final : public Connection {
 public:
  explicit Postgres(PGconn* handle) : handle_(handle) {}
  ~Postgres() override { PQfinish(handle_); }
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;

  std::optional<std::vector<Row>> run(const std::string& statement, const Row& parameters, std::string& why) override {
    std::vector<const char*> values;
    for (const Cell& cell : parameters) values.push_back(cell ? cell->c_str() : nullptr);
    PGresult* result = PQexecParams(handle_, statement.c_str(), static_cast<int>(values.size()), nullptr, values.data(),
                                    nullptr, nullptr, 0);
    const ExecStatusType status = PQresultStatus(result);
    std::optional<std::vector<Row>> rows;
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) rows = rows_of(result);
    else why = one_line(PQresultErrorMessage(result));
    PQclear(result);
    return rows;
  }

  bool begin(std::string& why) override {
    if (!run("BEGIN", {}, why)) return false;
    if (run(kLock, {}, why)) return true;
    std::string ignored;
    run("ROLLBACK", {}, ignored);
    return false;
  }

  std::optional<bool> has_table(const std::string& name, std::string& why) override {
    const auto found = run(kFindTable, {name}, why);
    return found ? std::optional(!found->empty()) : std::nullopt;
  }

 private:
  static std::vector<Row> rows_of(const PGresult* result) {
    std::vector<Row> rows(static_cast<std::size_t>(PQntuples(result)));
    for (int i = 0; i < PQntuples(result); ++i) {
      for (int column = 0; column < PQnfields(result); ++column) {
        rows[static_cast<std::size_t>(i)].push_back(
            PQgetisnull(result, i, column) != 0 ? Cell() : Cell(PQgetvalue(result, i, column)));
      }
    }
    return rows;
  }

  PGconn* handle_;
};

void keep_quiet(void*, const char*) {}

}  // namespace

std::unique_ptr<Connection> connect_postgres(const std::string& url, std::string& why) {
  PGconn* handle = PQconnectdb(url.c_str());
  if (PQstatus(handle) != CONNECTION_OK) {
    why = one_line(PQerrorMessage(handle));
    PQfinish(handle);
    return nullptr;
  }
  PQsetNoticeProcessor(handle, keep_quiet, nullptr);
  PQsetClientEncoding(handle, "UTF8");
  return std::make_unique<Postgres>(handle);
}

}  // namespace capwright::database
