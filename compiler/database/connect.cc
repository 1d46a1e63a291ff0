// Selects the backend by the form of the address.
#include "database/database.h"

namespace capwright::database {

std::unique_ptr<Connection> connect(const std::string& where, Access access, std::string& why) {
  return is_url(where) ? connect_postgres(where, why) : connect_sqlite(where, access, why);
}

}  // namespace capwright::database
