// The page of `serve --wizard`: a form for the values of one cluster, which sends requests to the API beside it.
#pragma once
#include <optional>

#include "portal/service.h"

namespace capwright::wizard {

// Serves the page below /wizard/, and passes all other requests on. The page needs no token: it has no content of the
// repository, and its requests to the API need one as others do.
class Wizard final : public portal::Service {
 public:
  // `api` outlives it.
  explicit Wizard(portal::Service& api) : api_(api) {}

  std::optional<portal::Response> admit(const portal::Request& head, portal::Exchange& exchange) const override;
  bool takes_long(const portal::Request& head) const override { return api_.takes_long(head); }
  portal::Response answer(const portal::Request& request, portal::Exchange& exchange) override {
    return api_.answer(request, exchange);
  }
  void finish(const portal::Exchange& exchange) override { api_.finish(exchange); }

 private:
  portal::Service& api_;
};

}  // namespace capwright::wizard
