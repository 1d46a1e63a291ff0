"""Writes the tables of docs/e2e.md from the results of the last runs. A group without results keeps its table."""

import datetime
import json
import re
import sys

from lab.places import RESULTS, ROOT, versions

PAGE = ROOT / "docs" / "e2e.md"
BEGIN, END = "<!-- results -->\n", "<!-- /results -->\n"
TITLES = {
    "values": "Changes of values",
    "manifests": "Changes of manifests",
    "topology": "Changes of a ClusterClass",
    "argocd": "Argo CD",
    "portal": "A portal",
    "adoption": "Adoption",
}
NOTES = {"portal": "notes", "adoption": "fields of the import"}  # a column more


def pools(numbers):
    return ", ".join(f"{pool} {number}" for pool, number in (numbers or {}).items()) or "none"


def plan_cell(row):
    if row["verdict"] == "not asked":
        return "not asked"
    if row["verdict"] == "reported":
        return ", ".join(row["findings"])
    if row["rejected"] and row["refused"]:
        return "rejected"
    cell = [f"{pool} {text}" for pool, text in row["plan"].items()]
    cell += [f"{pool} {number} orphaned" for pool, number in row["orphans"].items()]
    cell += [f"{pool} {number} blocked" for pool, number in row["blocked"].items()]
    cell += row["problems"]
    return (", ".join(cell) or "none") + (", number unknown" if row["unknown"] else "")


def machines_cell(row):
    if row["verdict"] == "not asked":
        return f"runs {pools(row['runs'])}"
    return "refused" if row["refused"] and not row["happened"] else pools(row["happened"])


def truth_table(rows):
    lines = ["| case | change | `plan` | machines | result |", "|---|---|---|---|---|"]
    for row in rows:
        result = row["verdict"] if row["as_expected"] else f"{row['verdict']}; not as expected"
        lines.append(f"| {row['case']} | {row['change']} | {plan_cell(row)} | {machines_cell(row)} | {result} |")
    return lines


def each(steps, cell):
    return "; ".join(cell(step) for step in steps)


def seconds_cell(steps):
    return ", ".join("–" if step["seconds"] is None else str(step["seconds"]) for step in steps)


def commits(group, row):
    """The steps that are a publication of a portal, or an import and what follows. What comes before an import isn't."""
    return row["steps"][1:] if group == "adoption" else row["steps"]


def commits_table(group, rows):
    lines = [f"| case | claim | {NOTES[group]} | `plan` for each commit | machines | seconds | holds |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        steps = commits(group, row)
        plan = each(steps, lambda step: pools(step["plan"])) + "".join(f"; **wrong: {problem}**" for problem in row["problems"])
        cells = [row["case"], row["change"], "; ".join(row["notes"]) or "–", plan, each(steps, lambda step: pools(step["happened"])),
                 seconds_cell(steps), "yes" if row["as_expected"] and not row["problems"] else "**no**"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def argocd_table(rows):
    lines = ["| case | claim | seconds for each commit | `plan` | holds |", "|---|---|---|---|---|"]
    for row in rows:
        seconds = seconds_cell(row["steps"])
        words = [f"{word} {row[key]}" for word, key in (("DELETE", "deleted"), ("ORPHAN", "orphans")) if row[key]]
        plan = ", ".join(words + [f"**wrong: {problem}**" for problem in row["problems"]]) or "neither"
        holds = "yes" if row["as_expected"] else "**no**"
        lines.append(f"| {row['case']} | {row['change']} | {seconds} | {plan} | {holds} |")
    return lines


def summary(group, rows):
    as_expected = sum(row["as_expected"] for row in rows)
    if group in NOTES:
        number = sum(len(commits(group, row)) for row in rows)
        wrong = sum(len(row["problems"]) for row in rows)
        return f"{as_expected} of {len(rows)} claims hold, with {number} commits; {wrong} statements of capwright were wrong."
    if group == "argocd":
        objects = sum(row["deleted"] + row["orphans"] for row in rows)
        wrong = sum(len(row["problems"]) for row in rows)
        return (f"{as_expected} of {len(rows)} claims hold. `plan` called {objects} objects DELETE or ORPHAN; "
                f"{wrong} of its statements were wrong.")
    asked = [row for row in rows if row["verdict"] != "not asked"]
    counts = [f"{sum(row['verdict'] == verdict for row in asked)} {verdict}"
              for verdict in ("equal", "range", "reported", "unknown", "wrong")]
    return f"{len(rows)} cases. `plan`: {', '.join(counts)}. Machines as expected: {as_expected} of {len(rows)}."


def table(group, rows):
    if group in NOTES:
        return commits_table(group, rows)
    return argocd_table(rows) if group == "argocd" else truth_table(rows)


def text(known):
    """The sections of all groups. `known`: those of the page, by title."""
    begin = [f"Versions: {', '.join(f'{name} {version}' for name, version in versions().items())}.", ""]
    for group, title in TITLES.items():
        path = RESULTS / f"{group}.json"
        if not path.exists():
            begin += [f"## {title}", "", *known.get(title, ["Not run."]), ""]
            continue
        rows = json.loads(path.read_text())
        day = datetime.date.fromtimestamp(path.stat().st_mtime).isoformat()
        begin += [f"## {title}", "", f"{day}: {summary(group, rows)}", "", *table(group, rows), ""]
    return "\n".join(begin)


def sections(results):
    parts = re.split(r"^## (.*)\n", results, flags=re.M)[1:]
    return {title: body.strip("\n").split("\n") for title, body in zip(parts[::2], parts[1::2])}


def write():
    page = PAGE.read_text()
    head, _, rest = page.partition(BEGIN)
    results, _, tail = rest.partition(END)
    if not rest:
        sys.exit(f"error: {PAGE} has no `{BEGIN.strip()}`")
    PAGE.write_text(head + BEGIN + text(sections(results)) + END + tail)
    return 0
