#!/usr/bin/env python3
"""`capwright publish` by Gitea's API: a fake that keeps the contract of Gitea 1.26 and can go wrong, and a real one.

    CAPWRIGHT=build/dev/capwright gitea_test.py [NAME...]     # cases whose name has one of these words
"""

import signal
import subprocess
import time

from cases import KILLS, ends, finishes, one_fault, run_cases
from gitea_site import TOKEN, UNLOCKED, VIA, begin, bodies, change, goes_wrong, operations, push
from real_gitea import Gitea, program

CREDENTIALS = "credential.hel" "per"


def commit_of_another(path):
    """A shell command that puts a file on main, as somebody else."""
    return f"""set -e; cd fleet.git
export GIT_INDEX_FILE=$PWD/other-index GIT_AUTHOR_NAME=Bo GIT_AUTHOR_EMAIL=bo@example.com
export GIT_COMMITTER_NAME=Bo GIT_COMMITTER_EMAIL=bo@example.com
git read-tree main
git update-index --add --cacheinfo 100644,$(echo other | git hash-object -w --stdin),{path}
git update-ref refs/heads/main $(git commit-tree -m other -p main $(git write-tree))
rm other-index"""


def test_one_commit(site):
    begin(site, PAGE="7")
    source = site.git("rev-parse", "HEAD")
    ends(site.publish(), 0, "the commit is made by http://", "the token is sent there without encryption")
    assert site.git("rev-parse", "main^", at=site.bare) == source
    assert site.there() == site.git("rev-parse", "refs/capwright/made/main/@"), "it is another commit than was drafted"
    assert site.there() == site.git("rev-parse", "origin/main")
    assert not site.there("capwright-lock/main"), "the lock is still there"
    ends(site.run("audit", "list"), 0, site.there()[:12])
    before = site.there()
    ends(site.publish(), 0, "nothing to do")
    assert site.there() == before and len(bodies(site)) == 1, "something was sent although nothing differs"
    finishes(site, change(site))
    assert operations(site) == {"update"}, operations(site)
    values = site.clone / "values" / "prod-a.yaml"
    site.git("pull", "-q", "--ff-only", f"file://{site.bare}", "main")
    values.write_text(values.read_text().partition("  - kube-prometheus-stack\n")[0])
    site.commit("One add-on less")
    push(site)
    finishes(site, site.git("rev-parse", "HEAD"))
    assert operations(site) == {"update", "delete"}, operations(site)
    # The fake refuses updates and deletions without a `sha`, and what is the same.
    ends(site.run("audit", "verify"), 0, "3 of 3 are the same")
    return "one request, one commit; pages of the tree; nothing when nothing differs"


def test_commit_of_the_host(site):
    begin(site, TRAILER="Co-authored-by: Host <host@example.com>\n")
    source = site.git("rev-parse", "HEAD")
    ends(site.publish(), 0)
    assert site.git("rev-parse", "main^", at=site.bare) == source
    assert site.there() != site.git("rev-parse", "refs/capwright/made/main/@")
    ends(site.publish(), 0, "nothing to do")
    ends(site.run("audit", "list"), 0, site.there()[:12])
    # A run that is killed behind the request knows the host's commit for its own.
    source = change(site)
    goes_wrong(site, "POST", "/contents", deaf=True, run="sleep 0")
    run = site.start()
    while len(bodies(site)) < 2:
        time.sleep(0.01)
    time.sleep(0.05)
    run.send_signal(signal.SIGKILL)
    run.communicate(timeout=60)
    ends(site.publish(), 0)
    assert site.git("rev-parse", "main^", at=site.bare) == source
    assert ends(site.run("audit", "list"), 0).count(site.there()[:12]) == 1
    return "another commit than was drafted, also after a kill"


def test_somebody_faster(site):
    begin(site, UNLOCKED)
    ends(site.publish(), 0)
    change(site)
    rendered = site.git("ls-tree", "-r", "--name-only", "main", "clusters/prod-a/", at=site.bare).split()
    changed = next(path for path in rendered if path.endswith("index.json") or "capwright" in path)
    goes_wrong(site, "POST", "/contents", run=commit_of_another(changed))
    ends(site.publish("--force"), 0, "Bo <bo@example.com> pushed first", "rendering again")
    site.check_whole()
    assert site.git("log", "-2", "--format=%an", "main", at=site.bare).split() == ["Team", "Bo"]
    source = change(site)
    goes_wrong(site, "POST", "/contents", run=commit_of_another("other"))
    ends(site.publish(), 0, "on top of another push", "rendering again")
    assert site.git("rev-parse", "main^^", at=site.bare) == source
    site.check_whole()
    rows = ends(site.run("audit", "list"), 0)
    assert site.there()[:12] in rows, rows
    return "somebody faster: at the same file, and at another one"


