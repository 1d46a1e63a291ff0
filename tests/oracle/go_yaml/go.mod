module capwright.dev/tests/go_yaml

go 1.24

require sigs.k8s.io/yaml v1.6.0
