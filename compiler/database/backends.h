// The two backends of connect().
#pragma once
#include "database/database.h"

namespace capwright::database {

std::unique_ptr<Connection> connect_sqlite(const std::string& path, Access access, std::string& why);
std::unique_ptr<Connection> connect_postgres(const std::string& url, std::string& why);

}  // namespace capwright::database
