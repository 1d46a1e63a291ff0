"""Random values for calls of builtins, as expressions of the template language over a context of JSON data.

Kinds that JSON lacks (tuples, Markup, generators, undefined names) come from expressions. Sometimes a value has an invalid
kind, so that errors are compared, too.
"""

TEXTS = [
    "", "a", "abc", "Hello World", "foo bar  baz", "  padded\t", "ABC", "aBc dEf", "42", "-7", "3.14", "1e3", "0x1F",
    "1_000", "inf", "nan", "a,b,,c", "a=b", "x" * 30, "über Straße", "ÄÖÜ ß ﬁ", "日本語 テキスト", "ΑΣ ΟΔΟΣ", "ǆ ǅ Ǆ",
    "line one\nline two\n\nlast", "a\r\nb\rc\x0bd\x0ce\u2028f", "\ttab\tbed\t", "<b>bold</b> & \"quoted\" 'single'",
    "<!-- c --> &lt;x&gt; &amp;amp; &copy; &#x41;",
    "http://example.com/a?b=c&d=e, www.example.org. (see https://example.net/x_(y))",
    "mail@example.com mailto:me@example.com ftp://example.com",
    "the quick brown fox jumps over the lazy dog and well-known co-operation--with dashes", "%s and %d",
    "%(name)s: %(n)5.2f|%x", "{} {}", "{0[a]} {name!r:>8} {1.real}", "{:>10}|{:^8}|{:05d}", 'isn\'t "it"',
    "back\\slash", "null\x00byte \x7f", "🙂 emoji 👩‍👩", "true", "None", "12345678901234567890", "١٢٣", "²³",
    "a-b (c) [d] {e} <f>", "foo\u00a0bar\u2003baz",
]
NUMBERS = [
    0, 1, -1, 2, 3, 5, 7, 10, 42, 80, 255, 1000, 1024, 12345, -98765, 10**6, 2**31, 2**53 + 1, -(2**63), 2**63 - 1,
    10**20, -(10**25),
]
FLOATS = [
    0.0, -0.0, 0.5, 1.0, 1.5, 2.5, -2.5, 2.675, 3.14159, 1e16, 1e15, 1e-5, 0.0001, 123456.789, 1e300, -1e22, 99.995,
    1e21,
]
SMALL = [0, 1, 2, 3, 4, 5, -1, -2, 10]
FORMATS = [
    "%s", "%d", "%5d", "%-5d|", "%05d", "%+d", "%x", "%#X", "%o", "%e", "%.3f", "%g", "%10.4s|", "%r", "%c", "%%",
    "%i%%", "%a", "%s %s", "%(a)s", "%(a)5d %(b)r", "%*d", "%.*f", "% d", "%y", "%", "%-08.3f|", "%#o", "%G", "%5%",
    "%(a", "%.0f", "%#.0f", "%ld",
]
SPECS = [
    "", "d", ">10", "<10", "^11", "=+8", "05", "+", " ", ",", "_", "x", "#x", "#b", "o", "e", ".2f", "10.3e", "g",
    ".3g", "%", ".1%", "n", "c", "s", "*^20", ".3", "08.2f", ",.2f", "_x", "é>6", "z.1f", "#", "010,d", "r", "5.1",
    "-", "{", "X",
]


