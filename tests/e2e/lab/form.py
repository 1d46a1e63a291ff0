"""A person who publishes with the form of `capwright serve --wizard`, in headless Chromium: a source of a portal's requests."""

import json
import pathlib
import subprocess
import sys

from lab.places import ROOT, RUN
from lab.publication import FOLDER, Change

sys.path.insert(0, str(ROOT / "tests" / "support"))

import browser  # noqa: E402


def skipped(cases):
    """{name of a case that needs a person: why there can't be one}"""
    why = browser.missing()
    return {name: why for name, case in cases.items() if why and case.get("form")}


class Person:
    """A tab of a browser that stays open between the steps."""

    def __init__(self, port):
        images = RUN / "form"
        images.mkdir(exist_ok=True)
        origin = f"http://127.0.0.1:{port}/"
        command = browser.command(pathlib.Path(__file__).with_name("form.mjs"), f"{origin}wizard/", images, allowed=origin)
        self.log = open(RUN / "form.log", "ab")
        # It ends with its input, hence with the laboratory's program.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)

    def do(self, step):
        self.process.stdin.write(json.dumps(step) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": f"the browser ended; see {RUN}/form.log", "failed": []}


class FormChange(Change):
    """One step of a cluster that a person enters. Its body is what the page sends."""

    def __init__(self, person, name, step, site, values, values_id):
        super().__init__(name, step, site, values, values_id)
        self.person, self.values = person, values

    def run(self):
        before, is_first = self.site.tip(), self.values_id is None
        entered = self.values if is_first else self.step["edit"]
        # The form knows these without the person.
        entered = {key: value for key, value in entered.items() if key not in ("provider", "kubernetes_type")}
        shown = self.person.do({"isFirst": is_first, "template": "capd", "values": entered, "wrong": self.step.get("wrong")})
        self.problems += [f"the page: {problem}" for problem in shown["failed"]]
        if not self.expect("error" not in shown, f"the form: {shown.get('error', '')[:600]}"):
            return
        for key, value in self.step.get("wrong", {}).items():
            self.expect(value in shown["said"][key], f"at the field of {key}: {shown['said'][key]}")
        self.expect(shown["files"] == len(self.files) + 1, f"{shown['files']} files in the review, of {sorted(self.files)}")
        wanted = set(filter(None, self.step.get("allow", "").split(",")))
        self.expect(set(shown["verbs"]) == wanted, f"consents: {shown['verbs']}")
        self.site.pull()
        self.expect(shown["commit"] == self.site.tip(), f"the tip is {self.site.tip()}: {shown['commit']}")
        path = f"{FOLDER}/{self.name}.json"
        self.body = self.site.text(path)
        self.expect(json.loads(self.body) == self.values, f"the values file: {self.body[:600]}")
        self.values_id = self.site.blob(path)
        self.note = f"{shown['seconds']:.0f} s in the form"
        self.compare({"values_path": path, "commit": shown["commit"]}, before)
