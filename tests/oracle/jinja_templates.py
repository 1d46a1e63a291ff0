"""Random templates for the differential test: every statement and operator, most filters, tests and methods, with
values of all types in all places, so that errors are as common as outputs."""

import json

NAMES = ["i", "j", "f", "s", "t", "u", "e", "b", "n", "xs", "ys", "ss", "d", "deep", "pools", "missing"]
STRINGS = ["'abc'", "'a-b_c'", "''", "'Hello World'", "'x y z'", "'é€😀'", "'42'", "'3.5'", "'<b>&\"'", "'%s'", "'a,b,c'"]
NUMBERS = ["0", "1", "2", "3", "7", "10", "100", "-1", "1.5", "2.0", "0.1", "1e3", "9223372036854775807"]
ATTRIBUTES = ["name", "a", "b", "items", "count", "zone", "nope", "0"]
TESTS = ["defined", "undefined", "none", "string", "number", "integer", "float", "boolean", "mapping", "sequence",
         "iterable", "true", "false", "odd", "even", "lower", "upper", "callable", "escaped"]
TESTS_WITH_ARGUMENT = ["eq", "ne", "lt", "le", "gt", "ge", "divisibleby", "in", "sameas", "equalto"]
# Filters with the arguments that they may get; `E` is any expression, `S` text, `N` a number, `A` an attribute.
FILTERS = ["abs", "capitalize", "count", "default(E)", "default(E, true)", "d('-')", "dictsort", "dictsort(true)",
           "dictsort(by='value')", "dictsort(reverse=true)", "escape", "e", "first", "float", "float(N)", "forceescape",
           "indent", "indent(N)", "indent(2, true)", "indent(3, blank=true)", "indent('> ')", "int", "int(N)",
           "int(0, 16)", "items|list", "join", "join(S)", "join(',', A)", "last", "length", "list", "lower", "max",
           "max(attribute=A)", "min", "map(S)|list", "map(attribute=A)|list", "map(attribute=A, default=E)|list",
           "map('upper')|list", "map('default', E)|list", "pprint", "reject|list", "reject('odd')|list",
           "rejectattr(A)|list", "replace(S, S)", "replace(S, S, 1)", "reverse", "reverse|list", "round", "round(1)",
           "round(2, 'ceil')", "round(0, 'floor')", "select|list", "select('string')|list", "selectattr(A)|list",
           "selectattr(A, 'eq', E)|list", "slice(2)|list", "slice(3, E)|list", "sort", "sort(true)",
           "sort(attribute=A)", "sort(case_sensitive=true)", "string", "striptags", "sum", "sum(A)", "sum(start=N)",
           "title", "tojson", "tojson(2)", "trim", "trim('a')", "truncate(5)", "truncate(5, true)",
           "truncate(6, true, '..', 0)", "unique|list", "unique(attribute=A)|list", "upper", "urlencode", "wordcount",
           "wordwrap(4)", "wordwrap(5, false)", "xmlattr", "batch(2)|list", "batch(3, E)|list", "groupby(A)|list",
           "center(9)", "filesizeformat", "filesizeformat(true)", "format(E)", "format(E, E)", "safe", "attr(A)"]
METHODS = ["upper()", "lower()", "title()", "strip()", "split(',')", "split()", "replace('a', 'b')", "startswith('a')",
           "endswith(S)", "find('b')", "count('a')", "join(E)", "format(E)", "isdigit()", "zfill(5)", "center(7, '*')",
           "items()|list", "keys()|list", "values()|list", "get(A)", "get(A, E)", "index(E)", "partition('b')",
           "rsplit('-', 1)", "splitlines()", "swapcase()", "capitalize()", "encode()", "ljust(6)|e", "copy()",
           "bit_length()", "is_integer()", "removeprefix('a')", "expandtabs()", "isupper()", "isalpha()"]
MUTATIONS = ["append(E)", "extend(E)", "pop()", "pop(0)", "insert(0, E)", "reverse()", "sort()", "clear()",
             "remove(E)", "update({A: E})", "setdefault(A, E)", "popitem()", "pop(A, E)"]


