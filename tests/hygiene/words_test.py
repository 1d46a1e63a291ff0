"""The tree speaks of clusters and of the program: no machine's paths, no registry hosts, no vague or private words."""

import re

from sources import Findings, project_files, text_of

# What hosts the project may name: documentation of what it renders or follows, and names reserved for examples.
HOSTS = re.compile(
    r"(?:[\w-]+\.)*(?:example\.(?:com|net|org)|kubernetes\.io|k8s\.io|github\.com|github\.io|githubusercontent\.com"
    r"|json-schema\.org|apache\.org|yaml\.org|palletsprojects\.com|debian\.org|argoproj\.io|rke2\.io|x-k8s\.io"
    r"|ansible\.com|openstack\.org|python\.org|rfc-editor\.org|unicode\.org|schemastore\.org|ietf\.org|prometheus\.io"
    r"|oasis-open\.org|projectcalico\.org|metallb\.io|no-color\.org|0\.0\.0\.0|127\.0\.0\.1|localhost|cluster\.local|svc|internal|test|invalid)$")
RULES = {
    # Argo CD's images have a home of that name, where plugins must be.
    r"(?<![\w.])/(?:work|root|home/(?!argocd/)\w+|Users/\w+)/": "a path of one machine",
    r"\b(?:pypi\.org|proxy\.golang\.org|registry\.npmjs\.org|crates\.io|deb\.debian\.org)\b": "a registry's host",
    r"(?i)\b(?:helpers?|sessions?|workplaces?)\b": "a vague word: name the thing",
    r"(?i)(?<![\w-])agents?\b(?! nodes?\b)(?!\.)": "a vague word: name the thing",
    r"(?i)\bissue #?\d+|(?<!element )(?<=[\s(])#\d+\b(?!\s*[:{])": "an issue's number means nothing here",
}
SKIPPED_FILES = ("LICENSE", "docs/values.md", "tests/hygiene/words_test.py", "tests/hygiene/names_test.py")
GENERATED = ("go.mod", "go.sum")
# Manifests speak the words of the projects they configure, such as `rke2-agent`; so do tables that are made from schemas.
SKIPPED_FOLDERS = ("templates", "schemas", "golden")
MADE_FROM_SCHEMAS = re.compile(r"(?<=<!-- values -->\n).*?(?=<!-- /values -->)", re.DOTALL)


def main():
    findings = Findings()
    count = 0
    for path in project_files():
        if str(path) in SKIPPED_FILES or path.name in GENERATED or path.parts[0] in SKIPPED_FOLDERS or "corpus" in path.parts:
            continue
        try:
            text = text_of(path)
        except UnicodeDecodeError:
            continue
        count += 1
        text = MADE_FROM_SCHEMAS.sub(lambda made: "\n" * made.group(0).count("\n"), text)
        for number, line in enumerate(text.split("\n"), 1):
            for pattern, reason in RULES.items():
                for found in re.finditer(pattern, line):
                    findings.add(path, number, f"`{found.group(0)}`: {reason}")
            for found in re.finditer(r"https?://([\w.-]+)", line):
                if not HOSTS.match(found.group(1).lower()):
                    findings.add(path, number, f"`{found.group(0)}`: use a host of example.com or example.net")
    findings.finish(f"{count} files")


main()
