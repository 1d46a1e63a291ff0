"""Random calls of Ansible's filters and tests, and their results in Ansible itself."""

import base64
import dataclasses
import functools
import json
import os

os.environ.update(ANSIBLE_DEPRECATION_WARNINGS="0", ANSIBLE_SYSTEM_WARNINGS="0", ANSIBLE_LOCALHOST_WARNING="0")

try:
    import jinja2
    import yaml
    from ansible.plugins.filter import core as core_filters
    from ansible.plugins.filter import mathstuff as math_filters
    from ansible.plugins.test import core as core_tests
    from ansible.plugins.test import mathstuff as math_tests
    from ansible.release import __version__ as VERSION
    MISSING = None
except ImportError as error:
    VERSION = MISSING = f"ansible-core can't be imported: {error}"

import ansible_networks

NETWORKS = ansible_networks.FUNCTIONS


def missing():
    """Why ansible-core can't be used; None if it can."""
    return MISSING


@dataclasses.dataclass
class Call:
    name: str
    value: object
    arguments: list = dataclasses.field(default_factory=list)
    keywords: dict = dataclasses.field(default_factory=dict)
    is_test: bool = False

    @property
    def any_order(self):
        """The order of Ansible's set filters differs between runs."""
        return self.name in ("union", "intersect", "difference", "symmetric_difference")


@functools.cache
def functions(is_test):
    modules = (core_tests, math_tests) if is_test else (core_filters, math_filters)
    known = {}
    for module in modules:
        known.update(module.TestModule().tests() if is_test else module.FilterModule().filters())
    if not is_test:
        known.update(NETWORKS or {})
        known["sha256"] = lambda value: known["hash"](value, "sha256")
    return known


def plain(value):
    """Results as a template prints them: iterators become lists."""
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return list(map(plain, value))


def outcome(call):
    function = functions(call.is_test)[call.name]
    arguments = [call.value, *call.arguments]
    if getattr(function, "jinja_pass_arg", None):
        arguments.insert(0, jinja2.Environment())
    try:
        return "value", plain(function(*arguments, **call.keywords))
    except Exception as error:  # pylint: disable=broad-exception-caught
        return "error", f"{type(error).__name__}: {error}"


# ---- random values ----

WORDS = ["", "a", "b", "abc", "worker", "k8s-1.31.4", "yes", "No", "ON", "off", "true", "1", "0", "none", "None", "null",
         "a b", "it's", "say \"hi\"", "tab\there", "ä", "日本", "🙂", "x" * 90, "word " * 30, "line\nbreak\n", "  lead",
         "trail  ", "#no", "a: b", "- x", "[x]", "{x}", "&x", "*x", "!x", "%x", "@x", "`x", "|", ">", "?", ":", "~",
         "1.5", "1e3", "0x1f", "017", "12:30", "2001-01-01", "=", "<<", ".inf", "y", "\\d+", "C:\\dir", "/etc/hosts",
         "\u0001", "\u00a0", "\ufeff", "a\u2028b", "<a href='x'>&"]


def word(r):
    return r.choice(WORDS) if r.random() < 0.8 else "".join(r.choice("abc xyz019.-_:/#'\"\n") for _ in range(r.randrange(12)))


def number(r):
    return r.choice([0, 1, -1, 2, 3, 10, 255, 1024, 65536, r.randrange(-10**6, 10**6), 2**40, 2**63 - 1])


def fraction(r):
    return r.choice([0.0, 1.0, -0.5, 1.5, 2.25, 1e16, 1e-7, 123456.789, round(r.uniform(-100, 100), 3)])


def scalar(r):
    return r.choice([word, word, number, fraction, lambda _: r.choice([True, False, None])])(r)


def data(r, depth=3):
    kind = r.random()
    if depth == 0 or kind < 0.45:
        return scalar(r)
    if kind < 0.7:
        return [data(r, depth - 1) for _ in range(r.randrange(4))]
    return mapping(r, depth)


def mapping(r, depth=3):
    return {r.choice(["a", "b", "c", "name", "size", "list", "x y", "1", "Z", "ä"]): data(r, depth - 1)
            for _ in range(r.randrange(5))}


def items(r):
    return [scalar(r) if r.random() < 0.9 else data(r, 2) for _ in range(r.randrange(7))]


