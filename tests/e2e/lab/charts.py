"""Stand-ins for the charts of add-ons, under the names and versions of capwright's catalogue.

A chart has a ConfigMap. Values of `e2e` add a Deployment, which isn't healthy until its status says so since no controller
runs here, or an object that can't be applied."""

import json
import shutil
import subprocess

import yaml

from lab.places import BIN, CAPWRIGHT, CHARTS, RUN

ADDONS = ("cert-manager", "metrics-server", "external-secrets")
FOLDER = RUN / "argocd" / "charts"
TEMPLATE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-marker"}
data: {text: {{ dig "e2e" "text" "none" .Values.AsMap | quote }}}
{{- if dig "e2e" "deployment" false .Values.AsMap }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  replicas: 1
  selector: {matchLabels: {app: x}}
  template: {metadata: {labels: {app: x}}, spec: {containers: [{name: x, image: x}]}}
{{- end }}
{{- if dig "e2e" "broken" false .Values.AsMap }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: Not_A_Name}
{{- end }}
"""


def build():
    """Packages the charts into the folder that the chart server serves."""
    sources = RUN / "argocd" / "chart-sources"
    for addon in ADDONS:
        shown = subprocess.run([CAPWRIGHT, "addons", "show", addon, "-f", "json"], check=True, capture_output=True)
        chart = json.loads(shown.stdout)
        folder = sources / chart["chart"]
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "templates").mkdir(parents=True)
        described = {"apiVersion": "v2", "name": chart["chart"], "version": chart["version"]}
        (folder / "Chart.yaml").write_text(yaml.safe_dump(described))
        (folder / "templates" / "all.yaml").write_text(TEMPLATE)
        subprocess.run([BIN / "helm", "package", "-d", FOLDER, folder], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([BIN / "helm", "repo", "index", FOLDER, "--url", f"http://127.0.0.1:{CHARTS}"], check=True)
