"""Texts avoid constructions that are hard to read. A construction has a maximum per area, which can only shrink."""

import re

from sources import TOKEN, Findings, line_at, project_files, text_of

# Words, what to write instead, and how many there may be: in pages, in pages generated from the compiler, in its sources.
# `\s+` replaces each space, so that a construction is found across lines.
WORDS = (
    (r"(?<!\bthere\s)\b(?:is|are|was|were) no\b(?! longer| more than)", "`isn't a`, `aren't`, or `has no`", 0, 0, 0),
    (r"\b(?:told|tells? of)\b", "`reported`; a message reports, states or names", 0, 0, 0),
    (r"\b(?:stands?|stood)\b(?!-)", "`is`, `appears`, `represents`", 0, 0, 0),
    (r"\b(?:no|some|any|every)(?:body|one)\b|\bwhoever\b", "the program, file or role that acts", 0, 0, 0),
    (r"\banew\b", "`again`, or a verb with `re-`", 0, 0, 0),
    (r"\bmend(?:s|ed|ing)?\b", "`fix`", 0, 0, 0),
    (r"\blets? go of\b", "`frees`, `drops`, `releases`", 0, 0, 0),
    (r"\bso many\b", "`this many`, or the number", 0, 0, 0),
    (r"\b(?:take[ns]?|took|taking) (?:it |them |this |that )?for\b", "`treat as`, `mistake for`", 0, 0, 0),
    (r"\bbehind\b", "`after`; allowed: behind a network device, an interface or a commit", 0, 0, 0),
    (r"\btak(?:e|es|en|ing) (?:\w+ ){0,2}back\b", "`suppress`, `revert`", 0, 0, 0),
    (r"\b(?:place holders?|work trees?)\b", "`placeholder`, `working tree`", 0, 0, 0),
    (r"(?:^[^\S\n]*|[.;] )What [^.?!;:|]{3,70} (?:is|are|isn't|aren't)\b", "a noun as the subject", 0, 0, 0),
    (r"(?:^[^\S\n]*|[.:;] )(?:Looked at|Told|Shown|Compared|Left out|Not [a-z]+ed) (?:is|are)\b",
     "subject, verb, object", 0, 0, 0),
)
AREAS = ("pages", "generated pages", "compiler")
GENERATED = ("docs/commands.md", "docs/rules.md", "docs/diagnostics.md", "docs/configuration.md", "docs/values.md",
             "docs/compatibility.md")

PAGES = ("README.md", "CONTRIBUTING.md", "tests/README.md")

# File, phrase that may stay, reason. A phrase that no longer occurs fails the test.
ALLOWED = ()
ALLOWED_ANYWHERE = re.compile(
    r"behind (?:an? |the |its |their |one )?(?:internal |network )?"
    r"(?:load balancers?|prox(?:y|ies)|firewalls?|NAT|interfaces?|flag)\b"
    r"|(?:commits?|is|are) behind\b|\bahead or behind\b|\b(?:left|leaves?)[ -](?:\w+ )?behind\b", re.IGNORECASE)


def blanked(text):
    return re.sub(r"[^\n]", " ", text)


def prose_of_page(text):
    """Markdown without fenced blocks and code spans, with offsets unchanged."""
    text = re.sub(r"^ *```.*?^ *```", lambda block: blanked(block.group(0)), text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", lambda span: blanked(span.group(0)), text)


def prose_of_source(text):
    """The comments and literals of a C++ file, with offsets unchanged."""
    kept = list(blanked(text))
    for token in TOKEN.finditer(text):
        if token.lastgroup in ("comment", "raw", "string") or token.group("raw"):
            kept[token.start():token.end()] = token.group(0).replace("//", "  ")
    return "".join(kept)


def area_of(path):
    """The area of a file and its prose, or nothing for a file that this test doesn't read."""
    name = str(path)
    if name.startswith("compiler/") and path.suffix in (".h", ".cc", ".def"):
        return "compiler", prose_of_source(text_of(path))
    if path.suffix != ".md":
        return None
    if name in GENERATED:
        return "generated pages", prose_of_page(text_of(path))
    if path.parts[0] in ("docs", "compiler", "schemas", "templates") or name in PAGES:
        return "pages", prose_of_page(text_of(path))
    return None


def is_allowed(path, text, found, used):
    begin = max(0, found.start() - 80)
    around = re.sub(r"\s+", " ", text[begin:found.end() + 80])
    words = re.sub(r"\s+", " ", found.group(0)).strip()
    for file, phrase, _ in ALLOWED:
        if str(path) == file and words in phrase and phrase in around:
            used.add((file, phrase))
            return True
    near = re.sub(r"\s+", " ", text[max(0, found.start() - 12):found.end() + 40])
    return any(words in match.group(0) for match in ALLOWED_ANYWHERE.finditer(near))


def check_maximum(pattern, instead, area, maximum, places, findings):
    if len(places) > maximum:
        for path, line, words in places:
            findings.add(path, line, f"`{words}`: write {instead} ({len(places)} in {area}, at most {maximum})")
    elif len(places) < maximum:
        findings.add("tests/hygiene/english_test.py", 1, f"lower the maximum of `{pattern}` in {area} to {len(places)}")


def main():
    findings = Findings()
    used = set()
    texts = [(path, *area) for path in project_files() if (area := area_of(path))]
    total = 0
    for pattern, instead, *maxima in WORDS:
        expression = re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE | re.MULTILINE)
        for area, maximum in zip(AREAS, maxima):
            places = [(path, line_at(text, found.end()), re.sub(r"\s+", " ", found.group(0)).strip(" .:;"))
                      for path, of, text in texts if of == area
                      for found in expression.finditer(text) if not is_allowed(path, text, found, used)]
            check_maximum(pattern, instead, area, maximum, places, findings)
            total += len(places)
    for file, phrase, _ in ALLOWED:
        if (file, phrase) not in used:
            findings.add(file, 1, f"`{phrase}` doesn't occur any more: remove it from the allow-list of english_test.py")
    findings.finish(f"{len(texts)} files; {total} constructions remain")


main()
