// Address parsing for both programs.
#include "database/database.h"

namespace capwright::database {

bool is_url(std::string_view where) { return where.starts_with("postgresql://") || where.starts_with("postgres://"); }

}  // namespace capwright::database
