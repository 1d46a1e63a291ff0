// Kubernetes' quantities (`1500m`, `2Gi`, `1e3`) as numbers, with the same limits as the API server's: what it keeps in
// 64 bits, and what it calls an integer.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::cel {

__extension__ typedef __int128 WideInt;

// `value` times ten to the `scale` while that fits 64 bits; otherwise (not `small`) only the count of billionths.
struct Quantity {
  bool small = true;
  std::int32_t scale = 0;
  std::int64_t value = 0;
  WideInt nanos = 0;  // always right, up to 10^37 where it stops

  int sign() const { return nanos > 0 ? 1 : nanos < 0 ? -1 : 0; }
  // As the server has it: nothing for a fraction, but also for `1.5Ki` or the sum of 1.5 and 0.5.
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
