"""One interface to both engines: takes a case, returns {"output"} or {"error": kind, "line", "message"}.

The program runs as `capwright-dev jinja`; a crash or timeout is an answer, too, and the next case starts it again.
Jinja2 runs in this process.
"""

import json
import queue
import subprocess
import threading
import traceback

KINDS = {"TemplateSyntaxError": "syntax", "TemplateAssertionError": "syntax", "SyntaxError": "syntax",
         "UndefinedError": "undefined", "TemplateNotFound": "notfound", "TemplatesNotFound": "notfound"}


class Program:
    """`capwright-dev jinja`, a case a line."""

    def __init__(self, path, timeout=20):
        self.path = path
        self.timeout = timeout
        self.process = None
        self.lines = None

    def start(self):
        self.process = subprocess.Popen([self.path + "-dev", "jinja"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        lines = queue.Queue()

        def read(stream):
            for line in stream:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=read, args=(self.process.stdout,), daemon=True).start()
        self.lines = lines

    def ask(self, case):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write((json.dumps(case, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass"))
            self.process.stdin.flush()
            line = self.lines.get(timeout=self.timeout)
        except queue.Empty:
            self.stop()
            return {"fault": "hangs"}
        except OSError:
            line = None
        if line is None:
            self.stop()
            return {"fault": "dies"}
        return json.loads(line.decode("utf-8", "replace"))

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


class RealJinja:
    """pip's jinja2; raises ImportError if it is missing."""

    def __init__(self):
        import jinja2
        self.jinja2 = jinja2
        self.undefined = {name: getattr(jinja2, name)
                          for name in ("Undefined", "StrictUndefined", "ChainableUndefined", "DebugUndefined")}

        class Loader(jinja2.DictLoader):
            """Gives each template a file name, so that tracebacks show which one failed."""

            def get_source(self, environment, template):
                source, _, fresh = super().get_source(environment, template)
                return source, "/case/" + template, fresh

        self.loader = Loader
        self.folded = False
        self.watch_folding()

    def watch_folding(self):
        """Jinja2 folds constants when it compiles, and a slice of one that can't be sliced is undefined then; at run time
        it is a TypeError. `folded` is set if that has happened."""
        nodes, undefined = self.jinja2.nodes, self.jinja2.Undefined
        as_const = nodes.Getitem.as_const

        def watched(node, context=None):
            value = as_const(node, context)
            self.folded |= isinstance(node.arg, nodes.Slice) and isinstance(value, undefined)
            return value

        nodes.Getitem.as_const = watched

    def ask(self, case):
        self.folded = False
        answer = self.render(case)
        return dict(answer, folded=True) if self.folded else answer

    def render(self, case):
        options = dict(case["options"])
        options["undefined"] = self.undefined[options.get("undefined", "StrictUndefined")]
        options["extensions"] = ["jinja2.ext." + name for name in options.get("extensions", [])]
        try:
            environment = self.jinja2.Environment(loader=self.loader(case["templates"]), auto_reload=False, **options)
            environment.globals.update(case.get("globals") or {})
            return {"output": environment.get_template(case["main"]).render(case.get("context", {}))}
        except RecursionError:
            return {"error": "runtime", "line": None, "message": "recursion"}
        except Exception as error:  # any Python exception is an answer
            return self.answer_of(error)

    def answer_of(self, error):
        line = None
        if isinstance(error, self.jinja2.TemplateSyntaxError):
            line = error.lineno
        else:
            for frame in traceback.extract_tb(error.__traceback__):
                if frame.filename.startswith("/case/"):
                    line = frame.lineno
        answer = {"error": KINDS.get(type(error).__name__, "runtime"), "line": line, "message": str(error)}
        if any(frame.filename.endswith("jinja2/optimizer.py") for frame in traceback.extract_tb(error.__traceback__)):
            answer["folded"] = True  # a constant expression failed while Jinja2 compiled, reached or not
        return answer


def compare(expected, answer):
    """(same output, or an error where one is expected; and the right kind and line)."""
    if "fault" in answer:
        return False, False
    if "output" in expected:
        same = answer.get("output") == expected["output"]
        return same, same
    if "error" not in answer:
        return False, False
    right_line = expected.get("line") is None or answer.get("line") == expected["line"]
    return True, answer["error"] == expected.get("kind", expected["error"]) and right_line
