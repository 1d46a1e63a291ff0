// What the pages of `preview` and of `serve --wizard` share: files that are built into the program, and the headers
// that protect them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "portal/message.h"

namespace capwright::pages {

struct Asset {
  std::string_view path;  // below the page's address; empty: the page itself
  std::string_view file;  // the built-in file
};

// Null: none of `assets` has the path.
const Asset* find_asset(std::span<const Asset> assets, std::string_view path);
// Without the headers.
portal::Response asset_response(const Asset& asset);

// The headers of every response of a page: nothing but its own scripts and styles may run or be loaded.
const std::vector<std::pair<std::string, std::string>>& page_headers();
// With these headers.
portal::Response guarded(portal::Response response);

}  // namespace capwright::pages
