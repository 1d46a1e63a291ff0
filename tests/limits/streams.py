"""Streams of manifests that are never in memory as a whole: written document by document."""

# Most objects of a tree are small. Every thousandth has an error.
POOL = """apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: pool-{number}
spec:
  clusterName: prod
  replicas: {replicas}
  template:
    spec:
      clusterName: prod
      version: v1.35.8
      deletion: {{nodeDrainTimeoutSeconds: 600}}
      bootstrap:
        configRef: {{apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: workers}}
      infrastructureRef: {{apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackMachineTemplate, name: workers}}
"""
BULK = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: bulk-{number}}}\ndata:\n  text: |\n{lines}"
BULK_LINES = "    --- this line is text, as it is indented\n" * 4000
EVERY = 1000


def pools(size, write):
    """At least `size` bytes; returns the number of documents, and the lines of the errors."""
    written = number = line = 0
    mistakes = []
    while written < size:
        wrong = number % EVERY == 0
        text = ("---\n" if number else "") + POOL.format(number=number, replicas=-1 if wrong else 3)
        if wrong:
            mistakes.append(line + text[:text.index("replicas")].count("\n") + 1)
        write(text)
        written += len(text)
        line += text.count("\n")
        number += 1
    return number, mistakes


def bulk(size, write, document=None):
    """Large documents with a small invalid one (or `document`) after every hundredth and at the end, so that reading is
    most of the work; returns the lines of the invalid ones."""
    written = number = line = 0
    mistakes = []
    while True:
        last = written >= size
        if number % 100 == 99 or last:
            text = "---\n" + (document or POOL.format(number=number, replicas=-1))
            mistakes.append(line + (text[:text.index("replicas")].count("\n") if "replicas" in text else 1) + 1)
        else:
            text = "---\n" + BULK.format(number=number, lines=BULK_LINES)
        write(text)
        written += len(text)
        line += text.count("\n")
        number += 1
        if last:
            return number, mistakes
