"""Includes follow the table of compiler/CMakeLists.txt, and each third-party library stays in its folder. Sources that use
diagnostics include their catalogue."""

import pathlib
import re

from sources import CPP, Findings, code_of, includes_of, line_at, project_files, text_of
from stages import reachable, stages

# Header prefix -> the target whose presence in a folder's LIBS allows it there. libfmt is vocabulary: allowed anywhere.
CONFINED = {
    "libfyaml.h": "PkgConfig::libfyaml",
    "utf8proc.h": "PkgConfig::utf8proc",
    "re2/": "PkgConfig::re2",
    "git2.h": "PkgConfig::libgit2",
    "zlib.h": "PkgConfig::zlib",
    "sqlite3.h": "PkgConfig::sqlite3",
    "libpq-fe.h": "PkgConfig::libpq",
    "curl/": "PkgConfig::libcurl",
    "openssl/": "OpenSSL::Crypto",
    "nlohmann/": "nlohmann_json::nlohmann_json",
    "CLI/": "CLI11::CLI11",
    "thread": "Threads::Threads",
    "future": "Threads::Threads",
}
EVERYWHERE = ("fmt/",)
# Internal headers that include a third-party library: no other folder may include them.
PRIVATE = ("git/libgit2.h", "git/tree_store.h", "git/commit_files.h", "git/local_repository.h",
           "database/backends.h")
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


def declares_diagnostics(path, texts, seen):
    """Whether a source includes a catalogue, directly or through headers of its own folder."""
    for _, _, header in includes_of(texts[path]):
        included = pathlib.Path("compiler", header)
        if header.endswith("catalog.h"):
            return True
        if included in texts and included.parts[1] == path.parts[1] and included not in seen:
            seen.add(included)
            if declares_diagnostics(included, texts, seen):
                return True
    return False


def check_catalogue(path, texts, findings):
    """In a unity build, the include of another source would do, and the file fails to compile by itself."""
    code = code_of(texts[path])
    used = re.search(r"\bdiag::[a-z]\w*", code)
    if used and path.parts[1] != "diag" and not declares_diagnostics(path, texts, set()):
        findings.add(path, line_at(code, used.start()), f"include the `*catalog.h` that declares `{used.group(0)}`")


def main():
    table = stages()
    findings = Findings()
    files = [path for path in project_files(*CPP) if path.parts[0] == "compiler"]
    texts = {path: text_of(path) for path in files}
    for path in files:
        check_catalogue(path, texts, findings)
        folder = path.parts[1]
        if folder not in table:
            findings.add(path, 1, f"folder `{folder}` is not in the table of compiler/CMakeLists.txt")
            continue
        allowed = reachable(table, folder)
        for line, quote, header in includes_of(texts[path]):
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
