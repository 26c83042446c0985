#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reference pairing of the stock mmap_lock events.

Reads the text of `trace-cmd report -t FILE` on standard input, prints counts
per mode and, for each series, count, sum and max in ns and the counts by
decade of microseconds.  Written apart from the module's state machine and
kept simple, so that the two check each other.
"""
import collections
import re
import sys

EVENT = re.compile(
    r"^\s*(.+)-(\d+)\s+\[(\d+)\].*?\s(\d+)\.(\d+):\s+mmap_lock_(\w+):\s+"
    r"mm=(\S+) .*write=(true|false)(?: success=(true|false))?")
BANDS = 8


class Pairing:
    """All tasks' waits and holds, by (task, mm)."""

    def __init__(self):
        self.count = collections.Counter()
        self.start = {}
        self.held = {}      # [mode, since, depth]
        self.wait = {"read": [], "write": []}
        self.hold = {"read": [], "write": []}

    def started(self, key, mode, now):
        """mmap_lock_start_locking"""
        self.count[f"{mode}_attempts"] += 1
        self.start[key] = now

    def returned(self, key, mode, now, success):
        """mmap_lock_acquire_returned"""
        since = self.start.pop(key, None)
        held = self.held.get(key)
        if not success:
            self.count[f"{mode}_failed"] += 1
        elif mode == "read" and held and held[0] == "write":
            self.count["downgraded"] += 1
            self.hold["write"].append(now - held[1])
            self.held[key] = ["read", now, 1]
        else:
            if since is None:
                self.count["orphan_acquire"] += 1
            else:
                self.wait[mode].append(now - since)
            self.count[f"{mode}_acquired"] += 1
            if held:
                held[2] += 1
                self.count[f"{mode}_nested"] += 1
            else:
                self.held[key] = [mode, now, 1]

    def released(self, key, mode, now):
        """mmap_lock_released"""
        self.count[f"{mode}_released"] += 1
        held = self.held.get(key)
        if not held or held[0] != mode:
            self.count["orphan_release"] += 1
            return
        held[2] -= 1
        if not held[2]:
            self.hold[mode].append(now - held[1])
            del self.held[key]

    def line(self, line):
        """One line of text; what is no event of ours is passed over."""
        found = EVENT.match(line)
        if not found:
            return
        _, tid, _, seconds, fraction, event, mm, write, success = found.groups()
        now = int(seconds) * 10 ** 9 + int(fraction.ljust(9, "0")[:9])
        key, mode = (int(tid), mm), "write" if write == "true" else "read"
        if event == "start_locking":
            self.started(key, mode, now)
        elif event == "acquire_returned":
            self.returned(key, mode, now, success == "true")
        elif event == "released":
            self.released(key, mode, now)


def bands(values):
    """Counts by decade of microseconds, the last open."""
    found = [0] * BANDS
    for value in values:
        us = value // 1000
        found[min(BANDS - 1, len(str(us))) if us else 0] += 1
    return " ".join(map(str, found))


def main():
    """Pair standard input."""
    pairing = Pairing()
    for line in sys.stdin:
        pairing.line(line)
    count = pairing.count
    count["unfinished_wait"] = len(pairing.start)
    count["unfinished_hold"] = sum(h[2] for h in pairing.held.values())
    for key in sorted(count):
        print(key, count[key])
    for name, series in (("wait", pairing.wait), ("hold", pairing.hold)):
        for mode in ("read", "write"):
            values = series[mode]
            print(f"mmap_{mode}_{name} count {len(values)} sum_ns {sum(values)} "
                  f"max_ns {max(values, default=0)} bands {bands(values)}")


if __name__ == "__main__":
    main()
