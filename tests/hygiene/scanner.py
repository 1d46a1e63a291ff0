"""A scanner of clang-formatted C++ that finds functions: their extent, parameters and nesting.

It reads braces, not the grammar: the text before a `{` since the last boundary (the head) determines what the brace opens.
That is enough for formatted code, and needs no compiler.
"""

import dataclasses
import re

from sources import code_of, line_at

CONTROL = re.compile(r"\b(?:if|for|while|switch|catch|do|else|try)\b")
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:inline\s+|constexpr\s+|static\s+|const\s+|typedef\s+)*"
                  r"(?:class|struct|union|enum)\b", re.DOTALL)
LAMBDA = re.compile(r"(?:^|[=(,{:?&|;]|\breturn)\s*\[[^\[\]]*\]\s*(?:<[^{}]*>\s*)?"
                    r"(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s*"
                    r"(?:mutable\s*|noexcept\s*|constexpr\s*)*(?:->[^{};]*)?$", re.DOTALL)
OPERATOR = re.compile(r"\boperator\s*(?:\(\)|\[\]|[^\w\s(]+|[\w:<>*& ]+)\s*\(")
# Other parts of a head besides types, names and parameters.
NOISE = re.compile(r"\b(?:public|private|protected)\s*:(?!:)|\[\[[^\]]*\]\]"
                   r"|\b(?:explicit|noexcept|decltype|alignas|requires)\s*\([^()]*\)|^\s+")
NOT_DECLARATIONS = re.compile(r"^(?:using|typedef|static_assert|friend|return|extern template|template class)\b")


@dataclasses.dataclass
class Function:
    name: str
    line: int           # of the first line of its head
    length: int         # lines, head and closing brace included; 0 for a declaration
    parameters: int
    nesting: int        # deepest level of control statements and lambdas in its body


@dataclasses.dataclass
class _Block:
    kind: str           # scope, type, function, control, lambda, plain, init
    begin: int          # offset of the head
    depth: int = 0      # levels that this block adds
    function: Function | None = None


def _without_preprocessor(code):
    """Blanks directives with their continuation lines."""
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: re.sub(r"[^\n]", " ", match.group(0)), code,
                  flags=re.MULTILINE)


def _group_end(text, start):
    """The offset of the parenthesis that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return len(text)


def _opening(head):
    """The offset of the parenthesis that opens a function's parameters: the first after a name, outside `<…>`."""
    operator = OPERATOR.search(head)
    if operator:
        return operator.end() - 1
    angles = 0
    for index, char in enumerate(head):
        if char == "<":
            angles += 1
        elif char == ">" and head[index - 1] != "-":
            angles -= 1
        elif char == "=" and angles == 0:
            return None
        elif char == "(" and angles == 0 and re.search(r"\w$", head[:index]):
            return index
    return None


def signature(head):
    """(name, parameters, what follows them) of a function's head; None for another head."""
    head = NOISE.sub("", head.strip())
    opening = _opening(head)
    if opening is None:
        return None
    name = re.search(r"operator.*$|[~\w:]+$", head[:opening], re.DOTALL).group(0)
    end = _group_end(head, opening)
    return name.strip(), head[opening + 1:end], head[end + 1:].strip()


def count_parameters(text):
    """Commas at the top level of a parameter list, plus one."""
    if text.strip() in ("", "void"):
        return 0
    depth = 0
    count = 1
    previous = ""
    for char in text:
        if char in "(<[{":
            depth += 1
        elif char in ")]}" or (char == ">" and previous != "-"):
            depth -= 1
        elif char == "," and depth == 0:
            count += 1
        previous = char
    return count


def _control_levels(head):
    """How many statements a head nests: `for (…) if (…)` is two, `else if (…)` one."""
    flat = head
    while True:
        shorter = re.sub(r"\([^()]*\)", "", flat)
        if shorter == flat:
            break
        flat = shorter
    flat = re.sub(r"\belse\s+if\b", "else", flat)
    return len(CONTROL.findall(flat))


def _classify_in_function(head):
    if CONTROL.match(head):
        return "control"
    if head == "" or re.fullmatch(r"(?:case\b.*|default|\w+)\s*:", head, re.DOTALL):
        return "plain"
    return "type" if TYPE.match(head) else "init"


def _classify_in_scope(head):
    head = NOISE.sub("", head)
    if re.match(r'(?:inline\s+)?namespace\b|extern\s*"\s*"$', head):
        return "scope"
    parts = signature(head)
    if parts is None:
        return "type" if TYPE.match(head) else "init"
    initialisers = re.search(r"(?<!:):(?!:)", parts[2])
    return "init" if initialisers and re.search(r"[\w>]$", parts[2]) else "function"


class _Scan:
    def __init__(self, text):
        self.code = _without_preprocessor(code_of(text))
        self.stack = []
        self.functions = []
        self.begin = 0          # offset where the current head starts
        self.parentheses = [0]  # open parentheses, per open brace

    def inside_function(self):
        return any(block.kind in ("function", "lambda") for block in self.stack)

    def run(self):
        for offset, char in enumerate(self.code):
            if char in "([":
                self.parentheses[-1] += 1
            elif char in ")]":
                self.parentheses[-1] -= 1
            elif char == "{":
                self.open(offset)
            elif char == "}":
                self.close(offset)
            elif char == ";" and self.parentheses[-1] == 0:
                self.declaration(self.code[self.begin:offset])
                self.begin = offset + 1
        return self.functions

    def classify(self, head):
        if LAMBDA.search(head):
            return "lambda"
        if self.parentheses[-1] > 0:
            return "init"
        return _classify_in_function(head) if self.inside_function() else _classify_in_scope(head)

    def open(self, offset):
        head = self.code[self.begin:offset]
        kind = self.classify(head.strip())
        block = _Block(kind, self.begin)
        if kind == "function":
            name, parameters, _ = signature(head)
            start = self.begin + len(head) - len(head.lstrip())
            block.function = Function(name, line_at(self.code, start), 0, count_parameters(parameters), 0)
            self.functions.append(block.function)
        elif kind == "control":
            block.depth = _control_levels(head)
        elif kind == "lambda":
            block.depth = 1
        self.stack.append(block)
        self.note_nesting()
        self.parentheses.append(0)
        self.begin = offset + 1

    def note_nesting(self):
        depth = 0
        for block in reversed(self.stack):
            depth += block.depth
            if block.function:
                block.function.nesting = max(block.function.nesting, depth)
                return

    def close(self, offset):
        self.parentheses.pop()
        block = self.stack.pop()
        if block.function:
            block.function.length = line_at(self.code, offset) - block.function.line + 1
        if block.kind in ("init", "lambda"):
            self.begin = block.begin  # the statement continues after the brace
        else:
            self.begin = offset + 1

    def declaration(self, head):
        stripped = NOISE.sub("", head.strip())
        if self.inside_function() or NOT_DECLARATIONS.match(stripped):
            return
        parts = signature(stripped)
        if parts and re.fullmatch(r"(?:const|noexcept|override|final|&|\s|->.*|=\s*(?:0|default|delete))*", parts[2]):
            start = self.begin + len(head) - len(head.lstrip())
            self.functions.append(Function(parts[0], line_at(self.code, start), 0, count_parameters(parts[1]), 0))


def functions_of(text):
    """Every function defined or declared in C++ text, in order."""
    return _Scan(text).run()
