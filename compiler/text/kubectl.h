// kubectl commands that reports print for people to run. Names may come from hostile manifests, so every word is quoted
// as a shell needs it.
#pragma once
#include <string>
#include <string_view>

namespace capwright {

// A text that a shell reads as one word. Names that an API server accepts need no quotes.
std::string shell_word(std::string_view text);

// "machinedeployment.cluster.x-k8s.io"; "secret" of the core group.
std::string kubectl_resource(std::string_view group, std::string_view kind);

// "kubectl delete machinedeployment.cluster.x-k8s.io a-batch -n a"; without `-n` if `space` is empty.
std::string kubectl_delete(std::string_view group, std::string_view kind, std::string_view name,
                           std::string_view space);

// "kubectl delete application.argoproj.io -l tier=web -n argocd".
std::string kubectl_delete_selected(std::string_view group, std::string_view kind, std::string_view selector,
                                    std::string_view space);

// A command of a catalogue with the object in its holes `{resource}`, `{name}` and `{namespace}`; without `-n` if
// `space` is empty. Other braces stay.
std::string kubectl_filled(std::string_view pattern, std::string_view group, std::string_view kind,
                           std::string_view name, std::string_view space);

}  // namespace capwright
