"""The scanner finds what lengths_test.py counts, in C++ formatted by clang-format."""

import sys

from scanner import functions_of

SOURCE = r'''
namespace capwright {
enum class Kind : std::uint8_t { A, B };
struct Point final : Base<int> {
  explicit Point(int a, std::map<int, int> b = {}) noexcept(true) : a_{a}, b_(b) {}
  std::function<void(int, int)> callback;
  bool operator()(int a) const { return a < 1 && "}" != text; }
  auto operator<=>(const Point&) const = default;
  int a_ = 0;
 private:
  operator bool() const;
};
constexpr std::array<int, 2> kTable{{1, 2}};
#define CW_MACRO(x) { \
    {
template <class T, class U = int>
[[nodiscard]] std::optional<T> Point::find(std::span<const T> in, U (*make)(int, int), std::string s = R"x(})x") {
  const char quote = '"', brace = '{'; int million = 1'000'000;  // { "
  for (const T& item : in)
    if (item) {
      std::ranges::sort(in, [&](const T& a, const T& b) {
        if (a) {
          return Point{1, 2} < b;
        } else if (b) {
          return true;
        }
      });
    }
  switch (in.size()) {
    case 1: {
      return {};
    }
  }
  return std::vector<int>{1, 2};
}
void declared(int a, std::pair<int, int> b, int c, int d, int e, int f);
}
extern "C" int entry(const unsigned char* data, std::size_t size) {
  return 0;
}
'''

EXPECTED = [
    # name, lines, parameters, nesting
    ("Point", 1, 2, 0),
    ("operator()", 1, 1, 0),
    ("operator<=>", 0, 1, 0),
    ("operator bool", 0, 0, 0),
    ("Point::find", 20, 3, 4),
    ("declared", 0, 6, 0),
    ("entry", 3, 2, 0),
]


def main():
    found = [(f.name, f.length, f.parameters, f.nesting) for f in functions_of(SOURCE)]
    for expected, actual in zip(EXPECTED, found):
        if expected != actual:
            print(f"expected {expected}\nfound    {actual}")
    if len(found) != len(EXPECTED):
        print(f"expected {len(EXPECTED)} functions, found {[name for name, *_ in found]}")
    sys.exit(found != EXPECTED)


main()
