// Texts of manifests that Argo CD and Kubernetes clients read differently from YAML. An object that only one of them
// sees could be hidden from a check, or from the cluster.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace capwright {

struct ReaderGap {
  std::size_t begin, end;
  std::string_view what;  // "text after `---`"
};

// A place where Kubernetes clients separate documents and YAML doesn't, or the other way round. Clients cut a text at
// lines that consist of `---`, Unicode spaces and a comment, and read the first document of each part.
std::optional<ReaderGap> reader_gap(std::string_view text);

// Argo CD skips a file with this text anywhere in it, and deletes its objects as if they had left Git.
constexpr std::string_view kSkipMarker = "+argocd:skip-file-rendering";

// Whether the file is `values.yaml`, which holds chart values. Argo CD doesn't read it as manifests.
bool is_chart_values(std::string_view path);
bool is_skipped_by_argo(std::string_view path, std::string_view text);

}  // namespace capwright
