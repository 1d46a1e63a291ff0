// The layouts of the audit database, which newer programs add tables to.
#pragma once
#include <string>

#include "database/database.h"

namespace capwright::audit {

// Whether this program can read the database. False: a newer one has changed its layout, or the database failed; `why`
// has the reason.
bool can_read(database::Connection& connection, std::string& why);

// Brings an empty or older database to the current layout, in one transaction.
bool migrate(database::Connection& connection, std::string& why);

}  // namespace capwright::audit
