"""Shared by the hygiene tests: the project's files, C++ text without comments and strings, and how to report."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP = (".cc", ".h")


def project_files(*suffixes):
    """The files that git tracks or would track, as paths relative to ROOT, sorted; all of them without suffixes."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = sorted({pathlib.Path(name) for name in listed.split("\0") if name})
    return [path for path in paths if (ROOT / path).is_file() and (not suffixes or path.name.endswith(suffixes))]


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<raw>R"(?P<delimiter>[^()\s\\]{0,16})\(.*?\)(?P=delimiter)")
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<number>\b\d(?:'?[\w.])*)
      | (?P<char>'(?:\\.|[^'\\\n])+')""",
    re.VERBOSE | re.DOTALL,
)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def code_of(text):
    """C++ text with comments and the content of literals blanked; offsets and lines are unchanged."""

    def replace(match):
        found = match.group(0)
        if match.lastgroup == "number":
            return found.replace("'", "0")
        if match.lastgroup == "comment":
            return _blank(found)
        return '"' + _blank(found[1:-1]) + '"'

    return TOKEN.sub(replace, text)


def comments_of(text):
    """(line number, text) of every comment line."""
    for match in TOKEN.finditer(text):
        if match.group("comment"):
            first = text.count("\n", 0, match.start()) + 1
            for offset, line in enumerate(match.group("comment").split("\n")):
                yield first + offset, line


def includes_of(text):
    """(line number, "<" or a quote, path) of every #include."""
    for number, line in enumerate(text.split("\n"), 1):
        found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if found:
            yield number, found.group(1), found.group(2)


def line_at(text, offset):
    return text.count("\n", 0, offset) + 1


BACKLOG = ROOT / "tests" / "hygiene" / "backlog.txt"


class Findings:
    """Collects `path:line: message` and ends the test.

    backlog.txt lists findings that wait to be mended, as `test path: message`. It can only shrink: a finding that is
    not in it fails the test, and so does a line of it that is no longer true."""

    def __init__(self):
        self.found = []

    def add(self, path, line, message):
        self.found.append((str(path), line, message))

    def finish(self, summary):
        test = pathlib.Path(sys.argv[0]).stem
        lines = BACKLOG.read_text(encoding="utf-8").splitlines() if BACKLOG.exists() else []
        waiting = {line.removeprefix(test + " ") for line in lines if line.startswith(test + " ")}
        told = [f"{path}:{line}: {message}" for path, line, message in self.found if f"{path}: {message}" not in waiting]
        mended = waiting - {f"{path}: {message}" for path, _, message in self.found}
        told += [f"tests/hygiene/backlog.txt: no longer true, remove it: {test} {line}" for line in sorted(mended)]
        print(*told, sep="\n")
        print(f"{len(told)} findings" if told else f"{summary}; {len(waiting)} wait in backlog.txt")
        sys.exit(1 if told else 0)