def few(r):
    """Items that repeat often, so that sets overlap."""
    pool = ["a", "b", "c", 1, 2, 3, None, 1.5] + ([[1], {"k": 1}] if r.random() < 0.2 else [])
    return [r.choice(pool) for _ in range(r.randrange(7))]


def keywords(r, **choices):
    """Some of the keyword arguments, each with one of its values."""
    return {name: r.choice(values) for name, values in choices.items() if r.random() < 0.35}


# ---- one function per filter or test: its random calls ----

def to_yaml(r):
    return Call("to_yaml", data(r, 4), [], keywords(r, indent=[1, 2, 4, 8], width=[20, 40, 1000], sort_keys=[True, False],
                                                    default_flow_style=[True, False], explicit_start=[True]))


def to_nice_yaml(r):
    return Call("to_nice_yaml", data(r, 4), r.choice([[], [2], [4]]),
                keywords(r, width=[20, 1000], sort_keys=[True, False], explicit_end=[True]))


def to_json(r):
    return Call("to_json", data(r, 4), [], keywords(r, indent=[0, 2, 4], sort_keys=[True], ensure_ascii=[False],
                                                    separators=[[",", ":"]]))


def to_nice_json(r):
    return Call("to_nice_json", data(r, 4), r.choice([[], [2], [4, False]]), keywords(r, ensure_ascii=[False]))


def from_json(r):
    text = json.dumps(data(r, 4), indent=r.choice([None, 2]), ensure_ascii=r.random() < 0.5)
    return Call("from_json", text if r.random() < 0.9 else text[:r.randrange(len(text) + 1)])


SCALARS = ["yes", "No", "on", "y", "true", "True", "tRue", "~", "null", "NULL", "10", "0o17", "017", "0x1F", "0b11", "1_000",
           "+5", "-0", "1.5", "1.", ".5", "1e3", "1.0e+3", "1.5e3", ".inf", "-.INF", "12:30", "1:30:00", "190:20:30.15",
           "'quoted'", '"a\\tb"', "plain text", "a#b", "0.1.2", "1,000", "=", "09", "0o8", "_1", "1__0"]


def from_yaml(r):
    kind = r.random()
    if kind < 0.4:
        return Call("from_yaml", r.choice(["{}", "- {}", "key: {}", "a: [{}]", "{{k: {}}}", "[{}"]).format(r.choice(SCALARS)))
    text = yaml.safe_dump(data(r, 4), default_flow_style=r.choice([None, True, False]), allow_unicode=r.random() < 0.5,
                          indent=r.choice([2, 4]))
    return Call("from_yaml", text if kind < 0.95 else None)


def b64encode(r):
    return Call("b64encode", scalar(r), [], keywords(r, encoding=["utf-8", "utf-16-le"], urlsafe=[True, False]))


def b64decode(r):
    text = word(r)
    encoded = base64.b64encode(text.encode()).decode()
    encoded = r.choice([encoded, encoded, encoded[:-1], encoded.rstrip("="), encoded + "\n", encoded.replace("/", "_"),
                        "=" + encoded, encoded[:2] + "-" + encoded[2:], word(r) if word(r).isascii() else "QQ=="])
    return Call("b64decode", encoded, [], keywords(r, urlsafe=[True]))


def bool_(r):
    return Call("bool", r.choice([scalar(r), r.choice(["YES", "No", "oN", "tRuE", " yes", 1.0, 0.0, 2, "2"])]))


PATTERNS = ["a", "[a-z]+", "(\\w+)-(\\d+)", "^", "$", "\\s+", "(a)|(b)", "x*", "\\d+\\.(\\d+)", "^(?P<first>\\w)(?P<rest>.*)$",
            "", "\\bw", "(?i)K8S", "[^a-z0-9]", "o(?:r|n)", "(.)(.)?", "l.*k", "\\.", "(?s)e.b", "(?m)^b", "\\Z", "ä|日", "'",
            "(", "[", "a{2,1}", "*", "(?P<1>x)", "\\q"]
SUBJECTS = ["k8s-1.31.4", "worker", "abab", "line\nbreak\n", "a b  c", "ä日本", "K8S k8s", "", "it's", "xx", "AbC", 131]
REPLACEMENTS = ["", "X", "<\\1>", "\\g<0>!", "\\g<first>", "\\2\\1", "\\\\", "a\\nb", "\\.", "\\9", "\\0", "\\101", "\\q", "\\",
                "$1", "\\g<1", "\\g<x>", "\\1\\1", "\\10"]


