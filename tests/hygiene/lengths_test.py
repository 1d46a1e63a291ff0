"""Limits that keep code readable: lengths of files, headers and functions, nesting, parameters, conditional operators."""

import re

from scanner import functions_of
from sources import CPP, Findings, code_of, line_at, project_files, text_of

FILE_LINES = 500
HEADER_LINES = 200
FUNCTION_LINES = 60
NESTING = 4
PARAMETERS = 5
# A reviewer questions anything above a soft limit; the summary counts it.
SOFT_FILE_LINES = 400
SOFT_FUNCTION_LINES = 40


def check_functions(path, findings):
    above = 0
    for function in functions_of(text_of(path)):
        if function.name == "CW_LINT_RULE":  # not a function: the text of a rule's page
            continue
        where = (path, function.line)
        if function.length > FUNCTION_LINES:
            findings.add(*where, f"`{function.name}` has {function.length} lines, at most {FUNCTION_LINES}")
        if function.nesting > NESTING:
            findings.add(*where, f"`{function.name}` nests {function.nesting} deep, at most {NESTING}")
        if function.parameters > PARAMETERS:
            findings.add(*where, f"`{function.name}` has {function.parameters} parameters, at most {PARAMETERS}")
        above += function.length > SOFT_FUNCTION_LINES
    return above


def nested_conditionals(code):
    """Offsets of conditional operators in an operand of another one, chains such as `a ? b : c ? d : e` included."""
    stack = [(0, 0)]  # for each open bracket: the operators around it, and these with those before here in it
    for match in re.finditer(r"[()\[\]{};,?]", code):
        token, (around, here) = match.group(), stack[-1]
        if token in "([":
            stack.append((here, here))
        elif token == "{":
            stack.append((0, 0))
        elif token in ")]}":
            stack = stack[:-1] or [(0, 0)]
        elif token == "?":
            if here:
                yield match.start()
            stack[-1] = (around, here + 1)
        else:
            stack[-1] = (around, around)


def comma_returns(code):
    """Offsets of `return` with a comma operator: a comma outside of all brackets."""
    for match in re.finditer(r"\breturn\b", code):
        depth, outside = 0, ""
        for char in code[match.end():]:
            depth += (char in "([{") - (char in ")]}")
            if depth < 0 or (depth == 0 and char == ";"):
                break
            outside += char if depth == 0 else ""
        while outside != (without_arguments := re.sub(r"<[^<>]*>", "", outside)):  # of templates
            outside = without_arguments
        if "," in outside:
            yield match.start()


def check_expressions(path, findings):
    code = code_of(text_of(path))
    for offset in nested_conditionals(code):
        findings.add(path, line_at(code, offset), "nests a conditional operator: use `if`, `switch` or a function")
    for offset in comma_returns(code):
        findings.add(path, line_at(code, offset), "returns after a comma operator: use two statements")


def main():
    findings = Findings()
    long_files = long_functions = 0
    paths = project_files(*CPP, ".py")
    for path in paths:
        lines = text_of(path).count("\n")
        limit = HEADER_LINES if path.suffix == ".h" else FILE_LINES
        if lines > limit:
            findings.add(path, 1, f"{lines} lines, at most {limit}")
        long_files += lines > SOFT_FILE_LINES
        if path.suffix in CPP:
            long_functions += check_functions(path, findings)
            if path.parts[0] == "compiler":
                check_expressions(path, findings)
    findings.finish(f"{len(paths)} files; above the soft limits: {long_files} files (over {SOFT_FILE_LINES} lines), "
                    f"{long_functions} functions (over {SOFT_FUNCTION_LINES} lines)")


main()
