// Reads YAML as kubectl and Helm do: a JSON string a line in, a line out, {"json": …} or {"error": "…"}.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			answers.Encode(map[string]string{"error": "no JSON string: " + err.Error()})
			continue
		}
		read, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			answers.Encode(map[string]string{"error": err.Error()})
			continue
		}
		answers.Encode(map[string]json.RawMessage{"json": read})
	}
}
