// A hash of the segments represents an arrangement. If two have the same, a mistake in one is found by `lint` only.
#include "pipeline/yaml_shapes.h"

#include <algorithm>
#include <string_view>

#include "base/hash.h"
#include "diag/catalog/text.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright {
namespace {

// YAML limits the length of a key on one line to 1,024 characters.
constexpr std::uint32_t kLongKey = 512;

// The same text of the template at the same place is one number; a value only counts by whether it is empty or long.
std::uint64_t shape_of(const MappedText& body) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t shape = body.segments().size();
  const auto mix = [&](std::uint64_t part) {
    shape = (shape ^ part) * kFactor;
    shape ^= shape >> 32;
  };
  const auto segments = body.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    const std::uint32_t size = (i + 1 < segments.size() ? segments[i + 1].begin : body.size()) - segment.begin;
    const bool is_value = segment.value != OriginId::None;
    const auto text = std::string_view(body.text()).substr(segment.begin, is_value ? 0 : size);
    mix((std::uint64_t{segment.where.begin} << 32) ^ static_cast<std::uint32_t>(segment.where.file));
    if (!is_value) mix((std::uint64_t{size} << 32) ^ hash_text(text));
    else mix(size == 0 ? 0 : 1 + size / kLongKey);
  }
  return shape;
}

bool is_of_template(const Diagnostic& fault, const MappedText& body) {
  if (fault.severity != Severity::Error || fault.info == &diag::duplicate_key.info || body.size() == 0) return false;
  return body.segment_at(std::min(fault.where.begin, body.size() - 1))->literal;
}

}  // namespace

bool KnownShapes::has(std::uint64_t shape) const {
  const std::lock_guard lock(changing_);
  return shapes_.contains(shape);
}

void KnownShapes::add(std::uint64_t shape) {
  const std::lock_guard lock(changing_);
  if (shapes_.size() < kMost) shapes_.insert(shape);
}

bool has_sound_shape(const RenderedFile& file, KnownShapes& known, const Limits& limits) {
  const std::uint64_t shape = shape_of(file.body);
  if (known.has(shape)) return true;
  OwnStage own(limits);
  const FileId text = own.sources.add(file.path, file.body.text());
  read_yaml_documents(text, own.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  const auto& faults = own.sink.diagnostics();
  const bool is_sound = std::none_of(faults.begin(), faults.end(),
                                     [&](const Diagnostic& fault) { return is_of_template(fault, file.body); });
  if (is_sound) known.add(shape);
  return is_sound;
}

}  // namespace capwright
