#!/usr/bin/env python3
"""The laboratory: real Cluster API controllers and a real Argo CD, without a cloud and without containers.

    e2e.py up|down|status                     start it, stop it and forget its state, or list its processes
    e2e.py run [GROUP] [CASE ...]             stop what runs, and run cases in a new laboratory; without a group all of them:
                                              values, manifests, topology, argocd, portal, adoption
    e2e.py report                             write docs/e2e.md from the last results
"""

import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
SKIPPED = 77
GROUPS = ("values", "manifests", "topology", "argocd", "portal", "adoption")
PROGRAMS = {"etcd": "etcd-server", "redis-server": "redis-server", "git": "git", "openssl": "openssl", "ip": "iproute2",
            "nsenter": "util-linux", "unshare": "util-linux", "go": "golang"}


def missing():
    """Why the laboratory can't run here, or None."""
    if os.environ.get("CAPWRIGHT_E2E_CTEST") and not os.environ.get("CAPWRIGHT_E2E"):
        return "set CAPWRIGHT_E2E=1 to run the laboratory"
    for program, package in PROGRAMS.items():
        if not shutil.which(program):
            return f"`{program}` is missing (package {package})"
    try:
        import yaml  # noqa: F401
    except ImportError:
        return "the Python module `yaml` is missing (package python3-yaml)"
    if os.geteuid() != 0:
        return "only root can create a network namespace"
    return None


def print_rows(rows):
    for row in rows:
        mark = "FAIL" if row["verdict"] == "wrong" or not row["as_expected"] else "ok  "
        print(f"{mark} {row['case']} {row['change']} | plan {row['verdict']}: {row.get('plan')} {row.get('orphans') or ''}"
              f" {row['problems'] or ''} | happened {row.get('happened')} | expected {row.get('expected')}"
              f" {row.get('stuck') or ''}", flush=True)


def run(group, only):
    from lab import argocd, services, truth
    services.start_cluster_api()
    begin = time.time()
    if group in argocd.SOURCES:
        services.start_argocd()
        rows = argocd.run(group, only)
    else:
        rows = truth.run(group, only)
    print_rows(rows)
    wrong = sum(row["verdict"] == "wrong" or not row["as_expected"] for row in rows)
    print(f"{group}: {len(rows)} cases, {wrong} failed, {time.time() - begin:.0f} s", flush=True)
    if not rows:
        return SKIPPED
    return 1 if wrong else 0


def main():
    reason = missing()
    if reason:
        print(f"skipped: {reason}", file=sys.stderr)
        return SKIPPED
    command, *arguments = sys.argv[1:] or ["run"]
    if command not in ("up", "down", "status", "run", "report") or (arguments and arguments[0] not in GROUPS):
        print(__doc__, file=sys.stderr)
        return 2
    if command == "run" and not arguments:  # a laboratory each: 60 idle clusters cost more than a start
        runs = [subprocess.run([sys.executable, "-u", __file__, "run", group], check=False) for group in GROUPS]
        return max(run.returncode for run in runs)
    from lab import places, services
    if command == "report":
        from lab import report
        return report.write()
    if command == "status":
        return services.status() or 0
    if command == "down":
        return services.stop_all() or 0
    if not os.environ.get("CAPWRIGHT_E2E_INSIDE"):
        subprocess.run([places.SOURCE / "build.sh", places.BIN], check=True)
        if command == "run":
            services.stop_all()  # clusters of an earlier run aren't what the cases begin with
    services.enter_namespace()
    if command == "up":
        services.start_cluster_api()
        services.start_argocd()
        print(f"export KUBECONFIG={places.KUBECONFIG}; nsenter -n -t {services.pid_of('namespace')} "
              f"{places.BIN}/kubectl get clusters -A")
        return 0
    return run(arguments[0], arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
