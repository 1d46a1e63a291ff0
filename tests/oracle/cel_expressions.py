"""Random CEL expressions by type, over every overload that compiler/cel/functions.def declares, and the macros.

Pools contain values on which implementations differ: limits, escapes, texts that a library rejects, equal values of other
types.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
FUNCTIONS = HERE.parents[1] / "compiler" / "cel" / "functions.def"
OVERLOAD = re.compile(r'^CW_CEL\("([^"]+)", (\w+), "([^"]*)"', re.M)

POOLS = {
    "int": "0 1 2 -1 3 7 10 255 9223372036854775807 -9223372036854775808 0x10 100000 1234567".split(),
    "uint": "0u 1u 2u 10u 0x1fu 18446744073709551615u".split(),
    "double": "0.0 1.0 1.5 -2.5 1e3 0.1 1e21 1e-7 9223372036854775808.0 1.0/0.0 -1.0/0.0 0.0/0.0 123456.789".split(),
    "bool": ["true", "false"],
    "null": ["null"],
    "string": ["''", "'a'", "'b'", "'abc'", "'aXbXc'", "'a,b,,c'", "' pad '", "'éü'", "'日本'", "'😀x'", "'10'", "'-5'",
               "'1.5'", "'true'", "'True'", "'1h30m'", "'2023-01-02T03:04:05Z'", "'10.0.0.1'", "'::1'", "'10.0.0.0/8'",
               "'https://example.com:80/p%20q/?a=1&a=2&b'", "'1Gi'", "'500m'", "'1.2.3'", "'v1.2.3-rc.1+b'", "'A-B'",
               "'a.b.example.com'", "'\\n\\t\"'", "r'\\d+'", "'[a-c]+'", "'%s %d'", "'(b)(c)?'", "'.'", "'X'", "','",
               '"""q\'s"""', "'\\u00e9'", "'\\x41\\101'", "'a/b'", "'dns1123Label'", "'NaN'", "'1e3'", "'0x1F'"],
    "bytes": ["b''", "b'a'", "b'abc'", "b'\\xff\\x00'", "b'é'"],
    "duration": ["duration('0s')", "duration('1h')", "duration('1h30m5.5s')", "duration('-3ms')", "duration('1us')",
                 "duration('87600h')", "duration('292y')"],
    "timestamp": ["timestamp('2023-01-02T03:04:05Z')", "timestamp('2023-12-31T23:59:59.999999999+02:00')",
                  "timestamp(0)", "timestamp('0001-01-01T00:00:00Z')", "timestamp('9999-12-31T23:59:59Z')",
                  "timestamp('2024-02-29T12:00:00-05:30')"],
    "net.IP": ["ip('10.0.0.1')", "ip('::1')", "ip('0.0.0.0')", "ip('fe80::1')", "ip('224.0.0.1')", "ip('169.254.1.1')",
               "ip('2001:db8::ff')", "ip('127.0.0.1')", "ip('255.255.255.255')", "ip('ff02::1')"],
    "net.CIDR": ["cidr('10.0.0.0/8')", "cidr('10.0.0.7/8')", "cidr('0.0.0.0/0')", "cidr('::/0')",
                 "cidr('2001:db8::/32')", "cidr('192.168.1.1/32')", "cidr('fe80::1/64')"],
    "url": ["url('https://example.com:8443/a%20b/c?x=1&x=2&y#f')", "url('/only/path')", "url('http://[::1]:80/')",
            "url('http://example.com')", "url('https://example.com/?q=a+b&e=&z=%41')", "url('HTTPS://example.com/X')"],
    "quantity": ["quantity('0')", "quantity('1')", "quantity('1Gi')", "quantity('500m')", "quantity('1e3')",
                 "quantity('-2.5')", "quantity('1.5Ki')", "quantity('9223372036854775807')", "quantity('10E')",
                 "quantity('100n')", "quantity('3.14k')"],
    "semver": ["semver('1.2.3')", "semver('1.2.3-rc.1')", "semver('1.2.3-alpha.beta')", "semver('0.0.0')",
               "semver('1.10.0+build.5')", "semver('v1.2', true)", "semver('01.02.3', true)"],
    "format": ["format.dns1123Label()", "format.uuid()", "format.date()", "format.qualifiedName()", "format.uri()",
               "format.byte()", "format.labelValue()", "format.datetime()", "format.dns1035LabelPrefix()"],
}
# Preferred values of each position: with random strings most calls would only return errors.
HINTS = {
    "ip": POOLS["string"][17:19] + ["'01.2.3.4'", "'::ffff:1.2.3.4'", "'fe80::1%eth0'", "'2001:DB8::1'"],
    "cidr": ["'10.0.0.0/8'", "'10.0.0.1/33'", "'::/0'", "'1.2.3.4/08'", "'2001:DB8::/32'"],
    "url": ["'https://example.com:80/p?a=1'", "'example.com'", "'https://example.com/a b'", "'//example.com/x'", "'mailto:a@example.com'"],
    "quantity": ["'1Gi'", "'500m'", "'1e3'", "'.5'", "'1K'", "'+1k'", "'0.0000000001'", "'1Ei'", "'12e-1'", "''"],
    "semver": ["'1.2.3'", "'v1.2.3'", "'1.2'", "'1.2.3-01'", "'1.2.3-a.b+c.d'", "'1'", "'01.2.3'"],
    "duration": ["'1h'", "'1.5h'", "'-1m2s'", "'1d'", "'100ms'", "''", "'1'", "'.5s'"],
    "timestamp": ["'2023-01-02T03:04:05Z'", "'2023-01-02T03:04:05.123+01:00'", "'2023-01-02'", "'2023-13-01T00:00:00Z'"],
    "matches": ["r'^a.*c$'", "r'\\d'", "'['", "'(?i)ABC'", "'b+'", "r'\\pL+'", "'a{2,}'"],
    "format": [],
    "named": ["'dns1123Label'", "'uuid'", "'nothing'"],
}
HINTS.update({"isIP": HINTS["ip"], "ip.isCanonical": HINTS["ip"], "isCIDR": HINTS["cidr"], "containsIP": HINTS["ip"],
              "containsCIDR": HINTS["cidr"], "isURL": HINTS["url"], "isQuantity": HINTS["quantity"],
              "isSemver": HINTS["semver"], "find": HINTS["matches"], "findAll": HINTS["matches"],
              "format.named": HINTS["named"]})