class Generator:
    def __init__(self, choice):
        self.random = choice
        self.locals = []

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, share):
        return self.random.random() < share

    # ---- expressions ----

    def fill(self, pattern, depth):
        """Replaces the letters of FILTERS and METHODS."""
        out = []
        for index, char in enumerate(pattern):
            alone = not (pattern[index - 1:index] + pattern[index + 1:index + 2]).strip("(), ={}:")
            if char in "ESNA" and alone and index > 0:
                out.append({"E": lambda: self.expression(depth + 2), "S": lambda: self.pick(STRINGS),
                            "N": lambda: self.pick(NUMBERS[:8]),
                            "A": lambda: "'%s'" % self.pick(ATTRIBUTES)}[char]())
            else:
                out.append(char)
        return "".join(out)

    def atom(self):
        kind = self.random.random()
        if kind < 0.5:
            return self.pick(NAMES + self.locals * 2)
        if kind < 0.7:
            return self.pick(STRINGS)
        if kind < 0.9:
            return self.pick(NUMBERS)
        return self.pick(["true", "false", "none", "[]", "{}", "()", "loop.index", "range(3)", "varargs", "namespace(a=1)"])

    def expression(self, depth=0):
        if depth > 3 or self.chance(0.25):
            return self.atom()
        sub = lambda: self.expression(depth + 1)
        maker = self.pick([
            lambda: f"{sub()} {self.pick(['+', '-', '*', '/', '//', '%', '~', '~', '+'])} {sub()}",
            lambda: f"({sub()} {self.pick(['+', '-', '*', '/', '//', '%', '**'])} {self.pick(NUMBERS[:8])})",
            lambda: f"{sub()} {self.pick(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in'])} {sub()}",
            lambda: f"({self.atom()} < {self.atom()} <= {self.atom()})",
            lambda: f"{sub()} {self.pick(['and', 'or'])} {sub()}",
            lambda: f"{self.pick(['not ', '-', '+'])}{sub()}",
            lambda: f"({sub()} if {sub()} else {sub()})",
            lambda: f"({sub()} if {sub()})",
            lambda: f"{self.wrapped(depth)}|{self.fill(self.pick(FILTERS), depth)}",
            lambda: f"{self.wrapped(depth)}|{self.fill(self.pick(FILTERS), depth)}",
            lambda: f"{self.wrapped(depth)}.{self.fill(self.pick(METHODS), depth)}",
            lambda: f"{self.wrapped(depth)}.{self.pick(ATTRIBUTES)}",
            lambda: f"{self.wrapped(depth)}[{sub()}]",
            lambda: f"{self.wrapped(depth)}[{self.bound()}:{self.bound()}]",
            lambda: f"{self.wrapped(depth)}[{self.bound()}:{self.bound()}:{self.pick(['-1', '2', '-2', '1', '0'])}]",
            lambda: f"[{', '.join(sub() for _ in range(self.random.randint(0, 3)))}]",
            lambda: f"({', '.join(sub() for _ in range(2))},)",
            lambda: "{%s}" % ", ".join(f"{self.key()}: {sub()}" for _ in range(self.random.randint(0, 3))),
            lambda: f"{self.wrapped(depth)} is {self.pick(['', 'not '])}{self.pick(TESTS)}",
            lambda: f"{self.wrapped(depth)} is {self.pick(TESTS_WITH_ARGUMENT)}({sub()})",
            lambda: f"{self.pick(['m', 'outer', 'range', 'dict', 'n'])}({', '.join(self.arguments(depth))})",
        ])
        return maker()

    def wrapped(self, depth):
        text = self.expression(depth + 1)
        return text if text.isidentifier() or text[0] in "'[{(" and self.chance(0.5) else f"({text})"

    def key(self):
        return self.pick(["'a'", "'b'", "1", "s", "'name'", "none", "1.5"])

    def bound(self):
        return self.pick(["", "", "1", "2", "-1", "-2", "i", "0", "10"])

    def arguments(self, depth):
        arguments = [self.expression(depth + 2) for _ in range(self.random.randint(0, 2))]
        if self.chance(0.3):
            arguments.append(f"{self.pick(['b', 'c', 'k'])}={self.expression(depth + 2)}")
        if self.chance(0.1):
            arguments.append("*xs")
        if self.chance(0.1):
            arguments.append("**d")
        return arguments

    # ---- statements ----

    def tag(self, text):
        return "{%" + self.pick(["", "", "", "-"]) + f" {text} " + self.pick(["", "", "", "-"]) + "%}"

    def text(self):
        return self.pick(["", "\n", "  \n", "text ", "line\n", "  - ", "\n\n", ": "])

    def body(self, depth, loop=False):
        count = self.random.randint(1, 3)
        return "".join(self.text() + self.statement(depth + 1, loop) for _ in range(count)) + self.text()

    def target(self):
        return self.pick(["x", "y", "x, y", "s", "xs", "i"])

    def statement(self, depth=0, loop=False):
        if depth > 3 or self.chance(0.4):
            return "{{ " + self.expression() + " }}"
        body = lambda: self.body(depth, loop)
        makers = [
            lambda: self.tag(f"if {self.expression(1)}") + body() + self.tag("endif"),
            lambda: self.tag(f"if {self.expression(1)}") + body() + self.tag(f"elif {self.expression(1)}") + body() +
            self.tag("else") + body() + self.tag("endif"),
            lambda: self.loop(depth),
            lambda: self.loop(depth),
            lambda: self.tag(f"set {self.target()} = {self.expression()}"),
            lambda: self.tag(f"set {self.pick(['x', 'y'])}") + body() + self.tag("endset"),
            lambda: self.tag(f"set x | {self.pick(['upper', 'trim', 'indent(2)', 'length'])}") + body() +
            self.tag("endset"),
            lambda: self.tag("set ns = namespace(v=0)") + self.tag("for x in xs") +
            self.tag("set ns.v = ns.v + x") + self.tag("endfor") + "{{ ns.v }}",
            lambda: self.tag(f"with x = {self.expression()}, y = x") + body() + self.tag("endwith"),
            lambda: self.tag(f"macro m(x, b={self.expression(2)})") + body() + "{{ varargs }}{{ kwargs }}" +
            self.tag("endmacro") + "{{ m(" + ", ".join(self.arguments(1)) + ") }}",
            lambda: self.tag("macro outer(x)") + "<{{ caller(x) if caller else '' }}>" + body() + self.tag("endmacro") +
            self.tag(f"call(x) outer({self.expression(2)})") + body() + self.tag("endcall"),
            lambda: self.tag(f"filter {self.fill(self.pick(['upper', 'indent(2)', 'replace(S, S)', 'trim']), 1)}") +
            body() + self.tag("endfilter"),
            lambda: self.tag(f"do {self.pick(['xs', 'ys', 'd', 'pools', 'x'])}.{self.fill(self.pick(MUTATIONS), 1)}"),
            lambda: self.tag(f"include {self.pick(['part', 'part', 'absent'], ) if False else self.included()}"),
            lambda: self.tag("import 'lib' as lib" + self.pick(["", " with context"])) +
            "{{ lib.m(" + ", ".join(self.arguments(1)) + ") }}{{ lib.v }}",
            lambda: self.tag("from 'lib' import m as k, v" + self.pick(["", " with context"])) + "{{ k(v) }}",
            lambda: self.tag("raw") + "{{ x }}" + self.tag("endraw"),
            lambda: self.tag(f"autoescape {self.pick(['true', 'false', 'b'])}") + body() + self.tag("endautoescape"),
        ]
        if loop:
            makers += [lambda: self.tag(f"if {self.expression(2)}") + self.tag(self.pick(["break", "continue"])) +
                       self.tag("endif")]
        return self.pick(makers)()

    def included(self):
        return (self.pick(["'part'", "'part'", "'absent'", "['absent', 'part']"]) +
                self.pick(["", "", " ignore missing", " without context", " with context"]))

    def loop(self, depth):
        target = self.target()
        condition = f" if {self.expression(2)}" if self.chance(0.2) else ""
        recursive = " recursive" if self.chance(0.1) else ""
        saved = self.locals
        self.locals = self.locals + ["loop.first", "loop.last", "loop.index", "loop.length", "loop.revindex",
                                     "loop.previtem", "loop.nextitem", "loop.cycle('a', 'b')", "loop.changed(x)", "x"]
        body = self.body(depth, loop=True)
        if recursive and self.chance(0.7):
            body += "{{ loop(x) if x is iterable and x is not string and loop.depth < 4 }}"
        self.locals = saved
        otherwise = self.tag("else") + self.body(depth) if self.chance(0.2) else ""
        iterable = self.pick(["xs", "ys", "ss", "d", "d.items()", "pools", "range(4)", "s", self.expression(2)])
        return self.tag(f"for {target} in {iterable}{condition}{recursive}") + body + otherwise + self.tag("endfor")

    # ---- cases ----

    def value(self, depth=0):
        scalars = [lambda: self.random.randint(-5, 50), lambda: round(self.random.uniform(-9, 99), 2),
                   lambda: self.pick(["abc", "", "Hello World", "a b", "<i>x</i>", "é€😀", "line\nline2", "10", "zz"]),
                   lambda: self.chance(0.5), lambda: None]
        if depth > 2 or self.chance(0.6):
            return self.pick(scalars)()
        if self.chance(0.5):
            return [self.value(depth + 1) for _ in range(self.random.randint(0, 4))]
        return {key: self.value(depth + 1) for key in self.random.sample(["name", "a", "b", "count", "zone", "items"], 3)}

    def context(self):
        return {"i": self.random.randint(-3, 12), "j": self.random.randint(0, 3), "f": self.pick([0.5, 2.0, 1e16, -3.25]),
                "s": self.pick(["abc", "Hello World", "a-b", ""]), "t": self.pick(["x", "A1", "éa"]),
                "u": "<u>&'\"", "e": "", "b": self.chance(0.5), "n": None,
                "xs": [self.random.randint(0, 9) for _ in range(self.random.randint(0, 5))],
                "ys": [self.value(1) for _ in range(self.random.randint(0, 4))],
                "ss": [self.pick(["b", "a", "C", "aa"]) for _ in range(self.random.randint(0, 4))],
                "d": {key: self.value(1) for key in self.random.sample(["a", "b", "name", "k"], 2)},
                "deep": self.value(),
                "pools": [{"name": self.pick(["md-0", "md-1", "gpu"]), "count": self.random.randint(0, 5),
                           "zone": self.pick(["az1", "az2", None]), "a": self.value(2)}
                          for _ in range(self.random.randint(0, 3))]}

    def case(self, number):
        options = {"undefined": self.pick(["StrictUndefined"] * 5 + ["Undefined", "ChainableUndefined", "DebugUndefined"]),
                   "extensions": ["do", "loopcontrols"]}
        for flag in ("trim_blocks", "lstrip_blocks", "keep_trailing_newline", "autoescape"):
            if self.chance(0.25):
                options[flag] = True
        templates = {"part": self.body(2), "lib": "{% set v = " + self.expression(2) + " %}{% macro m(x=1) %}" +
                     self.body(3) + "{% endmacro %}"}
        main = self.body(0)
        if self.chance(0.15):
            templates["base"] = ("<{% block one %}" + self.body(3) + "{% endblock %}|{% block two scoped %}" +
                                 self.body(3) + "{% endblock %}>{{ self.one() }}")
            main = ("{% extends 'base' %}" + main + "{% block one %}" + self.body(2) +
                    self.pick(["", "{{ super() }}", "{{ super() | upper }}"]) + "{% endblock %}")
        templates["main"] = main
        return {"id": str(number), "options": options, "templates": templates, "main": "main", "context": self.context()}


def shown(case):
    return json.dumps({"options": case["options"], "templates": case["templates"], "context": case["context"]},
                      ensure_ascii=False)
