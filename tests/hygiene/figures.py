#!/usr/bin/env python3
"""Prints figures about the size and the shape of compiler/, as docs/architecture.md records them."""

import collections
import pathlib
import re

from scanner import functions_of
from sources import CPP, includes_of, project_files, text_of

SMALL_HEADER = 20  # lines
GENERATED = re.compile(r"^// (?:Made|Generated) by ", re.MULTILINE)
SECRETS = re.compile(r"secret|redact|conceal|mask|cover_|sops|seal")
# One command whose registration is counted: files in cli/ that name it, without those of its own.
COMMAND, OPTIONS = "leftovers", re.compile(r"\bLeftoversOptions\b|run_leftovers|\"leftovers\"|CW_COMMAND\(leftovers,")


def circles(includes):
    """Groups of files that include each other: strongly connected components of more than one file (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(path):
        index[path] = low[path] = len(index)
        stack.append(path)
        for target in includes[path]:
            if target not in index:
                visit(target)
                low[path] = min(low[path], low[target])
            elif target in stack:
                low[path] = min(low[path], index[target])
        if low[path] == index[path]:
            group = [stack.pop()]
            while group[-1] != path:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(group)

    for path in list(includes):
        if path not in index:
            visit(path)
    return found


def figures():
    texts = {path: text_of(path) for path in project_files(*CPP, ".def") if path.parts[0] == "compiler"}
    written = {path: text for path, text in texts.items() if not GENERATED.search(text[:400])}
    headers = [path for path in written if path.suffix == ".h"]
    names = collections.Counter(path.name for path in headers)
    root = pathlib.Path("compiler")
    includes = {path: [root / name for _, quote, name in includes_of(text) if quote == '"' and root / name in texts]
                for path, text in texts.items()}
    lists = collections.Counter(name for text in texts.values() for _, _, name in includes_of(text)
                                if name.startswith("diag/catalog") and name.endswith(".h"))
    functions = [function for path in written if path.suffix in CPP for function in functions_of(written[path])
                 if function.name != "CW_LINT_RULE"]
    largest, includers = lists.most_common(1)[0]
    yield "lines in compiler/, generated tables left out", sum(text.count("\n") for text in written.values())
    yield "folders that handle secrets", len({path.parts[1] for path in texts if SECRETS.search(path.name)
                                              and path.parts[1:3] != ("lint", "rules")})
    yield f"headers of at most {SMALL_HEADER} lines", sum(text_of(path).count("\n") <= SMALL_HEADER for path in headers)
    yield "names that several headers share", sum(count > 1 for count in names.values())
    yield "file circles", len(circles(includes))
    yield "longest function", max(function.length for function in functions)
    yield "longest file", max(text.count("\n") for path, text in written.items() if path.suffix in CPP)
    yield "files that a new command touches, besides its own", sum(
        bool(OPTIONS.search(text)) for path, text in texts.items()
        if path.parts[1] == "cli" and COMMAND not in path.name)
    yield f"includers of the largest list of diagnostics ({largest})", includers


def main():
    for name, value in figures():
        print(f"| {name} | {value:,} |")


main()
