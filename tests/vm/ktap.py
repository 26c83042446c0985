# SPDX-License-Identifier: GPL-2.0-only
"""Test cases that print KTAP: the plan first, a line a case, why it failed.

A file of tests makes cases with @case("name") and ends with run().  A case
fails by an exception (check() raises one that says what was expected), is
skipped by Skip.  The plan is known before the first case runs, so a crash in
the middle leaves lines missing, and that is a failure to whoever counts.
"""
import os
import sys
import time
import traceback

_cases = []


class Skip(Exception):
    """The case cannot be run here; its text says why."""


class Failed(Exception):
    """Something was not as it must be."""


def case(name):
    """Register the function below as the test case `name`."""
    def add(function):
        _cases.append((name, function))
        return function
    return add


def check(condition, what):
    """Fail the case with `what` unless the condition holds."""
    if not condition:
        raise Failed(what)


def equal(got, want, what):
    """Fail the case unless got == want."""
    if got != want:
        raise Failed(f"{what}: got {got!r}, want {want!r}")


def say(text):
    """A line of diagnostics."""
    for line in str(text).splitlines():
        print("#", line, flush=True)


def run():
    """Run every case; the exit status is 1 when one failed."""
    failed = 0
    # MLT_ONLY: parts of names, any of which a case must have.
    only = os.environ.get("MLT_ONLY", "").split("|")
    cases = [c for c in _cases if any(part in c[0] for part in only)]
    print("KTAP version 1", flush=True)
    print(f"1..{len(cases)}", flush=True)
    for number, (name, function) in enumerate(cases, 1):
        began = time.monotonic()
        try:
            function()
            print(f"ok {number} {name}", flush=True)
        except Skip as why:
            print(f"ok {number} {name} # SKIP {why}", flush=True)
        except Failed as why:
            failed += 1
            say(why)
            print(f"not ok {number} {name}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            say(traceback.format_exc())
            print(f"not ok {number} {name}", flush=True)
        took = time.monotonic() - began
        if took >= 5:
            say(f"{name}: {took:.0f} s")
    sys.exit(1 if failed else 0)
