"""Starts and stops the laboratory: one process a service, a pid file each, all in one network namespace."""

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import yaml

from lab import crds, places
from lab.places import API, BIN, CHARTS, DOCKER, ETCD, GIT, KUBECONFIG, REDIS, RUN, SOURCE, STATE

CERTIFICATES = RUN / "certificates"
ARGO = RUN / "argocd"
GATES = "MachinePool=true,ClusterTopology=true,PriorityQueue=true,ReconcilerRateLimiting=true"
MANAGERS = {  # name: (webhook port, feature gates)
    "core": (9443, GATES + ",MachineSetPreflightChecks=true"),
    "kubeadm-bootstrap": (9444, "MachinePool=true,KubeadmBootstrapFormatIgnition=true,PriorityQueue=true"),
    "kubeadm-control-plane": (9445, "ClusterTopology=true,KubeadmBootstrapFormatIgnition=true,PriorityQueue=true"),
    "capd": (9446, GATES),
}


def pid_of(name):
    try:
        pid = int((RUN / f"{name}.pid").read_text())
        os.kill(pid, 0)
        return pid
    except (OSError, ValueError):
        return None


def start(name, *command, env=None, cwd=None):
    if pid_of(name):
        return
    with open(RUN / f"{name}.log", "ab") as log:
        process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True, env=dict(os.environ, **(env or {})), cwd=cwd)
    keep_pid(name, process)


def keep_pid(name, process):
    """`down` stops it."""
    (RUN / f"{name}.pid").write_text(str(process.pid))


def stop(name):
    pid = pid_of(name)
    if pid:
        os.kill(pid, signal.SIGTERM)
        for _ in range(50):
            if not pid_of(name):
                break
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass
            time.sleep(0.1)
        else:
            os.kill(pid, signal.SIGKILL)  # the cmp-server ignores SIGTERM
    (RUN / f"{name}.pid").unlink(missing_ok=True)


def wait_until(what, check, seconds=90):
    end = time.time() + seconds
    while time.time() < end:
        try:
            if check():
                return
        except OSError:
            pass
        time.sleep(0.3)
    sys.exit(f"error: {what} isn't ready after {seconds} s; see {RUN}/{what}.log")


def answers(url):
    return lambda: urllib.request.urlopen(url, timeout=2).status == 200


def kubectl(*arguments, data=None, check=True):
    run = subprocess.run([str(BIN / "kubectl"), "--kubeconfig", str(KUBECONFIG), *arguments], input=data, text=True,
                         check=False, capture_output=True)
    if check and run.returncode != 0:
        sys.exit(f"error: kubectl {' '.join(arguments)}: {run.stderr.strip()}")
    return run.stdout


def enter_namespace():
    """Runs this program again inside the laboratory's network namespace, which has a loopback and nothing else."""
    if os.environ.get("CAPWRIGHT_E2E_INSIDE"):
        return
    RUN.mkdir(parents=True, exist_ok=True)
    # kube-apiserver refuses a loopback address as the one it advertises, so the loopback gets a second one.
    start("namespace", "unshare", "-n", "sh", "-c",
          "ip link set lo up; ip addr add 10.99.0.1/24 dev lo; exec sleep 1000000")
    pid = pid_of("namespace")
    ours = os.readlink("/proc/self/ns/net")
    wait_until("namespace", lambda: os.readlink(f"/proc/{pid}/ns/net") != ours)
    time.sleep(0.3)
    os.environ["CAPWRIGHT_E2E_INSIDE"] = "1"
    os.execvp("nsenter", ["nsenter", "-n", "-t", str(pid), sys.executable, *sys.argv])


