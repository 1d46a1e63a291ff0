"""The folders of the compiler and their dependencies, read from the table in compiler/CMakeLists.txt."""

import re

from sources import text_of


def stages():
    """{folder: {"deps": [folder], "libs": [target]}} in the order of the table."""
    table = {}
    for call in re.finditer(r"^capwright_stage\(([^)]*)\)", text_of("compiler/CMakeLists.txt"), re.MULTILINE):
        folder, *rest = call.group(1).split()
        entry = table[folder] = {"deps": [], "libs": [], "precompiled": []}
        bucket = None
        for word in rest:
            if word in ("DEPS", "LIBS", "PRECOMPILED"):
                bucket = entry[word.lower()]
            else:
                bucket.append(word)
    return table


def reachable(table, folder):
    """The folders that `folder` may include: itself and its dependencies, transitively."""
    found = {folder}
    for dependency in table[folder]["deps"]:
        found |= reachable(table, dependency)
    return found
