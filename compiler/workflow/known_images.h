// Images that no manifest names: those of kubeadm's releases and of charts, from schemas/catalogue/chart-images.yaml.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/built_in.h"

namespace capwright::workflow {

class KnownImages {
 public:
  KnownImages() : facts_("schemas/catalogue/chart-images.yaml") {}

  // Tags by component (`coredns`, `etcd`, `pause`) of a release such as `v1.35.8`, or of the newest known one before it
  // in the same minor. Null: the minor isn't known.
  const Value* kubeadm(std::string_view release) const;
  struct OfChart {
    std::vector<std::string> images;
    struct Unlisted {
      std::string what, why;
    };
    std::vector<Unlisted> unlisted;  // images whose names depend on more than the chart
  };
  // What a version of a chart needs with these values, which may be Null. Empty: the version isn't known.
  std::optional<OfChart> of_chart(std::string_view chart, std::string_view version, const Value& values) const;

 private:
  BuiltInYaml facts_;
};

}  // namespace capwright::workflow
