#!/usr/bin/env python3
"""`capwright publish` with real remotes, and with whatever can go wrong there.

    CAPWRIGHT=build/dev/capwright remotes_test.py [NAME...]     # cases whose name has one of these words
"""

import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from cases import KILLS, ends, finishes, one_fault, run_cases

CREDENTIALS = "credential.hel" "per"
LEAKS_OF_GIT = f"suppressions={pathlib.Path(__file__).parent.parent / 'support' / 'lsan.supp'}:print_suppressions=0"
LOGIN = "!f() { echo username=ada; echo password=%s; }; f"


def test_http_with_a_password(site):
    site.serve("ada:top-secret")
    source = site.change()
    before = site.there()
    site.git("config", CREDENTIALS, LOGIN % "wrong")
    one_fault(site.publish(), "G231", "the host refused the credentials")
    assert site.there() == before
    site.git("config", CREDENTIALS, LOGIN % "top-secret")
    finishes(site, source)
    ends(site.publish(), 0, "nothing to do")
    return "HTTP with a password, wrong and right"


def test_https(site):
    made = site.certificate()
    if made is None:
        return "skipped: openssl makes no certificate"
    certificate, both = made
    site.serve("", both, scheme="https")
    source = site.change()
    one_fault(site.publish(), "G235", "certificate")
    site.env["SSL_CERT_FILE"] = str(certificate)
    finishes(site, source)
    del site.env["SSL_CERT_FILE"]
    site.git("config", "http.sslCAInfo", str(certificate))
    source = site.change()
    finishes(site, source)
    return "a certificate that is not trusted, that the environment trusts, that Git's configuration trusts"


def test_rows_of_the_audit(site):
    ends(site.publish(), 0)
    rows = site.run("audit", "list")
    assert ends(rows, 0).count(site.there()[:12]) == 3, rows.stdout
    ends(site.run("audit", "verify"), 0, "3 of 3 are the same")
    site.change()
    database = site.clone / ".git" / "capwright" / "audit.db"
    database.rename(site.folder / "kept")
    database.write_text("this is no database, but a text that is long enough to be taken for one\n" * 100)
    text = one_fault(site.publish(), "G263", "is pushed")
    assert "push       main is at" in text
    pushed = site.there()
    (site.folder / "kept").rename(database)
    ends(site.publish(), 0, "resuming with commit")
    assert site.there() == pushed
    assert ends(site.run("audit", "list"), 0).count(pushed[:12]) == 1
    return "rows, also after their database could not be used"


def test_hook_declines(site):
    site.serve()
    source = site.change()
    before = site.there()
    hook = site.hook("update", 'test "$1" != refs/heads/main || { echo "no changes on fridays" >&2; exit 1; }\n')
    one_fault(site.publish(), "G233", "hook declined", "no changes on fridays")
    assert site.there() == before
    made = site.git("rev-parse", "refs/capwright/made/main/@")
    hook.unlink()
    finishes(site, source)
    assert site.there() == made, "the commit was made twice"
    return "a declining hook, then the same commit"


def test_protected_branch(site):
    site.serve()
    site.change()
    before = site.there()
    site.hook("update", 'test "$1" != refs/heads/main || { echo "main is a protected branch" >&2; exit 1; }\n')
    shown = ends(site.run("publish", "--yes", "--quiet"), 0, "main is protected; capwright/main is at",
                 "open a pull request from it into main")
    assert "preflight" not in shown, shown
    assert site.there() == before
    made = site.there("capwright/main")
    assert made
    ends(site.publish(), 0, "open a pull request")
    assert site.there("capwright/main") == made, "an equal commit replaced the branch"
    site.hook("update", 'test "$1" != refs/heads/main || { echo "error: GH013: Repository rule violations found" >&2; '
              'echo "- Changes must be made through a pull request." >&2; exit 1; }\n')
    ends(site.publish(), 0, "open a pull request")
    return "a protected branch and its pull request"


def test_server_gone(site):
    url = site.serve()
    source = site.change()
    site.processes[0].kill()
    site.processes[0].wait()
    one_fault(site.publish(), "G230", "the connection was refused")
    site.git("remote", "set-url", "origin", f"file://{site.bare}")
    finishes(site, source)
    assert url.startswith("http")
    return "a server that is gone"


def test_network_gone_at_push(site):
    site.serve()
    source = site.change()
    before = site.there()
    # The server ends in the middle of the push, after it has read everything.
    hook = site.hook("pre-receive", f"grep -q refs/heads/main || exit 0\nkill -9 {site.processes[0].pid}\nsleep 5\n")
    text = ends(site.publish(), 2, "error[G2")
    assert text.count("error[") == 1, text
    hook.unlink()
    time.sleep(0.2)
    assert site.there() in (before, site.git("rev-parse", "refs/capwright/made/main/@"))
    site.git("remote", "set-url", "origin", f"file://{site.bare}")
    finishes(site, source)
    return "a network that is gone during the push"


