// The types of files are few, so the end of a name decides.
#include "pages/pages.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "facts/built_in.h"

namespace capwright::pages {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTypes{
    {{".html", "text/html; charset=utf-8"},
     {".css", "text/css; charset=utf-8"},
     {".js", "text/javascript; charset=utf-8"},
     {".svg", "image/svg+xml"}}};

}  // namespace

const Asset* find_asset(std::span<const Asset> assets, std::string_view path) {
  const auto found = std::find_if(assets.begin(), assets.end(), [&](const Asset& asset) { return asset.path == path; });
  return found == assets.end() ? nullptr : &*found;
}

portal::Response asset_response(const Asset& asset) {
  const auto type =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& known) { return asset.file.ends_with(known.first); });
  CW_CHECK(type != kTypes.end(), "the files of a page have known types");
  return {200, std::string(type->second), std::string(built_in_text(asset.file))};
}

const std::vector<std::pair<std::string, std::string>>& page_headers() {
  static const std::vector<std::pair<std::string, std::string>> headers{
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"},
      {"Referrer-Policy", "no-referrer"},
      {"X-Frame-Options", "DENY"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"}};
  return headers;
}

portal::Response guarded(portal::Response response) {
  response.headers.insert(response.headers.end(), page_headers().begin(), page_headers().end());
  return response;
}

}  // namespace capwright::pages