def write_credentials():
    CERTIFICATES.mkdir(parents=True, exist_ok=True)
    if (CERTIFICATES / "tls.crt").exists():
        return
    quiet = {"check": True, "capture_output": True}
    subprocess.run(["openssl", "genrsa", "-out", CERTIFICATES / "sa.key", "2048"], **quiet)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", CERTIFICATES / "tls.key",
                    "-out", CERTIFICATES / "tls.crt", "-days", "30", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1"], **quiet)
    (CERTIFICATES / "tokens.csv").write_text("e2e,admin,1,system:masters\n")
    KUBECONFIG.write_text(yaml.safe_dump({
        "apiVersion": "v1", "kind": "Config", "current-context": "e2e",
        "clusters": [{"name": "e2e", "cluster": {"server": f"https://127.0.0.1:{API}", "insecure-skip-tls-verify": True}}],
        "users": [{"name": "e2e", "user": {"token": "e2e"}}],
        "contexts": [{"name": "e2e", "context": {"cluster": "e2e", "user": "e2e"}}]}))


def start_kubernetes():
    start("etcd", "etcd", "--data-dir", RUN / "etcd", "--unsafe-no-fsync",
          f"--listen-client-urls=http://127.0.0.1:{ETCD}", f"--advertise-client-urls=http://127.0.0.1:{ETCD}")
    wait_until("etcd", answers(f"http://127.0.0.1:{ETCD}/health"))
    start("kube-apiserver", BIN / "kube-apiserver", f"--etcd-servers=http://127.0.0.1:{ETCD}", "--bind-address=127.0.0.1",
          f"--secure-port={API}", f"--cert-dir={CERTIFICATES}/api", f"--service-account-key-file={CERTIFICATES}/sa.key",
          f"--service-account-signing-key-file={CERTIFICATES}/sa.key", "--service-account-issuer=https://e2e.invalid",
          "--service-cluster-ip-range=10.0.0.0/24", "--authorization-mode=AlwaysAllow",
          f"--token-auth-file={CERTIFICATES}/tokens.csv", "--disable-admission-plugins=ServiceAccount",
          "--endpoint-reconciler-type=none", "--advertise-address=10.99.0.1",
          env={"GOGC": "300", "GOMEMLIMIT": "4GiB"})  # by default the collector takes a quarter of its time
    wait_until("kube-apiserver", lambda: "ok" in kubectl("get", "--raw", "/readyz", check=False))
    # The garbage collector is the controller that decides how deletions end.
    start("kube-controller-manager", BIN / "kube-controller-manager", f"--kubeconfig={KUBECONFIG}",
          "--controllers=garbage-collector-controller,namespace-controller", "--leader-elect=false",
          "--bind-address=127.0.0.1", "--secure-port=10257")


def start_managers():
    start("docker", sys.executable, SOURCE / "lab" / "docker_stub.py", DOCKER)
    env = {"DOCKER_HOST": f"tcp://127.0.0.1:{DOCKER}", "POD_NAMESPACE": "capi-system", "POD_NAME": "e2e",
           "POD_UID": "00000000-0000-0000-0000-000000000000", "POD_IP": "127.0.0.1"}
    for index, (name, (port, gates)) in enumerate(MANAGERS.items()):
        start(f"capi-{name}", BIN / f"capi-{name}", f"--kubeconfig={KUBECONFIG}", f"--feature-gates={gates}",
              f"--diagnostics-address=127.0.0.1:{9553 + index}", "--insecure-diagnostics",
              f"--health-addr=127.0.0.1:{9563 + index}", f"--webhook-port={port}",
              f"--webhook-cert-dir={CERTIFICATES}", env=env)
    for index, name in enumerate(MANAGERS):
        wait_until(f"capi-{name}", answers(f"http://127.0.0.1:{9563 + index}/readyz"))


def start_cluster_api():
    if all(pid_of(f"capi-{name}") for name in MANAGERS):
        return
    write_credentials()
    start_kubernetes()
    definitions, webhooks = crds.install_files(CERTIFICATES / "tls.crt")
    kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", data=yaml.safe_dump_all(definitions))
    kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s")
    kubectl("create", "namespace", "capi-system", check=False)
    start_managers()
    kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", data=yaml.safe_dump_all(webhooks))