def test_protected_branch(site):
    begin(site)
    before = site.there()
    (site.bare.parent / "protected").write_text("main\n")
    ends(site.publish(), 0, "capwright/main is at", "open a pull request from it into main")
    made = site.there("capwright/main")
    assert site.there() == before and made
    ends(site.publish(), 0, "open a pull request")
    assert site.there("capwright/main") == made, "an equal commit replaced the branch"
    change(site)
    ends(site.publish(), 0, "open a pull request")
    assert site.there("capwright/main") != made
    assert bodies(site)[-1]["force_push"] is True
    (site.bare.parent / "protected").write_text("main capwright/main\n")
    change(site)
    one_fault(site.publish(), "G233", "it is also protected")
    (site.clone / "capwright.yaml").write_text((site.clone / "capwright.yaml").read_text().replace(
        "{via: gitea}", "{via: gitea, pull_request: never}"))
    site.commit("Never")
    push(site)
    one_fault(site.publish(), "G273", "user cannot commit")
    return "a protected branch, its pull request, and neither"


FAULTS = {
    "G273": {"status": 403, "body": '{"message": "a hook declined it: top-secret-token"}'},
    "G232": {"status": 404, "body": '{"message": "Not Found"}'},
    "G274": {"status": 422, "body": '{"message": "path is invalid\\u001b[31m"}'},
    "G275": {"status": 413, "body": "<html>413 Request Entity Too Large</html>"},
    "G276": {"status": 503, "body": "<html>no upstream</html>"},
    "G277": {"status": 201, "body": "<html>log in first</html>"},
    "G278": {"status": 201, "body": "x" * (40 << 20)},
    "G279": {"status": 307, "headers": {"Location": "http://elsewhere.example.com/fleet"}},
    "G230": {"close": True},
}


def test_faults_of_the_request(site):
    begin(site, UNLOCKED)
    ends(site.publish(), 0)
    for code, fault in FAULTS.items():
        source, before = change(site), site.there()
        goes_wrong(site, "POST", "/contents", **fault)
        text = one_fault(site.publish(), code)
        assert "\x1b" not in text and "help" in text or code != "G275", text
        assert site.there() == before
        ends(site.publish(), 0, "resuming with commit")
        assert site.git("rev-parse", "main^", at=site.bare) == source
    for status, code in ((409, "G274"), (423, "G274"), (500, "G276"), (418, "G276")):
        change(site)
        goes_wrong(site, "POST", "/contents", status=status, body='{"message": "no"}')
        one_fault(site.publish(), code, "no")
        ends(site.publish(), 0)
    site.check_whole()
    return f"{len(FAULTS) + 4} faults of the request, each said and mended"


def test_faults_of_questions(site):
    begin(site, UNLOCKED)
    before = site.there()
    for path, fault, code in (("/branches/", {"status": 200, "body": "{}"}, "G277"),
                              ("/branches/", {"status": 200, "body": "[[[["}, "G277"),
                              ("/git/trees/", {"status": 200, "body": '{"tree": 3}'}, "G277"),
                              ("/git/trees/", {"status": 200, "body": '{"tree": [], "truncated": true}'}, "G277"),
                              ("/git/trees/", {"status": 200, "body": '{"tree": [], "total_count": 9}'}, "G277"),
                              ("/git/trees/", {"status": 400, "body": '{"message": "sha not found"}'}, "G276"),
                              ("/branches/", {"status": 301, "headers": {"Location": "https://git.example.com/"}}, "G279")):
        goes_wrong(site, "GET", path, **fault)
        one_fault(site.publish(), code)
        assert site.there() == before
    finishes(site, site.git("rev-parse", "HEAD"))
    return "faults of questions"


def test_answer_is_lost(site):
    begin(site, UNLOCKED)
    source = site.git("rev-parse", "HEAD")
    goes_wrong(site, "POST", "/contents", deaf=True)
    ends(site.publish(), 0, "main is at")
    assert site.git("rev-parse", "main^", at=site.bare) == source
    ends(site.run("audit", "list"), 0, site.there()[:12])
    finishes(site, change(site))
    return "a lost answer, of which the branch tells"


def test_no_answer_in_time(site):
    begin(site, "publish: {via: gitea, gitea: {timeout: 1}, lock: {remote: false}}\n")
    goes_wrong(site, "GET", "/branches/", hang=2)
    one_fault(site.publish(), "G230", "the request timed out")
    time.sleep(2)
    finishes(site, site.git("rev-parse", "HEAD"))
    return "a host that doesn't answer"


