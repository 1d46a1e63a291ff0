// SQLite, in a file.
#include <sqlite3.h>

#include "database/database.h"

namespace capwright::database {
namespace {

constexpr int kWaitMilliseconds = 10'000;  // for another process that writes

class Sqlite final : public Connection {
 public:
  explicit Sqlite(sqlite3* handle) : handle_(handle) {}
  ~Sqlite() override { sqlite3_close(handle_); }
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  std::optional<std::vector<Row>> run(const std::string& statement, const Row& parameters, std::string& why) override {
    sqlite3_stmt* prepared = nullptr;
    int code = sqlite3_prepare_v2(handle_, statement.c_str(), -1, &prepared, nullptr);
    for (std::size_t i = 0; code == SQLITE_OK && i < parameters.size(); ++i)
      code = bind(prepared, static_cast<int>(i) + 1, parameters[i]);
    std::vector<Row> rows;
    if (code == SQLITE_OK) {
      while ((code = sqlite3_step(prepared)) == SQLITE_ROW) rows.push_back(row_of(prepared));
    }
    if (code != SQLITE_DONE) why = sqlite3_errmsg(handle_);
    sqlite3_finalize(prepared);
    if (code != SQLITE_DONE) return std::nullopt;
    return rows;
  }

  bool begin(std::string& why) override { return run("BEGIN IMMEDIATE", {}, why).has_value(); }

  std::optional<bool> has_table(const std::string& name, std::string& why) override {
    const auto found = run("SELECT name FROM sqlite_master WHERE type = 'table' AND name = $1", {name}, why);
    return found ? std::optional(!found->empty()) : std::nullopt;
  }

 private:
  static int bind(sqlite3_stmt* prepared, int number, const Cell& cell) {
    if (!cell) return sqlite3_bind_null(prepared, number);
    return sqlite3_bind_text(prepared, number, cell->data(), static_cast<int>(cell->size()), SQLITE_STATIC);
  }

  static Row row_of(sqlite3_stmt* prepared) {
    Row row;
    for (int i = 0; i < sqlite3_column_count(prepared); ++i) {
      const unsigned char* text = sqlite3_column_text(prepared, i);
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(prepared, i));
      row.push_back(text == nullptr ? Cell() : std::string(reinterpret_cast<const char*>(text), size));
    }
    return row;
  }

  sqlite3* handle_;
};

}  // namespace

std::unique_ptr<Connection> connect_sqlite(const std::string& path, Access access, std::string& why) {
  const int flags = access == Access::Write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  sqlite3* handle = nullptr;
  if (sqlite3_open_v2(path.c_str(), &handle, flags, nullptr) != SQLITE_OK) {
    why = handle != nullptr ? sqlite3_errmsg(handle) : "out of memory";
    sqlite3_close(handle);
    return nullptr;
  }
  sqlite3_busy_timeout(handle, kWaitMilliseconds);
  return std::make_unique<Sqlite>(handle);
}

}  // namespace capwright::database
