#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A debug kernel's own checkers, asked at the end of what a guest did.

What KASAN, UBSAN, lockdep and the check for sleeping in atomic context report
is on the console, and lab/guest fails a guest for it.  Here: that they are
there and still awake, and what kmemleak finds.
"""
import re
import time

import ktap
import mls
import mlt

OPTIONS = ["KASAN", "UBSAN", "PROVE_LOCKING", "DEBUG_ATOMIC_SLEEP", "DEBUG_KMEMLEAK",
           "DEBUG_LIST", "DEBUG_OBJECTS", "DEBUG_PREEMPT", "DEBUG_VM"]
KMEMLEAK = "/sys/kernel/debug/kmemleak"
AGE = 6     # seconds; younger objects than 5 s are not reported


@ktap.case("the kernel checks what it is to check")
def config():
    """Every option is on."""
    # a guest's python is a minimal one, without gzip
    text = mlt.run(["zcat", "/proc/config.gz"]).stdout
    missing = [o for o in OPTIONS if f"\nCONFIG_{o}=y\n" not in text]
    ktap.equal(missing, [], "options that are off")


@ktap.case("lockdep is awake")
def lockdep():
    """It goes to sleep after the first report, or when a table is full."""
    with open("/proc/lockdep_stats", encoding="ascii") as file:
        text = file.read()
    awake = re.search(r"debug_locks: +(\d+)", text)
    ktap.equal(awake and awake[1], "1", "debug_locks")
    for line in text.splitlines():
        if "[max:" in line:
            ktap.say(line.strip())


def leaks():
    """What kmemleak finds in two scans, the first of which may see a stale word."""
    time.sleep(AGE)
    for _ in range(2):
        mlt.write(KMEMLEAK, "scan")
        time.sleep(AGE)
    with open(KMEMLEAK, encoding="ascii", errors="replace") as file:
        return file.read()


@ktap.case("kmemleak finds nothing while the module is loaded")
def loaded():
    """With its table of holders in use."""
    if not mls.loaded():
        mls.reload()
    ktap.equal(leaks(), "", "kmemleak")


@ktap.case("kmemleak finds nothing after it was unloaded")
def unloaded():
    """Nothing of it, or of the test module, is left."""
    ktap.equal(mls.unload(), "", "rmmod")
    with open("/proc/modules", encoding="ascii") as file:
        if "mmlocktest " in file.read():
            mlt.run(["rmmod", "mmlocktest"])
    ktap.equal(leaks(), "", "kmemleak")


if __name__ == "__main__":
    ktap.run()
