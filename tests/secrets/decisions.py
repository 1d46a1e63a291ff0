"""Templates whose text depends on a secret without containing it, and templates that only test whether one exists.

`s` is the secret "Hunter2Zebra", `n` the secret "734912", `l` a secret of two lines, `p` is public, and `users` are maps with a
public `name` and a secret `password`. All expressions in CONDITIONS are true.
"""

CONDITIONS = """
s == 'Hunter2Zebra'  s != 'x'  s < 'Z'  s >= 'Hunter2Zebra'  'Z' in s  'q' not in s  s in ['a', 'Hunter2Zebra']  s not in 'abc'
s is eq('Hunter2Zebra')  s is ne('x')  s is lt('Z')  s is in(['Hunter2Zebra'])  s is sameas('Hunter2Zebra')  (s | upper) is upper
(n | int) is even  (n | int) is divisibleby(2)  (n | int) > 5  (n | int) % 2 == 0  s is match('H.*')  s is search('2')  n is version('1', 'gt')
s.startswith('H')  s.isalnum()  s.find('Z') > 0  s.count('r') == 2  s[0] == 'H'  s[1:3] == 'un'  s[5:]  (s | first) == 'H'  (s | last) == 'a'
s | length > 3  s | length == 12  (s | list | length) == 12  s | replace('Hunter2Zebra', '') == ''  (s ~ 'x') == 'Hunter2Zebrax'  (p ~ s)[6:]
['a', 'Hunter2Zebra'] | select('eq', s) | list  (['a', 'Hunter2Zebra'] | reject('ne', s) | list)  (['a', s] | sort | first) == 'a'
([s, 'Z'] | min) == s  ([s, 'A'] | max) == 'Hunter2Zebra'  ([s, 'Hunter2Zebra'] | unique | list | length) == 1
{'Hunter2Zebra': 1}[s] is defined  {'Hunter2Zebra': 1}.get(s)  {s: 1}['Hunter2Zebra'] is defined  'Hunter2Zebra' in {s: 1}
[s].index('Hunter2Zebra') == 0  ['a', 'Hunter2Zebra'].count(s)  'aHunter2Zebra'.split(s)[0] == 'a'  'xHx'.strip(s[0]) == 'xHx'  l.splitlines() | length == 2
(users | selectattr('password', 'eq', 'pw-b') | list)  (users | sort(attribute='password') | first).name == 'a'  users[0].password == 'pw-a'
(users | groupby('password') | list | length) == 2  (s == 'x') is false  (s == 'Hunter2Zebra') is true  (s == 'x') is not none and s != 'x'
""".split("\n")

# CONDITION is true in each of these; otherwise nothing would be printed.
BRANCHES = """
{% if CONDITION %}yes{% endif %}  {% if not (CONDITION) %}{% else %}yes{% endif %}  {{ 'yes' if CONDITION else 'no' }}  {{ (CONDITION) and 'yes' }}
{% if p == 'q' %}{% elif CONDITION %}yes{% endif %}  {% for i in [1] if CONDITION %}yes{% endfor %}  {{ 'abc'[((CONDITION) | ternary(1, 2)) | int] }}
{% macro m() %}{% if CONDITION %}yes{% endif %}{% endmacro %}{{ m() }}  {% set t %}{% if CONDITION %}yes{% endif %}{% endset %}{{ t }}
{% set f %}{{ CONDITION }}{% endset %}{{ f | length }}
""".split("\n")

# These print for both values of CONDITION, and the branch that runs doesn't change all of the output.
BOTH = """
{% set r = 'a' %}{% if CONDITION %}{% set r = 'b' %}{% endif %}{{ r }}  {% set x = namespace(r='a') %}{% if CONDITION %}{% set x.r = 'b' %}{% endif %}{{ x.r }}
{% if CONDITION %}{% set r = 'b' %}{% endif %}{{ 'x' if r is defined else 'y' }}  {% set q = [1] %}{% if CONDITION %}{% do q.append(1) %}{% endif %}{{ q | length }}
{% set q = [1] %}{% if CONDITION %}{% set w = q %}{% do w.append(1) %}{% endif %}{{ q | length }}  {% set q = {} %}{% if CONDITION %}{% do q.update(a=1) %}{% endif %}{{ 'x' if q else 'y' }}
{% for i in [1, 2, 3] %}{% if CONDITION %}{% break %}{% endif %}{{ i }}{% else %}none{% endfor %}z{% for i in [1, 2] %}{% if not (CONDITION) %}{% continue %}{% endif %}{{ i }}{% endfor %}
{% set c = cycler('a', 'b') %}{% if CONDITION %}{% set w = c.next() %}{% endif %}{{ c.current }}  {% set j = joiner('-') %}{% if CONDITION %}{% set w = j() %}{% endif %}{{ j() }}x{{ j() }}
{% set g = ['a', 'b'] | map('upper') %}{% if CONDITION %}{% set w = g | first %}{% endif %}{{ g | first }}  {{ ['a', 'b'][(CONDITION) | bool | int] }}
{% set x = namespace(r=1) %}{% macro m() %}{% set x.r = 2 %}{% endmacro %}{% if CONDITION %}{{ m() }}{% endif %}{{ x.r }}  {% set t %}{% if CONDITION %}{% endif %}{% endset %}{{ 'a' if t == '' else 'b' }}
{% macro m(a='x') %}{{ a }}{% endmacro %}{{ m(*((CONDITION) and [] or ['y'])) }}
""".split("\n")

