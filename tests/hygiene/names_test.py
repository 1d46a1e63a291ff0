"""Names follow one style, and describe what a thing is instead of what it does."""

import re

from scanner import functions_of
from sources import CPP, Findings, code_of, line_at, project_files, text_of

TYPE = re.compile(r"\b(?:(?:class|struct|enum class|union)\s+(?:\[\[[^\]]*\]\]\s*)?(?=\w+\s*(?:final\s*)?[{:;])"
                  r"|using\s+(?=\w+\s*=))(\w+)")
PASCAL = re.compile(r"[A-Z][A-Za-z0-9]*$")
SNAKE = re.compile(r"~?[a-z][a-z0-9]*(?:_[a-z0-9]+)*_?$")
VAGUE_TYPE = re.compile(r"(?:Manager|Helper|Util|Utils|Impl|Data)$")
ACCESSOR = re.compile(r"(?:get|set)_\w+$")
FILE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*\.\w+$")
# Names that libraries require: traits that ranges and maps look for, entry points of Catch2, libFuzzer and the linker, Python's `__setitem__`.
DICTATED_TYPES = re.compile(r"(?:iterator|const_iterator|value_type|difference_type|reference|pointer|iterator_category"
                            r"|iterator_concept|is_transparent)$")
DICTATED_FUNCTIONS = re.compile(r"(?:TEST_CASE|SECTION|TEMPLATE_TEST_CASE|LLVMFuzzer\w+|__lsan_\w+|__wrap_\w+|CW_\w+|set_item)$")


def check_types(path, code, findings):
    for match in TYPE.finditer(code):
        name = match.group(1)
        line = line_at(code, match.start())
        if not PASCAL.match(name) and not DICTATED_TYPES.match(name):
            findings.add(path, line, f"type `{name}` is not PascalCase")
        if VAGUE_TYPE.search(name):
            findings.add(path, line, f"type `{name}` does not say what it is")


def check_functions(path, text, types, findings):
    for function in functions_of(text):
        name = function.name.split("::")[-1]
        if name.startswith("operator") or name.lstrip("~") in types or DICTATED_FUNCTIONS.match(name):
            continue
        if not SNAKE.match(name):
            findings.add(path, function.line, f"function `{name}` is not snake_case")
        if ACCESSOR.match(name):
            findings.add(path, function.line, f"function `{name}`: queries are nouns, changes are verbs")


def main():
    findings = Findings()
    files = [path for path in project_files(*CPP) if path.parts[0] in ("compiler", "tests")]
    texts = {path: text_of(path) for path in files}
    codes = {path: code_of(text) for path, text in texts.items()}
    types = {match.group(1) for code in codes.values() for match in TYPE.finditer(code)}
    for path in files:
        if not FILE.match(path.name):
            findings.add(path, 1, "file names are snake_case")
        check_types(path, codes[path], findings)
        check_functions(path, texts[path], types, findings)
    findings.finish(f"{len(files)} files, {len(types)} types: names follow the style")


main()
