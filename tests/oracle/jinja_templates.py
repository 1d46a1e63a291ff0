"""Random templates for the differential test: every statement and operator, most filters, tests and methods. Operands
mostly have a valid type; sometimes a random one, so that errors are compared as well."""

import json

STRINGS = ["'abc'", "'a-b_c'", "''", "'Hello World'", "'x y z'", "'é€😀'", "'42'", "'3.5'", "'<b>&\"'", "'a,b,c'", "'a\\nb'"]
NUMBERS = ["0", "1", "2", "3", "7", "10", "-1", "1.5", "2.0", "0.1", "1e3", "9223372036854775807"]
KEYS = ["name", "a", "b", "count", "zone", "items", "nope"]
TESTS = ["defined", "undefined", "none", "string", "number", "integer", "float", "boolean", "mapping", "sequence",
         "iterable", "true", "false", "callable", "escaped"]

# Filters and methods by the type of their operand; each with the type of its result. In the arguments `E` is any
# expression, `S` a string literal, `N` a number literal, `A` a key.
FILTERS = {
    "text": [("capitalize", "text"), ("center(9)", "text"), ("escape", "text"), ("e", "text"), ("forceescape", "text"),
             ("indent", "text"), ("indent(N)", "text"), ("indent(2, true)", "text"), ("indent(3, blank=true)", "text"),
             ("indent('> ', first=true)", "text"), ("int", "number"), ("int(N)", "number"), ("int(0, 16)", "number"),
             ("float", "number"), ("float(N)", "number"), ("length", "number"), ("list", "sequence"), ("lower", "text"),
             ("upper", "text"), ("title", "text"), ("trim", "text"), ("trim('a')", "text"), ("truncate(5)", "text"),
             ("truncate(6, true, '..', 0)", "text"), ("wordwrap(4)", "text"), ("wordwrap(5, false)", "text"),
             ("replace(S, S)", "text"), ("replace(S, S, 1)", "text"), ("reverse", "text"), ("striptags", "text"),
             ("urlencode", "text"), ("wordcount", "number"), ("tojson", "text"), ("first", "text"), ("last", "text"),
             ("format(E)", "text"), ("safe", "text"), ("string", "text"), ("batch(2)|list", "sequence"),
             ("unique|join", "text"), ("pprint", "text"), ("sort|join", "text"), ("urlize", "text")],
    "number": [("abs", "number"), ("float", "number"), ("int", "number"), ("round", "number"), ("round(1)", "number"),
               ("round(2, 'ceil')", "number"), ("round(0, 'floor')", "number"), ("string", "text"), ("tojson", "text"),
               ("filesizeformat", "text"), ("filesizeformat(true)", "text"), ("default(E)", "any"), ("e", "text")],
    "sequence": [("batch(2)|list", "sequence"), ("batch(3, E)|list", "sequence"), ("first", "any"), ("last", "any"),
                 ("join", "text"), ("join(S)", "text"), ("join(', ', A)", "text"), ("length", "number"),
                 ("list", "sequence"), ("max", "any"), ("min", "any"), ("map('string')|list", "sequence"),
                 ("map(attribute=A)|list", "sequence"), ("map(attribute=A, default=E)|list", "sequence"),
                 ("map('default', E)|list", "sequence"), ("reject|list", "sequence"), ("reject('odd')|list", "sequence"),
                 ("rejectattr(A)|list", "sequence"), ("reverse|list", "sequence"), ("select|list", "sequence"),
                 ("select('string')|list", "sequence"), ("selectattr(A)|list", "sequence"), ("count", "number"),
                 ("selectattr(A, 'eq', E)|list", "sequence"), ("slice(2)|list", "sequence"), ("sum", "number"),
                 ("slice(3, E)|list", "sequence"), ("sort", "sequence"), ("sort(true)", "sequence"),
                 ("sort(attribute=A)", "sequence"), ("sum(A)", "number"), ("tojson", "text"), ("tojson(2)", "text"),
                 ("unique|list", "sequence"), ("unique(attribute=A)|list", "sequence"), ("groupby(A)|list", "sequence"),
                 ("pprint", "text"), ("string", "text"), ("groupby(A, default=E)|list", "sequence")],
    "mapping": [("dictsort", "sequence"), ("dictsort(true)", "sequence"), ("dictsort(by='value')", "sequence"),
                ("dictsort(reverse=true)", "sequence"), ("items|list", "sequence"), ("length", "number"),
                ("list", "sequence"), ("tojson", "text"), ("xmlattr", "text"), ("urlencode", "text"), ("pprint", "text"),
                ("attr(A)", "any"), ("string", "text"), ("first", "any")],
    "any": [("default(E)", "any"), ("default(E, true)", "any"), ("d('-')", "any"), ("string", "text"), ("pprint", "text")],
}
METHODS = {
    "text": [("upper()", "text"), ("lower()", "text"), ("title()", "text"), ("strip()", "text"), ("split(',')", "sequence"),
             ("split()", "sequence"), ("replace('a', 'b')", "text"), ("startswith('a')", "condition"),
             ("endswith(S)", "condition"), ("find('b')", "number"), ("count('a')", "number"), ("join(ss)", "text"),
             ("format(E)", "text"), ("isdigit()", "condition"), ("zfill(5)", "text"), ("center(7, '*')", "text"),
             ("partition('b')", "sequence"), ("rsplit('-', 1)", "sequence"), ("splitlines()", "sequence"),
             ("swapcase()", "text"), ("capitalize()", "text"), ("ljust(6)", "text"), ("rjust(6, '.')", "text"),
             ("removeprefix('a')", "text"), ("expandtabs()", "text"), ("isupper()", "condition"),
             ("isalpha()", "condition"), ("index('a')", "number"), ("rfind('l')", "number"), ("lstrip('ab')", "text")],
    "number": [("bit_length()", "number"), ("is_integer()", "condition"), ("real", "number")],
    "sequence": [("index(E)", "number"), ("count(E)", "number"), ("copy()", "sequence"), ("pop()", "any")],
    "mapping": [("items()|list", "sequence"), ("keys()|list", "sequence"), ("values()|list", "sequence"),
                ("get(A)", "any"), ("get(A, E)", "any"), ("copy()", "mapping"), ("pop(A, E)", "any")],
    "any": [],
}
MUTATIONS = ["xs.append(N)", "xs.extend(xs)", "xs.pop()", "ss.insert(0, S)", "xs.reverse()", "ss.sort()", "xs.clear()",
             "ys.append(E)", "ys.append(ys)", "ss.remove('a')", "d.update({A: E})", "d.setdefault(A, E)", "d.popitem()",
             "d.pop(A, E)", "d.update(k=E)", "pools.append(d)", "deep.append(E)", "d.clear()"]