def flags(r):
    return keywords(r, ignorecase=[True, False], multiline=[True])


def regex_replace(r):
    return Call("regex_replace", r.choice(SUBJECTS), [r.choice(PATTERNS), r.choice(REPLACEMENTS)],
                {**flags(r), **keywords(r, count=[0, 1, 2], mandatory_count=[0, 1, 2])})


def regex_search(r):
    groups = r.choice([[], [], ["\\1"], ["\\2", "\\1"], ["\\g<first>"], ["\\0"], ["x"], ["\\5"]])
    return Call("regex_search", r.choice(SUBJECTS), [r.choice(PATTERNS), *groups], flags(r))


def regex_findall(r):
    return Call("regex_findall", r.choice(SUBJECTS), [r.choice(PATTERNS)], flags(r))


def regex_escape(r):
    return Call("regex_escape", word(r), r.choice([[], ["python"], ["posix_basic"], ["posix_extended"]]))


def combine(r):
    others = [mapping(r) if r.random() < 0.95 else scalar(r) for _ in range(r.randrange(1, 4))]
    value = mapping(r) if r.random() < 0.9 else [mapping(r), mapping(r)]
    merges = ["replace", "keep", "append", "prepend", "append_rp", "prepend_rp", "other"]
    return Call("combine", value, others, keywords(r, recursive=[True, False], list_merge=merges))


def quote(r):
    return Call("quote", scalar(r))


def ternary(r):
    return Call("ternary", r.choice([data(r, 2), None, "", 0, []]), ["yes", r.choice(["no", 1])], keywords(r, none_val=["x"]))


def comment(r):
    options = keywords(r, decoration=["## ", "", "-", "; "], prefix=["", "#", "\n"], prefix_count=[0, 2], postfix=["", "%"],
                       postfix_count=[0, 3], beginning=["<<"], end=[">>"], newline=["\n", "\r\n"])
    return Call("comment", word(r), r.choice([[], ["plain"], ["erlang"], ["c"], ["cblock"], ["xml"], ["nope"]]), options)


def flatten(r):
    return Call("flatten", [data(r, 3) for _ in range(r.randrange(5))], [],
                keywords(r, levels=[0, 1, 2, -1], skip_nulls=[True, False]))


def set_filter(name):
    return lambda r: Call(name, few(r), [few(r)])


def zip_(r):
    return Call("zip", items(r), [items(r) for _ in range(r.randrange(3))])


def zip_longest(r):
    return Call("zip_longest", items(r), [items(r) for _ in range(r.randrange(3))], keywords(r, fillvalue=["-", 0]))


def product(r):
    return Call("product", few(r), [few(r) for _ in range(r.randrange(2))], keywords(r, repeat=[0, 1, 2]))


PATHS = ["", "/", "//", "a", "a/", "/a", "a/b.txt", "/a/b/c.tar.gz", "..", ".hidden", "a/.hidden.x", "a.b/c", "///a", "a//b", "x.",
         "....x", "a/..b.c"]


def path_filter(name):
    return lambda r: Call(name, r.choice(PATHS))


def sha256(r):
    return Call("sha256", scalar(r))


def dict2items(r):
    return Call("dict2items", mapping(r) if r.random() < 0.9 else scalar(r), [], keywords(r, key_name=["k"], value_name=["v", "key"]))


def items2dict(r):
    rows = [{"key": scalar(r), "value": data(r, 2)} for _ in range(r.randrange(4))]
    if r.random() < 0.2:
        rows.append(r.choice([{"key": 1}, "text", {"value": 2}]))
    return Call("items2dict", rows, [], keywords(r, value_name=["value"], key_name=["key", "nope"]))


def subelements(r):
    rows = [{"name": word(r), "in": {"list": few(r)}, "list": few(r)} for _ in range(r.randrange(4))]
    if r.random() < 0.3:
        rows.append({"name": "x"})
    value = rows if r.random() < 0.8 else {str(index): row for index, row in enumerate(rows)}
    return Call("subelements", value, [r.choice(["list", "in.list", ["in", "list"], "name", "nope"])],
                keywords(r, skip_missing=[True, False]))


def human_readable(r):
    return Call("human_readable", r.choice([number(r), fraction(r), 2**60 - 1, 2**20, "10"]), [],
                keywords(r, isbits=[True, False], unit=["K", "m", "G", "MB", "B"]))


