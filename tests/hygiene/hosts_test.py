"""Files name no private hosts and no paths of one machine: examples use example.com and example.net."""

import re

from sources import Findings, project_files, text_of

# Public hosts of projects that capwright renders or follows, and names reserved for examples.
HOSTS = re.compile(
    r"(?:[\w-]+\.)*(?:example\.(?:com|net|org)|kubernetes\.io|k8s\.io|github\.com|github\.io|githubusercontent\.com"
    r"|json-schema\.org|apache\.org|yaml\.org|palletsprojects\.com|debian\.org|argoproj\.io|rke2\.io|x-k8s\.io"
    r"|ansible\.com|openstack\.org|python\.org|rfc-editor\.org|unicode\.org|schemastore\.org|ietf\.org|prometheus\.io"
    r"|oasis-open\.org|w3\.org|projectcalico\.org|metallb\.io|no-color\.org|0\.0\.0\.0|127\.0\.0\.1|localhost"
    r"|etcd\.io|flatcar\.org|cluster\.local|svc|internal|test|invalid)$")
RULES = {
    # Argo CD's images have a home of that name, where plugins must be.
    r"(?<![\w.])/(?:work|root|home/(?!argocd/)\w+|Users/\w+)/": "a path of one machine",
    r"\b(?:pypi\.org|proxy\.golang\.org|registry\.npmjs\.org|crates\.io|deb\.debian\.org)\b": "a registry's host",
}
SKIPPED_FILES = {"LICENSE", "docs/values.md", "tests/hygiene/hosts_test.py", "go.mod", "go.sum"}
# Manifests, schemas and catalogues name the hosts of the projects they install.
SKIPPED_FOLDERS = ("templates", "schemas", "golden")
# So do the tables that are generated from schemas.
MADE_FROM_SCHEMAS = re.compile(r"(?<=<!-- values -->\n).*?(?=<!-- /values -->)", re.DOTALL)


def main():
    findings = Findings()
    count = 0
    for path in project_files():
        if {str(path), path.name} & SKIPPED_FILES or path.parts[0] in SKIPPED_FOLDERS or "corpus" in path.parts:
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
