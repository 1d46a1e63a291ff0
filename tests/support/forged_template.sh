# Commits a forged earlier generation of a template of prod-a: `$1` are its annotations, `$2` is more text of the manifest.
file=clusters/prod-a/retired-templates.yaml name=prod-a-ingress-$(printf '{"x":"y"}' | sha256sum | cut -c 1-8)
git checkout -qfB forged main
{ printf 'apiVersion: bootstrap.cluster.x-k8s.io/v1beta2\nkind: KubeadmConfigTemplate\nmetadata:\n  name: %s\n' $name
  printf '  namespace: prod-a\n  annotations: {%s}\nspec: {template: {spec: {x: "y"}}}\n%s' "$1" "$2"; } > $file
line=$(printf '{"path": "retired-templates.yaml", "size": %s, "sha256": "%s"},' $(wc -c < $file) $(sha256sum < $file | cut -d ' ' -f 1))
entry=$(printf '{"kind": "KubeadmConfigTemplate", "group": "bootstrap.cluster.x-k8s.io", "name": "%s",' $name)
entry="$entry \"file\": \"retired-templates.yaml\", \"retired\": 1},"
sed -i "s|^  \"files\": \[|&\n    $line|; s|^  \"rotated\": \[|&\n    $entry|" clusters/prod-a/.capwright-index
git add clusters && git commit -qm forged