def test_two_at_once(site):
    other = site.new_clone("other")
    for _ in range(4):
        source = site.change()
        site.git("push", "-q", "origin", "main")
        site.git("pull", "-q", "--ff-only", "origin", "main", at=other)
        runs = [site.start(), site.start(at=other)]
        texts = [run.communicate(timeout=300) for run in runs]
        assert [run.returncode for run in runs] == [0, 0], texts
        assert site.git("rev-parse", "main^", at=site.bare) == source, "there is more than one commit"
    site.check_whole()
    return "two at once, four times: one commit each time"


def test_two_at_once_without_lock(site):
    site.setting("publish: {lock: {remote: false}}\n")
    site.serve()
    source = site.change()
    # Whoever pushes first is held up until somebody else was faster.
    flag = site.folder / "held"
    hook = site.hook("pre-receive", f"""test ! -e {flag} || exit 0
touch {flag}
unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
export GIT_AUTHOR_NAME=Bo GIT_AUTHOR_EMAIL=bo@example.com GIT_COMMITTER_NAME=Bo GIT_COMMITTER_EMAIL=bo@example.com
git fetch -q {site.clone} {source}
git update-ref refs/heads/main $(git commit-tree -m faster -p {source} {source}^{{tree}})
""")
    ends(site.publish(), 0, "Bo <bo@example.com> pushed first", "rendering again")
    hook.unlink()
    assert site.git("log", "-2", "--format=%an", "main", at=site.bare).split() == ["Team", "Bo"]
    site.check_whole()
    return "somebody faster, who is named"


def test_active_lock(site):
    other = site.new_clone("other")
    site.change()
    # A run that was killed has left its lock.
    lock = site.git("commit-tree", "-m",
                    "capwright publishes main\n\nHolder: Bo <bo@example.com>\nHost: build-7\nProcess: 1\nRun: x\n"
                    f"Since: {int(time.time()) - 5}\nUntil: {int(time.time()) + 600}", "HEAD^{tree}", at=other)
    site.git("push", "-q", "origin", f"{lock}:refs/capwright/lock/main", at=other)
    one_fault(site.publish("--wait", "1"), "G252", "Bo <bo@example.com> on build-7")
    ends(site.publish("--break-lock"), 0, "took the lock of Bo")
    site.check_whole()
    return "a lock that is active, and broken"


def test_killed_at_any_time(site):
    site.change()
    started = time.time()
    ends(site.publish(), 0)
    length = time.time() - started
    left = 0
    for i in range(KILLS):
        source = site.change()
        before = site.there()
        run = site.start()
        time.sleep(length * (i + 0.5) / KILLS)
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=60)
        between = site.there()
        if between != before:
            assert site.git("rev-parse", "main^", at=site.bare) == source
        done = site.publish()
        lock = re.search(re.escape(f"{site.bare}/") + r"\S+\.lock(?=`)", done.stderr)
        if lock:  # left in the remote, where it may be anybody's: G220 says what to do
            left += 1
            os.remove(lock[0])
            done = site.publish()
        ends(done, 0)
        assert site.git("rev-parse", "main^", at=site.bare) == source
        assert between in (before, site.there()), "the killed run's commit is gone"
        assert not site.there("refs/capwright/lock/main")
    site.check_whole()
    return f"{KILLS} times killed within {length:.1f} s, {left} locks of Git left in the remote"


def test_full_disk(site):
    source = site.change()
    before = site.there()
    for size in (0, 300, 1500):
        limit = lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        text = ends(site.publish(preexec_fn=limit), 2, "error[")
        assert text.count("error[") == 1, text
        assert site.there() == before
    finishes(site, source)
    return "no room for files"


def test_ssh_signature(site):
    key = site.home / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    signers = site.home / "signers"
    signers.write_text("fleet@example.com " + key.with_suffix(".pub").read_text())
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", f"{key}.pub"), ("commit.gpgsign", "true"),
                        ("gpg.ssh.allowedSignersFile", str(signers))):
        site.git("config", "--global", name, value)
    site.git("config", "--global", "user.signingkey", str(key))
    source = site.change()
    finishes(site, source)
    site.git("-c", f"gpg.ssh.allowedSignersFile={signers}", "verify-commit", "main", at=site.bare)
    return "a commit signed by ssh"


def test_gpg_signature(site):
    if shutil.which("gpg") is None:
        return "skipped: there is no gpg"
    site.env["GNUPGHOME"] = str(site.home / "gnupg")
    os.mkdir(site.env["GNUPGHOME"], 0o700)
    made = subprocess.run(["gpg", "--batch", "--passphrase", "", "--quick-gen-key", "Team <fleet@example.com>", "rsa2048"],
                          env=site.env, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return "skipped: gpg makes no key: " + made.stderr.strip().splitlines()[-1]
    try:
        site.git("config", "--global", "commit.gpgsign", "true")
        source = site.change()
        finishes(site, source)
        site.git("verify-commit", "main", at=site.bare)
        site.git("config", "gpg.program", str(site.home / "absent"))
        site.git("-c", "commit.gpgsign=false", "pull", "-q", "--ff-only", "origin", "main")
        (site.clone / "note").write_text("x")
        site.git("add", "note")
        site.git("-c", "commit.gpgsign=false", "commit", "-qm", "note")
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], env=site.env, check=False)
    return "a commit signed by gpg"


