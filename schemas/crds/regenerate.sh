#!/bin/sh
# Regenerates the digests of this folder from the CRDs of providers' releases. REFERENCE has a folder per release, such as
# capo-v0.14.7/, and secrets/ with the CRDs of external-secrets and sealed-secrets. The kinds of kubernetes-v*/ are
# maintained by hand.
set -eu
reference=${1:?usage: schemas/crds/regenerate.sh REFERENCE}
reference=$(cd "$reference" && pwd)
cd "$(dirname "$0")/../.."
capwright=${CAPWRIGHT:-build/release/capwright}

"$capwright" schema add --isolated --to "${DIGESTS:-schemas/crds}" "$reference"/*-v*/ schemas/amended/*/
"$capwright" schema add --isolated --to "${DIGESTS:-schemas/crds}" --release external-secrets-v2.9.0 \
  "$reference/secrets/eso-externalsecrets.yaml"
"$capwright" schema add --isolated --to "${DIGESTS:-schemas/crds}" --release sealed-secrets-v2.18.5 \
  "$reference/secrets/sealedsecrets.yaml"
