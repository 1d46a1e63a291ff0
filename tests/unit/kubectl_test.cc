// Commands that people copy into a shell.
#include "text/kubectl.h"

#include <catch2/catch.hpp>

namespace capwright {
namespace {

TEST_CASE("names of an API server need no quotes", "[kubectl]") {
  CHECK(kubectl_delete("cluster.x-k8s.io", "MachineDeployment", "a-batch", "a") ==
        "kubectl delete machinedeployment.cluster.x-k8s.io a-batch -n a");
  CHECK(kubectl_delete("", "Secret", "a", "") == "kubectl delete secret a");
  CHECK(kubectl_delete_selected("argoproj.io", "Application", "cluster.x-k8s.io/cluster-name=a", "argocd") ==
        "kubectl delete application.argoproj.io -l cluster.x-k8s.io/cluster-name=a -n argocd");
}

TEST_CASE("a name isn't taken as an option", "[kubectl]") {
  CHECK(kubectl_delete("", "Secret", "--all", "a") == "kubectl delete secret -n a -- '--all'");
}

TEST_CASE("other texts are one word of a shell", "[kubectl]") {
  CHECK(shell_word("a; reboot") == "'a; reboot'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("a=b,c!=d") == "'a=b,c!=d'");
  CHECK(shell_word("--all") == "'--all'");
  CHECK(shell_word("=ls") == "'=ls'");
  CHECK(shell_word("").size() == 2);
}

}  // namespace
}  // namespace capwright
