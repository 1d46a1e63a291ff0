"""The list of what the program consists of, as an SPDX 2.3 document in JSON."""

import datetime
import hashlib
import json
import re
import urllib.parse


def purl(component):
    """As https://github.com/package-url/purl-spec names a Debian package."""
    version = urllib.parse.quote(component["version"], safe=".-~")
    return f"pkg:deb/debian/{component['package']}@{version}?arch={component['architecture']}&distro=debian-12"


def package_of(component):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", component["package"]),
        "name": component["package"],
        "versionInfo": component["version"],
        "supplier": "Organization: Debian",
        "downloadLocation": "NOASSERTION",
        "homepage": component["homepage"] or "NOASSERTION",
        "sourceInfo": f"built from the Debian source package {component['source']} {component['source_version']}",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": purl(component)}],
    }


def document(release):
    digest = hashlib.sha256(release.program).hexdigest()
    parts = [package_of(component) for component in release.components]
    program = {
        "SPDXID": "SPDXRef-capwright",
        "name": "capwright",
        "versionInfo": release.version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION",
    }
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": "SPDXRef-capwright"}]
    relations += [{"spdxElementId": "SPDXRef-capwright", "relationshipType": "STATIC_LINK",
                   "relatedSpdxElement": part["SPDXID"]} for part in parts]
    created = datetime.datetime.fromtimestamp(release.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    name = f"capwright-{release.version}-linux-{release.machine}"
    return (json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"urn:capwright:sbom:{name}:{digest}",  # the same for the same program
        "creationInfo": {"created": created, "creators": ["Tool: capwright packaging/sbom.py"]},
        "packages": [program, *parts],
        "relationships": relations,
    }, indent=1) + "\n").encode()
