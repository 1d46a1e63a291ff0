"""What the tests of publishing by Gitea's API share: the settings, the fake's faults, and what was sent to it."""

import json

TOKEN = "top-secret-token"
VIA = "publish: {via: gitea}\n"
UNLOCKED = "publish: {via: gitea, lock: {remote: false}}\n"


def begin(site, setting=VIA, **variables):
    site.setting(setting)
    return site.serve_gitea(TOKEN, **variables)


def bodies(site):
    """What was sent to change the branch, without what changed the lock."""
    log = site.bare.parent / "bodies.log"
    sent = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return [body for body in sent if "publishes" not in body["message"]]


def operations(site):
    return {file["operation"] for file in bodies(site)[-1]["files"]}


def goes_wrong(site, method, path, times=1, **what):
    fault = {"method": method, "path": path, "times": times, **what}
    (site.bare.parent / "faults.json").write_text(json.dumps([fault]))


def push(site):
    """The values, by Git."""
    site.git("push", "-q", f"file://{site.bare}", "main")


def change(site):
    source = site.change()
    push(site)
    return source
