"""What the hygiene tests share: the project's files, C++ text without comments and strings, and how to report."""

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
    """C++ text with comments and the insides of literals blanked; offsets and lines stay what they were."""

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


class Findings:
    """Collects `path:line: message` and ends the test."""

    def __init__(self):
        self.lines = []

    def add(self, path, line, message):
        self.lines.append(f"{path}:{line}: {message}")

    def finish(self, summary):
        for line in self.lines:
            print(line)
        print(f"{len(self.lines)} findings" if self.lines else summary)
        sys.exit(1 if self.lines else 0)
