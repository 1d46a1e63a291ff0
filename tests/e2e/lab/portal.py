"""Clusters that a portal publishes: requests to `capwright serve`, which commits to Gitea, which Argo CD reads.

Each step is one change of a cluster's values. The portal validates it, shows the render and the plan, and publishes it; or a
person does with the form of `serve --wizard`."""

import base64

import yaml

from lab import changes, form, gitea
from lab.publication import Change, Site
from lab.repository import printed


class Portal:
    """A source of commits, as `Repository`: `step` asks the API, `push` publishes."""

    def __init__(self, cases):
        self.own = self.listed = self.rooted = set()
        self.cases = cases
        self.problems = {name: [] for name in cases}
        self.notes = {name: [] for name in cases}
        self.host = gitea.start()
        self.sites = {branch: Site(branch, self.host) for branch in sorted({case["branch"] for case in cases.values()})}
        self.values = {name: dict(case["values"], cluster_name=name) for name, case in cases.items()}
        self.ids = dict.fromkeys(cases)
        self.changes = []
        self.people = {}  # by the name of the case

    def site(self, name):
        return self.sites[self.cases[name]["branch"]]

    def step(self, steps, number):
        said, self.changes = {}, []
        for name, step in steps.items():
            self.values[name] = changes.merged(self.values[name], step.get("edit", {}))
            request = (name, step, self.site(name), self.values[name], self.ids[name])
            change = form.FormChange(self.person(name), *request) if self.cases[name].get("form") else Change(*request)
            said[name] = change.ask()
            self.changes.append(change)
        return said

    def person(self, name):
        if name not in self.people:
            self.people[name] = form.Person(self.site(name).server.port)
        return self.people[name]

    def push(self):
        for change in self.changes:
            change.run()
            self.problems[change.name] += change.problems
            self.notes[change.name] += [change.note] if change.note else []
            self.ids[change.name] = change.values_id

    def argocd(self):
        """The AppProject, the credentials of the repository, and an ApplicationSet for each branch."""
        login = {name: base64.b64encode(text.encode()).decode() for name, text in
                 {"type": "git", "url": gitea.URL, "username": "bot", "password": self.host.token}.items()}
        secret = {"apiVersion": "v1", "kind": "Secret", "data": login, "metadata": {
            "name": "repository", "namespace": "argocd", "labels": {"argocd.argoproj.io/secret-type": "repository"}}}
        sets = [printed("applicationset", "--revision", branch, url=gitea.URL).replace("\n  name: clusters\n", f"\n  name: {branch}\n", 1)
                for branch in self.sites]
        return [printed("project", url=gitea.URL), yaml.safe_dump(secret), *sets]

    def folders(self):
        return {site.folder: {name for name in self.cases if self.site(name) is site} for site in self.sites.values()}

    def observed(self, name, key):
        raise KeyError(f"{name}: {key}")
