// Kubernetes' quantities (`1500m`, `2Gi`, `1e3`) as numbers, with the API server's limits on 64-bit values and on
// integers.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::cel {

__extension__ typedef __int128 WideInt;

// `value` times ten to the `scale` if that fits 64 bits (`small`); otherwise only the number of billionths.
struct Quantity {
  bool small = true;
  std::int32_t scale = 0;
  std::int64_t value = 0;
  WideInt nanos = 0;  // always set; saturates at 10^37

  int sign() const {
    if (nanos > 0) return 1;
    if (nanos < 0) return -1;
    return 0;
  }
  // The server's integer: empty for a fraction, but also for `1.5Ki` or the sum of 1.5 and 0.5.
  std::optional<std::int64_t> as_integer() const;
  double as_approximate_float() const;
};

std::optional<Quantity> parse_quantity(std::string_view text);
Quantity quantity_of(std::int64_t whole);
int compare(const Quantity& a, const Quantity& b);
Quantity add(const Quantity& a, const Quantity& b);
Quantity subtract(const Quantity& a, const Quantity& b);
std::string to_text(const Quantity&);  // in plain decimals: "1.5", "2147483648"

}  // namespace capwright::cel
