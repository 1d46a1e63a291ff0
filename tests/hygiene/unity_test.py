"""The sources of a folder can be compiled as one: no two of them have the same thing in their unnamed namespaces.

The presets but `dev` compile several sources at once, so a second function of the same name fails there. Share it, or name it
for what it does in its file. Rules of lint have a namespace each.
"""

import re

from sources import Findings, code_of, line_at, project_files, text_of

BOUNDARY = re.compile(r"^(?:namespace (?P<name>[\w:]*) ?\{|(?P<end>\}  // namespace)"
                      r"|(?:struct|class|enum class|enum) (?P<type>\w+)(?=[ :{])(?!;)"
                      r"|using (?P<alias>\w+) = (?P<aliased>[^;]+);"
                      r"|(?:inline |static )?(?:constexpr |const )+(?P<constants>[^;]*?\bk[A-Z][^;]*);"
                      r"|(?!return |using |typedef |template|#|\})\w[\w:<>,&* \[\]]*?[ &*](?P<function>[a-z]\w*)\((?P<parameters>[^;{]*?)\)"
                      r"(?: const)?(?: noexcept)? \{)", re.MULTILINE)
CONSTANT = re.compile(r"\bk[A-Z]\w*(?=(?:\[[^\]]*\])?\s*[={])")
PARAMETER = re.compile(r"\s*(?P<type>.*?[\w>&*)])(?:\s*\b\w+)?\s*$", re.DOTALL)


def unit_of(path):
    """The library or program that a source belongs to; None for one that is compiled by itself."""
    if path.parts[0] == "compiler":
        return path.parts[1]
    return "/".join(path.parts[:2]) if path.parts[:2] in (("tests", "unit"), ("tests", "support")) else None


def types_of(parameters):
    parts = re.split(r",(?![^<(]*[>)])", re.sub(r"\s*=[^,]*", "", parameters))
    return tuple(" ".join(PARAMETER.sub(r"\g<type>", part).split()) for part in parts)


def unnamed(text):
    """(offset, what it is) of all that is declared in unnamed namespaces."""
    around = []
    for match in BOUNDARY.finditer(text_without_literals(text)):
        if match.group("end"):
            around = around[:-1]
        elif match.group("name") is not None:
            around = [*around, match.group("name")]
        elif "" in around:
            scope = "::".join(name for name in around if name)
            if match.group("function"):
                yield match.start(), (scope, match.group("function"), types_of(match.group("parameters")))
            elif match.group("alias"):
                yield match.start(), (scope, match.group("alias"), match.group("aliased"))
            elif match.group("constants"):
                yield from ((match.start(), (scope, name)) for name in CONSTANT.findall(match.group("constants")))
            else:
                yield match.start(), (scope, match.group("type"))


def text_without_literals(text):
    """Code, and the comments that name the ends of namespaces."""
    kept = code_of(text).split("\n")
    for number, line in enumerate(text.split("\n")):
        if line.startswith("}  // namespace"):
            kept[number] = line
    return "\n".join(kept)


def main():
    findings, known, count = Findings(), {}, 0
    for path in project_files(".cc"):
        unit = unit_of(path)
        if unit is None:
            continue
        text = text_of(path)
        for offset, what in unnamed(text):
            count += 1
            first = known.setdefault((unit, what), path)
            # An alias may be repeated as it is.
            if first != path and not (len(what) == 3 and isinstance(what[2], str)):
                findings.add(path, line_at(text, offset), f"`{what[1]}` is in {first} too: share it, or name it otherwise")
            if len(what) == 3 and isinstance(what[2], str):
                other = known.setdefault((unit, what[:2]), what)
                if other != what:
                    findings.add(path, line_at(text, offset), f"`{what[1]}` is another type elsewhere in {unit}")
    findings.finish(f"{count} names in unnamed namespaces: none is twice in one folder")


main()
