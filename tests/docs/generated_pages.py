#!/usr/bin/env python3
"""Generates the pages of docs/ from the program's tables and from the tests' lists of differences.

    CAPWRIGHT=build/dev/capwright generated_pages.py [--write]

Without --write it compares, and fails for pages that are out of date. docs/providers/<set>.md is written by hand, except
for the text between the markers `<!-- values -->` and `<!-- /values -->`, and docs/migrate.md for that between
`<!-- migrations -->` and `<!-- /migrations -->`.
"""

import difflib
import os
import pathlib
import subprocess
import sys

import commands_page
import compatibility_page
import migrations_table

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DIFF_LINES = 20


def printed(*arguments):
    """The output of `capwright-dev docs ARGUMENTS`."""
    program = os.environ.get("CAPWRIGHT")
    if not program:
        sys.exit("CAPWRIGHT names the program to be asked")
    return subprocess.run([program + "-dev", "docs", *arguments], check=True, capture_output=True, text=True).stdout


def between_markers(path, text, name):
    """The page with `text` between the markers `<!-- name -->` and `<!-- /name -->`."""
    page = path.read_text(encoding="utf-8")
    opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    if page.count(opening) != 1 or page.count(closing) != 1:
        sys.exit(f"{path} needs {opening.strip()} and {closing.strip()}, once each")
    before, rest = page.split(opening)
    return before + opening + text + closing + rest.split(closing)[1]


def pages():
    """{path: its expected text}."""
    made = {DOCS / "diagnostics.md": printed("diagnostics"), DOCS / "values.md": printed("values"),
            DOCS / "rules.md": printed("rules"), DOCS / "configuration.md": printed("configuration"),
            DOCS / "commands.md": commands_page.page(), DOCS / "compatibility.md": compatibility_page.page()}
    for path in sorted((DOCS / "providers").glob("*.md")):
        made[path] = between_markers(path, printed("values", path.stem), "values")
    made[DOCS / "migrate.md"] = between_markers(DOCS / "migrate.md", migrations_table.table(), "migrations")
    return made


def difference(path, kept, made):
    lines = difflib.unified_diff(kept.splitlines(), made.splitlines(), f"{path}", f"{path} (made anew)", lineterm="", n=1)
    return "\n".join(list(lines)[:DIFF_LINES])


def main():
    stale = 0
    for path, made in pages().items():
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        if kept == made:
            continue
        shown = path.relative_to(ROOT)
        if "--write" in sys.argv[1:]:
            path.write_text(made, encoding="utf-8")
            print(f"{shown}: written")
            continue
        stale += 1
        print(f"{shown} is stale; `./dev docs` makes it anew\n{difference(shown, kept, made)}")
    print(f"{len(pages())} generated pages, {stale} of them stale")
    sys.exit(1 if stale else 0)


main()
