"""A further cluster of a rendered fleet takes little memory: its names, and digests for rules about the fleet; of a change
in all clusters, numbers of texts that they share."""

import pathlib
import tempfile

from bounded import Checks, run

EXAMPLE, NETWORK = "prod-a", "10.7.0.0/24"
OLD_FLAVOR, NEW_FLAVOR = "m1.2xlarge", "m1.4xlarge"
FEW, MANY = 200, 1400
# Bytes for each further cluster, about three times what it takes. A cluster that stays in memory takes 87,000.
MOST = {"render": 4500, "render --check": 2000, "lint": 3000, "diff": 2000, "plan": 2000}
UNUSED_PATCH = "\npatches: [{target: {kind: Application, name: none}, patch: {metadata: {labels: {a: b}}}}]\n"
# A cluster with a warning also leaves its values file, which reports show, and the warning with its texts.
WITH_WARNINGS, MOST_WITH_WARNINGS = "render with warnings", 15000
# The same after a change of all clusters, in every form.
MOST_CHANGED = {"diff": 3000, "diff -f json": 3000, "diff --by cluster": 3000, "plan": 3000, "plan -f json": 3000,
                "plan --by cluster": 3000}


def usage(root, clusters, check):
    folder = pathlib.Path(root) / str(clusters)
    run("init", str(folder), cwd=root)
    example = (folder / "values" / f"{EXAMPLE}.yaml").read_text()
    for number in range(clusters):
        text = example.replace(EXAMPLE, f"c{number}").replace(NETWORK, f"10.{16 + number // 250}.{number % 250}.0/24")
        (folder / "values" / f"c{number}.yaml").write_text(text)
    used = {}
    for command in MOST:
        used[command] = run(*command.split(), "-q", "-j", "2", cwd=folder)
        check(used[command].code == 0, f"{command} of {clusters} clusters passes", used[command])
    for values in (folder / "values").glob("c*.yaml"):
        values.write_text(values.read_text() + UNUSED_PATCH)
    used[WITH_WARNINGS] = run("render", "-q", "-j", "2", cwd=folder, drops_output=True)
    check("K502" in used[WITH_WARNINGS].err, "each cluster has a warning", used[WITH_WARNINGS])
    for values in (folder / "values").glob("c*.yaml"):
        values.write_text(values.read_text().removesuffix(UNUSED_PATCH))
    for values in (folder / "values").glob("c*.yaml"):
        values.write_text(values.read_text().replace(OLD_FLAVOR, NEW_FLAVOR))
    for command in MOST_CHANGED:
        used[command] = run(*command.split(), "-q", "-j", "2", cwd=folder, drops_output=True)
        check(used[command].code in (0, 1), f"{command} of {clusters} changed clusters passes", used[command])
    return used


def main():
    check = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        few, many = usage(scratch, FEW, check), usage(scratch, MANY, check)
    for command, most in (MOST | MOST_CHANGED | {WITH_WARNINGS: MOST_WITH_WARNINGS}).items():
        each = (many[command].memory - few[command].memory) / (MANY - FEW)
        check(each < most, f"{command} takes {each:.0f} bytes for each further cluster, not {most}", many[command])
    check.finish(f"{MANY} clusters take little more memory than {FEW}")


main()