ZONES = ["'UTC'", "'+02:30'", "'-08:00'", "'02:00'", "'Nowhere/Atall'", "''"]
ELEMENTS = ["int", "string", "bool", "double", "uint", "duration", "timestamp", "bytes"]
SCALARS = ["int", "string", "bool", "double", "uint"]
OPERATORS = {"_+_", "_-_", "_*_", "_/_", "_%_", "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in"}
FORMATTED = ["'%s'", "'%d'", "'%f'", "'%.2f'", "'%e'", "'%.3e'", "'%x'", "'%X'", "'%b'", "'%o'", "'%%'", "'%s-%s'", "'%z'",
             "'%.1d'", "'%'"]


def split_types(text):
    """`a, list(b, c)` as ["a", "list(b, c)"]."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def overloads():
    """(name, is a member, parameter types, result type) of every line of functions.def."""
    found = []
    for name, kind, signature in OVERLOAD.findall(FUNCTIONS.read_text(encoding="utf-8")):
        params, result = signature.split("->")
        if not name.startswith("@sort"):
            found.append((name, kind == "Member", split_types(params), result.strip()))
    return found


class Expressions:
    def __init__(self, rng):
        self.rng = rng
        self.all = overloads()
        self.names = []  # macro variables in scope, with their types

    def bind(self, text, chosen):
        for name in re.findall(r"\b[A-Z]\b", text):
            if name not in chosen:
                chosen[name] = self.rng.choice(ELEMENTS if self.rng.random() < 0.3 else SCALARS)
            text = re.sub(rf"\b{name}\b", chosen[name], text)
        return text

    def leaf(self, wanted):
        head, inner = self.parts(wanted)
        if head == "list":
            return "[" + ", ".join(self.of(inner[0], 0) for _ in range(self.rng.choice([0, 1, 2, 3]))) + "]"
        if head == "map":
            keys = {self.leaf(inner[0]) for _ in range(self.rng.choice([0, 1, 2]))}
            return "{" + ", ".join(f"{key}: {self.of(inner[1], 0)}" for key in sorted(keys)) + "}"
        if head == "optional":
            return self.rng.choice(["optional.none()", f"optional.of({self.of(inner[0], 0)})"])
        if head == "dyn":
            value = self.leaf(self.rng.choice(SCALARS + ["list(int)", "map(string, int)", "null"]))
            return f"dyn({value})" if self.rng.random() < 0.5 else value
        if head == "type":
            return f"type({self.leaf('dyn')})"
        return self.rng.choice(POOLS[head])

    @staticmethod
    def parts(wanted):
        found = re.fullmatch(r"([\w.]+)\((.*)\)", wanted)
        return (found[1], split_types(found[2])) if found else (wanted, [])

    def of(self, wanted, depth):
        """An expression, mostly of the given type; sometimes of another one, to test the checker."""
        if self.rng.random() < 0.01:
            wanted = self.rng.choice(SCALARS)
        same = [name for name, type_of_name in self.names if type_of_name == wanted]
        if same and self.rng.random() < 0.5:
            return self.rng.choice(same)
        if depth <= 0 or self.rng.random() < 0.25:
            return self.leaf(wanted)
        form = self.rng.random()
        if form < 0.08:
            return f"({self.of('bool', depth - 1)} ? {self.of(wanted, depth - 1)} : {self.of(wanted, depth - 1)})"
        if form < 0.2:
            return self.macro(wanted, depth) or self.leaf(wanted)
        if form < 0.25 and wanted == "bool":
            operator = self.rng.choice(["&&", "||"])
            return f"({self.of('bool', depth - 1)} {operator} {self.of('bool', depth - 1)})"
        head = self.parts(wanted)[0]
        fitting = [o for o in self.all if self.parts(o[3])[0] == head]
        return self.call(self.rng.choice(fitting), depth, wanted) if fitting else self.leaf(wanted)

    def call(self, overload, depth, wanted=""):
        name, member, params, result = overload
        chosen = {}
        if result != wanted and self.parts(result)[0] == self.parts(wanted)[0]:
            for variable, given in zip(self.parts(result)[1], self.parts(wanted)[1]):
                if re.fullmatch("[A-Z]", variable):
                    chosen[variable] = given
        args = [self.of(self.bind(param, chosen), depth - 1) for param in params]
        self.specialize(name, params, args)
        if name in OPERATORS:
            return f"({args[0]} {name.replace('_', '').replace('@', '')} {args[1]})"
        if name in ("!_", "-_"):
            return f"{name[0]}({args[0]})"
        if name == "_[_]":
            return f"{args[0]}[{args[1]}]"
        if name == "_[?_]":
            return f"{args[0]}[?{args[1]}]"
        if name == "validate":  # messages differ between implementations
            return f"({args[0]}.validate({args[1]}).hasValue() ? optional.of(['refused']) : optional.none())"
        if member:
            return f"{args[0]}.{name}({', '.join(args[1:])})"
        return f"{name}({', '.join(args)})"

    def specialize(self, name, params, args):
        if name == "format":
            args[0] = self.rng.choice(FORMATTED)
        elif name in ("lists.range", "flatten", "slice", "findAll", "replace", "split", "indexOf", "charAt"):
            for i, param in enumerate(params):
                if param == "int":
                    args[i] = self.rng.choice("0 1 2 3 -1 5".split())
        elif name.startswith("get") and len(params) == 2:
            args[1] = self.rng.choice(ZONES)
        elif name in HINTS and self.rng.random() < 0.8:
            args[-1 if params[-1] == "string" else 0] = self.rng.choice(HINTS[name])

    def macro(self, wanted, depth):
        head, inner = self.parts(wanted)
        element = self.rng.choice(SCALARS)
        two = self.rng.random() < 0.3
        ranged = self.rng.choice([f"list({element})", f"map({element}, {element})"])
        target = self.of(ranged, depth - 1)
        first = "int" if two and ranged.startswith("list") else element
        names = [("x", first)] + ([("y", element)] if two else [])
        if head == "optional":
            target, names, two = self.of("optional(" + element + ")", depth - 1), [("x", element)], False
        self.names += names
        heads = ", ".join(name for name, _ in names)
        made = None
        if wanted == "bool":
            macro = self.rng.choice(["all", "exists", "exists_one"])
            made = f"{target}.{macro}({heads}, {self.of('bool', depth - 1)})"
        elif head == "list":
            filtered = f"{self.of('bool', depth - 1)}, " if self.rng.random() < 0.4 else ""
            macro = "transformList" if two else "map"
            made = f"{target}.{macro}({heads}, {filtered}{self.of(inner[0], depth - 1)})"
            if not two and inner[0] == first and self.rng.random() < 0.5:
                made = f"{target}.filter(x, {self.of('bool', depth - 1)})"
            elif self.rng.random() < 0.15:
                made = f"{self.of(wanted, 0)}.sortBy(x, {self.of('int', depth - 1)})"
        elif head == "map" and two:
            filtered = f"{self.of('bool', depth - 1)}, " if self.rng.random() < 0.4 else ""
            made = f"{target}.transformMap({heads}, {filtered}{self.of(inner[1], depth - 1)})"
        elif head == "optional":
            made = f"{target}.optMap(x, {self.of(inner[0], depth - 1)})"
        del self.names[-len(names):]
        return made

    def some(self, depth):
        """A call of a random overload; each is as likely as any other."""
        return self.call(self.rng.choice(self.all), depth)
