// The controllers of Argo CD that the laboratory runs, as one binary that acts by its name. The API server and the command
// line are left out: they embed ui/dist, which the module doesn't contain.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	applicationset "github.com/argoproj/argo-cd/v3/cmd/argocd-applicationset-controller/commands"
	cmpserver "github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
	gitaskpass "github.com/argoproj/argo-cd/v3/cmd/argocd-git-ask-pass/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	"github.com/spf13/cobra"
)

func main() {
	commands := map[string]func() *cobra.Command{
		"argocd-application-controller":    controller.NewCommand,
		"argocd-applicationset-controller": applicationset.NewCommand,
		"argocd-cmp-server":                cmpserver.NewCommand,
		"argocd-git-ask-pass":              gitaskpass.NewCommand,
		"argocd-repo-server":               reposerver.NewCommand,
	}
	name := filepath.Base(os.Args[0])
	if other := os.Getenv("ARGOCD_BINARY_NAME"); other != "" { // Git asks `argocd` for the password of a repository
		name = other
	}
	command, known := commands[name]
	if !known {
		fmt.Fprintf(os.Stderr, "unknown name %s\n", name)
		os.Exit(2)
	}
	if command().Execute() != nil {
		os.Exit(1)
	}
}
