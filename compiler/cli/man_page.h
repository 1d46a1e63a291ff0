// A page of help as a manual page: troff with the macros of man(7), for groff and mandoc.
#pragma once
#include <string>
#include <vector>

#include "cli/help_page.h"

namespace capwright::cli {

// "capwright-addons-list".
std::string man_name(const HelpPage&);
// `all`: the other pages, of which the page refers to the nearest. It holds no date, so that builds are reproducible.
std::string as_man_page(const HelpPage&, const std::vector<HelpPage>& all);

}  // namespace capwright::cli
