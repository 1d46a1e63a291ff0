"""Messages have a consistent wording, every code of the catalogue is well formed, and every one appears in a test."""

import re

from sources import CPP, Findings, line_at, project_files, text_of

LITERALS = r'((?:"(?:\\.|[^"\\\n])*"\s*)+)'
ENTRY = re.compile(r"^CW_DIAG\(\s*(\w+),\s*(\w+),\s*(\w+),\s*" + LITERALS +
                   r',\s*\([^)]*\),\s*R"(\w*)\((.*?)\)\5"\)', re.MULTILINE | re.DOTALL)
SAID_IN_CODE = re.compile(r"\b(note|advise|at_caret)\(\s*(?:fmt::format\(\s*)?" + LITERALS + r"[,)]")
FAMILIES = "YSTFKGX"
MESSAGE_LENGTH = 80
# Messages continue a line, so they start in lower case, except with a name.
NAMES = re.compile(r"(?:AKS|Argo CD|AWS|Azure|Base64|Cluster API|EKS|Flux|Git|Helm|Kubernetes|MetalLB|Neutron|Nova|OKE|OpenStack|YAML)\b")


def joined(literals):
    parts = re.findall(r'"((?:\\.|[^"\\])*)"', literals)
    return "".join(parts).replace('\\"', '"').replace("\\\\", "\\")


def faults_of(message):
    """The error in the wording of a message, caret text, note or help."""
    faults = []
    if message[:1].isupper() and not NAMES.match(message):
        faults.append("starts with a capital")
    if message.endswith((".", "!")):
        faults.append("ends with a period or exclamation mark")
    if message.count("`") % 2:
        faults.append("has a backtick without its partner")
    if re.search(r"\bplease\b|\bsorry\b", message, re.IGNORECASE):
        faults.append("says `please` or `sorry` instead of what is expected")
    return faults


def check_entry(path, line, entry, findings):
    code, name, severity, message, explanation = entry
    if not re.fullmatch(rf"[{FAMILIES}]\d{{3}}", code):
        findings.add(path, line, f"`{code}` is not a family letter ({FAMILIES}) and three digits")
    if not re.fullmatch(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*", name):
        findings.add(path, line, f"{code}: name `{name}` is not snake_case")
    if severity not in ("Error", "Warning", "Note"):
        findings.add(path, line, f"{code}: severity `{severity}` is not Error, Warning or Note")
    for fault in faults_of(message):
        findings.add(path, line, f"{code}: the message {fault}")
    if len(message) > MESSAGE_LENGTH:
        findings.add(path, line, f"{code}: the message has {len(message)} characters, at most {MESSAGE_LENGTH}")
    if len(explanation.strip()) < 40:
        findings.add(path, line, f"{code}: the explanation explains nothing")


def catalogue(findings):
    """{code: (path, line)} of every entry."""
    found = {}
    for path in project_files(".def"):
        if path.parts[:2] != ("compiler", "diag"):
            continue
        text = text_of(path)
        codes = []
        for match in ENTRY.finditer(text):
            line = line_at(text, match.start())
            code, name, severity, literals, _, explanation = match.groups()
            check_entry(path, line, (code, name, severity, joined(literals), explanation), findings)
            if code in found:
                findings.add(path, line, f"{code} is declared before, at {found[code][0]}:{found[code][1]}")
            found[code] = (path, line)
            codes.append(code)
        if len(codes) != len(re.findall(r"^CW_DIAG\(", text, re.MULTILINE)):
            findings.add(path, 1, "has entries that this test can't read")
        if codes != sorted(codes):
            findings.add(path, 1, "the entries are not sorted by code")
    return found


def main():
    findings = Findings()
    codes = catalogue(findings)
    shown = set()
    for path in project_files(".md"):
        if path.parts[0] == "tests" or path.parts[:2] == ("docs", "filters"):
            shown |= set(re.findall(rf"\b[{FAMILIES}]\d{{3}}\b", text_of(path)))
    for code, (path, line) in codes.items():
        if code not in shown:
            findings.add(path, line, f"{code} appears in no test (tests/**/*.md)")
    for path in project_files(*CPP):
        text = text_of(path)
        for match in SAID_IN_CODE.finditer(text) if path.parts[0] == "compiler" else ():
            for fault in faults_of(joined(match.group(2))):
                findings.add(path, line_at(text, match.start()), f"the text of {match.group(1)}() {fault}")
    findings.finish(f"{len(codes)} diagnostics, each worded as agreed and shown by a test")


main()
