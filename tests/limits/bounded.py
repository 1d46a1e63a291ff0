"""Runs the program with limits on time and memory, and returns its usage."""

import os
import resource
import subprocess

CAPWRIGHT = os.environ["CAPWRIGHT"]
MIB = 1 << 20


class Took:
    def __init__(self, process, usage):
        self.code, self.out, self.err = process.returncode, (process.stdout or b"").decode(), process.stderr.decode()
        self.cpu_seconds, self.memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def run(*arguments, cwd, stdin=None, address_space=2048 * MIB, cpu_seconds=300, drops_output=False):
    """Kills a run above the limits. Uses a separate child, because peak memory is that of the largest child so far."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        process = subprocess.run([CAPWRIGHT, *arguments], cwd=cwd, stdin=stdin, check=False,
                                 stdout=subprocess.DEVNULL if drops_output else subprocess.PIPE, stderr=subprocess.PIPE,
                                 preexec_fn=lambda: bound(address_space, cpu_seconds))
        took = Took(process, resource.getrusage(resource.RUSAGE_CHILDREN))
        with os.fdopen(writer, "w") as pipe:
            pipe.write(repr(vars(took)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    took = Took.__new__(Took)
    took.__dict__.update(eval(answer))
    return took


def bound(address_space, cpu_seconds):
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Checks:
    """Prints the failed conditions, and fails the test."""

    def __init__(self):
        self.faults = 0

    def __call__(self, holds, what, took=None):
        if holds:
            return
        self.faults += 1
        print(f"does not hold: {what}")
        if took is not None:
            print(f"  exit code {took.code}, {took.cpu_seconds:.1f} s, {took.memory // MIB} MiB")
            print("  " + (took.out + took.err)[-1500:].replace("\n", "\n  "))

    def finish(self, said):
        print(said if self.faults == 0 else f"{self.faults} faults")
        raise SystemExit(1 if self.faults else 0)
