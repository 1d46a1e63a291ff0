"""Uses of a secret in a template: every filter, test, function and method, and the statements that print or fail.

`s` and `l` are secret texts, of one line and of several, `n` is a secret text of digits, `p` is public.
"""

import re

DECLARATION = re.compile(r'^CW_(FILTER|TEST|FUNCTION)\("(\w+)"', re.M)
METHOD = re.compile(r'^CW_METHOD\((\w+), "(\w+)"', re.M)

OTHERS = """
{{ s + 1 }}  {{ 1 + s }}  {{ s - 1 }}  {{ s * s }}  {{ s * 2 }}  {{ s / 2 }}  {{ s ~ p }}  {{ -s }}  {{ n | int + 'a' }}  {{ n | int }}
{{ s.foo }}  {{ s[s] }}  {{ s['a'] }}  {{ s[99] }}  {{ s[0:3] }}{{ s[3:] }}  {{ p[s] }}  {{ {}[s] }}  {{ {}[s | reverse] }}  {{ {}[s | b64encode] }}
{{ {'a': 1}[s] }}  {{ {s: 1} }}  {{ {s: 1}.x }}  {{ {s: 1}['x'] }}  {{ [s] }}  {{ (s, s) }}  {{ [s][5] }}  {{ [[s]] | string }}  {{ [s] | map('int') | list }}
{{ s() }}  {{ s.upper()() }}  {{ dict(a=s) }}  {{ dict(a=s).b }}  {{ dict([s]) }}  {{ dict(**{s: 1}) }}  {{ namespace(a=s).b }}  {{ range(s) }}
{{ range(n | int) }}  {{ cycler(s, s).next() }}  {{ joiner(s)() }}  {{ lipsum(s) }}  {{ nothing[s] }}  {{ p | nothing(s) }}  {{ p is nothing(s) }}
{{ p | default(nothing[s]) }}  {{ s == s }}  {{ s < 1 }}  {{ s in p }}  {{ p in s }}  {{ s in 5 }}  {{ 5 in s }}  {{ 'a' if s else 'b' }}
{{ '%d' % s }}  {{ '%s' % s }}  {{ s % 1 }}  {{ '%(a)s' % {'b': s} }}  {{ '{}'.format(s) }}  {{ '{0.a}'.format(s) }}  {{ s.format(s) }}  {{ '{a}'.format_map({'b': s}) }}
{% include s %}  {% include [s, 'nothing'] %}  {% extends s %}  {% import s as x %}  {% from s import x %}  {% from 'main.j2' import nothing %}
{% for a, b in [s] %}{{ a }}{% endfor %}  {% for c in s %}{{ c }}{% endfor %}  {% for c in s.x %}{% endfor %}  {% for a in n | int %}{% endfor %}
{% set a, b = s %}  {% set a = s %}{{ a }}  {% set a %}{{ s }}{% endset %}{{ a }}  {% set x = namespace() %}{% set x.a = s %}{{ x.a }}  {% set p.a = s %}
{% macro m(a) %}{{ a }}{% endmacro %}{{ m(s) }}  {% macro m(a) %}{{ a.b }}{% endmacro %}{{ m(s) }}  {% macro m(a) %}{% endmacro %}{{ m(s, s) }}
{% macro m(a) %}{% endmacro %}{{ m(**{s: 1}) }}  {% macro m() %}{{ caller(s) }}{% endmacro %}{% call(x) m() %}{{ x }}{% endcall %}  {% macro m() %}{{ kwargs }}{% endmacro %}{{ m(a=s) }}
{% macro m() %}{{ varargs }}{% endmacro %}{{ m(s) }}  {% call s() %}{% endcall %}  {% filter upper %}{{ s }}{% endfilter %}  {% with a = s %}{{ a }}{% endwith %}
{% if s > 1 %}{% endif %}  {% if s is nothing %}{% endif %}  {% autoescape true %}{{ s }}{% endautoescape %}  {% block b %}{{ s }}{% endblock %}{{ self.b() }}
{{ [s, 1] | sort }}  {{ [s, 'a'] | max }}  {{ [{'a': s}] | map(attribute='a') | join }}  {{ [{'a': s}] | groupby('a') }}  {{ [{'a': s}] | sum('a') }}
{{ [s] | map(s) | list }}  {{ [s] | select(s) | list }}  {{ [p] | map(attribute=s) | list }}  {{ {'a': s} | items | list }}  {{ {'a': s} | dictsort }}
{{ {'a': s} | to_yaml }}  {{ {s: s} | to_nice_json }}  {{ {'a': s}.items() | list }}  {{ {s: 1} | dict2items }}  {{ {'a': s} | xmlattr }}  {{ {'a': s} | urlencode }}
{{ s | b64encode | b64decode }}  {{ s | sha256 }}  {{ s | hash('md5') }}  {{ s | reverse | list }}  {{ s | list | join('-') }}  {{ s | length * 'a' }}
{{ p | regex_replace('pub', s) }}  {{ p | regex_replace(s, 'a') }}  {{ p | regex_replace('(' ~ s, 'a') }}  {{ s | regex_search('(') }}  {{ s | regex_replace('(.)', '\\\\9') }}
{{ p | combine({'a': s}) }}  {{ {'a': 1} | combine(s) }}  {{ s | from_yaml }}  {{ ('a: [' ~ s) | from_yaml }}  {{ ('{' ~ s) | from_json }}  {{ ('*' ~ s) | from_yaml }}
{{ s | human_to_bytes }}  {{ (s ~ 'X') | human_to_bytes }}  {{ s is version(s, 'gt') }}  {{ s is version('1', s) }}  {{ s is match('(' ~ s) }}  {{ s | comment(s) }}
# FILE: clusters/a/{{ s }}.yaml  # FILE: clusters/a/{{ s | reverse }}  # FILE: {{ s }}  #file: clusters/{{ s }}
"""


def expressions(root):
    """Templates, one expression or statement each."""
    folder = root / "compiler" / "template" / "builtins"
    tables = (folder / "builtins.def").read_text() + (folder / "extras" / "extras.def").read_text()
    for kind, name in DECLARATION.findall(tables):
        for operand in ("s", "n", "l", "[s]", "[s, 1]", "{s: s}", "{'a': s}", "[{'a': s}]", "5"):
            if kind == "FILTER":
                yield f"{{{{ {operand} | {name} }}}}"
                yield f"{{{{ {operand} | {name}(s) }}}}"
            elif kind == "TEST":
                yield f"{{{{ {operand} is {name} }}}}"
                yield f"{{{{ {operand} is {name}(s) }}}}"
            else:
                yield f"{{{{ {name}({operand}) }}}}"
        if kind == "FILTER":
            yield f"{{{{ s | {name}(s, s) }}}}"
            yield f"{{{{ p | {name}(s, 1, nothing=s) }}}}"
            yield f"{{{{ s | {name} | int(none) | {name} }}}}"
    operands = {"Text": "s", "Dict": "{'a': s, s: 1}", "List": "[s, s]", "Int": "(n | int)", "Float": "(n | float)"}
    for kind, name in METHOD.findall((folder / "methods.def").read_text()):
        operand = operands.get(kind, "s")
        for arguments in ("", "s", "s, s", "1", "'a', s", "x=s"):
            yield f"{{{{ {operand}.{name}({arguments}) }}}}"
        yield f"{{{{ p.{name}(s) }}}}"
    for line in OTHERS.strip().split("\n"):
        yield from line.split("  ")
