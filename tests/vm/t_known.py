#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Waits and holds of known length.

The test module reads the clock just inside and just outside of each; what is
recorded lies between the two, in the bucket that follows.  Without tolerance:
both read the same clock.

With MLT_WHOLE=1 no filter is set: the whole guest is recorded while nobody
else runs, and the uncontended lock goes the module's fastest way.
"""
import os

import ktap
import mls
import mlt

WHOLE = bool(os.environ.get("MLT_WHOLE"))
US, MS = 1000, 1000 * 1000


def bounds(snapshot, figures):
    """(inside, outside) of a span by the clock that is recorded with, ns."""
    clock = snapshot.keys["clock"]
    if clock.startswith("tsc"):
        # Ticks become ns at either end of a time in the module, of the
        # difference here: each rounds by less than 1.
        return figures[2] - 2, figures[3] + 2
    ktap.check(clock.startswith(("mono", "ktime")), f"unknown clock {clock}")
    return figures[0], figures[1]


def below(buckets, edge):
    """How many values are certainly below an edge of a bucket."""
    return sum(n for _, upper, n in buckets if upper is not None and upper <= edge)


def verify_series(snapshot, name, spans):
    """Count, sum, max and every bucket edge of one series."""
    count, total, worst = snapshot.series[name]
    buckets = snapshot.buckets.get(name, [])
    ktap.equal(count, len(spans), f"{name}: count")
    inside = [s[0] for s in spans]
    outside = [s[1] for s in spans]
    ktap.check(sum(inside) <= total <= sum(outside),
               f"{name}: sum {total} not in {sum(inside)}..{sum(outside)}")
    ktap.check(max(inside, default=0) <= worst <= max(outside, default=0),
               f"{name}: max {worst} not in {max(inside, default=0)}.."
               f"{max(outside, default=0)}")
    for lower, upper, number in buckets:
        ktap.equal((lower, upper), mls.bucket(lower), f"{name}: bucket {lower}")
        for edge in (lower, upper):
            if edge is None:
                continue
            least = sum(1 for v in outside if v < edge)
            most = sum(1 for v in inside if v < edge)
            ktap.check(least <= below(buckets, edge) <= most,
                       f"{name}: {below(buckets, edge)} values below {edge}, "
                       f"not {least}..{most}")
        ktap.check(number > 0, f"{name}: an empty bucket is listed")
    if count == 1:
        ktap.equal(total, worst, f"{name}: sum and max of one value")
        ktap.equal(buckets[0][:2], mls.bucket(worst), f"{name}: bucket of {worst}")


def measure(*commands):
    """Carry out commands on a fresh mm, and hold the record against the spans."""
    with mlt.Idle() as idle:
        line = ";".join(f"{c} mm={idle.pid}" for c in commands)
        if WHOLE:
            mls.must("stop", "pid all", "reset")
            results = [idle.do(f"quiet;start;{line};stop")]
        else:
            mls.must(f"pid {idle.pid}", "start", "reset")
            results = [idle.do(line)]
        snapshot = mls.snapshot()
    spans = {}
    for result in results:
        for what, mode, figures in result.spans:
            name = f"mmap_{mode}_{what}"
            spans.setdefault(name, []).append(bounds(snapshot, figures))
    for mode in mls.MODES:
        aborted = spans.pop(f"mmap_{mode}_abort", [])
        got = snapshot.counters[f"{mode}_aborted_wait_ns"]
        ktap.equal(snapshot.mode("aborted", mode), len(aborted), f"{mode} aborted")
        least, most = sum(a[0] for a in aborted), sum(a[1] for a in aborted)
        ktap.check(least <= got <= most,
                   f"{mode}_aborted_wait_ns {got} not in {least}..{most}")
    return snapshot, spans


def verify(*commands, only=None):
    """All series that the commands report, or those named."""
    snapshot, spans = measure(*commands)
    for name in only or snapshot.series:
        verify_series(snapshot, name, spans.get(name, []))
    ktap.equal(snapshot.unexplained(), {}, "equations")
    ktap.equal(snapshot.health(), {}, "health")


def add_lengths():
    """A hold and a wait of every size, one at a time."""
    for ns, text in ((0, "0"), (50 * US, "50 us"), (700 * US, "700 us"), (9 * MS, "9 ms"),
                     (90 * MS, "90 ms"), (1100 * MS, "1.1 s")):
        for mode in mls.MODES:
            ktap.case(f"one {mode} hold of {text}")(
                lambda ns=ns, mode=mode: verify(f"hold holder={mode} ns={ns}"))
    for ns, text in ((3 * MS, "3 ms"), (110 * MS, "110 ms"), (1050 * MS, "1.05 s")):
        for holder, waiter in (("write", "read"), ("write", "write"), ("read", "write")):
            ktap.case(f"a {waiter} wait of {text} for a {holder} holder")(
                lambda ns=ns, holder=holder, waiter=waiter:
                verify(f"wait holder={holder} waiter={waiter} ns={ns}"))


add_lengths()


@ktap.case("who finds the lock free has waited 0, where the slow path tells")
def uncontended():
    """Not the few hundred ns between two events."""
    if mls.sees_starts():
        raise ktap.Skip("a wait starts with start_locking here")
    snapshot, _ = measure("hold n=101 holder=read", "hold n=103 holder=write",
                          "hold-downgrade n=7", "hold-nested n=11")
    ktap.equal(snapshot.series["mmap_read_wait"], (101 + 22, 0, 0), "read waits")
    ktap.equal(snapshot.series["mmap_write_wait"], (103 + 7, 0, 0), "write waits")


@ktap.case("many of both modes and all sizes: count, sum, max, every edge")
def many():
    """The distribution as a whole."""
    verify(*(f"hold n={n} holder={m} ns={ns}" for m in mls.MODES
             for n, ns in ((53, 0), (31, 20 * US), (11, MS), (5, 15 * MS))),
           *(f"wait n={n} holder=write waiter={m} ns={ns}" for m in mls.MODES
             for n, ns in ((7, MS), (3, 20 * MS))))


@ktap.case("short ones behind a long one: what is no new maximum counts the same")
def behind_a_long_one():
    """Such a hold may take another way through the module than the longest."""
    for mode in mls.MODES:
        verify(f"hold holder={mode} ns=40000000", f"hold n=101 holder={mode} ns=30000",
               f"hold n=211 holder={mode}")


@ktap.case("a downgrade ends the write hold and begins the read hold")
def downgraded():
    """Two holds, each of its own known length."""
    verify("hold-downgrade n=7 ns=2000000",
           only=["mmap_read_hold", "mmap_write_hold"])


@ktap.case("nested read holds are one hold, to the outermost release")
def nested():
    """One sample; its length is the outer's."""
    verify("hold-nested n=5 ns=2000000", only=["mmap_read_hold"])


