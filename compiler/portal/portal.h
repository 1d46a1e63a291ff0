// The portal's API: from a request to its response.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "portal/access.h"
#include "portal/checkout.h"
#include "portal/message.h"
#include "portal/metrics.h"
#include "portal/publications.h"
#include "portal/routes.h"
#include "portal/service.h"

namespace capwright::portal {

// Several threads may use it.
class Portal final : public Service {
 public:
  Portal(CheckoutOptions checkout, Access access, PublishOptions publishing = {})
      : checkout_(std::move(checkout)), access_(std::move(access)), publications_(std::move(publishing)) {}

  // Of a request without its body. The response if it needs neither the body nor the repository: errors, health. Empty:
  // read the body and call answer().
  std::optional<Response> admit(const Request& head, Exchange& exchange) const override;
  bool takes_long(const Request& head) const override;  // it pushes a commit
  // `request` was admitted.
  Response answer(const Request& request, Exchange& exchange) override;
  // A response was sent. For the thread that calls admit().
  void finish(const Exchange& exchange) override { metrics_.add(exchange); }

 private:
  std::unique_ptr<Checkout> take_checkout();
  std::optional<Response> refuse(const Route& route, const Request& head, const Access::Found& found,
                                 Exchange& exchange) const;
  Response answer_page(Page page, std::string_view id) const;

  const CheckoutOptions checkout_;
  const Access access_;
  Publications publications_;
  Metrics metrics_;
  std::atomic<unsigned> answering_ = 0;
  std::mutex mutex_;                             // guards the following member
  std::vector<std::unique_ptr<Checkout>> free_;  // one for each thread that answered at the same time as others
};

}  // namespace capwright::portal
