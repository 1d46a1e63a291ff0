"""`kill -9` in every step of a deployment: the next run resumes at that step, and repeats no completed one."""

import os
import signal
import time

from site_of_cluster import CALLS, ends, run_cases

STEPS = {"tofu init": "opentofu-init", "tofu plan": "opentofu-plan", "tofu apply": "opentofu-apply", "python3 -m": "venv-create",
         "pip install": "pip-install", "ansible-playbook --inventory": "ansible-playbook", "kubectl nodes": "readiness"}


def check_resumed(site, call, moment):
    """A new site is killed in a call, then deployed to the end."""
    site.behaves(call, {"kill": moment})
    killed = site.deploy("--yes")
    assert killed.returncode == -signal.SIGKILL, f"{call}: ended with {killed.returncode}\n{killed.stderr}"
    assert site.results()[STEPS[call]] == "running", site.results()
    # A program that lives on for a moment keeps the lock, as it should.
    deadline = time.monotonic() + 10
    site.behaves(call, {})
    while True:
        done = site.deploy("--yes")
        if "G309" not in done.stderr or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    ends(done, 0, f"resumes at {STEPS[call]}, which was killed")
    # The plan isn't repeated for its own sake: an apply needs one of its run.
    expected = CALLS.copy()
    if call in CALLS:
        expected.insert(CALLS.index(call) + 1, call)
    if call == "tofu apply":
        expected.insert(CALLS.index(call) + 1, "tofu plan")
    assert site.changes() == expected, f"killed {moment} the work of `{call}`: {site.changes()}"
    assert set(site.results().values()) == {"done"}, site.results()
    assert site.state()["finished"]
    assert oct(site.kubeconfig().stat().st_mode & 0o777) == "0o600"


def restart(site):
    site.close()
    site.__init__()


def test_kill_in_each_step(site):
    count = 0
    for call in STEPS:
        for moment in ("before", "after"):
            check_resumed(site, call, moment)
            count += 1
            restart(site)
    return f"{count} kills"


def test_kill_at_any_time(site):
    """The whole process at moments of a whole run, whatever it does then."""
    began = time.monotonic()
    ends(site.deploy("--yes"), 0)
    whole = time.monotonic() - began
    moments = {"few": 6, "all": 60}.get(os.environ.get("CAPWRIGHT_EFFORT"), 16)
    repeated = 0
    for moment in range(moments):
        restart(site)
        process = site.start("--yes")
        time.sleep(whole * moment / moments)
        process.kill()
        process.communicate()
        before = site.results() if (site.state_folder / "state.json").exists() else {}
        done_before = [call for call, step in STEPS.items() if before.get(step) == "done"]
        site.forget_calls_when_idle()
        ends(site.deploy("--yes"), 0)
        again = [call for call in site.changes() if call in done_before]
        allowed = ["tofu plan"] if before.get("opentofu-apply") != "done" else []
        finished = bool(before) and all(result == "done" for result in before.values()) and "readiness" in before
        assert finished or [call for call in again if call not in allowed] == [], f"repeated {again} after {before}"
        repeated += len(again)
        assert set(site.results().values()) == {"done"}
    return f"{moments} kills, {repeated} plans repeated"


run_cases(globals())