FEW = ("s == 'Hunter2Zebra'", "s == 'x'", "'Z' in s", "s | length > 50", "s[1:2] == 'u'", "['a'] | select('eq', s) | list")

NUMBERS = """
s | length  s | list | length  n | int  s.index('Z')  s.find('Z')  s.count('r')  s | wordcount  (l.splitlines() | length)  (s | reverse | list | length)
range(s | length) | length  (s ~ 'ab').rindex('b')  ('abcdefghijklmnop' | list).index(s[11])  (s | map('upper') | list | length)  (s | batch(2) | list | length)
""".split("\n")

# NUMBER is 0 to 734912.
COUNTS = """
{{ NUMBER }}  {{ 'x' * ((NUMBER) % 9 + 1) }}  {% for i in range((NUMBER) % 9 + 1) %}x{% endfor %}  {{ 'abcdefghi'[(NUMBER) % 9] }}  {{ 'abcdefghi'[:(NUMBER) % 9 + 1] }}
{{ [1, 2, 3, 4, 5, 6] | batch((NUMBER) % 5 + 1) | list | length }}  {{ [1, 2, 3, 4, 5, 6] | slice((NUMBER) % 5 + 1) | list | length }}  {{ 'a b c d e f'.split(' ', (NUMBER) % 5 + 1) | length }}
{{ range((NUMBER) % 9 + 2) | last }}  {{ range((NUMBER) % 9 + 2)[1] }}  {{ range(1, (NUMBER) % 9 + 2).stop }}  {{ 'a\\nb' | indent((NUMBER) % 9 + 1) | length }}
{{ (['x'] * ((NUMBER) % 9 + 1)) | join('-') }}  {% for i in [1] * ((NUMBER) % 9 + 1) %}{{ loop.index }}{% endfor %}  {{ 'ab' | center((NUMBER) % 9 + 5) | length }}
""".split("\n")

OTHERS = """
{% for c in s %}{% for a in 'HZaber2ntu' %}{% if a == c %}{{ a }}{% endif %}{% endfor %}{% endfor %}  {% set t = 'HZaber2ntu' | list %}{% for c in s %}{{ t[t.index(c)] }}{% endfor %}
{{ ['Hunter2Zebra', 'x'] | select('eq', s) | first }}  {{ range(n | int) | length }}  {% for c in s %}{{ loop.index }}{% endfor %}  {% for c in s %}.{% endfor %}
{{ 'x' }}{{ 'abc'[:(s | length) - 10] }}  {{ s in ['Hunter2Zebra'] }}  {{ (s | length) is odd }}  {{ cycler(*s).items | length }}  {% for c in s | list %}{% if loop.last %}{{ loop.length }}{% endif %}{% endfor %}
{% for i in range(12) %}{% for a in 'HZaber2ntu' %}{% set r = a %}{% if a != s[i] %}{% set r = '' %}{% endif %}{{ r }}{% endfor %}{% endfor %}
{% for i in range(9) %}{% if s[i:] %}{{ i }}{% endif %}{% endfor %}  {% for a in 'HZaber2ntu' %}{% set f = s[0] == a %}{% if f %}{{ a }}{% endif %}{% endfor %}
{% for a in 'HZaber2ntu' %}{% set t %}{% if s[0] != a %}!{% endif %}{% endset %}{{ a if not t }}{% endfor %}  {% for a in 'HZaber2ntu' %}{{ {s[0]: ''}[a] | default(a) }}{% endfor %}
{% for a in 'HZaber2ntu' %}{% if ['', s][(s[0] == a) | int] %}{{ a }}{% endif %}{% endfor %}  {% for a in 'HZaber2ntu' if a in s %}{{ a }}{% endfor %}
{% for a in 'HZaber2ntu' | select('in', s) %}{{ a }}{% endfor %}  {{ 'HZaber2ntu' | select('in', s) | join }}  {{ users | map(attribute='name') | list | zip(s | list) | list | length }}
{% for u in users | sort(attribute='password') %}{{ u.name }}{% endfor %}  {% for g in users | groupby('password') %}{{ loop.index }}{% endfor %}  {{ (users | max(attribute='password')).name }}
{% for i in range(3) recursive %}{{ loop(s) if i == 0 }}.{% endfor %}  {% filter upper %}{% if s == 'Hunter2Zebra' %}a{% endif %}{% endfilter %}  {% with y = s == 'x' %}{{ 'a' if y else 'b' }}{% endwith %}
{% autoescape s == 'Hunter2Zebra' %}{{ '<' }}{% endautoescape %}  {% macro m() %}a{% endmacro %}{{ [m, m][s | length - 12]() }}  {% for a, b in {s: 1}.items() %}{{ b }}{% endfor %}
{% include ['a' if s == 'x' else 'part.j2'] %}  {% include s ~ '.j2' ignore missing %}x  {{ (s ~ '#####')[12:14] }}  {{ '' ~ (s[12:] == '') }}  {{ ('' ~ s[12:]) == '' }}  {{ [1, 2] | join(s[12:]) == '12' }}
{{ s | length | string | indent(2) }}  {{ {'a': s | length} | to_yaml }}  {{ [s | length] | to_json }}  {{ [n | int] | sum }}  {{ dict([['a', s == 'x']]) }}  {{ 'a,b' | regex_findall('[' ~ s ~ ',]') | length }}
{% for i in range(12) %}{% for a in 'HZaber2ntu' %}{% set hit = [] %}{% set miss = [] %}{% set w = (hit if s[i] == a else miss).append(1) %}{{ a if hit }}{% endfor %}{% endfor %}
{% set a = [] %}{% set b = [] %}{% do {'Hunter2Zebra': a}.get(s, b).append(1) %}{{ a | length }}  {% set a = [] %}{% set b = [] %}{% do [a, b][(s == 'x') | int].append(1) %}{{ b | length }}
{% set a = {} %}{% set b = {} %}{% do (a if s == 'x' else b).update(k=1) %}{{ a | length }}  {% set a = [] %}{% set b = [] %}{% set c = a if s == 'x' else b %}{% do c.append(1) %}{{ a | length }}
{% set a = namespace(r='p') %}{% set b = namespace(r='p') %}{% set c = {'Hunter2Zebra': a}.get(s, b) %}{% set c.r = 'hit' %}{{ a.r }}
{% set a = cycler('a', 'b') %}{% set b = cycler('a', 'b') %}{% set w = {'Hunter2Zebra': a}.get(s, b).next() %}{{ a.current }}
{% for a in 'HZaber2ntu' %}{{ a if ([{'k': s[0], 'n': 1}, {'k': a, 'n': 2}] | groupby('k') | first).list | length == 2 }}{% endfor %}
""".split("\n")

