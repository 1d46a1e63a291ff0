// The database interface of the audit: statements with text parameters and results. SQLite or PostgreSQL implement it
// in the program that links them.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::database {

using Cell = std::optional<std::string>;  // empty: NULL
using Row = std::vector<Cell>;

class Connection {
 public:
  virtual ~Connection() = default;
  // Runs one statement in the common SQL subset; parameters are `$1`, `$2` …, first used in this order. Empty: it
  // failed, and `why` is the database's message.
  virtual std::optional<std::vector<Row>> run(const std::string& statement, const Row& parameters,
                                              std::string& why) = 0;
  // Begins a transaction that no other writer of this program overlaps, until COMMIT or ROLLBACK.
  virtual bool begin(std::string& why) = 0;
  // Whether there is a table of this name, also if its rows may not be read. Empty: as for run().
  virtual std::optional<bool> has_table(const std::string& name, std::string& why) = 0;
};

enum class Access : std::uint8_t { Read, Write };

// Whether `where` is a server URL instead of a file path.
bool is_url(std::string_view where);

// `where` is a URL `postgresql://…`, or the path of an SQLite file, which Access::Write creates if it is missing. Null:
// the connection failed, and `why` has the reason.
std::unique_ptr<Connection> connect(const std::string& where, Access access, std::string& why);

// The two backends of connect().

std::unique_ptr<Connection> connect_sqlite(const std::string& path, Access access, std::string& why);
std::unique_ptr<Connection> connect_postgres(const std::string& url, std::string& why);

}  // namespace capwright::database
