"""Includes follow the table of compiler/CMakeLists.txt, and each third-party library stays in its folder. A source includes
the lists of the diagnostics that it uses."""

import re

from sources import CPP, Findings, code_of, includes_of, line_at, project_files, text_of
from stages import reachable, stages

# Header prefix -> the target whose presence in a folder's LIBS allows it there. libfmt is vocabulary: allowed anywhere.
CONFINED = {
    "libfyaml.h": "PkgConfig::libfyaml",
    "utf8proc.h": "PkgConfig::utf8proc",
    "re2/": "PkgConfig::re2",
    "git2.h": "PkgConfig::git2",
    "zlib.h": "PkgConfig::zlib",
    "sqlite3.h": "PkgConfig::sqlite",
    "libpq-fe.h": "PkgConfig::pq",
    "curl/": "PkgConfig::curl",
    "openssl/": "OpenSSL::Crypto",
    "nlohmann/": "nlohmann_json::nlohmann_json",
    "CLI/": "CLI11::CLI11",
    "boost/": "Boost::headers",
    "thread": "Threads::Threads",
    "future": "Threads::Threads",
}
EVERYWHERE = ("fmt/",)
# Internal headers that include a third-party library: no other folder may include them.
PRIVATE = ("git/libgit2.h", "git/tree_store.h", "git/commit_files.h", "git/local_repository.h",
           "server/http_connection.h")
# Only code with access to the outside world includes system headers: files on disk, the command line, crash messages.
POSIX_FOLDERS = ("source", "files", "cli")
POSIX_FILES = ("compiler/base/check.cc",)


def is_own(path):
    return path.parts[1] == "cli" or "/".join(path.parts[1:]) in PRIVATE


def is_posix(header):
    return header.endswith(".h") or header.startswith(("sys/", "linux/"))


def check_angle(path, line, header, table, findings):
    folder = path.parts[1]
    if header.startswith(EVERYWHERE):
        return
    for prefix, library in CONFINED.items():
        if header == prefix or (prefix.endswith("/") and header.startswith(prefix)):
            if library not in table[folder]["libs"]:
                findings.add(path, line, f"<{header}> belongs to the folders whose LIBS have {library}")
            elif path.suffix == ".h" and header != "nlohmann/json_fwd.hpp" and not is_own(path):
                findings.add(path, line, f"<{header}> in a header reaches every folder that includes it")
            return
    if is_posix(header) and folder not in POSIX_FOLDERS and str(path) not in POSIX_FILES:
        findings.add(path, line, f"<{header}>: only {', '.join(POSIX_FOLDERS)} touch the operating system")
    elif "/" in header and not is_posix(header):
        findings.add(path, line, f"<{header}> is of no library that this test knows")


def lists_of_diagnostics():
    """Name of a diagnostic -> the header that declares it."""
    return {name: f"diag/catalog/{path.stem}.h" for path in project_files(".def") if path.parts[1:3] == ("diag", "catalog")
            for name in re.findall(r"^CW_DIAG\(\w+, (\w+)", text_of(path), re.MULTILINE)}


def check_diagnostics(path, text, declared_in, findings):
    """In a unity build, the include of another source would do, and the file fails to compile by itself."""
    code = code_of(text)
    included = {header: line for line, _, header in includes_of(text) if header.startswith("diag/catalog/")}
    used = {}
    for match in re.finditer(r"\bdiag::(\w+)", code):
        if match.group(1) in declared_in:
            used.setdefault(declared_in[match.group(1)], match)
    for header, match in used.items():
        if header not in included:
            findings.add(path, line_at(code, match.start()), f"`{match.group(0)}` is declared in {header}: include it")
    for header, line in included.items():
        if header not in used:
            findings.add(path, line, f"uses no diagnostic of {header}")


def main():
    table = stages()
    findings = Findings()
    files = [path for path in project_files(*CPP) if path.parts[0] == "compiler"]
    declared_in = lists_of_diagnostics()
    for path in files:
        text, folder = text_of(path), path.parts[1]
        if folder != "diag":
            check_diagnostics(path, text, declared_in, findings)
        if folder not in table:
            findings.add(path, 1, f"folder `{folder}` is not in the table of compiler/CMakeLists.txt")
            continue
        allowed = reachable(table, folder)
        for line, quote, header in includes_of(text):
            target = header.split("/")[0]
            if quote == "<":
                check_angle(path, line, header, table, findings)
            elif "/" not in header or target not in table:
                findings.add(path, line, f'"{header}": write the path from compiler/')
            elif header in PRIVATE and target != folder:
                findings.add(path, line, f'"{header}" is for `{target}` alone')
            elif target not in allowed:
                findings.add(path, line, f"`{folder}` may not include `{target}`")
    findings.finish(f"{len(files)} files follow the table of {len(table)} folders")


main()
