// All files of the page, by their paths: no request names a file in any other way.
#include "wizard/wizard.h"

#include <array>

#include "pages/pages.h"
#include "portal/problem.h"

namespace capwright::wizard {
namespace {

constexpr std::string_view kFolder = "/wizard/";
constexpr std::array kAssets{
    pages::Asset{"", "compiler/wizard/page/index.html"},
    pages::Asset{"base.css", "compiler/pages/page/base.css"},
    pages::Asset{"style.css", "compiler/wizard/page/style.css"},
    pages::Asset{"icon.svg", "compiler/pages/page/icon.svg"},
    pages::Asset{"dom.js", "compiler/pages/page/dom.js"},
    pages::Asset{"plan.js", "compiler/pages/page/plan.js"},
    pages::Asset{"app.js", "compiler/wizard/page/app.js"},
    pages::Asset{"api.js", "compiler/wizard/page/api.js"},
    pages::Asset{"schema.js", "compiler/wizard/page/schema.js"},
    pages::Asset{"fields.js", "compiler/wizard/page/fields.js"},
    pages::Asset{"containers.js", "compiler/wizard/page/containers.js"},
    pages::Asset{"addons.js", "compiler/wizard/page/addons.js"},
    pages::Asset{"form.js", "compiler/wizard/page/form.js"},
    pages::Asset{"findings.js", "compiler/wizard/page/findings.js"},
    pages::Asset{"review.js", "compiler/wizard/page/review.js"},
    pages::Asset{"publish.js", "compiler/wizard/page/publish.js"},
};

portal::Response refused(portal::ProblemKind kind, std::string_view why) {
  return pages::guarded(portal::problem(kind, why));
}

}  // namespace

std::optional<portal::Response> Wizard::admit(const portal::Request& head, portal::Exchange& exchange) const {
  // Relative, as a reverse proxy may have the server below another path.
  const bool is_entrance = head.path == "/" || head.path == "/wizard";
  if (!is_entrance && !head.path.starts_with(kFolder)) return api_.admit(head, exchange);
  exchange.method = head.method == "GET" ? head.method : "";
  exchange.route = kFolder;
  const pages::Asset* asset =
      is_entrance ? &kAssets.front() : pages::find_asset(kAssets, head.path.substr(kFolder.size()));
  if (asset == nullptr) return refused(portal::ProblemKind::NotFound, "the wizard has no such file");
  if (head.method != "GET") {
    portal::Response response = refused(portal::ProblemKind::MethodNotAllowed, "the resource has GET");
    response.headers.emplace_back("Allow", "GET");
    return response;
  }
  if (is_entrance) return pages::guarded({302, "text/plain", "", {{"Location", "wizard/"}}});
  return pages::guarded(pages::asset_response(*asset));
}

}  // namespace capwright::wizard
