"""Every filter, test and function has a page with its name in docs/filters/, every method is in methods.md, and pages
mention only existing ones."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[2]
BUILTINS = ROOT / "compiler" / "template" / "builtins"
DECLARATION = re.compile(r'^CW_(FILTER|TEST|FUNCTION)\("([^"]+)"', re.M)
METHOD = re.compile(r'^CW_METHOD\(\w+, "(\w+)"', re.M)
HEADING = re.compile(r"^## (.*)$", re.M)
# Operators that are also names of tests: described on the page of the named test.
SIGNS = {"==", "!=", "<", "<=", ">", ">="}


def main():
    declared = set()
    for table in ("builtins.def", "extras/extras.def"):
        declared |= {name for _, name in DECLARATION.findall((BUILTINS / table).read_text(encoding="utf-8"))}
    methods = set(METHOD.findall((BUILTINS / "methods.def").read_text(encoding="utf-8")))
    pages = {page.name: page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "filters").glob("*.md"))}
    headings = set()
    for name, text in pages.items():
        if name != "methods.md":
            for heading in HEADING.findall(re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)):
                headings |= set(re.sub("^Tests? ", "", heading).split(", "))
    everything = "\n".join(pages.values())
    faults = [f"`{name}` has no page" for name in sorted(declared - SIGNS) if name not in headings
              and not re.search(rf"`(is )?{name}\b", everything)]
    faults += [f"`{sign}` is on no page" for sign in sorted(SIGNS) if f"`{sign}`" not in everything]
    faults += [f"the method `{name}` is not in methods.md" for name in sorted(methods)
               if not re.search(rf"`{name}[(`]", pages["methods.md"])]
    faults += [f"a page tells of `{heading}`, which isn't there" for heading in sorted(headings - declared)]
    print(*faults, sep="\n")
    print(f"{len(declared)} filters, tests and functions, {len(methods)} methods, {len(pages)} pages")
    sys.exit(1 if faults else 0)


main()
