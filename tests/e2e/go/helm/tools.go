//go:build tools

// Package tools keeps the program that the laboratory builds in go.mod.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
