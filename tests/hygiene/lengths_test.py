"""Limits that keep code readable: lengths of files, headers and functions, nesting, parameters."""

from scanner import functions_of
from sources import CPP, Findings, project_files, text_of

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
    findings.finish(f"{len(paths)} files; above the soft limits: {long_files} files (over {SOFT_FILE_LINES} lines), "
                    f"{long_functions} functions (over {SOFT_FUNCTION_LINES} lines)")


main()
