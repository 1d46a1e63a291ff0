//go:build tools

// Package tools keeps the program that the laboratory builds in go.mod. The replacements are Gitea's own.
package tools

import _ "code.gitea.io/gitea"
