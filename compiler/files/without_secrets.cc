// Adjacent bytes of one secret may have several origins; they form one run.
#include "files/without_secrets.h"

#include <fmt/format.h>

namespace capwright {

std::string without_secrets(const RenderedFile& file) {
  const std::string_view all = file.body.text();
  const auto segments = file.body.segments();
  std::string text;
  for (std::size_t i = 0; i < segments.size();) {
    const bool secret = segments[i].tainted;
    const std::uint32_t begin = segments[i].begin;
    while (i < segments.size() && segments[i].tainted == secret) ++i;
    const std::string_view run = all.substr(begin, (i < segments.size() ? segments[i].begin : all.size()) - begin);
    if (secret) text += fmt::format("<secret, {} B>{}", run.size(), run.ends_with('\n') ? "\n" : "");
    else text += run;
  }
  return text;
}

}  // namespace capwright