def test_hooks_of_the_clone(site):
    hooks = site.clone / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name, script in (("pre-push", "echo pushed >> .git/ran\n"), ("commit-msg", 'echo "Checked-By: hook" >> "$1"\n')):
        (hooks / name).write_text("#!/bin/sh\n" + script)
        (hooks / name).chmod(0o755)
    site.change()
    ends(site.publish(), 0, "hooks commit-msg, pre-push are not run")
    assert not (site.clone / ".git" / "ran").exists()
    source = site.change()
    finishes(site, source, "--run-hooks")
    assert (site.clone / ".git" / "ran").read_text() == "pushed\n"
    assert site.git("log", "-1", "--format=%B", "main", at=site.bare).endswith("Checked-By: hook")
    (hooks / "pre-push").write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
    source = site.change()
    one_fault(site.publish("--run-hooks"), "G257", "not today")
    finishes(site, source)
    return "hooks, told of and run"


def test_hooks_of_a_folder(site):
    site.hook("pre-receive", f"echo ran >> {site.folder}/ran\n")
    source = site.change()
    ends(site.publish("--step", "preflight"), 0, "its hook pre-receive is not run")
    finishes(site, source)
    assert not (site.folder / "ran").exists()
    source = site.change()
    assert "hook" not in ends(site.publish("--step", "preflight", "--run-hooks"), 0)
    finishes(site, source, "--run-hooks")
    assert (site.folder / "ran").read_text() == "ran\n"
    return "hooks of a folder, told of and run"


def test_shallow_clone(site):
    site.change()
    site.git("push", "-q", "origin", "main")
    site.env["LSAN_OPTIONS"] = LEAKS_OF_GIT
    site.git("clone", "-q", "--depth", "1", f"file://{site.bare}", "shallow", at=site.folder)
    shallow = site.folder / "shallow"
    for url in (f"file://{site.bare}", site.serve()):
        site.git("remote", "set-url", "origin", url, at=shallow)
        one_fault(site.publish(at=shallow), "G264", "shallow", "git fetch --unshallow")
    site.git("fetch", "-q", "--unshallow", at=shallow)
    ends(site.publish(at=shallow), 0, "push       main is at")
    site.check_whole()
    return "a shallow clone, and all of it"


def test_lock_of_a_killed_git(site):
    source = site.change()
    left = site.bare / "refs" / "capwright" / "lock" / "main.lock"
    left.parent.mkdir(parents=True)
    left.touch()
    one_fault(site.publish("--wait", "1"), "G220", str(left), "delete the file")
    site.serve()
    one_fault(site.publish("--wait", "1"), "G220", "a killed Git left the lock")
    left.unlink()
    finishes(site, source)
    return "a lock file that nobody has"


def test_ssh(site):
    daemon = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if daemon is None:
        return "skipped: there is no sshd (package openssh-server)"
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", str(site.home / name)], check=True)
    port = subprocess.run([sys.executable, "-c", "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); "
                           "print(s.getsockname()[1])"], text=True, capture_output=True, check=True).stdout.strip()
    (site.home / "authorized").write_text((site.home / "user.pub").read_text())
    config = site.home / "sshd_config"
    config.write_text(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {site.home}/host\nStrictModes no\nUsePAM no\n"
                      f"AuthorizedKeysFile {site.home}/authorized\nPasswordAuthentication no\nPidFile none\n"
                      "PermitRootLogin yes\nLogLevel VERBOSE\n")
    if os.geteuid() == 0:
        os.makedirs("/run/sshd", exist_ok=True)
    log = open(site.home / "sshd.log", "w", encoding="utf-8")
    site.processes.append(subprocess.Popen([daemon, "-D", "-e", "-f", str(config)], stderr=log))
    (site.home / ".ssh").mkdir()
    keys = subprocess.run(["ssh-agent", "-s"], text=True, capture_output=True, check=True).stdout
    site.env["LSAN_OPTIONS"] = LEAKS_OF_GIT
    site.env["SSH_AUTH_SOCK"] = keys.split("SSH_AUTH_SOCK=")[1].split(";")[0]
    try:
        subprocess.run(["ssh-add", "-q", str(site.home / "user")], env=site.env, check=True)
        user = subprocess.run(["id", "-un"], text=True, capture_output=True, check=True).stdout.strip()
        site.git("remote", "set-url", "origin", f"ssh://{user}@127.0.0.1:{port}{site.bare}")
        source = site.change()
        time.sleep(1)
        one_fault(site.publish(), "G235")
        kind, key = (site.home / "host.pub").read_text().split()[:2]
        (site.home / ".ssh" / "known_hosts").write_text(f"[127.0.0.1]:{port} {kind} {key}\n")
        finishes(site, source)
        subprocess.run(["ssh-add", "-q", "-D"], env=site.env, check=True)
        site.change()
        one_fault(site.publish(), "G231")
    finally:
        os.kill(int(keys.split("SSH_AGENT_PID=")[1].split(";")[0]), signal.SIGTERM)
        log.close()
    return "ssh, with unknown host, known host, and no key"


run_cases(globals())