ALLOWED = """
{% if s %}yes{% endif %}  {% if not s %}no{% else %}yes{% endif %}  {{ 'a' if s else 'b' }}  {{ 'a' if s is defined else 'b' }}  {{ 'a' if s is none else 'b' }}  {{ 'a' if s is string else 'b' }}
{% if s and p == 'public' %}yes{% endif %}  {% if p == 'x' or s %}yes{% endif %}  {% if nothing is defined and nothing == s %}a{% else %}b{% endif %}  {{ p | default(s) }}  {{ {'a': s, 'b': p}.b }}
{% if s == 'x' %}{% endif %}{{ p }}  {% for u in users %}{{ u.name }}{{ loop.index }}{% endfor %}  {{ users | length }}  {{ users | map(attribute='name') | join('-') }}
{% for u in users | selectattr('name', 'eq', 'b') %}{{ u.name }}{% endfor %}  {{ (users | sort(attribute='name') | last).name }}  {% for u in users if u.password %}{{ u.name }}{% endfor %}
{% for u in users | selectattr('password', 'defined') %}{{ u.name }}{% endfor %}  {% for u in users | reverse %}{{ u.name }}{% endfor %}  {% for g in users | groupby('name') %}{{ g.grouper }}{% endfor %}
{% set q = [] %}{% do q.append(s) %}{{ q | length }}  {% set q = {} %}{% do q.update({'k': s}) %}{{ q | list | first }}  {% for k, v in {'a': s}.items() %}{{ k }}{% endfor %}  {{ 'x' if {'a': s}.a is defined }}
{% set q = [] %}{% for line in l.splitlines() %}{% do q.append(line.strip()) %}{% endfor %}{{ p }}  {% macro m(x) %}{{ x }}{% endmacro %}{% for line in l.splitlines() %}{% set y = m(line) %}{% endfor %}{{ p }}
{% for i in [1, 2] %}{% for c in s %}{% if c == 'q' %}{% break %}{% endif %}{% endfor %}{{ i }}{% endfor %}  {% set t %}{{ p }}{% endset %}{{ t | trim }}  {{ 'p' if [s] else 'q' }}  {{ 'b' in ['a', 'b', s] }}
""".split("\n")

SECRET = """
{{ s }}  {% for line in l.splitlines() %}{{ line }},{% endfor %}  {{ 'a' if s == 'x' else 'b' }}  {{ s | length }}  {% if s.startswith('H') %}{{ s | b64encode }}{% else %}none{% endif %}
""".split("\n")


def split(lines):
    return [part for line in lines if line for part in line.split("  ")]


def decisions():
    """Templates whose output depends on a secret."""
    conditions = split(CONDITIONS)
    for condition in conditions:
        for branch in split(BRANCHES):
            yield branch.replace("CONDITION", condition)
    for condition in FEW:
        for template in split(BOTH):
            yield template.replace("CONDITION", condition)
    for number in split(NUMBERS):
        for template in split(COUNTS):
            yield template.replace("NUMBER", number)
    yield from split(OTHERS)
