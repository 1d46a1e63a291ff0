"""Each source begins with its purpose; comments contain no dead code, history or plans."""

import re

from sources import CPP, Findings, comments_of, project_files, text_of

OPENING_LINES = 4
DEAD_CODE = re.compile(r"^//\s*(?:[\w:<>*&]+\s+)*[\w:.>-]+\s*(?:\(.*\)|=[^=].*);\s*$|^//\s*(?:if|for|while)\s*\(.*\{\s*$")
PLANS = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")


def check_opening(path, text, findings):
    lines = text.split("\n")
    opening = 0
    while opening < len(lines) and lines[opening].startswith("//"):
        opening += 1
    if opening == 0:
        findings.add(path, 1, "opens without a comment that says what the file is for")
    elif opening > OPENING_LINES:
        findings.add(path, 1, f"opens with {opening} lines of comment, at most {OPENING_LINES}")


def check_script_opening(path, text, findings):
    body = re.sub(r"\A#!.*\n", "", text)
    if not body.startswith(('"""', "# ")):
        findings.add(path, 1, "opens without a comment that says what the file is for")


def main():
    findings = Findings()
    sources = project_files(*CPP)
    for path in sources:
        text = text_of(path)
        check_opening(path, text, findings)
        for line, comment in comments_of(text):
            if DEAD_CODE.match(comment.strip()):
                findings.add(path, line, "looks like code in a comment")
            if PLANS.search(comment):
                findings.add(path, line, "a plan in a comment: do it, or leave it out")
    scripts = project_files(".py", ".cmake", "CMakeLists.txt", ".sh")
    for path in scripts:
        check_script_opening(path, text_of(path), findings)
    findings.finish(f"{len(sources)} sources and {len(scripts)} scripts say what they are for")


main()