class Values:
    """Generates values; `context` collects them."""

    def __init__(self, rng):
        self.rng = rng
        self.context = {}

    def pick(self, items):
        return self.rng.choice(items)

    def chance(self, share):
        return self.rng.random() < share

    def of(self, value):
        """An expression for a JSON value."""
        name = f"v{len(self.context)}"
        self.context[name] = value
        return name

    # ---- values ----
    def text_value(self):
        if self.chance(0.25):
            return "".join(self.pick("ab AB-_.,%<&'\"\n\té1ßΣ{}()") for _ in range(self.rng.randint(0, 12)))
        return self.pick(TEXTS)

    def number_value(self):
        choice = self.rng.random()
        if choice < 0.5:
            return self.pick(SMALL)
        return self.pick(NUMBERS) if choice < 0.75 else self.pick(FLOATS)

    def scalar_value(self):
        return self.pick([self.text_value, self.number_value, lambda: self.pick([True, False, None])])()

    def list_value(self):
        kind = self.pick(["numbers", "texts", "mixed", "pairs", "dicts", "lists", "empty", "words"])
        size = self.rng.randint(0, 6)
        if kind == "numbers":
            return [self.number_value() for _ in range(size)]
        if kind == "texts":
            return [self.text_value() for _ in range(size)]
        if kind == "words":
            return [self.pick(["b", "A", "a", "B", "c", "C", "aa", "é"]) for _ in range(size)]
        if kind == "mixed":
            return [self.scalar_value() for _ in range(size)]
        if kind == "pairs":
            return [[self.pick("abc"), self.number_value()] for _ in range(size)]
        if kind == "dicts":
            return [self.record() for _ in range(size)]
        if kind == "lists":
            return [[self.pick(SMALL) for _ in range(self.rng.randint(0, 3))] for _ in range(size)]
        return []

    def record(self):
        record = {
            "name": self.pick(["b", "A", "a", "C", "é"]),
            "n": self.pick(SMALL),
            "tags": {"x": self.pick(["u", "V", 3])},
        }
        if self.chance(0.2):
            del record[self.pick(list(record))]
        return record

    def dict_value(self):
        if self.chance(0.3):
            return self.record()
        return {
            self.pick(["a", "b", "B", "c", "key", "x y", "é", "z"]): (
                self.scalar_value() if self.chance(0.8) else self.list_value()
            )
            for _ in range(self.rng.randint(0, 5))
        }

    def nested_value(self, depth=0):
        if depth > 2 or self.chance(0.3):
            return self.scalar_value()
        if self.chance(0.5):
            return [self.nested_value(depth + 1) for _ in range(self.rng.randint(0, 5))]
        return {
            self.pick(["a", "b", "long_key_name", "c", "d"]): self.nested_value(depth + 1)
            for _ in range(self.rng.randint(0, 5))
        }

    # ---- expressions ----
    def text(self):
        expression = self.of(self.text_value())
        return f"({expression}|safe)" if self.chance(0.08) else self.wrong(expression)

    def number(self):
        return self.wrong(self.of(self.number_value()))

    def whole(self):
        return self.of(self.pick(SMALL + [20, 30])) if self.chance(0.95) else self.anything()

    def flag(self):
        return self.pick(["true", "false"]) if self.chance(0.95) else self.anything()

    def sequence(self):
        expression = self.of(self.list_value())
        choice = self.rng.random()
        if choice < 0.08:
            expression = f"({expression}|map('string'))"
        elif choice < 0.12:
            expression = f"range({self.pick(SMALL)})"
        elif choice < 0.2:
            expression = self.of(self.text_value())
        elif choice < 0.26:
            expression = f"{self.of(self.dict_value())}{self.pick(['', '.items()', '.keys()', '.values()'])}"
        elif choice < 0.3:
            expression = f"({self.of(self.scalar_value())}, {self.of(self.scalar_value())})"
        return self.wrong(expression)

    def records(self):
        return self.wrong(self.of([self.record() for _ in range(self.rng.randint(0, 5))]))

    def mapping(self):
        return self.wrong(self.of(self.dict_value()))

    def nested(self):
        return self.of(self.nested_value())

    def anything(self):
        return self.pick(
            [
                lambda: self.of(self.scalar_value()),
                lambda: self.of(self.list_value()),
                lambda: self.of(self.dict_value()),
                lambda: "missing",
                lambda: "v0.missing",
                lambda: "(1, 'a')",
                lambda: "range(3)",
                lambda: "('<b>'|safe)",
                lambda: "([1, 2]|map('string'))",
                lambda: "{}.items()",
                lambda: "namespace(a=1)",
                lambda: "joiner()",
            ]
        )()

    def wrong(self, expression, share=0.06):
        """`expression`, or sometimes an invalid one."""
        return self.anything() if self.chance(share) else expression

    def attribute(self):
        return self.pick(
            [
                "'name'",
                "'n'",
                "'tags'",
                "'tags.x'",
                "'nope'",
                "0",
                "1",
                "'0'",
                "'name,n'",
                "'tags.nope'",
                "'n,tags.x'",
                "none",
            ]
        )

    def given(self, *parameters):
        """Arguments for (name, maker) pairs: some omitted at the end, some by name."""
        count = self.rng.randint(0, len(parameters))
        parts, by_name = [], False
        for name, maker in parameters[:count] if self.chance(0.7) else self.rng.sample(parameters, count):
            by_name = by_name or self.chance(0.4) or (name, maker) != parameters[len(parts)]
            parts.append(f"{name}={maker()}" if by_name else maker())
        if self.chance(0.01):
            parts.append("nonsense=1")
        return f"({', '.join(parts)})" if parts or self.chance(0.3) else ""

    def literal(self, *choices):
        return lambda: self.pick([repr(choice) for choice in choices])
