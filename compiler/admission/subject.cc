// What is refused, in the server's words.
#include "admission/subject.h"

#include "admission/pattern.h"

namespace capwright::admission {
namespace {

constexpr std::size_t kLongestShown = 120;

// "Invalid value: "x": why", "Forbidden: why".
std::string worded(crd::Reason reason, const Value& value, std::string_view message) {
  const bool shows_value = reason != crd::Reason::Required && reason != crd::Reason::Forbidden;
  std::string text = shows_value ? crd::with_value(reason, value) : std::string(crd::reason_text(reason));
  if (text.size() > kLongestShown) text = crd::reason_text(reason);
  if (!message.empty()) text += ": " + std::string(message);
  return text;
}

}  // namespace

void Subject::refuse(crd::Reason reason, const crd::Place& place, std::string_view path, std::string_view message) {
  const Span where = span_of(place, review_.stage.origins, review_.stage.sources);
  report_.add_at(crd::Phase::Admission, reason, reported_path(path, place), where,
                 worded(reason, place.value, message));
}

void Subject::refuse(crd::Reason reason, std::string_view path, std::string_view message) {
  std::string pattern(path);
  bool found = false;
  Pattern(pattern).each(root_, true, [&](const crd::Place& place) {
    if (!found) refuse(reason, place, path, message);
    found = true;
  });
  if (!found) refuse(reason, root_, path, message);
}

void Subject::refuse_conversion(const crd::Place& place, std::string_view message) {
  report_.add(crd::Phase::Conversion, crd::Reason::Malformed, place, std::string(message));
}

}  // namespace capwright::admission
