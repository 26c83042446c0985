# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the control file share."""
import errno

import ktap
import mls

SETTINGS = ("load-id", "reset-seq", "mark-seq", "generation", "recording", "mode",
            "wait-start", "clock", "scope")


def settings():
    """Everything that a command could have changed."""
    snapshot = mls.snapshot()
    return {k: snapshot.keys[k] for k in SETTINGS} | {"hooks": snapshot.hooks}


def status_words():
    """The state that `status` prints, without figures that move."""
    return [line for line in mls.read("status").splitlines()
            if line.startswith(("state:", "scope:", "control:", "generation:"))]


def refused(file, command, why):
    """A command must fail with this errno and change nothing."""
    before, words = settings(), status_words()
    got = file.do(command)
    ktap.equal(errno.errorcode.get(got, got), errno.errorcode[why],
               f"{command[:40]!r} of {len(command)} bytes")
    ktap.equal(settings(), before, f"settings after {command[:40]!r}")
    ktap.equal(status_words(), words, f"status after {command[:40]!r}")


def fresh(*commands):
    """Not owned, all processes, recording, counters from 0; then these."""
    mls.must("pid all", "start", "reset", *commands)
