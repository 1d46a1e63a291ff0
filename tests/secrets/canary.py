"""Secrets that are known to nobody else, and the forms in which they may turn up."""

import base64
import hashlib

SHORTEST = 10  # characters of a half; digests are looked for by as many


def made_up(name):
    """Two halves with signs between them that URLs, JSON and shells write in other ways."""
    letters = base64.b32encode(hashlib.sha256(name.encode()).digest()).decode().lower()
    return f"{letters[:12]}/+ {letters[12:24]}"


def digits(name):
    return str(int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big") + 10**14)


def base64_cores(text):
    """What of its Base64 doesn't depend on what stands before and behind it."""
    for before in range(3):
        code = base64.b64encode(b"\0" * before + text).decode().rstrip("=")
        yield code[(before * 8 + 5) // 6:len(code) - 1]


def forms_of(canary):
    """Form -> what it looks like. A half is enough: escapes may come between."""
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
    """All canaries of a test, to be looked for in whatever a program gives away."""

    def __init__(self):
        self.forms = {}  # the first characters of a form -> {form: what it is}

    def plant(self, name, numeric=False):
        canary = digits(name) if numeric else made_up(name)
        for form, text in forms_of(canary).items():
            self.forms.setdefault(text[:SHORTEST], {})[text] = f"{name}: {form}"
        return canary

    def found_in(self, text):
        """Which canaries are in these bytes, and how they look there."""
        text = text.decode("utf-8", "replace")
        starts = {text[at:at + SHORTEST] for at in range(len(text) - SHORTEST + 1)}
        return [what for start in starts & self.forms.keys() for form, what in self.forms[start].items() if form in text]
