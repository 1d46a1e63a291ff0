// Digests of inputs. Sizes are included, so that different lists of files can't have the same bytes.
#include "pipeline/stamp.h"

#include <algorithm>
#include <fmt/format.h>

#include "embedded/embedded.h"

namespace capwright {
namespace {

void append_without_secrets(std::string& out, std::string_view text, FileId file, const std::vector<Span>& secrets) {
  std::size_t at = 0;
  for (const Span& secret : secrets) {
    if (secret.file != file || secret.begin < at) continue;
    out.append(text.substr(at, secret.begin - at));
    at = std::min<std::size_t>(secret.end, text.size());
  }
  out.append(text.substr(at));
}

}  // namespace

Sha256 digest_sources(const SourceSet& sources, std::vector<Span> secrets) {
  std::sort(secrets.begin(), secrets.end());
  std::string all;
  std::string text;
  for (const FileId file : sources.files()) {
    if (sources.path(file) == kConfigName) continue;  // most of it isn't an input of a render
    text.clear();
    append_without_secrets(text, sources.text(file), file, secrets);
    fmt::format_to(std::back_inserter(all), "{} {} {}\n", sources.path(file).size(), sources.path(file), text.size());
    all += text;
  }
  return sha256(all);
}

RenderStamp make_stamp(const SourceSet& sources, const std::vector<Span>& secrets, const TemplateSet& set,
                       const Config& config) {
  RenderStamp stamp;
  stamp.tool_version = embedded::version();
  stamp.template_set = set.plain ? "" : set.id;
  stamp.template_set_version = set.version;
  const std::string inputs = to_hex(digest_sources(sources, secrets)) + to_hex(set.digest);
  const std::string retained = set.rotated.empty() ? "" : fmt::format(" retain {}", config.retain);
  const std::string tombstones = config.writes_tombstones() ? "" : " no tombstones";
  // Templates see it. The default is left out, so that trees of earlier releases stay current.
  const bool by_default = config.delivery == Config().delivery;
  const std::string delivery = by_default ? "" : fmt::format(" {}", delivery_name(config.delivery));
  stamp.input_digest = sha256(inputs + set.main + retained + tombstones + delivery + config.own_objects);
  return stamp;
}

}  // namespace capwright