LOOP = {"number": ["loop.index", "loop.index0", "loop.length", "loop.revindex", "loop.depth"],
        "condition": ["loop.first", "loop.last", "loop.changed(x)"], "any": ["loop.previtem", "loop.nextitem", "x"],
        "text": ["loop.cycle('a', 'b')"], "sequence": [], "mapping": []}


class Generator:
    def __init__(self, choice):
        self.random = choice
        self.loops = 0
        self.kinds = ["text", "number", "sequence", "mapping", "condition", "any"]

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, share):
        return self.random.random() < share

    # ---- expressions ----

    def fill(self, pattern, depth):
        """Replaces the lone letters of a filter's or method's arguments."""
        out = []
        for index, char in enumerate(pattern):
            around = (pattern[index - 1:index] + pattern[index + 1:index + 2]).strip("(), ={}:|")
            if index > 0 and char in "ESNA" and not around:
                out.append({"E": lambda: self.expression("any", depth + 2), "S": lambda: self.pick(STRINGS),
                            "N": lambda: self.pick(NUMBERS[:6]), "A": lambda: "'%s'" % self.pick(KEYS)}[char]())
            else:
                out.append(char)
        return "".join(out)

    def atom(self, kind):
        names = {"text": STRINGS + ["s", "t", "u", "s", "t"], "number": NUMBERS[:8] + ["i", "j", "f", "i", "j"],
                 "sequence": ["xs", "ys", "ss", "pools", "[]", "range(3)", "(1, 2)", "'abc'", "[1, 2, 3]"],
                 "mapping": ["d", "d", "{}", "{'a': 1}", "pools[0]", "pools|first"],
                 "condition": ["true", "false", "b"],
                 "any": ["n", "none", "missing", "deep", "d.a", "d.name", "i", "s", "xs", "d", "e"]}
        choices = names[kind]
        if self.loops:
            choices = choices + LOOP.get(kind, [])
        return self.pick(choices)

    def expression(self, kind=None, depth=0):
        if kind is None or self.chance(0.06):
            kind = self.pick(self.kinds)
        if depth > 3 or self.chance(0.3):
            return self.atom(kind)
        makers = {"text": self.text_maker, "number": self.number_maker, "sequence": self.sequence_maker,
                  "mapping": self.mapping_maker, "condition": self.condition_maker, "any": self.any_maker}
        if self.chance(0.1):
            return (f"({self.expression(kind, depth + 1)} if {self.expression('condition', depth + 1)}"
                    f" else {self.expression(kind, depth + 1)})")
        if self.chance(0.35):
            made = self.applied(kind, depth)
            if made:
                return made
        return makers[kind](depth)

    def applied(self, kind, depth):
        """A filter or method with a result of that kind."""
        operand_kind = self.pick(["text", "number", "sequence", "mapping", "any"])
        table, joint = self.pick([(FILTERS, "|"), (METHODS, ".")])
        fitting = [call for call, result in table[operand_kind] if result == kind]
        if not fitting:
            return None
        return f"{self.wrapped(operand_kind, depth)}{joint}{self.fill(self.pick(fitting), depth)}"

    def wrapped(self, kind, depth):
        text = self.expression(kind, depth + 1)
        return text if text.isidentifier() or text[0] == "'" and text.count("'") == 2 else f"({text})"

    def text_maker(self, depth):
        sub = lambda kind="text": self.expression(kind, depth + 1)
        return self.pick([lambda: f"{sub()} ~ {sub('any')}", lambda: f"{sub()} + {sub()}",
                          lambda: f"{self.wrapped('text', depth)} * {self.pick(['i', 'j', '2', '0'])}",
                          lambda: f"{self.wrapped('text', depth)}[{self.bound()}:{self.bound()}]",
                          lambda: f"{self.wrapped('text', depth)}[::{self.pick(['-1', '2', '-2'])}]",
                          lambda: f"'%s-%05.2f|%x' % ({sub('any')}, {self.atom('number')}, {self.pick('ij')})",
                          lambda: f"{self.pick(['m', 'outer'])}({', '.join(self.arguments(depth))})"])()

    def number_maker(self, depth):
        sub = lambda: self.expression("number", depth + 1)
        return self.pick([lambda: f"{sub()} {self.pick(['+', '-', '*', '/', '//', '%'])} {sub()}",
                          lambda: f"({sub()} {self.pick(['+', '-', '*', '**'])} {self.pick(NUMBERS[:7])})",
                          lambda: f"{self.pick(['-', '+'])}{sub()}",
                          lambda: f"{self.wrapped('sequence', depth)}|length"])()

    def sequence_maker(self, depth):
        sub = lambda: self.expression("sequence", depth + 1)
        anything = lambda: self.expression("any", depth + 1)
        return self.pick([lambda: f"{sub()} + {sub()}", lambda: f"{self.wrapped('sequence', depth)}[{self.bound()}:]",
                          lambda: f"{self.wrapped('sequence', depth)}[{self.bound()}:{self.bound()}:{self.pick(['-1', '2'])}]",
                          lambda: f"[{', '.join(anything() for _ in range(self.random.randint(0, 3)))}]",
                          lambda: f"({anything()}, {anything()})", lambda: f"[{anything()}] * j",
                          lambda: f"range({self.atom('number')}, {self.atom('number')})"])()

    def mapping_maker(self, depth):
        pairs = ", ".join(f"{self.key()}: {self.expression(None, depth + 1)}" for _ in range(self.random.randint(0, 3)))
        return self.pick([lambda: "{%s}" % pairs, lambda: f"dict({pairs})" if not pairs else "dict(d, k=%s)" %
                          self.expression(None, depth + 1), lambda: "(pools|last)", lambda: "namespace(a=1)"])()

    def condition_maker(self, depth):
        sub = lambda kind: self.expression(kind, depth + 1)
        return self.pick([
            lambda: f"{sub('any')} {self.pick(['==', '!='])} {sub('any')}",
            lambda: f"{sub('number')} {self.pick(['<', '<=', '>', '>='])} {sub('number')}",
            lambda: f"{sub('text')} {self.pick(['<', '<=', '>', '>=', 'in', 'not in', '=='])} {sub('text')}",
            lambda: f"({self.atom('number')} < {self.atom('number')} <= {self.atom('number')})",
            lambda: f"{sub('any')} {self.pick(['in', 'not in'])} {self.wrapped('sequence', depth)}",
            lambda: f"{self.atom('text')} in {self.wrapped('mapping', depth)}",
            lambda: f"{sub('condition')} {self.pick(['and', 'or'])} {sub('condition')}",
            lambda: f"not {sub('condition')}",
            lambda: f"{self.wrapped('any', depth)} is {self.pick(['', 'not '])}{self.pick(TESTS)}",
            lambda: f"{self.wrapped('number', depth)} is {self.pick(['odd', 'even', 'divisibleby 2', 'gt(1)', 'le(3)'])}",
            lambda: f"{self.wrapped('text', depth)} is {self.pick(['lower', 'upper', 'in(ss)', 'filter', 'test'])}",
            lambda: f"{self.wrapped('any', depth)} is {self.pick(['eq', 'ne', 'sameas'])}({sub('any')})"])()

    def any_maker(self, depth):
        sub = lambda: self.expression(None, depth + 1)
        return self.pick([lambda: f"{sub()} {self.pick(['and', 'or'])} {sub()}",
                          lambda: f"({sub()} if {self.expression('condition', depth + 1)})",
                          lambda: f"{self.wrapped('mapping', depth)}.{self.pick(KEYS)}",
                          lambda: f"{self.wrapped('mapping', depth)}[{self.key()}]",
                          lambda: f"{self.wrapped('sequence', depth)}[{self.pick(['0', '1', '-1', 'j', 'i'])}]",
                          sub, sub])()

    def key(self):
        return self.pick(["'a'", "'b'", "1", "s", "'name'", "none", "1.5", "'zone'"])

    def bound(self):
        return self.pick(["", "", "1", "2", "-1", "-2", "j", "0", "10"])

    def arguments(self, depth):
        arguments = [self.expression(None, depth + 2) for _ in range(self.random.randint(0, 2))]
        if self.chance(0.3):
            arguments.append(f"{self.pick(['b', 'c', 'k', 'x'])}={self.expression(None, depth + 2)}")
        if self.chance(0.1):
            arguments.append("*xs")
        if self.chance(0.1):
            arguments.append("**d")
        return arguments

    # ---- statements ----

    def tag(self, text):
        return "{%" + self.pick(["", "", "", "-"]) + f" {text} " + self.pick(["", "", "", "-"]) + "%}"

    def text(self):
        return self.pick(["", "\n", "  \n", "text ", "line\n", "  - ", "\n\n", ": ", "{# note #}"])

    def body(self, depth, loop=False):
        count = self.random.randint(1, 3)
        return "".join(self.text() + self.statement(depth + 1, loop) for _ in range(count)) + self.text()

    def target(self):
        return self.pick(["x", "x", "x", "y", "x, y", "s", "i"])

    def statement(self, depth=0, loop=False):
        if depth > 3 or self.chance(0.45):
            return "{{ " + self.expression() + " }}"
        makers = [self.branch, self.branch, self.loop, self.loop, self.assignment, self.assignment, self.macro,
                  self.call_block, self.filter_block, self.scoped, self.other_template]
        if loop:
            makers.append(lambda depth, loop: self.tag(f"if {self.expression('condition', 2)}") +
                          self.tag(self.pick(["break", "continue"])) + self.tag("endif"))
        return self.pick(makers)(depth, loop)

    def branch(self, depth, loop):
        text = self.tag(f"if {self.expression('condition', 1)}") + self.body(depth, loop)
        if self.chance(0.3):
            text += self.tag(f"elif {self.expression('condition', 1)}") + self.body(depth, loop)
        if self.chance(0.5):
            text += self.tag("else") + self.body(depth, loop)
        return text + self.tag("endif")

    def loop(self, depth, _):
        pairs = self.chance(0.15)
        target = "x, y" if pairs else self.pick(["x", "x", "x", "y", "i", "s"])
        condition = f" if {self.expression('condition', 2)}" if self.chance(0.2) else ""
        recursive = " recursive" if self.chance(0.1) else ""
        self.loops += 1
        body = self.body(depth, loop=True)
        if recursive and self.chance(0.7):
            body += "{{ loop(x) if x is iterable and x is not string and loop.depth < 4 }}"
        self.loops -= 1
        otherwise = self.tag("else") + self.body(depth) if self.chance(0.2) else ""
        iterable = "d.items()" if pairs else self.pick(["xs", "ys", "ss", "d", "pools", "range(4)", "s",
                                                        self.expression("sequence", 2)])
        return self.tag(f"for {target} in {iterable}{condition}{recursive}") + body + otherwise + self.tag("endfor")

    def assignment(self, depth, loop):
        return self.pick([
            lambda: self.tag(f"set {self.target()} = {self.expression()}"),
            lambda: self.tag(f"set x, y = {self.expression('any', 2)}, {self.expression('any', 2)}"),
            lambda: self.tag("set x") + self.body(depth, loop) + self.tag("endset") + "{{ x }}",
            lambda: self.tag(f"set x | {self.pick(['upper', 'trim', 'indent(2)', 'length', 'trim | upper'])}") +
            self.body(depth, loop) + self.tag("endset"),
            lambda: self.tag("set ns = namespace(v=0)") + self.tag("for x in xs") + self.tag("set ns.v = ns.v + x") +
            self.tag("endfor") + "{{ ns.v }}",
            lambda: self.tag(f"do {self.fill(self.pick(MUTATIONS), 1)}")])()

    def macro(self, depth, _):
        return (self.tag(f"macro m(x{self.pick(['', '=1', '=xs'])}, b={self.expression('any', 2)})") + self.body(depth) +
                self.pick(["", "{{ varargs }}", "{{ kwargs }}", "{{ varargs }}{{ kwargs }}"]) + self.tag("endmacro") +
                "{{ m(" + ", ".join(self.arguments(1)) + ") }}")

    def call_block(self, depth, _):
        return (self.tag("macro outer(x)") + "<{{ caller(x) if caller else '' }}>" + self.body(depth) +
                self.tag("endmacro") + self.tag(f"call(x) outer({self.expression(None, 2)})") + self.body(depth) +
                self.tag("endcall"))

    def filter_block(self, depth, loop):
        name = self.fill(self.pick(["upper", "indent(2)", "replace(S, S)", "trim", "trim | upper", "escape"]), 1)
        return self.tag(f"filter {name}") + self.body(depth, loop) + self.tag("endfilter")

    def scoped(self, depth, loop):
        return self.pick([
            lambda: self.tag(f"with x = {self.expression(None, 1)}, y = s") + self.body(depth, loop) + self.tag("endwith"),
            lambda: self.tag(f"autoescape {self.pick(['true', 'false', 'b'])}") + self.body(depth) +
            self.tag("endautoescape"),
            lambda: self.tag("raw") + "{{ x }}" + self.tag("endraw")])()

    def other_template(self, _depth, _loop):
        context = self.pick(["", " with context", " without context"])
        return self.pick([
            lambda: self.tag("include " + self.pick(["'part'", "'part'", "['absent', 'part']", "'absent' ignore missing"]) +
                             context),
            lambda: self.tag("import 'lib' as lib" + context) + "{{ lib.m(" + ", ".join(self.arguments(1)) +
            ") }}{{ lib.v }}",
            lambda: self.tag("from 'lib' import m as k, v" + context) + "{{ k(v) }}"])()

    # ---- cases ----

    def value(self, depth=0):
        scalars = [lambda: self.random.randint(-5, 50), lambda: round(self.random.uniform(-9, 99), 2),
                   lambda: self.pick(["abc", "", "Hello World", "a b", "<i>x</i>", "é€😀", "line\nline2", "10", "zz"]),
                   lambda: self.chance(0.5), lambda: None]
        if depth > 2 or self.chance(0.6):
            return self.pick(scalars)()
        if self.chance(0.5):
            return [self.value(depth + 1) for _ in range(self.random.randint(0, 4))]
        return {key: self.value(depth + 1) for key in self.random.sample(KEYS[:6], 3)}

    def context(self):
        return {"i": self.random.randint(-3, 12), "j": self.random.randint(0, 3), "f": self.pick([0.5, 2.0, 1e16, -3.25]),
                "s": self.pick(["abc", "Hello World", "a-b", ""]), "t": self.pick(["x", "A1", "éa", "a\nb"]),
                "u": "<u>&'\"", "e": "", "b": self.chance(0.5), "n": None,
                "xs": [self.random.randint(0, 9) for _ in range(self.random.randint(0, 5))],
                "ys": [self.value(1) for _ in range(self.random.randint(0, 4))],
                "ss": [self.pick(["b", "a", "C", "aa"]) for _ in range(self.random.randint(0, 4))],
                "d": {key: self.value(1) for key in self.random.sample(["a", "b", "name", "k"], 3)},
                "deep": self.value(),
                "pools": [{"name": self.pick(["md-0", "md-1", "gpu"]), "count": self.random.randint(0, 5),
                           "zone": self.pick(["az1", "az2", None]), "a": self.value(2)}
                          for _ in range(self.random.randint(1, 3))]}

    def case(self, number):
        options = {"undefined": self.pick(["StrictUndefined"] * 4 + ["Undefined", "ChainableUndefined", "DebugUndefined"]),
                   "extensions": ["do", "loopcontrols"]}
        for flag in ("trim_blocks", "lstrip_blocks", "keep_trailing_newline", "autoescape"):
            if self.chance(0.25):
                options[flag] = True
        templates = {"part": self.body(2), "lib": "{% set v = " + self.expression("any", 2) + " %}{% macro m(x=1) %}" +
                     self.body(3) + "{% endmacro %}"}
        main = "{% macro m(x=0) %}{{ x }}{% endmacro %}" + self.body(0) if self.chance(0.5) else self.body(0)
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
