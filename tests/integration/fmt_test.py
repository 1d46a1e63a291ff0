#!/usr/bin/env python3
"""`capwright fmt` keeps the value of a file, changes only white space, and changes nothing when it runs again.

The files are those of the golden cases and of the tutorial, and the YAML blocks of tests/spec; each also with its layout
changed at random. PyYAML compares values if it is installed; capwright itself compares them before it writes.
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    yaml = None

CAPWRIGHT = os.environ["CAPWRIGHT"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\S*\.yaml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MOST_SKIPPED = 0.01  # of the values files


def values_files():
    for pattern in ("golden/*/*/*.yaml", "docs/tutorial/fleet/**/*.yaml", "tests/e2e/fleet/layers/*.yaml"):
        for path in sorted(ROOT.glob(pattern)):
            if path.name != "stdout.yaml" and "vendor" not in path.parts:
                yield path.read_text()


def spec_blocks():
    for path in sorted(ROOT.glob("tests/spec/**/*.md")):
        for _, text in BLOCK.findall(path.read_text()):
            yield text


def relaid(text, rng):
    """The text with another layout, which may also have another value or be invalid."""
    lines = []
    wide = rng.random() < 0.5
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if wide:
            line = " " * indent + line
        if rng.random() < 0.2 and not wide:
            line = re.sub(r": (?=\S)", ":" + " " * rng.randint(1, 4), line, count=1)
        if rng.random() < 0.1:
            line += " " * rng.randint(1, 3)
        lines.append(line)
        if rng.random() < 0.05:
            lines += [""] * rng.randint(1, 3)
        if rng.random() < 0.05:
            lines.append(" " * rng.choice([0, 2, 4, indent]) + "# a comment")
    return rng.choice(["\n", "\n", "\r\n"]).join(lines) + "\n" * rng.randint(0, 2)


def load(text):
    """Scalars as texts: the types of YAML 1.1 are another matter."""
    return None if yaml is None else yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))


def packed(text):
    return re.sub(r"\s", "", text)


def run(folder):
    """Formats all files; the lines of the output about skipped files, and whether it wrote any."""
    done = subprocess.run([CAPWRIGHT, "fmt", "--isolated", *sorted(path.name for path in folder.iterdir())], cwd=folder,
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}: {done.stderr[-2000:]}")
    formatted = re.findall(r"^formatted (\S+)$", done.stderr, re.MULTILINE)
    skipped = re.findall(r"^note: `(\S+)` is skipped", done.stderr, re.MULTILINE)
    faulty = set(re.findall(r"^ *--> (\S+?):\d+:\d+$", done.stderr, re.MULTILINE))
    return set(formatted), set(skipped), faulty


def main():
    rng = random.Random(7)
    texts = {}
    for kind, all_texts in (("values", values_files()), ("spec", spec_blocks())):
        for number, text in enumerate(all_texts):
            texts[f"{kind}-{number}-0.yaml"] = text
            for turn in range(1, 4):
                texts[f"{kind}-{number}-{turn}.yaml"] = relaid(text, rng)
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in texts.items():
            (folder / file).write_bytes(text.encode())
        formatted, skipped, faulty = run(folder)
        after = {file: (folder / file).read_bytes().decode() for file in texts}
        again, *_ = run(folder)
    failures += [f"{file} isn't formatted by the first run:\n{after[file]}" for file in again]
    for file in sorted(formatted):
        before = texts[file].removeprefix("\ufeff")
        if packed(before) != packed(after[file]):
            failures.append(f"{file}: more than white space changed")
        try:
            expected = load(before)
        except (yaml.YAMLError if yaml else ValueError):
            continue  # YAML 1.1 has no such text
        if expected != load(after[file]):
            failures.append(f"{file}: the value changed:\n{before}\n--- is\n{after[file]}")
    of_values = [file for file in skipped if file.startswith("values")]
    valid = [file for file in texts if file.startswith("values") and file not in faulty]
    if len(of_values) > MOST_SKIPPED * len(valid):
        failures.append(f"skipped: {of_values[:10]}")
    print("\n".join(failures[:20]))
    print(f"{len(texts)} files, {len(faulty)} with errors, {len(formatted)} formatted, {len(skipped)} skipped ({len(of_values)} of "
          f"{len(valid)} values files), {len(failures)} failures")
    sys.exit(1 if failures or len(formatted) < 300 else 0)


if __name__ == "__main__":
    main()
