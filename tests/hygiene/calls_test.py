"""The compiler is a pure function of its inputs: no clock, environment, locale, randomness, printing or hidden I/O."""

import re

from sources import CPP, Findings, code_of, line_at, project_files, text_of

# Calls that read or change the outside world, and the files that may use them.
WORLD = {
    r"\b(?:fopen|freopen|std::remove|std::rename|mkstemp|mkdtemp)\b": "files are reached through FileSystem",
    r"\bstd::(?:i|o)?fstream\b|<fstream>": "files are reached through FileSystem",
    r"\bstd::filesystem::(?!path\b)\w+|\bnamespace\s+\w+\s*=\s*std::filesystem\b|<sys/stat\.h>":
        "files are reached through FileSystem; only paths are plain text",
    r"\b(?:posix_spawnp?|v?fork|exec[lv]p?e?|popen|waitpid)\s*\(": "other programs are run through Programs",
    r"\bgetenv\b|\benviron\b": "nothing depends on the environment",
}
WORLD_PLACES = ("compiler/source/real_", "compiler/files/write", "compiler/workflow/", "compiler/cli/", "compiler/devtools/",
                "compiler/base/check.cc")
PRINTING = {
    r"\b(?:std::)?v?f?printf\s*\(|\bputs\s*\(|\bstd::(?:cout|cerr|clog)\b|<iostream>": "stages report into a Sink",
    r"\bfmt::print\b": "stages report into a Sink",
}
PRINTING_PLACES = ("compiler/source/real_", "compiler/cli/", "compiler/devtools/", "compiler/base/check.cc")

# Calls that are forbidden everywhere.
NOWHERE = {
    r"\b(?:system|steady|high_resolution)_clock\b|\b(?:std::)?time\s*\(|\bgettimeofday\b": "only source/real_clock reads the clock",
    r"\bs?rand\s*\(|\brandom_device\b|\bmt19937\w*\b": "nothing is random",
    r"<regex>|\bstd::regex\b": "std::regex is slow and recursive; text/ has RE2",
    r"\bsetlocale\b|\bstd::locale\b|<locale>": "nothing depends on the locale",
    r"<cctype>|<ctype.h>|\bstd::(?:isalpha|isalnum|isdigit|isspace|tolower|toupper)\b": "<cctype> depends on the locale",
    r"\bstd::sto(?:i|l|ll|ul|ull|f|d|ld)\b|\b(?:std::)?strto(?:d|f|l|ul|ll|ull)\b|\bato[ifl]\b":
        "these read numbers by the locale; use std::from_chars",
    # A consteval function throws a literal to cause a compile error; CLI11 expects its own exception for invalid input.
    r"\bthrow\b(?!\s*(?:\"|CLI::))": "errors go to the Sink; bugs are CW_CHECKs",
    r"\bstd::hash<[^<>]*\*\s*>": "pointer values must not order anything",
    r"\bgoto\b": "no jumps",
}
CLOCK = r"\bclock_gettime\b|\blocaltime_r\b|\bnanosleep\b"
CLOCK_PLACES = ("compiler/source/real_clock",)
# For crash messages: only the breadcrumb of each thread is in thread-local storage.
THREAD_LOCAL_PLACES = ("compiler/base/check.cc",)


def check(path, code, patterns, findings):
    for pattern, reason in patterns.items():
        for found in re.finditer(pattern, code):
            findings.add(path, line_at(code, found.start()), f"`{found.group(0).strip()}`: {reason}")


def main():
    findings = Findings()
    files = [path for path in project_files(*CPP) if path.parts[0] == "compiler"]
    for path in files:
        code = code_of(text_of(path))
        check(path, code, NOWHERE, findings)
        if not str(path).startswith(WORLD_PLACES):
            check(path, code, WORLD, findings)
        if not str(path).startswith(PRINTING_PLACES):
            check(path, code, PRINTING, findings)
        if not str(path).startswith(CLOCK_PLACES):
            check(path, code, {CLOCK: "only source/real_clock reads the clock"}, findings)
        if not str(path).startswith(THREAD_LOCAL_PLACES):
            check(path, code, {r"\bthread_local\b": "state is passed, not kept by thread"}, findings)
    findings.finish(f"{len(files)} files call nothing that they may not")


main()
