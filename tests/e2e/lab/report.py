"""Writes the tables of docs/e2e.md from the results of the last runs."""

import datetime
import json
import sys

from lab.places import RESULTS, ROOT, versions

PAGE = ROOT / "docs" / "e2e.md"
BEGIN, END = "<!-- results -->\n", "<!-- /results -->\n"
TITLES = {
    "values": "Changes of values",
    "manifests": "Changes of manifests",
    "topology": "Changes of a ClusterClass",
    "argocd": "Argo CD",
}


def pools(numbers):
    return ", ".join(f"{pool} {text}" for pool, text in (numbers or {}).items()) or "none"


def plan_cell(row):
    if row["verdict"] == "not asked":
        return "not asked"
    orphans = ", ".join(f"{pool} {number} orphaned" for pool, number in row["orphans"].items())
    text = ", ".join(part for part in (pools(row["plan"]) if row["plan"] else "", orphans) if part) or "none"
    return f"{text}, number unknown" if row["unknown"] else text


def machines_cell(row):
    if row["verdict"] == "not asked":
        return f"runs {', '.join(f'{pool} {number}' for pool, number in row['runs'].items())}"
    text = pools(row["happened"])
    return f"{text} (refused)" if row["refused"] else text


def truth_table(rows):
    lines = ["| case | change | `plan` | machines | result |", "|---|---|---|---|---|"]
    for row in rows:
        result = row["verdict"] if row["as_expected"] else f"{row['verdict']}; not as expected"
        lines.append(f"| {row['case']} | {row['change']} | {plan_cell(row)} | {machines_cell(row)} | {result} |")
    return lines


def argocd_table(rows):
    lines = ["| case | claim | seconds for each commit | holds |", "|---|---|---|---|"]
    for row in rows:
        seconds = ", ".join("–" if step["seconds"] is None else str(step["seconds"]) for step in row["steps"])
        lines.append(f"| {row['case']} | {row['change']} | {seconds} | {'yes' if row['as_expected'] else '**no**'} |")
    return lines


def summary(group, rows):
    if group == "argocd":
        return f"{sum(row['as_expected'] for row in rows)} of {len(rows)} claims hold."
    asked = [row for row in rows if row["verdict"] != "not asked"]
    count = {verdict: sum(row["verdict"] == verdict for row in asked) for verdict in ("equal", "unknown", "wrong")}
    return (f"{len(rows)} cases. `plan`: {count['equal']} equal, {count['unknown']} unknown, {count['wrong']} wrong. "
            f"Machines as expected: {sum(row['as_expected'] for row in rows)} of {len(rows)}.")


def text():
    begin = [f"Versions: {', '.join(f'{name} {version}' for name, version in versions().items())}.", ""]
    for group, title in TITLES.items():
        path = RESULTS / f"{group}.json"
        if not path.exists():
            begin += [f"## {title}", "", "Not run.", ""]
            continue
        rows = json.loads(path.read_text())
        day = datetime.date.fromtimestamp(path.stat().st_mtime).isoformat()
        table = argocd_table(rows) if group == "argocd" else truth_table(rows)
        begin += [f"## {title}", "", f"{day}: {summary(group, rows)}", "", *table, ""]
    return "\n".join(begin)


def write():
    page = PAGE.read_text()
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    if not rest:
        sys.exit(f"error: {PAGE} has no `{BEGIN.strip()}`")
    PAGE.write_text(head + BEGIN + text() + END + tail)
    return 0