def human_to_bytes(r):
    text = r.choice(["10", "1.5", "0.5", ".5", "5.", "2K", "2k", "3 MB", "3Mb", "1 gigabyte", "7B", "7b", "1GiB", "x", "", "10 Kb",
                     "1.7 megabit", "2 Q", "1e3", "-5", "10 M ", "2.5 TB", 12, 1.5])
    return Call("human_to_bytes", text, [], keywords(r, default_unit=["K", "MB", "b"], isbits=[True, False]))


def version_text(r, form):
    """A version that usually has the form that the rule requires."""
    count = {"semver": 3, "strict": r.choice([2, 3])}.get(form, r.choice([1, 2, 3, 3, 4]))
    parts = ".".join(str(r.choice([0, 1, 2, 9, 10, 31] + (["01"] if r.random() < 0.1 else []))) for _ in range(count))
    suffixes = {"semver": ["", "", "-rc.1", "-rc.2", "-alpha", "+rke2r1", "-1", "-0.3.7", "-rc.1+b", "-rc.01"],
                "strict": ["", "", "a1", "b2", "b10", "c1"]}.get(form, ["", "", "", "-rc.1", "-RC1", ".x", "a1", "+rke2r1"])
    return ("v" if r.random() < 0.1 else "") + parts + r.choice(suffixes)


def version(r):
    operator = r.choice(["==", "=", "eq", "<", "lt", "<=", "le", ">", "gt", ">=", "ge", "!=", "<>", "ne"])
    form, rule = r.choice([
        ("loose", {}), ("loose", {}), ("strict", {"strict": True}), ("loose", {"strict": False}),
        ("semver", {"version_type": "semver"}), ("semver", {"version_type": "semantic"}),
        ("strict", {"version_type": "strict"}), ("loose", {"version_type": "loose"})])
    if r.random() < 0.05:
        rule, operator = r.choice([({"version_type": "other"}, "<"), ({"strict": True, "version_type": "loose"}, "<"), ({}, "~")])
    value = version_text(r, form) if r.random() < 0.95 else r.choice(["", 0, 1.3, 2, None])
    return Call("version", value, [version_text(r, form), operator], rule, True)


def match_test(name):
    return lambda r: Call(name, r.choice(SUBJECTS), [r.choice(PATTERNS)], flags(r), True)


def pair_test(name):
    """Of hashable items: Ansible rejects others."""
    def make(r):
        a, b = ([item for item in few(r) if not isinstance(item, (list, dict))] for _ in range(2))
        return Call(name, a, [b], {}, True)
    return make


def contains(r):
    return Call("contains", r.choice([few(r), "abc", {"a": 1}, 5]), [r.choice(["a", 1, "bc", None])], {}, True)


def truth_test(name):
    def make(r):
        return Call(name, r.choice([data(r, 2), "yes", " No ", "n", "t", "F", 0, 1.0]), [], keywords(r, convert_bool=[True, False]), True)
    return make


def list_test(name):
    return lambda r: Call(name, [r.choice([0, 1, "", "a", None, [], True]) for _ in range(r.randrange(4))], [], {}, True)


MAKERS = [
    to_yaml, to_yaml, to_nice_yaml, to_nice_yaml, to_json, to_nice_json, from_json, from_yaml, from_yaml, b64encode, b64decode,
    bool_, regex_replace, regex_replace, regex_search, regex_findall, regex_escape, combine, combine, quote, ternary, comment,
    flatten, set_filter("union"), set_filter("intersect"), set_filter("difference"), set_filter("symmetric_difference"), zip_,
    zip_longest, product, path_filter("basename"), path_filter("dirname"), path_filter("splitext"), sha256, dict2items,
    items2dict, subelements, human_readable, human_to_bytes, version, version, match_test("search"), match_test("match"),
    match_test("regex"), pair_test("subset"), pair_test("superset"), contains, truth_test("truthy"), truth_test("falsy"),
    list_test("all"), list_test("any"),
]


def random_calls(r, count):
    """`count` calls, the same ones for the same seed."""
    makers = list(MAKERS)
    if NETWORKS is not None:
        makers += [functools.partial(ansible_networks.random_call, name, Call) for name in ansible_networks.WEIGHTED_NAMES]
    for _ in range(count):
        yield r.choice(makers)(r)
