"""What the tests of publishing expect of a run, and how their cases are run."""

import os
import subprocess
import sys

from site_of_fleet import Site


# How often a run is killed: at as many moments of it.
KILLS = {"few": 4, "all": 24}.get(os.environ.get("CAPWRIGHT_EFFORT"), 8)


def ends(done, code, *words):
    text = done.stdout + done.stderr
    assert done.returncode == code, f"exit code {done.returncode}, not {code}:\n{text}"
    for word in words:
        assert word in text, f"`{word}` is missing:\n{text}"
    assert "top-secret" not in text, f"a password is shown:\n{text}"
    return text


def one_fault(done, code, *words):
    text = ends(done, 2, f"error[{code}]", *words)
    assert text.count("error[") == 1, f"more than one fault:\n{text}"
    return text


def finishes(site, source, *arguments):
    """The next run publishes what the last one couldn't."""
    ends(site.publish(*arguments), 0)
    assert site.git("rev-parse", "main^", at=site.bare) == source
    assert not site.there("refs/capwright/lock/main") and not site.there("capwright-lock/main"), "the lock is still there"
    site.check_whole()


def run_cases(names):
    """Each `test_…` of the names, on a site of its own; those with one of the words of the command line."""
    words = sys.argv[1:]
    cases = [(name, case) for name, case in names.items()
             if name.startswith("test_") and (not words or any(word in name for word in words))]
    failed = 0
    for name, case in cases:
        site = Site()
        try:
            print(f"{name}: {case(site)}", flush=True)
        except (AssertionError, subprocess.SubprocessError) as fault:
            failed += 1
            print(f"FAILED {name}: {fault}", flush=True)
        finally:
            site.close()
    print(f"{len(cases)} cases, {failed} failed")
    sys.exit(1 if failed or not cases else 0)
