"""The table of docs/migrate.md: the conversions of schemas/catalogue/migrations/."""

import pathlib

import yaml

TABLES = pathlib.Path(__file__).resolve().parents[2] / "schemas" / "catalogue" / "migrations"
PROVIDERS = {"capi": "Cluster API", "capo": "OpenStack (CAPO)", "rke2": "RKE2", "k3s": "k3s", "capa": "AWS (CAPA)",
             "capz": "Azure (CAPZ)", "capoci": "Oracle Cloud (CAPOCI)"}


def new_kind(conversion, kind):
    renamed = conversion.get("renames", {}).get(kind)
    return f"`{kind}` → `{renamed}`" if renamed else f"`{kind}`"


def rows():
    for name, provider in PROVIDERS.items():
        path = TABLES / f"{name}.yaml"
        if not path.exists():
            continue
        for conversion in yaml.safe_load(path.read_text(encoding="utf-8"))["conversions"]:
            kinds = ", ".join(new_kind(conversion, kind) for kind in conversion["kinds"])
            step = conversion["from"] if "renames" in conversion else f"{conversion['from']} → {conversion['to']}"
            yield f"| {provider} | {step} | {kinds} |"


def table():
    """Markdown."""
    return "\n".join(["| provider | versions | kinds |", "|---|---|---|", *rows()]) + "\n"