def start_argocd():
    for name in ("tls", "ssh", "gpg", "plugins", "cmp", "tmp", "charts", "repositories"):
        (ARGO / name).mkdir(parents=True, exist_ok=True)
    module = places.pathlib.Path(places.module("argo-cd", "github.com/argoproj/argo-cd/v3", "{{.Dir}}"))
    shutil.copy(module / "hack" / "git-verify-wrapper.sh", BIN)
    (BIN / "git-verify-wrapper.sh").chmod(0o755)
    (BIN / "capwright").unlink(missing_ok=True)
    (BIN / "capwright").symlink_to(places.CAPWRIGHT)
    kubectl("create", "namespace", "argocd", check=False)
    for name in ("application", "applicationset", "appproject"):
        kubectl("apply", "--server-side", "--force-conflicts", "-f", str(module / f"manifests/crds/{name}-crd.yaml"))
    wait_until("argocd", lambda: "appprojects" in kubectl("get", "--raw", "/apis/argoproj.io/v1alpha1", check=False))
    kubectl("apply", "-f", str(SOURCE / "lab" / "argocd.yaml"))
    plugin = subprocess.run([places.CAPWRIGHT, "argocd", "plugin"], check=True, capture_output=True, text=True).stdout
    (ARGO / "cmp" / "plugin.yaml").write_text(plugin)
    env = {"PATH": f"{BIN}:{os.environ['PATH']}", "KUBECONFIG": str(KUBECONFIG), "ARGOCD_FAKE_IN_CLUSTER": "true",
           "ARGOCD_TLS_DATA_PATH": f"{ARGO}/tls", "ARGOCD_SSH_DATA_PATH": f"{ARGO}/ssh", "ARGOCD_GNUPGHOME": f"{ARGO}/gpg",
           "ARGOCD_GPG_ENABLED": "false", "ARGOCD_PLUGINSOCKFILEPATH": f"{ARGO}/plugins", "TMPDIR": f"{ARGO}/tmp",
           "ARGOCD_ASK_PASS_SOCK": f"{ARGO}/ask-pass.sock",
           "ARGOCD_RECONCILIATION_TIMEOUT": "10s", "ARGOCD_RECONCILIATION_JITTER": "0s",
           "ARGOCD_APPLICATIONSET_CONTROLLER_REQUEUE_AFTER": "10s", "GIT_CONFIG_NOSYSTEM": "1"}
    start("redis", "redis-server", "--port", REDIS, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", cwd=ARGO)
    start("git", sys.executable, SOURCE / "lab" / "git_http.py", GIT, ARGO / "repositories")
    start("charts", sys.executable, "-m", "http.server", CHARTS, "--bind", "127.0.0.1", "--directory", ARGO / "charts")
    start("argocd-cmp-server", BIN / "argocd-cmp-server", "--config-dir-path", ARGO / "cmp", env=env)
    start("argocd-repo-server", BIN / "argocd-repo-server", "--redis", f"127.0.0.1:{REDIS}", "--address", "127.0.0.1",
          "--port", "8081", "--metrics-port", "8084", "--disable-tls", "--client-ca-path", "", env=env)
    wait_until("argocd-repo-server", answers("http://127.0.0.1:8084/metrics"))
    start("argocd-application-controller", BIN / "argocd-application-controller", "--namespace", "argocd",
          "--redis", f"127.0.0.1:{REDIS}", "--repo-server", "127.0.0.1:8081", "--repo-server-plaintext",
          "--app-resync", "10", "--app-resync-jitter", "0", "--metrics-port", "8082", "--status-processors", "4", "--operation-processors", "4",
          "--logformat", "text", env=env)
    start("argocd-applicationset-controller", BIN / "argocd-applicationset-controller", "--namespace", "argocd",
          "--argocd-repo-server", "127.0.0.1:8081", "--repo-server-plaintext", "--metrics-addr", "127.0.0.1:8085",
          "--probe-addr", "127.0.0.1:8086", "--webhook-addr", "127.0.0.1:7000", env=env)


def stop_all():
    """Stops everything and forgets the state: the machines were in memory, so etcd's objects are worth nothing without."""
    for path in sorted(RUN.glob("*.pid"), key=lambda path: path.stem == "namespace"):
        stop(path.stem)
    shutil.rmtree(RUN, ignore_errors=True)


def status():
    for path in sorted(RUN.glob("*.pid")):
        pid = pid_of(path.stem)
        print(f"{path.stem:36} {'pid ' + str(pid) if pid else 'stopped'}")
