"""Random calls of Jinja2's filters, tests, functions and of the methods of Python's types, as template expressions.

Arguments are mostly valid, and sometimes invalid.
"""

from builtin_values import FLOATS, FORMATS, SPECS, Values


class Calls(Values):
    """Generates calls."""

    # ---- calls ----
    def call(self):
        return self.pick(
            [self.filter, self.filter, self.filter, self.test, self.method, self.method, self.formatting, self.function]
        )()

    def filter(self):
        name = self.pick(sorted(self.FILTERS))
        operand, arguments = self.FILTERS[name](self)
        expression = f"{operand}|{name}{arguments}"
        return f"{expression}|list" if name in self.LAZY else expression

    LAZY = {"batch", "slice", "map", "select", "reject", "selectattr", "rejectattr", "unique", "items", "reverse"}
    FILTERS = {
        "abs": lambda c: (c.number(), ""),
        "attr": lambda c: (c.anything(), f"({c.pick(['name', 'n', 'upper', 'real', 'items', 'nope'])!r}) is defined"),
        "batch": lambda c: (
            c.sequence(),
            f"({c.of(c.pick([0, 1, 2, 3, 4]))}{c.pick(['', ', 0', ', none', ', fill_with=9'])})",
        ),
        "capitalize": lambda c: (c.text(), ""),
        "center": lambda c: (c.text(), c.given(("width", c.whole))),
        "count": lambda c: (c.sequence(), ""),
        "default": lambda c: (c.anything(), c.given(("default_value", c.anything), ("boolean", c.flag))),
        "dictsort": lambda c: (
            c.mapping(),
            c.given(("case_sensitive", c.flag), ("by", c.literal("key", "value", "key", "x")), ("reverse", c.flag)),
        ),
        "escape": lambda c: (c.wrong(c.text(), 0.3), ""),
        "filesizeformat": lambda c: (c.number(), c.given(("binary", c.flag))),
        "first": lambda c: (c.sequence(), "|default('none')"),
        "float": lambda c: (c.anything() if c.chance(0.5) else c.text(), c.given(("default", c.number))),
        "forceescape": lambda c: (c.wrong(c.text(), 0.3), ""),
        "format": lambda c: (
            c.of(c.pick(FORMATS)),
            c.pick(
                [
                    f"({c.anything()})",
                    f"({c.number()})",
                    f"({c.number()}, {c.number()})",
                    f"(a={c.number()}, b={c.text()})",
                    "",
                ]
            ),
        ),
        "groupby": lambda c: (
            c.records(),
            f"({c.attribute()}{c.pick(['', ', default=' + c.of('zz'), ', case_sensitive=true'])})",
        ),
        "indent": lambda c: (
            c.text(),
            c.given(("width", lambda: c.pick([c.whole(), "'> '"])), ("first", c.flag), ("blank", c.flag)),
        ),
        "int": lambda c: (
            c.anything() if c.chance(0.4) else c.text(),
            c.given(("default", c.number), ("base", c.literal(0, 2, 8, 10, 16, 36, 1))),
        ),
        "items": lambda c: (c.wrong(c.mapping(), 0.2), ""),
        "join": lambda c: (
            (c.sequence(), c.given(("d", c.text))) if c.chance(0.7) else (c.records(), f"(', ', {c.attribute()})")
        ),
        "last": lambda c: (c.sequence(), "|default('none')"),
        "length": lambda c: (c.sequence(), ""),
        "list": lambda c: (c.sequence(), ""),
        "lower": lambda c: (c.text(), ""),
        "map": lambda c: (
            (c.records(), f"(attribute={c.attribute()}{c.pick(['', ', default=' + c.of('dd')])})")
            if c.chance(0.5)
            else (
                c.sequence(),
                c.pick(
                    [
                        "('upper')",
                        "('int')",
                        "('string')",
                        "('default', 'x')",
                        "('length')",
                        "('nope')",
                        "()",
                        "('round', 1)",
                        "('first')",
                        "('replace', 'a', 'b')",
                    ]
                ),
            )
        ),
        "max": lambda c: (
            (c.sequence(), c.given(("case_sensitive", c.flag)))
            if c.chance(0.6)
            else (c.records(), f"(attribute={c.attribute()})")
        ),
        "min": lambda c: (
            (c.sequence(), c.given(("case_sensitive", c.flag)))
            if c.chance(0.6)
            else (c.records(), f"(attribute={c.attribute()})")
        ),
        "pprint": lambda c: (c.nested(), ""),
        "reject": lambda c: (c.sequence(), c.tested()),
        "rejectattr": lambda c: (c.records(), f"({c.attribute()}{c.pick(['', ', ' + c.test_arguments()])})"),
        "replace": lambda c: (
            c.text(),
            "({}, {}{})".format(
                c.of(c.pick(["a", "", "b", " ", "aa", "<", 1])),
                c.of(c.pick(["", "X", "aa", "&", 2])),
                c.pick(["", ", 1", ", 0", ", count=2", ", -1"]),
            ),
        ),
        "reverse": lambda c: (c.sequence(), ""),
        "round": lambda c: (
            c.number(),
            c.given(
                ("precision", c.literal(0, 1, 2, 3, -1, -2, 5, 20)),
                ("method", c.literal("common", "ceil", "floor", "x")),
            ),
        ),
        "safe": lambda c: (c.wrong(c.text(), 0.3), ""),
        "select": lambda c: (c.sequence(), c.tested()),
        "selectattr": lambda c: (c.records(), f"({c.attribute()}{c.pick(['', ', ' + c.test_arguments()])})"),
        "slice": lambda c: (
            c.sequence(),
            f"({c.of(c.pick([0, 1, 2, 3, 4, -1]))}{c.pick(['', ', 0', ', none', ', fill_with=9'])})",
        ),
        "sort": lambda c: (
            (c.sequence(), c.given(("reverse", c.flag), ("case_sensitive", c.flag)))
            if c.chance(0.6)
            else (c.records(), f"(attribute={c.attribute()}, reverse={c.flag()})")
        ),
        "string": lambda c: (c.anything(), ""),
        "striptags": lambda c: (c.text(), ""),
        "sum": lambda c: (
            (c.sequence(), c.given(("start", c.number)))
            if c.chance(0.5)
            else (c.records(), f"(attribute={c.attribute()}, start={c.number()})")
        ),
        "title": lambda c: (c.text(), ""),
        "tojson": lambda c: (
            c.nested() if c.chance(0.8) else c.anything(),
            c.given(("indent", c.literal(None, 0, 1, 2, 4))),
        ),
        "trim": lambda c: (c.text(), c.given(("chars", c.literal("a", "ab ", "", None, "Hd")))),
        "truncate": lambda c: (
            c.text(),
            c.given(
                ("length", c.literal(3, 5, 8, 10, 20, 0)),
                ("killwords", c.flag),
                ("end", c.literal("...", "", "…", "--")),
                ("leeway", c.literal(0, 1, 5, None, -1)),
            ),
        ),
        "unique": lambda c: (
            (c.sequence(), c.given(("case_sensitive", c.flag)))
            if c.chance(0.6)
            else (c.records(), f"(attribute={c.attribute()})")
        ),
        "upper": lambda c: (c.text(), ""),
        "urlencode": lambda c: (c.pick([c.text, c.mapping, c.sequence])(), ""),
        "urlize": lambda c: (
            c.text(),
            c.given(
                ("trim_url_limit", c.literal(5, 10, None)),
                ("nofollow", c.flag),
                ("target", c.literal("_blank", None)),
                ("rel", c.literal("x y", None)),
                ("extra_schemes", c.literal(["ftp:"], None)),
            ),
        ),
        "wordcount": lambda c: (c.text(), ""),
        "wordwrap": lambda c: (
            c.text(),
            c.given(
                ("width", c.literal(1, 5, 8, 10, 20, 79, 0)),
                ("break_long_words", c.flag),
                ("wrapstring", c.literal("|", "\n", None)),
                ("break_on_hyphens", c.flag),
            ),
        ),
        "xmlattr": lambda c: (c.mapping(), c.given(("autospace", c.flag))),
    }

    TESTS = {
        "boolean": 0,
        "callable": 0,
        "defined": 0,
        "divisibleby": 1,
        "eq": 1,
        "equalto": 1,
        "escaped": 0,
        "even": 0,
        "false": 0,
        "filter": 0,
        "float": 0,
        "ge": 1,
        "greaterthan": 1,
        "gt": 1,
        "in": 1,
        "integer": 0,
        "iterable": 0,
        "le": 1,
        "lessthan": 1,
        "lower": 0,
        "lt": 1,
        "mapping": 0,
        "ne": 1,
        "none": 0,
        "number": 0,
        "odd": 0,
        "sequence": 0,
        "string": 0,
        "test": 0,
        "true": 0,
        "undefined": 0,
        "upper": 0,
    }

    def test_arguments(self):
        """A test's name and its arguments, in the form for `select`."""
        name = self.pick([*sorted(self.TESTS), "==", "<", ">=", "!=", "nope"])
        return f"'{name}'" + (f", {self.of(self.scalar_value())}" if self.TESTS.get(name, 1) else "")

    def tested(self):
        return f"({self.test_arguments()})" if self.chance(0.85) else ""

    def test(self):
        name = self.pick(sorted(self.TESTS))
        operand = self.pick([self.anything, self.number, self.text, self.sequence])()
        argument = ""
        if self.TESTS[name]:
            argument = f"({self.pick([self.anything, self.number, self.text, self.sequence])()})"
        return f"{operand} is {self.pick(['', 'not '])}{name}{argument}"

    def bounds(self):
        return self.pick(["", "", f", {self.whole()}", f", {self.whole()}, {self.whole()}", f", none, {self.whole()}"])

    def method(self):
        return self.pick([self.text_method, self.text_method, self.list_method, self.dict_method, self.number_method])()

    def text_method(self):
        part = self.of(self.pick(["a", "", "b", "l", " ", "aa", "An", "\n", "é", "x"]))
        operand = self.of(self.text_value())
        if self.chance(0.08):
            operand = f"({operand}|safe)"
        name = self.pick(sorted(self.TEXT_METHODS))
        return f"{operand}.{name}{self.TEXT_METHODS[name](self, part)}"

    PLAIN = [
        "capitalize",
        "casefold",
        "isalnum",
        "isalpha",
        "isascii",
        "isdecimal",
        "isdigit",
        "isidentifier",
        "islower",
        "isnumeric",
        "isprintable",
        "isspace",
        "istitle",
        "isupper",
        "lower",
        "swapcase",
        "title",
        "upper",
        "encode",
    ]
    TEXT_METHODS = {
        **{name: lambda c, part: "()" if c.chance(0.97) else f"({part})" for name in PLAIN},
        "center": lambda c, part: f"({c.whole()}{c.pick(['', ', ' + part])})",
        "ljust": lambda c, part: f"({c.whole()}{c.pick(['', ', ' + part])})",
        "rjust": lambda c, part: f"({c.whole()}{c.pick(['', ', ' + part])})",
        "zfill": lambda c, part: f"({c.whole()})",
        "count": lambda c, part: f"({c.wrong(part)}{c.bounds()})",
        "find": lambda c, part: f"({c.wrong(part)}{c.bounds()})",
        "rfind": lambda c, part: f"({c.wrong(part)}{c.bounds()})",
        "index": lambda c, part: f"({c.wrong(part)}{c.bounds()})",
        "rindex": lambda c, part: f"({c.wrong(part)}{c.bounds()})",
        "startswith": lambda c, part: f"({c.pick([part, '(' + part + ', )', c.wrong(part)])}{c.bounds()})",
        "endswith": lambda c, part: f"({c.pick([part, '(' + part + ', )', c.wrong(part)])}{c.bounds()})",
        "expandtabs": lambda c, part: c.pick(["()", f"({c.whole()})", "(tabsize=4)"]),
        "join": lambda c, part: f"({c.sequence()})",
        "strip": lambda c, part: c.pick(["()", f"({c.wrong(part)})", "(none)"]),
        "lstrip": lambda c, part: c.pick(["()", f"({c.wrong(part)})", "(none)"]),
        "rstrip": lambda c, part: c.pick(["()", f"({c.wrong(part)})", "(none)"]),
        "partition": lambda c, part: f"({c.wrong(part)})",
        "rpartition": lambda c, part: f"({c.wrong(part)})",
        "removeprefix": lambda c, part: f"({c.wrong(part)})",
        "removesuffix": lambda c, part: f"({c.wrong(part)})",
        "replace": lambda c, part: "({}, {}{})".format(
            c.wrong(part), c.of(c.pick(["", "X", "<", "aa"])), c.pick(["", ", 1", ", -1", ", 0"])
        ),
        "split": lambda c, part: c.pick(
            ["()", f"({part})", f"({part}, {c.whole()})", f"(none, {c.whole()})", "(maxsplit=1)", f"(sep={part})"]
        ),
        "rsplit": lambda c, part: c.pick(
            ["()", f"({part})", f"({part}, {c.whole()})", f"(none, {c.whole()})", "(maxsplit=1)", f"(sep={part})"]
        ),
        "splitlines": lambda c, part: c.pick(["()", "(true)", "(keepends=true)", "(false)"]),
        "translate": lambda c, part: c.pick(
            [
                "({97: 'X', 98: none, 108: 65})",
                "(''.maketrans('abc', 'xyz'))",
                "(''.maketrans('ab', 'xy', 'l'))",
                "(''.maketrans({'a': 'b'}))",
            ]
        ),
    }

    def list_method(self):
        """Changes a list and shows it, with the method's result."""
        call = self.pick(
            [
                "append({item})",
                "extend({list})",
                "insert({n}, {item})",
                "pop()",
                "pop({n})",
                "remove({item})",
                "index({item})",
                "index({item}, {n})",
                "count({item})",
                "sort()",
                "sort(reverse=true)",
                "reverse()",
                "copy()",
                "clear()",
            ]
        )
        call = call.format(item=self.of(self.scalar_value()), list=self.sequence(), n=self.whole())
        name = self.of(self.list_value())
        return f"[{name}.{call}, {name}]"

    def dict_method(self):
        key = self.of(self.pick(["a", "b", "c", "name", "nope", 1, None]))
        call = self.pick(
            [
                "get({key})",
                "get({key}, 7)",
                "items()",
                "keys()",
                "values()",
                "pop({key})",
                "pop({key}, 7)",
                "popitem()",
                "copy()",
                "setdefault({key}, 7)",
                "setdefault({key})",
                "update({dict})",
                "update(q=1)",
                "update({pairs})",
                "clear()",
                "fromkeys([1, 2], 3)",
            ]
        )
        call = call.format(key=key, dict=self.mapping(), pairs=self.sequence())
        name = self.of(self.dict_value())
        return f"[{name}.{call}, {name}]"

    def number_method(self):
        if self.chance(0.5):
            method = self.pick(["is_integer()", "as_integer_ratio()", "hex()", "real", "imag", "conjugate()"])
            return f"{self.of(self.pick(FLOATS))}.{method}"
        number = self.of(self.pick([0, 1, -5, 255, True, 2**40]))
        attributes = ["bit_length()", "bit_count()", "real", "imag", "numerator", "denominator", "conjugate()",
                      "as_integer_ratio()", "to_bytes(2, 'big')", "to_bytes(8, 'little')", "to_bytes()"]
        return f"{number}.{self.pick(attributes)}"

    def formatting(self):
        value = self.pick([self.number, self.text, self.anything])
        choice = self.rng.random()
        if choice < 0.4:
            markup = "|safe" if self.chance(0.1) else ""
            argument = self.pick(
                [
                    value(),
                    f"({value()}, {value()})",
                    f"({value()},)",
                    f"{{'a': {value()}, 'b': {value()}}}",
                    f"[{value()}]",
                ]
            )
            return f"({self.of(self.pick(FORMATS))}{markup}) % {argument}"
        if choice < 0.8:
            template = "{:" + self.pick(SPECS) + "}"
            return f"{self.of(template)}.format({value()})"
        template = self.pick(
            [
                "{} {}",
                "{1} {0}",
                "{0!r} {0!s} {0!a}",
                "{a}",
                "{a[0]}",
                "{a[b]} {0}",
                "{0.real}",
                "{:{}}",
                "{0:{1}}",
                "{{}} {}",
                "{",
                "}",
                "{0} {}",
                "{!x}",
                "{a.b}",
                "{0[1]}",
                "{:>{w}}",
                "{5}",
            ]
        )
        return f"{self.of(template)}.format({value()}, {self.number()}, a={self.anything()}, w=8)"

    def function(self):
        return self.pick(
            [
                lambda: f"range({self.whole()})",
                lambda: f"range({self.whole()}, {self.whole()})|list",
                lambda: f"range({self.whole()}, {self.whole()}, {self.whole()})|list",
                lambda: f"dict({self.wrong(self.mapping(), 0.3)}, z=1)",
                lambda: f"dict({self.sequence()})",
                lambda: f"namespace({self.mapping()}, z=1).z",
                lambda: f"range({self.whole()}, 20, 3)[{self.whole()}]",
                lambda: f"({self.whole()} in range(5))",
                lambda: f"range(10)[{self.whole()}:{self.whole()}]|list",
                lambda: "cycler(1, 2).next()",
                lambda: "cycler()",
                lambda: f"joiner({self.text()})()",
            ]
        )()
