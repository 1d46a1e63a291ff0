module capwright.example.com/e2e/helm

go 1.26.0

require helm.sh/helm/v3 v3.19.0 // indirect
