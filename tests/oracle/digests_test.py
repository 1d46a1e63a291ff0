"""The built-in digests equal those of the reference's CRDs, byte for byte, for the releases that the reference has.

Usage: digests_test.py     environment: CAPWRIGHT names the program, CAPWRIGHT_SHARED the reference
Exit code 77 and a reason if the reference is missing.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DIGESTS = HERE.parents[1] / "schemas" / "crds"


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*-v*/*")}


def main():
    crds = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", HERE.parents[2] / "shared")) / "crds"
    if not crds.is_dir():
        print("skipped: the CRDs of the reference are not there")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        environment = dict(os.environ, DIGESTS=scratch, CAPWRIGHT=str(pathlib.Path(os.environ["CAPWRIGHT"]).resolve()))
        subprocess.run([str(DIGESTS / "regenerate.sh"), str(crds)], check=True, env=environment,
                       stderr=subprocess.DEVNULL)
        fresh = files_below(pathlib.Path(scratch))
    releases = {name.split("/")[0] for name in fresh}
    kept = {name: text for name, text in files_below(DIGESTS).items() if name.split("/")[0] in releases}
    differing = sorted(name for name in fresh.keys() | kept.keys() if fresh.get(name) != kept.get(name))
    for name in differing:
        print(f"{name}: " + ("is missing" if name not in kept else "is no longer made" if name not in fresh else "differs"))
    print(f"{len(fresh)} files of {len(releases)} releases")
    sys.exit(1 if differing else 0)


main()