def test_host_gone(site):
    begin(site)
    url = site.git("remote", "get-url", "origin")
    site.processes[0].kill()
    site.processes[0].wait()
    one_fault(site.publish(), "G230", "the connection was refused")
    site.git("remote", "set-url", "origin", "https://no-such-host.invalid/platform/fleet.git")
    one_fault(site.publish(), "G230")
    assert url != site.serve_gitea(TOKEN)
    finishes(site, site.git("rev-parse", "HEAD"))
    return "a host that is gone"


def test_other_files_than_were_sent(site):
    begin(site, UNLOCKED, LINE_END="\r\n")
    one_fault(site.publish(), "G282", "whose files differ from the ones sent")
    return "a host that changes files"


def test_what_it_can_not(site):
    begin(site)
    site.change()
    one_fault(site.publish(), "G280", "git push")
    push(site)
    ends(site.publish(), 0)
    (site.clone / "capwright.yaml").write_text((site.clone / "capwright.yaml").read_text().replace(
        "{via: gitea}", "{via: gitea, branch: rendered}"))
    site.git("pull", "-q", "--ff-only", f"file://{site.bare}", "main")
    site.commit("A branch of its own")
    one_fault(site.publish(), "G281", "rendered")
    empty = subprocess.run(["git", "mktree"], cwd=site.clone, env=site.env, input="", capture_output=True, text=True,
                           check=True).stdout.strip()
    first = site.git("commit-tree", "-m", "Begin", empty)
    site.git("push", "-q", f"file://{site.bare}", f"{first}:refs/heads/rendered")
    one_fault(site.publish(), "G265", "git push")
    push(site)
    ends(site.publish(), 0, "rendered is at")
    assert site.git("ls-tree", "--name-only", "rendered", at=site.bare) == "clusters"
    site.git("remote", "set-url", "origin", "git@git.example.com:platform/fleet.git")
    one_fault(site.publish(), "G271", "publish.gitea.url")
    return "commits of one's own, no branch, a branch of rendered files, a URL of ssh"


def test_lock(site):
    begin(site)
    ends(site.publish(), 0)
    change(site)
    # A run that was killed in another clone has left its lock.
    text = "\n".join(["capwright publishes main", "", "Holder: Bo <bo@example.com>", "Host: build-7", "Process: 1", "Run: x",
                      f"Since: {int(time.time()) - 5}", f"Until: {int(time.time()) + 600}", ""])
    blob = subprocess.run(["git", "hash-object", "-w", "--stdin"], cwd=site.bare, env=site.env, input=text, text=True,
                          capture_output=True, check=True).stdout.strip()
    index = {**site.env, "GIT_INDEX_FILE": str(site.home / "index")}
    for command in (["read-tree", "main"], ["update-index", "--add", "--cacheinfo", f"100644,{blob},.capwright/lock"]):
        subprocess.run(["git", *command], cwd=site.bare, env=index, check=True)
    tree = subprocess.run(["git", "write-tree"], cwd=site.bare, env=index, capture_output=True, text=True, check=True).stdout.strip()
    left = site.git("commit-tree", "-m", "x", "-p", "main", tree, at=site.bare)
    site.git("update-ref", "refs/heads/capwright-lock/main", left, at=site.bare)
    one_fault(site.publish("--wait", "1"), "G252", "Bo <bo@example.com> on build-7")
    ends(site.publish("--break-lock"), 0, "took the lock of Bo")
    assert not site.there("capwright-lock/main")
    # A branch whose file somebody has deleted is no lock.
    change(site)
    site.git("update-ref", "refs/heads/capwright-lock/main", "main", at=site.bare)
    ends(site.publish(), 0)
    assert not site.there("capwright-lock/main")
    # Two that meet in the same moment, of which the other's branch is not to be seen yet.
    change(site)
    goes_wrong(site, "POST", "/contents", status=403,
               body='{"message": "cannot lock ref \'refs/heads/capwright-lock/main\': reference already exists"}')
    ends(site.publish(), 0)
    other = site.new_clone("other")
    url = site.git("remote", "get-url", "origin")
    site.git("remote", "set-url", "origin", url, at=other)
    for _ in range(3):
        source = change(site)
        site.git("pull", "-q", "--ff-only", f"file://{site.bare}", "main", at=other)
        runs = [site.start(), site.start(at=other)]
        texts = [run.communicate(timeout=300) for run in runs]
        assert [run.returncode for run in runs] == [0, 0], texts
        assert site.git("rev-parse", "main^", at=site.bare) == source, "there is more than one commit"
    (site.bare.parent / "protected").write_text("capwright-lock/main\n")
    change(site)
    one_fault(site.publish(), "G273", "publish: {lock: {remote: false}}")
    return "a lock that is active, broken, emptied, fought for, and forbidden"


