#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A million lock operations of stress-ng: everything adds up afterwards.

MLT_OPERATIONS: how many (1000000).
"""
import os
import time

import ktap
import load
import mls

OPERATIONS = int(os.environ.get("MLT_OPERATIONS", "1000000"))
PATIENCE = 900      # seconds, for a slow machine
LEAST = 30          # seconds, so that every stressor gets going


@ktap.case(f"{OPERATIONS} operations of nine stressors: 0 unexplained, 0 lost")
def million():
    """Recorded from before the first to behind the last."""
    mls.must("pid all", "reset", "start")
    began = time.monotonic()
    with load.Stress(*load.STRESSORS):
        while True:
            time.sleep(3)
            took = time.monotonic() - began
            live = mls.snapshot()
            mls.as_asked(live)
            ktap.equal(live.health(), {}, "health on the way")
            if live.operations() >= OPERATIONS and took >= LEAST:
                break
            ktap.check(took < PATIENCE,
                       f"only {live.operations()} operations in {took:.0f} s")
    # Let the last address space be taken down.
    time.sleep(1)
    mls.must("stop")
    end = mls.snapshot()
    done = end.operations()
    ktap.say(f"{done} operations in {time.monotonic() - began:.0f} s: " + ", ".join(
        f"{n} {end.counters[n]}" for n in (
            "read_acquired", "write_acquired", "downgraded", "read_nested",
            "read_trylock_failed", "write_trylock_failed", "read_aborted", "write_aborted")))
    ktap.check(done >= OPERATIONS, f"only {done} operations")
    ktap.equal(end.residues(), {k: 0 for k in end.residues()}, "unexplained")
    ktap.equal(end.health(), {}, "health")
    ktap.equal({k: v for k, v in end.counters.items() if "unfinished" in k and v}, {},
               "unfinished though everybody has ended")
    ktap.equal(end.wrong_sums(), [], "sums")
    ktap.equal(end.wrong_holds(), [], "holds")
    ktap.check(end.counters["downgraded"] > 0, "no downgrade in all that")
    status = mls.read("status")
    ktap.check("UNEXPLAINED" not in status and status.count("unexplained: 0") == 4,
               f"status does not say so: {status}")
    ktap.say(f"wait-start {end.keys['wait-start']}, hooks {end.hooks}")


if __name__ == "__main__":
    mls.reload("start=0")
    ktap.run()
