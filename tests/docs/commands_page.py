"""docs/commands.md, generated from the data of the program's help."""

import json
import os
import re
import subprocess

# The page of each command's feature.
PAGES = {
    "render": "[Work with a repository](repository.md)",
    "values": "[Trace values](explain.md)",
    "explain": "[Trace values](explain.md), [diagnostics](diagnostics.md), "
               "[rules](rules.md)",
    "preview": "[See manifests live](preview.md)",
    "lint": "[Lint a repository](lint.md)",
    "affected": "[Jobs for affected clusters](scale-out.md#jobs-for-affected-clusters)",
    "deps": "[The inputs of a cluster](scale-out.md#the-inputs-of-a-cluster)",
    "graph": "[The object graph of a cluster](graph.md)",
    "diff": "[Compare rendered trees](diff.md)",
    "plan": "[Plan a change](plan.md)",
    "ci": "[Hooks and pipelines](ci.md#all-checks-in-one-run)",
    "leftovers": "[Find objects that still run](leftovers.md)",
    "remap": "[Findings of other tools](reports.md#findings-of-other-tools)",
    "clusterctl": "[Templates of clusterctl](clusterctl.md)",
    "inventory": "[Ansible](inventory.md)",
    "images": "[Images of a cluster](images.md)",
    "lsp": "[Editors](editors.md)",
    "rules": "[Rules](rules.md), [write your own](own-rules.md)",
    "init": "[Work with a repository](repository.md)",
    "migrate": "[Migrate to newer API versions](migrate.md)",
    "fmt": "[Format values](repository.md#format-values)",
    "schema": "[Schemas for editors](values.md#check-values-in-an-editor), [schemas of manifests](../schemas/crds/README.md)",
    "addons": "[Add-ons](addons.md)",
    "eject": "[Take a set over](repository.md#take-a-set-over)",
    "catalogue": "[Catalogues](../schemas/catalogue/README.md)",
    "test": "[Golden cases](testing.md)",
    "serve": "[Serve the API of a portal](serve.md)",
    "argocd": "[Argo CD](argocd.md)",
    "cmp": "[Argo CD: the plugin](argocd.md#the-plugin)",
    "audit": "[Audit published clusters](audit.md)",
    "deploy": "[Deploy a cluster's infrastructure](deploy.md)",
    "publish": "[Publish rendered files](publish.md)",
    "help": "",
    "completion": "[Completion and manual pages](#completion-and-manual-pages)",
    "man": "[Completion and manual pages](#completion-and-manual-pages)",
    "version": "",
}

INTRODUCTION = """# Commands

Generated from the program's help; `capwright help COMMAND` prints the same. Exit codes: 0 clean; 1 findings or
differences; 2 usage, configuration or I/O error; 70 a bug in capwright.
"""

INSTALLED = """
## Completion and manual pages

With completion, a shell completes commands, options and their values with the tab key: names of clusters, add-ons, template
sets and rules, codes of diagnostics, and paths of values after `--set`. Scripts and pages come from the program itself, so
packages install them with the binary:

| file | written by |
|---|---|
| `/usr/share/bash-completion/completions/capwright` | `capwright completion bash` |
| `/usr/share/zsh/vendor-completions/_capwright` | `capwright completion zsh` |
| `/usr/share/fish/vendor_completions.d/capwright.fish` | `capwright completion fish` |
| `/usr/share/man/man1/capwright*.1` | `capwright man --dir DIR`: one page for each command |
"""

COLORS = """
## Color and progress

Text output is colored on a terminal. The first row that applies decides, for standard output and standard error separately:

| condition | color |
|---|---|
| `--color always` or `--color never` | as the option says |
| `NO_COLOR` is set and not empty | off |
| `FORCE_COLOR` or `CLICOLOR_FORCE` is set, and neither empty nor `0` | on |
| `TERM` is `dumb` | off |
| the output is a terminal | on |
| otherwise | off |

The formats other than `text` and the files of `-f text=FILE` have no color.

If `render`, `lint`, `test`, `diff`, `plan` or `ci` works for more than a second, a line on standard error counts the clusters:
`Rendering 412/1000 clusters`. It is erased at the end. It is only shown on a terminal, and not with `--quiet`, with
`TERM=dumb`, or if `CI` is set.
"""

SHARED = """
## Shared options

Each command lists the ones that it has.
"""

OWN_GROUPS = ("Arguments", "Options")  # Options of the other groups belong to several commands, and are described once.


def pages_of_program():
    """The help of the program, then of each command and of its subcommands."""
    program = os.environ["CAPWRIGHT"] + "-dev"
    printed = subprocess.run([program, "docs", "commands"], check=True, capture_output=True, text=True).stdout
    return json.loads(printed)


def words_of(command):
    return command["name"].split(" ")[1:]


def cell(text):
    return re.sub(r"(?<![`\w])(--[a-z-]+)", r"`\1`", text).replace("|", "\\|")


def table(rows):
    return "| argument or option | meaning |\n|---|---|\n" + "".join(
        "| `{}` | {} |\n".format(row["name"].strip().replace("|", "\\|"), cell(row["text"])) for row in rows)


def anchor(title):
    return title.lower().replace(" ", "-")


def section(command, shared):
    words = words_of(command)
    more = PAGES.get(words[0], "") if len(words) == 1 else ""
    text = f"\n{'#' * (len(words) + 1)} {' '.join(words)}\n\n{command['summary']}.{f' See {more}.' if more else ''}\n"
    text += f"\n```text\n{command['usage']}\n```\n"
    if command["examples"]:
        lines = "".join(f"# {example['purpose']}\n{example['line']}\n" for example in command["examples"])
        text += f"\n```sh\n{lines}```\n"
    own = [row for group in command["groups"] for row in group["options"] if row not in shared.get(group["title"], [])]
    if own:
        text += "\n" + table(own)
    for group in command["groups"]:
        if group["title"] not in OWN_GROUPS:
            names = [re.findall(r"--[a-z-]+", row["name"])[0] for row in group["options"] if row not in own]
            text += f"\n[{group['title']}](#{anchor(group['title'])}): " + ", ".join(f"`{name}`" for name in names) + ".\n"
    return text


def overview(program):
    text = group = ""
    for command in program["commands"]:
        name = command["name"]
        if command["group"] != group:
            group = command["group"]
            text += f"\n**{group}**\n\n| command | purpose | more |\n|---|---|---|\n"
        more = PAGES.get(name, "")
        text += f"| [`{name}`](#{name}) | {command['summary']} | {more} |\n"
    return text


def shared_groups(commands):
    """The groups of options that several commands have, with the most frequent text of each option."""
    groups = {}
    for command in commands:
        for group in command["groups"]:
            if group["title"] in OWN_GROUPS:
                continue
            rows = groups.setdefault(group["title"], {})
            for row in group["options"]:
                texts = rows.setdefault(row["name"], {})
                texts[row["text"]] = texts.get(row["text"], 0) + 1
    return {title: [{"name": name, "text": max(texts, key=texts.get)} for name, texts in rows.items()]
            for title, rows in groups.items()}


def page():
    program, *commands = pages_of_program()
    shared = shared_groups(commands)
    text = INTRODUCTION + overview(program) + "".join(section(command, shared) for command in commands) + INSTALLED + COLORS + SHARED
    for title, rows in shared.items():
        text += f"\n### {title}\n\n" + table(rows)
    return text