def test_killed_at_any_time(site):
    begin(site)
    ends(site.publish(), 0)
    change(site)
    started = time.time()
    ends(site.publish(), 0)
    length = time.time() - started
    for i in range(KILLS):
        source = change(site)
        run = site.start()
        time.sleep(length * (i + 0.5) / KILLS)
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=60)
        between = site.there()
        if between != source:
            assert site.git("rev-parse", "main^", at=site.bare) == source
        ends(site.publish(), 0)
        assert site.git("rev-parse", "main^", at=site.bare) == source
        assert between in (source, site.there()), "the killed run's commit is gone"
        assert not site.there("capwright-lock/main")
        ends(site.run("audit", "list"), 0, site.there()[:12])
    site.check_whole()
    return f"{KILLS} times killed within {length:.1f} s"


def test_real_gitea(site):
    if program() is None:
        return "skipped: there is no gitea in the PATH, and CAPWRIGHT_GITEA names none"
    gitea = Gitea(site.folder / "gitea")
    site.processes.append(gitea.process)
    # Not empty: for a while after the first push Gitea would make any branch that the API makes the default one.
    gitea.ask("POST", "/user/repos", '{"name": "fleet", "default_branch": "main", "auto_init": true}')
    url = f"{gitea.url}/bot/fleet.git"
    site.git("config", "--global", "safe.directory", "*")
    site.git("remote", "set-url", "origin", url)
    site.bare = site.folder / "gitea" / "repositories" / "bot" / "fleet.git"
    site.env["GITEA_TOKEN"] = gitea.token
    site.git("config", "--global", CREDENTIALS, f"!f() {{ echo username=bot; echo password={gitea.token}; }}; f")
    (site.clone / "capwright.yaml").write_text((site.clone / "capwright.yaml").read_text() + VIA)
    site.commit("Set")

    def pushed(*options):
        site.git("push", "-q", *options, url, "main")
        return site.git("rev-parse", "HEAD")

    source = pushed("--force")
    ends(site.publish(), 0, "main is at")
    assert site.git("rev-parse", "main^", at=site.bare) == source
    assert site.there() == site.git("rev-parse", "refs/capwright/made/main/@"), "it is another commit than was drafted"
    ends(site.publish(), 0, "nothing to do")
    site.change()
    finishes(site, pushed())
    values = site.clone / "values" / "prod-a.yaml"
    site.git("pull", "-q", "--ff-only", f"file://{site.bare}", "main")
    values.write_text(values.read_text().partition("  - kube-prometheus-stack\n")[0])
    site.commit("One add-on less")
    finishes(site, pushed())
    # Two at once, by the lock.
    other = site.new_clone("other")
    site.git("remote", "set-url", "origin", url, at=other)
    for _ in range(2):
        site.change()
        source = pushed()
        site.git("pull", "-q", "--ff-only", f"file://{site.bare}", "main", at=other)
        runs = [site.start(), site.start(at=other)]
        texts = [run.communicate(timeout=300) for run in runs]
        assert [run.returncode for run in runs] == [0, 0], texts
        assert site.git("rev-parse", "main^", at=site.bare) == source, "there is more than one commit"
    # A lock that was left, and is taken.
    site.change()
    source = pushed()
    ends(site.publish("--step", "lock"), 0)
    run = site.start()
    while not site.there("capwright-lock/main"):
        assert run.poll() is None, "there was no lock"
        time.sleep(0.02)
    run.send_signal(signal.SIGKILL)
    run.communicate(timeout=60)
    site.git("pull", "-q", "--ff-only", f"file://{site.bare}", "main", at=other)
    if site.there("capwright-lock/main"):
        one_fault(site.publish("--wait", "1", at=other), "G252", "Team <fleet@example.com>")
    ends(site.publish("--break-lock", at=other), 0)
    assert site.git("rev-parse", "main^", at=site.bare) == source
    site.check_whole()
    # Faults that it can be brought to.
    site.env["GITEA_TOKEN"] = "wrong"
    one_fault(site.publish(), "G272")
    site.env["GITEA_TOKEN"] = gitea.token
    site.change()
    pushed()
    gitea.ask("POST", "/repos/bot/fleet/branch_protections", '{"rule_name": "main", "enable_push": false}')
    ends(site.publish(), 0, "capwright/main is at", "open a pull request")
    made = site.there("capwright/main")
    ends(site.publish(), 0, "open a pull request")
    assert site.there("capwright/main") == made, "an equal commit replaced the branch"
    return "the same with a real one"


run_cases(globals())