@ktap.case("waits and holds across CPUs")
def migrated():
    """Start, acquire and release on different CPUs."""
    for holder, waiter in (("write", "read"), ("read", "write")):
        verify(f"wait n=5 holder={holder} waiter={waiter} ns=7000000 migrate=1")


@ktap.case("killed waits: their time is kept apart, and right")
def aborted():
    """No sample among the waits."""
    verify("killed n=3 holder=write waiter=read ns=20000000",
           only=["mmap_read_wait", "mmap_read_hold"])
    verify("killed n=3 holder=read waiter=write ns=20000000",
           only=["mmap_write_wait", "mmap_write_hold"])


@ktap.case("mark begins the maxima anew and leaves the rest")
def mark():
    """A long hold before, a short one behind."""
    mls.must("start")
    with mlt.Idle() as idle:
        mls.must(f"pid {idle.pid}", "reset")
        mlt.do(f"hold ns=50000000 mm={idle.pid}")
        before = mls.snapshot()
        mls.must("mark")
        between = mls.snapshot()
        result = mlt.do(f"hold ns=1000000 mm={idle.pid}")
        after = mls.snapshot()
    low, high = bounds(after, next(f for w, _, f in result.spans if w == "hold"))
    ktap.check(before.series["mmap_read_hold"][2] >= 50 * MS, "max before the mark")
    ktap.equal(between.series["mmap_read_hold"][2], 0, "max right after the mark")
    ktap.equal(between.series["mmap_read_hold"][:2],
               before.series["mmap_read_hold"][:2], "count and sum over the mark")
    ktap.check(low <= after.series["mmap_read_hold"][2] <= high,
               "max since the mark")
    ktap.equal(int(between.keys["mark-seq"]), int(before.keys["mark-seq"]) + 1,
               "mark-seq")
    ktap.equal(between.keys["reset-seq"], before.keys["reset-seq"], "reset-seq")


if __name__ == "__main__":
    mls.reload()
    if WHOLE:
        mlt.quiet()
    ktap.run()
