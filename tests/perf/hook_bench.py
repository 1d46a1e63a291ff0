"""What the hooks of packaging/pre-commit cost if one values file of the fleet is in the commit."""

import shutil

from measure import interleaved

CONFIGURATION = """\
template:
  dir: jinja
  main: cluster.j2
  schema: schema.json
  jinja: {trim_blocks: true, lstrip_blocks: true, keep_trailing_newline: true}
"""
MOST = 0.050  # seconds that a developer doesn't notice


class HookBench:
    """Part of a Bench: it measures with its fleet and its rows."""

    def __init__(self, bench, shared):
        self.bench, self.shared = bench, shared
        self.repository = bench.scratch / "hooks"

    def measure(self):
        bench = self.bench
        shutil.copytree(bench.values, self.repository / "values")
        shutil.copytree(self.shared / "bench" / "jinja", self.repository / "jinja")
        shutil.copy(self.shared / "bench" / "schema.json", self.repository)
        (self.repository / "capwright.yaml").write_text(CONFIGURATION)
        case = self.repository / "golden" / "fleet" / "one"
        case.mkdir(parents=True)
        file = sorted((self.repository / "values").iterdir())[0]
        shutil.copy(file, case / "values.yaml")
        bench.run(self.command("test", "--update", "--force", "-q"))
        bench.run(self.command("fmt", "-q"))
        file.write_text(file.read_text() + "# changed\n")
        bench.run(self.command("render", "-q"))
        one = file.relative_to(self.repository)
        hooks = {
            "fmt": ("fmt", one),
            "lint-values": ("lint", "--exit-zero", one),
            "render-check-values": ("render", "--check", one),
            "test": ("test",),
            "lint": ("lint", "--exit-zero"),
            "render-check": ("render", "--check"),
        }
        costs = interleaved(bench.rounds, {name: lambda words=words: bench.run(self.command(*words))
                                           for name, words in hooks.items()})
        for name, cost in costs.items():
            measured = f"{cost.wall * 1e3:.1f} ms, {cost.cpu * 1e3:.1f} ms of CPU"
            what = f"{bench.clusters:,} clusters, one values file: hook `capwright-{name}`, wall"
            if name in ("lint", "render-check"):
                bench.row(what, "none: it checks all clusters", measured, None)
            else:
                bench.row(what, f"<= {MOST * 1e3:.0f} ms", measured, cost.wall <= MOST)

    def command(self, *words):
        return ["env", "-C", self.repository, self.bench.capwright, *words]
