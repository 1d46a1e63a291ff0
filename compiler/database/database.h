// A database as the audit sees it: statements with texts in and out. SQLite or PostgreSQL is behind it, in the program
// that is linked with them.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::database {

using Cell = std::optional<std::string>;  // nothing: NULL
using Row = std::vector<Cell>;

class Connection {
 public:
  virtual ~Connection() = default;
  // One statement in the SQL that both understand; parameters are `$1`, `$2` …, first used in this order. Nothing: it
  // was refused, and `why` says it in the database's words.
  virtual std::optional<std::vector<Row>> run(const std::string& statement, const Row& parameters,
                                              std::string& why) = 0;
};

enum class Access : std::uint8_t { Read, Write };

// Whether `where` is the URL of a server, and not the path of a file.
bool is_url(std::string_view where);

// `where` is a URL `postgresql://…`, or the path of an SQLite file, which Access::Write makes if it is missing. Null:
// it can't be reached, and `why` says it.
std::unique_ptr<Connection> connect(const std::string& where, Access access, std::string& why);

}  // namespace capwright::database
