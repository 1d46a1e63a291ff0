#!/usr/bin/env python3
"""Completion in real shells: bash, and zsh and fish if they are installed; exit code 77 if bash is missing.

    CAPWRIGHT=build/dev/capwright completion_test.py
"""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
MOST_SECONDS = 60  # for a shell to show an answer; a test machine may be busy

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


# The line up to the cursor, words that must be offered, words that must not be.
CASES = [
    ("capwright ", ["render", "plan", "completion"], ["__complete"]),
    ("capwright pla", ["plan"], ["render"]),
    ("capwright schema ", ["print", "add", "list"], ["render"]),
    ("capwright help sch", ["schema"], ["render"]),
    ("capwright help schema a", ["add"], ["schema"]),
    ("capwright render --ch", ["--check"], ["--color"]),
    ("capwright render ", ["edge-1", "prod-a"], ["--check"]),
    ("capwright render --config capwright.yaml prod", ["prod-a"], ["edge-1"]),
    ("capwright render --isolated -- --", [], ["--check"]),
    ("capwright render --color a", ["auto", "always"], ["never"]),
    ("capwright plan -f m", ["markdown"], ["json", "sarif"]),
    ("capwright lint --format s", ["sarif"], ["json"]),
    ("capwright publish --step p", ["push"], ["commit"]),
    ("capwright plan --fail-on delete,r", ["delete,roll", "delete,rejected"], ["delete,delete"]),
    ("capwright explain S01", ["S010", "S012"], ["T012"]),
    ("capwright explain unk", ["unknown-key"], ["S012"]),
    ("capwright lint --select CAP40", ["CAP401"], ["CAP501"]),
    ("capwright lint --select even", ["even-control-plane"], ["CAP401"]),
    ("capwright addons show cil", ["cilium"], ["calico"]),
    ("capwright addons list --cluster prod", ["prod-a"], ["cilium"]),
    ("capwright eject cap", ["capo", "capa", "capz"], ["common"]),
    ("capwright render --set netw", ["network."], ["network="]),
    ("capwright render --set network.node", ["network.node_cidr="], ["network.pod_cidrs="]),
    ("capwright render --values val", ["values"], ["layers"]),
    ("capwright diff --base lay", ["layers"], ["layers.yaml"]),
    ("capwright completion ", ["bash", "zsh", "fish"], ["render"]),
    ("capwright no-such-command --", ["--help"], ["--check"]),
]
# Words with `=`: a shell offers the complete word, or the part that follows the sign.
WITH_SIGN = [
    ("capwright lint --format=s", "--format=", "sarif"),
    ("capwright lint -f sarif=val", "sarif=", "values"),
    ("capwright render --color=al", "--color=", "always"),
]


def by_program(line):
    words = line.split(" ")[1:]
    printed = subprocess.run([CAPWRIGHT, "__complete", *words], check=True, capture_output=True, text=True).stdout.splitlines()
    return [candidate.split("\t")[0] for candidate in printed[:-1]]


BASH = """
source <("$CAPWRIGHT" completion bash)
COMP_LINE=$1 COMP_POINT=${#1}
# As bash does: words end at spaces, and also before and after `=` and `:`.
read -ra COMP_WORDS <<<"$(sed 's/[=:]/ & /g' <<<"$1")"
[[ $1 == *[' =:'] ]] && COMP_WORDS+=('')
[[ $1 == *[=:] ]] && unset 'COMP_WORDS[-1]' && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_capwright
((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
true
"""


def by_bash(line):
    printed = subprocess.run(["bash", "--norc", "-c", BASH, "bash", line], check=True, capture_output=True, text=True)
    expect(not printed.stderr, f"bash, `{line}`: {printed.stderr}")
    return printed.stdout.splitlines()


def by_fish(line):
    script = 'eval "$CAPWRIGHT completion fish | source"; complete -C "$LINE"'
    printed = subprocess.run(["fish", "--no-config", "-c", script], env=os.environ | {"LINE": line}, check=True,
                             capture_output=True, text=True).stdout
    return [candidate.split("\t")[0].rstrip("/") for candidate in printed.splitlines()]


