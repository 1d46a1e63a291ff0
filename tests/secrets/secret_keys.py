"""The values keys that a template set's schema marks as secret."""

import json
import subprocess

# The key in maps whose keys the user chooses: an account of a registry.
ANY_KEY = "harbor"


def resolve(document, reference):
    node = document
    for part in reference.removeprefix("#/").split("/"):
        node = node[part]
    return node


def paths_below(document, schema, path=(), seen=()):
    if not isinstance(schema, dict):
        return
    if "$ref" in schema and schema["$ref"] not in seen:
        yield from paths_below(document, resolve(document, schema["$ref"]), path, (*seen, schema["$ref"]))
    if schema.get("x-secret"):
        yield path
    for key, below in schema.get("properties", {}).items():
        yield from paths_below(document, below, (*path, key), seen)
    yield from paths_below(document, schema.get("additionalProperties"), (*path, ANY_KEY), seen)


def secret_paths(program, template_set):
    """Tuples of keys, in the order of the schema."""
    printed = subprocess.run([program, "schema", "print", "--template-set", template_set], capture_output=True, check=True)
    document = json.loads(printed.stdout)
    return list(dict.fromkeys(paths_below(document, document)))


def nested(entries):
    """{("a", "b"): 1} -> {"a": {"b": 1}}"""
    tree = {}
    for path, value in entries.items():
        node = tree
        for key in path[:-1]:
            node = node.setdefault(key, {})
        node[path[-1]] = value
    return tree


def block_yaml(tree, depth=0):
    """Block style, so that each key has a separate line."""
    text = ""
    for key, value in tree.items():
        text += "  " * depth + key + ":"
        text += "\n" + block_yaml(value, depth + 1) if isinstance(value, dict) else f" {value}\n"
    return text
