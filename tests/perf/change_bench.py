"""What comparing a fleet with a revision costs, and committing it, beside what Git itself takes."""

import os
import shutil
import subprocess

from measure import interleaved

PLAIN = ("--template-dir", "jinja", "--main", "cluster.j2", "--schema", "schema.json",
         "--jinja", "trim_blocks,lstrip_blocks,keep_trailing_newline")
TEMPLATE, BEFORE, AFTER = "application.j2", "selfHeal: true", "selfHeal: false"  # a line that every cluster has
# Names, and no configuration of this machine's user.
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
       **{f"GIT_{who}_{what}": text for who in ("AUTHOR", "COMMITTER")
          for what, text in (("NAME", "Somebody"), ("EMAIL", "somebody@example.com"))}}
# One process a folder for `mktree`, which makes one tree: what a script would do with Git's own tools.
COMMIT_BY_GIT = r"""
cd "$1" && find clusters -type f | LC_ALL=C sort > ../paths
git hash-object -w --stdin-paths < ../paths > ../ids
git update-index --index-info < <(paste -d '\t' <(sed 's/^/100644 /' ../ids) ../paths) 2>/dev/null
git commit-tree "$(git write-tree)" -p HEAD -m "Files of a folder"
"""


class ChangeBench:
    """Part of a Bench: it measures with its fleet, its tree and its rows."""

    def __init__(self, bench, shared):
        self.bench, self.shared = bench, shared
        self.repository = bench.scratch / "repository"

    def measure(self):
        if shutil.which("git") is None:
            self.bench.notes.append("No `git`: no figures of changes.")
            return
        self.program, self.developer = self.bench.capwright, self.bench.capwright.with_name("capwright-dev")
        self.prepare()
        self.measure_template()
        self.measure_values()
        self.measure_commit()

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.repository, check=True, capture_output=True,
                       env=os.environ | GIT)

    def prepare(self):
        """Two commits: the fleet with its tree, then one line of the template for all of them."""
        shutil.copytree(self.bench.values, self.repository / "values")
        shutil.copytree(self.bench.tree / "clusters", self.repository / "clusters")
        shutil.copytree(self.shared / "bench" / "jinja", self.repository / "jinja")
        shutil.copy(self.shared / "bench" / "schema.json", self.repository)
        (self.repository / "capwright.yaml").write_text("values: [values]\n")
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "The fleet")
        template = self.repository / "jinja" / TEMPLATE
        template.write_text(template.read_text().replace(BEFORE, AFTER, 1))
        self.git("commit", "-q", "-a", "-m", "No healing")

    def command(self, *what):
        return ["env", "-C", self.repository, self.program, *what, *PLAIN]

    def measure_template(self):
        bench = self.bench
        render = ["env", "-C", self.repository, self.program, "render", "-q", "-j", 2, *PLAIN, "-o"]
        programs = {
            "render of all": lambda: bench.fresh(lambda out: [*render, out]),
            "diff --base": lambda: bench.run(self.command("diff", "--base", "HEAD~1", "--exit-zero", "-j", 2)),
            "plan --base": lambda: bench.run(self.command("plan", "--base", "HEAD~1", "-j", 2)),
        }
        costs = interleaved(bench.rounds, programs)
        bench.costs |= costs
        what = f"{bench.clusters:,} clusters, one line of a template"
        bench.compare(f"{what}: `diff --base HEAD~1`, wall", costs["diff --base"].wall, costs["render of all"].wall, 2.5,
                      "a fresh render's")
        bench.compare(f"{what}: `plan --base HEAD~1`, wall", costs["plan --base"].wall, costs["diff --base"].wall, 1.2,
                      "diff's")

    def measure_values(self):
        """One values file differs from the commit; `git status` has to look at all files for that."""
        bench = self.bench
        self.git("reset", "-q", "--hard", "HEAD")
        values = sorted((self.repository / "values").iterdir())[0]
        values.write_text(values.read_text() + "\n")
        programs = {
            "git status": lambda: bench.run(["git", "-C", self.repository, "status", "--porcelain"]),
            "diff --base, one values file": lambda: bench.run(
                self.command("diff", "--base", "HEAD", "--exit-zero", "-j", 2)),
        }
        costs = interleaved(bench.rounds, programs)
        bench.costs |= costs
        bench.compare(f"{bench.clusters:,} clusters, one values file: `diff --base HEAD`, wall",
                      costs["diff --base, one values file"].wall, costs["git status"].wall, 1.0, "`git status`'s")

    def measure_commit(self):
        """Both begin with a repository that has nothing of the tree."""
        bench = self.bench
        empty = bench.scratch / "empty"
        empty.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=empty, check=True)
        subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "Nothing"], cwd=empty, check=True,
                       env=os.environ | GIT)
        shutil.copytree(self.bench.tree / "clusters", empty / "clusters")

        def in_copy(command):
            copy = bench.scratch / "commit" / "copy"
            copy.parent.mkdir()
            shutil.copytree(empty, copy)
            cost = bench.run(command(copy), **GIT)
            shutil.rmtree(copy.parent)
            return cost

        programs = {
            "commit of the tree": lambda: in_copy(
                lambda copy: ["env", "-C", copy, self.developer, "git", "commit", "clusters"]),
            "commit by Git's tools": lambda: in_copy(lambda copy: ["bash", "-c", COMMIT_BY_GIT, "bash", copy]),
        }
        costs = interleaved(bench.rounds, programs)
        bench.costs |= costs
        bench.compare("commit of 13 files a cluster, without the index: wall", costs["commit of the tree"].wall,
                      costs["commit by Git's tools"].wall, 1.0, "Git's own tools'")
