"""Every relative link of a Markdown page leads to an existing file or folder, and every `#anchor` to a heading."""

import os
import re

from sources import ROOT, Findings, project_files, text_of

LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^()\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
INLINE_CODE = re.compile(r"`[^`\n]*`")


def without_code(text):
    """The page with code blocks blanked, line by line, because links in them are examples."""
    return FENCED.sub(lambda block: "\n" * block.group(0).count("\n"), text)


def anchors_of(text):
    """GitHub's form of anchors: lower case, without punctuation, spaces to hyphens."""
    headings = re.findall(r"^#+ (.*)$", without_code(text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def fault_of(page, target):
    """The error in a link on `page`, or None."""
    path, _, anchor = target.partition("#")
    file = ROOT / os.path.normpath(page.parent / path) if path else ROOT / page
    if not file.exists():
        return f"`{target}`: there is no such file"
    if anchor and file.suffix == ".md" and anchor not in anchors_of(file.read_text(encoding="utf-8")):
        return f"`{target}`: the page has no such heading"
    return None


def main():
    findings = Findings()
    count = 0
    for page in project_files(".md"):
        for number, line in enumerate(without_code(text_of(page)).split("\n"), 1):
            for target in LINK.findall(INLINE_CODE.sub(lambda code: "x" * len(code.group(0)), line)):
                if re.match(r"[a-z]+:", target):
                    continue
                count += 1
                if fault := fault_of(page, target):
                    findings.add(page, number, fault)
    findings.finish(f"{count} links")


main()
