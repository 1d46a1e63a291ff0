"""Unique secrets, and the forms in which they may leak."""

import base64
import hashlib

SHORTEST = 10  # characters of a half, and of the searched part of a digest


def made_up(name):
    """Two halves with characters between them that URLs, JSON and shells escape."""
    letters = base64.b32encode(hashlib.sha256(name.encode()).digest()).decode().lower()
    return f"{letters[:12]}/+ {letters[12:24]}"


def digits(name):
    return str(int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big") + 10**14)


def base64_cores(text):
    """The part of its Base64 that doesn't depend on the text before and after it."""
    for before in range(3):
        code = base64.b64encode(b"\0" * before + text).decode().rstrip("=")
        yield code[(before * 8 + 5) // 6:len(code) - 1]


def forms_of(canary):
    """Form -> its text. A half is enough, because escapes may occur in between."""
    halves = [part for part in canary.replace("/+ ", " ").split() if len(part) >= SHORTEST] or [canary]
    forms = {}
    for number, half in enumerate(halves):
        raw = half.encode()
        forms[f"half {number}"] = half
        forms[f"half {number} in capitals"] = half.upper()
        forms[f"half {number} reversed"] = half[::-1]
        forms[f"half {number} in hex"] = raw.hex()
        forms[f"part of half {number}"] = half[:-2]
        for core in base64_cores(raw):
            forms[f"half {number} in Base64 ({core})"] = core
    for text in (canary, canary + "\n", f'"{canary}"', *halves):
        for algorithm in ("md5", "sha1", "sha256", "sha512"):
            forms[f"{algorithm} of {text!r}"] = hashlib.new(algorithm, text.encode()).hexdigest()[:SHORTEST]
    return forms


class Canaries:
    """All canaries of a test, for searches in a program's output."""

    def __init__(self):
        self.forms = {}  # the first characters of a form -> {form: its description}
        self.clean = set()  # lines without a canary: most output repeats

    def plant(self, name, numeric=False):
        canary = digits(name) if numeric else made_up(name)
        for form, text in forms_of(canary).items():
            self.forms.setdefault(text[:SHORTEST], {})[text] = f"{name}: {form}"
        self.clean.clear()
        return canary

    def found_in(self, text):
        """The canaries in these bytes, and their forms. No form contains a line break."""
        found = []
        for line in set(text.decode("utf-8", "replace").split("\n")) - self.clean:
            starts = {line[at:at + SHORTEST] for at in range(len(line) - SHORTEST + 1)}
            there = [what for start in starts & self.forms.keys() for form, what in self.forms[start].items() if form in line]
            if there:
                found += there
            else:
                self.clean.add(line)
        return list(dict.fromkeys(found))
