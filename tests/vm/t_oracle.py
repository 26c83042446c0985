#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The whole guest against an independent recorder, exactly.

mlt-oracle switches the module and the kernel's hist triggers on together,
runs a workload, and switches both off; see there.  MLT_STOCK_ONLY=1 leaves
the module out and asks only that the stock events add up.
"""
import os
import subprocess

import ktap
import load
import mls
import mlt

STOCK_ONLY = bool(os.environ.get("MLT_STOCK_ONLY"))
SHELL = """i=0; while [ $i -lt 60 ]; do i=$((i+1)); (cat /proc/self/maps /proc/self/smaps \
/proc/1/smaps_rollup | wc -l >/dev/null) & done; wait"""
WINDOWS = [
    ("a process", ["true"], 10),
    ("sixty shells at once that read maps", ["sh", "-c", SHELL], 10000),
    ("four stressors", load.command(["mmap", "mremap", "fork", "fault"], 6), 10000),
    ("nine stressors", load.command(list(load.STRESSORS), 12), 10000),
    ("a process again", ["true"], 10),
]


def window(stock, command, least):
    """One window: switch on, run, switch off, compare."""
    stock.clear()
    if not STOCK_ONLY:
        mls.must("reset")
    output = os.memfd_create("output")
    done = subprocess.run(
        [f"{mlt.PROGRAMS}/mlt-oracle", *([] if STOCK_ONLY else ["-m"]), mlt.TRACING,
         "--", "/usr/bin/env", *command],
        stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
    text = os.pread(output, 1 << 20, 0).decode()
    os.close(output)
    ktap.equal(done.returncode, 0, f"exit status; {text[-2000:]}")
    if "stress-ng" in command:
        load.verify(text, 0, [w for w in load.STRESSORS if f"--{w}" in command])
    counts = stock.counts()
    ktap.say(counts)
    ktap.check(counts["read_succeeded"] + counts["write_succeeded"] >= least,
               "not enough happened")
    # The stock events by themselves: all holds have ended.
    ktap.equal(counts["read_succeeded"] + counts["write_succeeded"] -
               counts["read_released"] - counts["write_released"],
               # each downgrade is a success without a release of its own
               counts["read_succeeded"] - counts["read_started"] +
               counts.get("read_failed", 0),
               "stock: successes, releases and downgrades")
    if STOCK_ONLY:
        return
    now = mls.snapshot()
    mls.as_asked(now)
    words = mlt.stock_words(now.counters)
    ktap.equal(words, counts, "mmlockstat in the stock events' words")
    ktap.say(f"wait-start {now.keys['wait-start']}")
    ktap.equal(now.unexplained(), {}, "equations")
    ktap.equal(now.health(), {}, "health")
    ktap.equal(now.wrong_sums(), [], "sums")
    ktap.equal(now.wrong_holds(), [], "holds")


def add_windows(stock):
    """A case a window."""
    for number, (name, command, least) in enumerate(WINDOWS, 1):
        ktap.case(f"window {number}, {name}: all counts agree")(
            lambda command=command, least=least: window(stock, command, least))


if __name__ == "__main__":
    if not STOCK_ONLY:
        mls.reload("start=0")
    load.prepare()
    mlt.quiet()
    add_windows(mlt.Stock(paused=True))
    ktap.run()
