// Command kustomize_patches builds kustomizations with kustomize itself, in memory.
//
// Each line of standard input is a JSON object of file names and texts, one of which is kustomization.yaml. The answer
// is one line: {"objects": [...]} or {"error": "..."}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

type answer struct {
	Objects []json.RawMessage `json:"objects,omitempty"`
	Error   string            `json:"error,omitempty"`
}

func build(files map[string]string) (result answer) {
	defer func() {
		if fault := recover(); fault != nil {
			result = answer{Error: fmt.Sprint("panic: ", fault)}
		}
	}()
	fs := filesys.MakeFsInMemory()
	for name, text := range files {
		if err := fs.WriteFile("/app/"+name, []byte(text)); err != nil {
			return answer{Error: err.Error()}
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, "/app")
	if err != nil {
		return answer{Error: err.Error()}
	}
	result.Objects = []json.RawMessage{}
	for _, object := range built.Resources() {
		text, err := object.MarshalJSON()
		if err != nil {
			return answer{Error: err.Error()}
		}
		result.Objects = append(result.Objects, text)
	}
	return result
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var files map[string]string
		if err := json.Unmarshal(lines.Bytes(), &files); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		line, _ := json.Marshal(build(files))
		out.Write(append(line, '\n'))
	}
}
