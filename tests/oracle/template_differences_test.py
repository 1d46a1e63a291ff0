"""The listed differences from Jinja2 and ansible-core still exist: each template of template_differences.json gives both
listed results, and these differ. docs/compatibility.md is generated from that list, and the random tests exclude templates
that match a `pattern` of it.

Usage: template_differences_test.py      environment: CAPWRIGHT names the program
Exit code 77 and a reason if both jinja2 and ansible-core are missing; without ansible-core its part is skipped.
"""

import json
import os
import pathlib
import re
import sys

from jinja_engine import Program, RealJinja

LIST = pathlib.Path(__file__).with_name("template_differences.json")


def case_of(entry, extras):
    extensions = entry.get("extensions", []) + (["extras"] if extras else [])
    return {"id": "", "options": {"undefined": "StrictUndefined", "extensions": extensions}, "main": "main",
            "templates": {"main": entry["template"], **entry.get("templates", {})}, "context": entry.get("context", {})}


def shape(answer):
    """An answer in the form of the list: the output, or the kind of error."""
    return {"output": re.sub(r"0x[0-9a-f]+", "0x…", answer["output"])} if "output" in answer else {"error": answer.get("error")}


def ansible_engine():
    """Jinja2 with Ansible's filters; None without them."""
    import ansible_calls
    if ansible_calls.missing():
        return None
    engine = RealJinja()
    ask = engine.ask

    def with_filters(case):
        engine.jinja2.filters.FILTERS.update(ansible_calls.functions(False))
        return ask(dict(case, options=dict(case["options"], extensions=[])))

    engine.ask = with_filters
    return engine


def main():
    try:
        engines = {"Jinja2": RealJinja(), "ansible-core": ansible_engine()}
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    program = Program(os.environ["CAPWRIGHT"])
    listed = json.loads(LIST.read_text(encoding="utf-8"))
    faults, checked = 0, 0
    for name, entries in listed.items():
        engine = engines[name]
        if engine is None:
            print(f"not checked: {name} is not there")
            continue
        for entry in entries:
            case = case_of(entry, name == "ansible-core")
            theirs, ours = shape(engine.ask(json.loads(json.dumps(case)))), shape(program.ask(case))
            checked += 1
            if theirs == ours or theirs != entry["theirs"] or ours != entry["ours"]:
                faults += 1
                print(f"--- {entry['template']}\nlisted  {entry['theirs']} and {entry['ours']}\nthere   {theirs} and {ours}")
            if "pattern" in entry and not re.search(entry["pattern"], entry["template"]):
                faults += 1
                print(f"--- {entry['template']}\nits pattern doesn't match it: {entry['pattern']}")
    program.stop()
    print(f"{checked} listed differences, {faults} of them not as listed")
    sys.exit(1 if faults else 0)


main()
