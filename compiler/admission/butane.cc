// The sections of a config and their keys, as far as a webhook's verdict depends on them.
#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "admission/embedded_texts.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::admission {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kBootDevice[] = {"layout", "luks", "mirror"};
constexpr std::string_view kIgnition[] = {"config", "proxy", "security", "timeouts"};
constexpr std::string_view kKernelArguments[] = {"should_exist", "should_not_exist"};
constexpr std::string_view kPasswd[] = {"groups", "users"};
constexpr std::string_view kStorage[] = {"directories", "disks", "files", "filesystems",
                                         "links",       "luks",  "raid",  "trees"};
constexpr std::string_view kSystemd[] = {"units"};

struct Section {
  std::string_view name;
  Names keys;
};
constexpr Section kSections[] = {
    {"boot_device", kBootDevice}, {"ignition", kIgnition}, {"kernel_arguments", kKernelArguments},
    {"passwd", kPasswd},          {"storage", kStorage},   {"systemd", kSystemd}};
constexpr std::string_view kHeaders[] = {"variant", "version"};

bool is_one_of(Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool holds_value(const Value& value) { return value.is(Kind::Map) || value.is(Kind::List); }

std::string section_fault(const Section& section, const Value& value, Strictness strictness) {
  if (value.is(Kind::Null)) return "";
  if (!value.is(Kind::Map)) return fmt::format("`{}` must be a map", section.name);
  for (const Entry& entry : value.entries()) {
    if (strictness == Strictness::Any && !is_one_of(section.keys, entry.key.text()))
      return fmt::format("unused key {}.{}", section.name, entry.key.text());
  }
  return "";
}

}  // namespace

std::string butane_fault(std::string_view config, Strictness strictness) {
  OwnStage own;
  const Value document = read_yaml(own.sources.add("config.bu", std::string(config)), own.stage);
  if (own.sink.failed()) return fmt::format("error parsing Butane config: {}", own.sink.diagnostics().front().message);
  if (document.is(Kind::Null)) return "";
  if (!document.is(Kind::Map)) return "error parsing Butane config: it must be a map";
  for (const Entry& entry : document.entries()) {
    const std::string_view key = entry.key.text();
    if (is_one_of(kHeaders, key)) {
      if (holds_value(entry.value)) return fmt::format("error parsing Butane config: `{}` must be a string", key);
      continue;
    }
    const auto* section =
        std::find_if(std::begin(kSections), std::end(kSections), [&](auto& s) { return s.name == key; });
    const bool known = section != std::end(kSections);
    if (!known && strictness == Strictness::Any) return fmt::format("error parsing Butane config: unused key {}", key);
    const std::string fault = known ? section_fault(*section, entry.value, strictness) : "";
    if (!fault.empty()) return "error parsing Butane config: " + fault;
  }
  return "";
}

}  // namespace capwright::admission