class Terminal:
    """An interactive shell. `buffer` types a line with tabs, and returns the line that the shell completed."""

    def __init__(self, *command, folder):
        self.answer = folder / "answer"
        variables = os.environ | {"TERM": "dumb", "ANSWER": str(self.answer), "HISTFILE": os.devnull}
        self.child, self.main = pty.fork()
        if self.child == 0:
            os.execvpe(command[0], command, variables)

    def write(self, text):
        os.write(self.main, text.encode())

    def read(self, seconds):
        """Discards the output: an unread terminal would block the shell."""
        while select.select([self.main], [], [], seconds)[0]:
            try:
                if not os.read(self.main, 65536):
                    return
            except OSError:
                return

    def buffer(self, typed, ending):
        self.answer.unlink(missing_ok=True)
        self.write(typed + ending)
        until = time.monotonic() + MOST_SECONDS
        while time.monotonic() < until:
            self.read(0.1)
            if self.answer.exists() and self.answer.read_text().endswith("\n"):
                return self.answer.read_text().strip("\n")
        return ""

    def close(self):
        self.write("\x15exit\n")
        self.read(0.5)
        os.close(self.main)
        os.waitpid(self.child, 0)


# On Ctrl-X s, the shell writes the line it is editing into $ANSWER.
ZSH = """autoload -Uz compinit && compinit -u -D
source <("$CAPWRIGHT" completion zsh)
answer() { print -r -- "$BUFFER" > "$ANSWER.new" && command mv "$ANSWER.new" "$ANSWER"; BUFFER= }
zle -N answer && bindkey '^Xs' answer
"""
INTERACTIVE_BASH = """source <("$CAPWRIGHT" completion bash)
answer() { printf '%s\\n' "$READLINE_LINE" > "$ANSWER.new" && command mv "$ANSWER.new" "$ANSWER"; READLINE_LINE=; }
bind -x '"\\C-xs": answer'
"""
TYPED = [
    ("capwright rend\t--chec\t", "capwright render --check"),
    ("capwright render prod-a --color=alw\t", "capwright render prod-a --color=always"),
    ("capwright render --set network.node\t", "capwright render --set network.node_cidr="),
    ("capwright lint --baseline capwr\t", "capwright lint --baseline capwright.yaml"),
]


def type_into(shell, command, setup, folder):
    terminal = Terminal(*command, folder=folder)
    started = folder / "setup"
    started.write_text(setup)
    ready = terminal.buffer(f'. {started}; echo ready > "$ANSWER"\n', "")
    expect(ready == "ready", f"{shell} doesn't start")
    for typed, completed in TYPED:
        line = terminal.buffer(typed, "\x18s")
        expect(line.rstrip(" ") == completed, f"{shell}, {typed!r}: {line!r}")
    terminal.close()


def check(shell, candidates_of):
    for line, wanted, unwanted in CASES:
        offered = candidates_of(line)
        missing = [word for word in wanted if word not in offered]
        extra = [word for word in unwanted if word in offered]
        expect(not missing and not extra, f"{shell}, `{line}`: without {missing}, with {extra}: {offered[:12]}")
    for line, before, rest in WITH_SIGN:
        offered = candidates_of(line)
        expect({rest, before + rest} & set(offered), f"{shell}, `{line}`: {offered[:12]}")


def main():
    if not shutil.which("bash"):
        print("skipped: bash isn't installed")
        sys.exit(77)
    os.environ["PATH"] = f"{CAPWRIGHT.parent}{os.pathsep}{os.environ['PATH']}"
    os.environ["CAPWRIGHT"] = str(CAPWRIGHT)
    tried = ["bash"]
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HOME"] = scratch
        fleet = pathlib.Path(scratch) / "fleet"
        shutil.copytree(ROOT / "docs/tutorial/fleet", fleet)
        os.chdir(fleet)
        expect("render" in by_program("capwright ren"), "`__complete` offers no command")
        check("bash", by_bash)
        # A shell inserts a candidate as it is, and the repository names its files.
        hostile = fleet / "values" / "zz$(id).yaml"
        hostile.write_text("cluster_name: zz\n")
        expect(by_program("capwright render zz") == [], "a name that a shell would expand is offered")
        hostile.unlink()
        type_into("bash", ["bash", "--norc", "-i"], INTERACTIVE_BASH, pathlib.Path(scratch))
        for shell in ("zsh", "fish"):
            if not shutil.which(shell):
                print(f"{shell} is skipped: it isn't installed")
                continue
            tried.append(shell)
            if shell == "fish":
                check(shell, by_fish)
            else:
                type_into(shell, ["zsh", "-f", "-i"], ZSH, pathlib.Path(scratch))
    print(f"{len(CASES) + len(WITH_SIGN)} lines, {len(TYPED)} typed, in {', '.join(tried)}; {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
