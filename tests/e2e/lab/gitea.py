"""The real Gitea, with one private repository."""

import json
import os
import shutil
import sys

from lab import places, services
from lab.places import BIN, GITEA, ROOT, RUN

sys.path.insert(0, str(ROOT / "tests" / "publish"))
NAME = "clusters"
URL = f"http://127.0.0.1:{GITEA}/bot/{NAME}.git"
PARTS = ("templates", "options", "public")  # of its sources, which Gitea reads without the build tag `bindata`


def start():
    """Its URL has no credentials: the user is `bot`, the password is the result's `token`."""
    root = RUN / "gitea-sources"
    module = places.pathlib.Path(places.module("gitea", "code.gitea.io/gitea", "{{.Dir}}"))
    for part in PARTS:
        shutil.copytree(module / part, root / part)
    os.environ |= {"CAPWRIGHT_GITEA": str(BIN / "gitea"), "CAPWRIGHT_GITEA_ROOT": str(root)}
    from real_gitea import Gitea
    running = Gitea(RUN / "gitea", GITEA)
    services.keep_pid("gitea", running.process)
    running.ask("POST", "/user/repos", json.dumps({"name": NAME, "default_branch": "main", "private": True}))
    return running


def hook(folder, moment, branch, flag):
    """A hook that creates `flag` and waits while `branch` is pushed: `moment` is `pre-receive` or `post-receive`."""
    path = folder / "repositories" / "bot" / f"{NAME}.git" / "hooks" / f"{moment}.d" / "wait"
    path.write_text(f"#!/bin/sh\nwhile read -r old new ref; do\n"
                    f"  test \"$ref\" != refs/heads/{branch} || {{ touch {flag}; sleep 3; }}\ndone\n")
    path.chmod(0o755)
    return path
