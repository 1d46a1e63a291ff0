// Finds the images that a rendered cluster needs: those that its manifests, files of machines and commands name, those
// of its version of Kubernetes, and those of its charts.
#pragma once
#include "pipeline/cluster.h"
#include "report/images_report.h"
#include "workflow/known_images.h"

namespace capwright::workflow {

// `cluster` was compiled with its manifests kept.
report::Images needed_images(const CompiledCluster& cluster, const KnownImages& known);

// Names the images as machines pull them from `registry`, the value of `registries.images`.
void name_pulled(report::Images& images, std::string_view registry);

}  // namespace capwright::workflow
