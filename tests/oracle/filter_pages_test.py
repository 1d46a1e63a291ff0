"""The examples of docs/filters about Jinja2's own filters, tests, functions and methods, rendered by pip's jinja2: each
`output` equals Jinja2's, and where a page shows errors, Jinja2 fails.

Usage: filter_pages_test.py      Exit code 77 and a reason if jinja2 (or PyYAML, for `values.yaml`) is missing.
"""

import pathlib
import re
import sys

PAGES = pathlib.Path(__file__).parents[2] / "docs" / "filters"
HEADING = re.compile(r"^#+ (.*)")
FENCE = re.compile(r"^```(\S+)\n(.*?)^```$", re.S | re.M)
# Rejected here, and random in Jinja2.
REFUSED = {"random", "lipsum"}


def cases(page):
    """(heading, {info: text}) for each run of blocks that starts with an input and ends with an expectation."""
    heading, blocks = "", {}
    parts = re.split(r"^(#+ .*)$", page.read_text(encoding="utf-8"), flags=re.M)
    for part in parts:
        match = HEADING.match(part)
        if match:
            heading = match.group(1)
            continue
        for info, text in FENCE.findall(part):
            blocks[info] = text
            if info in ("output", "errors"):
                yield heading, blocks
                blocks = {}


def main():
    try:
        import jinja2
        import yaml
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    compared, wrong = 0, []
    for page in sorted(PAGES.glob("*.md")):
        if page.name.startswith("extras-"):
            continue
        for heading, blocks in cases(page):
            if heading in REFUSED:
                continue
            options = dict(line.split(": ") for line in blocks.get("options", "").splitlines())
            environment = jinja2.Environment(
                undefined=jinja2.StrictUndefined,
                extensions=["jinja2.ext.do"],
                autoescape=options.get("autoescape") == "true",
                keep_trailing_newline=False,
            )
            try:
                template = environment.from_string(blocks["main.j2"])
                actual = template.render(yaml.safe_load(blocks.get("values.yaml", "{}")))
            except Exception as error:  # any Python exception
                actual = error
            compared += 1
            if "output" in blocks:
                right = isinstance(actual, str) and actual.rstrip("\n") == blocks["output"].rstrip("\n")
            else:
                right = isinstance(actual, Exception)
            if not right:
                wrong.append(f"--- {page.name}, {heading}\n{blocks['main.j2']}Jinja2 gives: {actual!r}")
    print(*wrong, sep="\n")
    print(f"{compared} examples compared with Jinja2 {jinja2.__version__}: {len(wrong)} differ")
    sys.exit(1 if wrong else 0)


main()
