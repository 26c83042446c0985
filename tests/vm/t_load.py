#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Loading and unloading under load, with every stage of it failing in turn.

MLT_LOADS: how many loads (50).  MLT_LOADS_STRESSORS: under which stressors
(mmap fork).
"""
import os
import re
import signal
import subprocess
import time

import ktap
import load
import mls
import mlt

LOADS = int(os.environ.get("MLT_LOADS", "50"))
STRESSORS = os.environ.get("MLT_LOADS_STRESSORS", "mmap fork").split()
TROUBLE = re.compile(r"WARNING|BUG:|Oops|RIP:|INFO: |general protection|refcount|leak")
READERS = f"""while :; do for f in status snapshot histograms; do
cat {mls.DIR}/$f; done; done >/dev/null 2>&1"""


def memory():
    """What the kernel has allocated, by kind, in KiB; and small objects."""
    mlt.write("/proc/sys/vm/drop_caches", "3")
    time.sleep(1)
    with open("/proc/meminfo", encoding="ascii") as file:
        info = dict(re.findall(r"^(\w+): +(\d+) kB", file.read(), re.M))
    with open("/proc/vmallocinfo", encoding="ascii") as file:
        ours = file.read().count("mmlockstat")
    return {"Percpu": int(info["Percpu"]), "VmallocUsed": int(info["VmallocUsed"]),
            "SUnreclaim": int(info["SUnreclaim"]), "areas": ours}


def nr_stages():
    """How many stages loading has: fail the first, the second, ... in turn."""
    for stage in range(1, 100):
        mlt.run(["dmesg", "-C"])
        why = mls.load(f"fail_stage={stage}")
        ktap.check(why, f"loaded though told to fail at stage {stage}")
        ktap.check(not mls.loaded(), f"{mls.DIR} is there after stage {stage} failed")
        log = mlt.kernel_log()
        told = re.search(r"told to fail at stage (\d+)", log)
        if told:
            ktap.equal(int(told[1]), stage, "the stage that failed")
            continue
        there = re.search(r"there are (\d+) stages", log)
        ktap.check(there, f"stage {stage}: the log says only {log!r}")
        ktap.equal(int(there[1]), stage - 1, "number of stages")
        return stage - 1
    raise ktap.Failed("a hundred stages and no end")


def fine():
    """No warning in the log since it was last cleared."""
    bad = [line for line in mlt.kernel_log().splitlines() if TROUBLE.search(line)]
    ktap.equal(bad, [], "the kernel's log")


@ktap.case("each stage of loading failed in turn, at rest")
def stages():
    """Nothing is left, and the next load works."""
    number = nr_stages()
    ktap.check(number >= 3, f"only {number} stages")
    ktap.say(f"{number} stages")
    mls.reload()
    ktap.equal(mls.unload(), "", "rmmod")


@ktap.case(f"{LOADS} loads and unloads under {' '.join(STRESSORS)} and readers")
def loads():
    """And each stage failed once more, among them."""
    mls.reload()
    ktap.equal(mls.unload(), "", "rmmod")
    number = nr_stages()
    mlt.run(["dmesg", "-C"])
    before = memory()
    readers = subprocess.Popen(["nice", "sh", "-c", READERS], start_new_session=True)
    began, seen = time.monotonic(), 0
    try:
        with load.Stress(*STRESSORS):
            for turn in range(LOADS):
                ktap.equal(mls.load(), "", f"load {turn}")
                if turn % 5 == 0:
                    mls.must("reset")
                    mls.snapshot()
                if turn % 7 == 0:
                    mls.must("stop")
                    now = mls.snapshot()
                    seen += now.operations()
                    ktap.equal(now.unexplained(), {}, f"equations at {turn}")
                    ktap.equal({k: v for k, v in now.lost.items() if v}, {}, "lost")
                why = mls.unload()
                ktap.equal(why, "", f"unload {turn}")
                ktap.check(not mls.loaded(), f"{mls.DIR} is there after unload {turn}")
                stage = 1 + turn % number
                ktap.check(mls.load(f"fail_stage={stage}"), f"loaded at stage {stage}")
                fine()
    finally:
        os.killpg(readers.pid, signal.SIGKILL)
        readers.wait()
    ktap.say(f"{LOADS} loads in {time.monotonic() - began:.0f} s")
    ktap.check(seen > min(100, 2 * LOADS), f"only {seen} operations recorded in all that")
    after = memory()
    ktap.say(f"before {before}, after {after}")
    # One table of holders is 512 KiB, the histograms 64 KiB: lost at every
    # load, or only at a failing stage, they would be far above this.
    for kind, most in (("Percpu", 256), ("VmallocUsed", 1024), ("SUnreclaim", 4096),
                       ("areas", 0)):
        ktap.check(after[kind] - before[kind] <= most,
                   f"{kind} grew from {before[kind]} to {after[kind]}")
    with open("/proc/modules", encoding="ascii") as file:
        ktap.check("mmlockstat " not in file.read(), "still in /proc/modules")
    fine()


if __name__ == "__main__":
    if mls.loaded():
        mls.unload()
    ktap.run()
