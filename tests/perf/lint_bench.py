"""What linting costs, beside kubeconform and kubectl-validate: neither says lines, and kubeconform knows no CEL."""

import shutil

from measure import interleaved

# The fleet's objects are of this CAPO release; the CRDs of the others are the only ones there are.
CRDS = ("argocd-v*", "capi-v*", "capi-kubeadm-v*", "capo-v0.15.0-beta.0")
TARGETS = "targets: {capo: '0.15'}\n"
VALIDATORS = ("kubeconform", "kubectl-validate")


class LintBench:
    """Part of a Bench: it measures with its fleet, its tree and its rows."""

    def __init__(self, bench, shared, program):
        self.bench, self.shared = bench, shared
        self.validators = {name: program(name) for name in VALIDATORS}
        self.config = bench.scratch / "capwright.yaml"

    def measure(self):
        self.config.write_text(TARGETS)
        missing = [name for name, path in self.validators.items() if path is None]
        if missing:
            self.bench.notes.append(f"Not installed, hence not measured: {', '.join(missing)}.")
        if self.validators["kubeconform"] or self.validators["kubectl-validate"]:
            self.make_schemas()
        self.measure_fleet()
        self.measure_one_cluster()

    def make_schemas(self):
        self.crds, self.schemas = self.bench.scratch / "crds", self.bench.scratch / "schemas"
        self.crds.mkdir()
        for pattern in CRDS:
            for folder in sorted((self.shared / "crds").glob(pattern)):
                for crd in folder.glob("*.yaml"):
                    shutil.copy(crd, self.crds / f"{folder.name}-{crd.name}")
        self.bench.run(["python3", self.shared / "bench" / "crd2schema.py", self.crds, self.schemas])

    def lint(self, *what):
        return [self.bench.capwright, "lint", "--config", self.config, "--exit-zero", "-q", "-f", "concise", *what]

    def rendered(self, files):
        folder = self.shared / "bench"
        return self.lint("--template-dir", folder / "jinja", "--main", "cluster.j2", "--schema", folder / "schema.json",
                         "--jinja", "trim_blocks,lstrip_blocks,keep_trailing_newline", "-j", 2, *files)

    def kubeconform(self, tree):
        return [self.validators["kubeconform"], "-strict", "-ignore-filename-pattern", r"/values\.yaml$",
                "-schema-location", f"{self.schemas}/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json", tree]

    def kubectl_validate(self, files):
        return [self.validators["kubectl-validate"], "--version", "1.30", "--local-crds", self.crds, *files]

    def manifests(self):
        clusters = self.bench.tree / "clusters"
        return sorted(path for path in clusters.rglob("*.yaml") if path.name != "values.yaml")

    def measure_fleet(self):
        bench, tree = self.bench, self.bench.tree / "clusters"
        programs = {
            "lint the tree": lambda: bench.run(self.lint("-j", 2, tree)),
            "render and lint": lambda: bench.run(self.rendered(bench.files)),
        }
        if self.validators["kubeconform"]:
            programs["kubeconform"] = lambda: bench.run(self.kubeconform(tree))
        costs = interleaved(bench.rounds, programs)
        if self.validators["kubectl-validate"]:  # a minute, so only once
            costs["kubectl-validate"] = bench.run(self.kubectl_validate(self.manifests()))
        bench.costs |= costs
        fleet = f"{bench.clusters:,} clusters"
        for name in ("lint the tree", "render and lint"):
            if "kubeconform" in costs:
                # The other tool is handed what is rendered already.
                most = 1 / 5 if name == "lint the tree" else None
                bench.compare(f"{fleet}, {name}: CPU", costs[name].cpu, costs["kubeconform"].cpu, most, "kubeconform's")
            if "kubectl-validate" in costs:
                bench.compare(f"{fleet}, {name}: CPU", costs[name].cpu, costs["kubectl-validate"].cpu, 1 / 60,
                              "kubectl-validate's")
            bench.row(f"{fleet}, {name}: peak memory", "<= 80 MB", f"{costs[name].peak:.1f} MB", costs[name].peak <= 80)

    def measure_one_cluster(self):
        bench = self.bench
        one, folder = bench.files[0], sorted((bench.tree / "clusters").iterdir())[0]
        programs = {"capwright": lambda: bench.run(self.rendered([one]))}
        if self.validators["kubeconform"]:
            programs["kubeconform"] = lambda: bench.run(self.kubeconform(folder))
        costs = interleaved(bench.rounds, programs)
        bench.costs |= {f"render and lint one cluster: {name}": cost for name, cost in costs.items()}
        if "kubeconform" in costs:
            bench.compare("render and lint one cluster: wall", costs["capwright"].wall, costs["kubeconform"].wall, 1 / 10,
                          "kubeconform's of its files")
