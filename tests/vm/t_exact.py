#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Exact, prime numbers of every kind of operation, on an mm nobody else uses.

Three accounts are held against what was asked for: the test module's own, the
kernel's stock events counted by hist triggers, and the module's snapshot.
Without the module (MLT_STOCK_ONLY=1) the first two, which proves the oracle.

With MLT_WHOLE=1 no filter is set: the whole guest is recorded while nobody
else runs, and the uncontended lock goes the module's fastest way.
"""
import errno
import os
import signal

import ktap
import mls
import mlt

STOCK_ONLY = bool(os.environ.get("MLT_STOCK_ONLY"))
WHOLE = bool(os.environ.get("MLT_WHOLE"))


def both(mode, n):
    """n plain pairs of a mode."""
    return {f"{mode}_attempts": n, f"{mode}_acquired": n, f"{mode}_released": n,
            f"{mode}_holds": n}


def add(*parts):
    """The sum of several accounts."""
    total = {}
    for part in parts:
        for key, value in part.items():
            total[key] = total.get(key, 0) + value
    return total


def nested(n):
    """n read holds, each with another inside."""
    return {"read_attempts": 2 * n, "read_acquired": 2 * n, "read_released": 2 * n,
            "read_nested": n, "read_holds": n}


def downgrade(n):
    """n write holds turned into read holds."""
    return {"write_attempts": n, "write_acquired": n, "downgraded": n,
            "read_released": n, "write_holds": n, "read_holds": n}


def failed(mode, n, how="trylock_failed"):
    """n attempts without the lock."""
    return {f"{mode}_attempts": n, f"{mode}_{how}": n}


# Command, n, what it must come to.  mm2 stands for a second idle process.
TABLE = [
    ("read", 1009, lambda n: both("read", n)),
    ("write", 503, lambda n: both("write", n)),
    ("read-killable", 101, lambda n: both("read", n)),
    ("write-killable", 103, lambda n: both("write", n)),
    ("read-trylock", 211, lambda n: both("read", n)),
    ("write-trylock", 107, lambda n: both("write", n)),
    ("read-trylock-fail holder=write", 307,
     lambda n: add(failed("read", n), both("write", 1))),
    ("write-trylock-fail holder=write", 109,
     lambda n: add(failed("write", n), both("write", 1))),
    ("write-trylock-fail holder=read", 113,
     lambda n: add(failed("write", n), both("read", 1))),
    ("downgrade", 401, downgrade),
    ("nested", 197, nested),
    ("downgrade-nested", 127, lambda n: add(
        downgrade(n), {"read_attempts": n, "read_acquired": n, "read_released": n,
                       "read_nested": n})),
    ("killed holder=write waiter=read", 13,
     lambda n: add(failed("read", n, "aborted"), both("write", 1))),
    ("killed holder=write waiter=write", 11,
     lambda n: add(failed("write", n, "aborted"), both("write", 1))),
    ("killed holder=read waiter=write", 7,
     lambda n: add(failed("write", n, "aborted"), both("read", 1))),
    ("killed-at-once holder=write waiter=read", 17,
     lambda n: add(failed("read", n, "aborted"), both("write", 1))),
    ("killed-at-once holder=write waiter=write", 19,
     lambda n: add(failed("write", n, "aborted"), both("write", 1))),
    ("two-write mm2", 131, lambda n: both("write", 2 * n)),
    ("two-read mm2", 137, lambda n: both("read", 2 * n)),
    ("two-downgrade mm2", 139, lambda n: add(both("read", n), downgrade(n))),
    ("read by=kthread", 149, lambda n: both("read", n)),
    ("write by=kthread", 151, lambda n: both("write", n)),
    ("nested by=kthread", 157, nested),
    ("downgrade by=kthread-use", 163, downgrade),
    ("read by=kthread-use", 167, lambda n: both("read", n)),
    ("irq-release", 23, lambda n: both("read", n)),
    ("irq-release-held", 29, lambda n: both("read", 2 * n)),
    ("irq-release-lazy", 7, lambda n: both("read", n)),
    ("irq-release by=kthread", 31, lambda n: both("read", n)),
    ("hardirq", 37, lambda n: both("read", n)),
    ("hardirq-in-read", 41, lambda n: both("read", 2 * n)),
    ("hardirq-in-write", 43, lambda n: add(both("write", n), failed("read", n))),
    ("softirq", 47, lambda n: both("read", n)),
    ("softirq-in-read", 53, lambda n: both("read", 2 * n)),
    ("softirq-in-write", 59, lambda n: add(both("write", n), failed("read", n))),
    ("irq-in-start waiter=read", 61, lambda n: both("read", 2 * n)),
    ("irq-in-start waiter=write", 67,
     lambda n: add(both("write", n), both("read", n))),
    ("irq-in-start waiter=read mm2", 71, lambda n: both("read", 2 * n)),
    ("irq-in-acquired waiter=read", 73, lambda n: both("read", 2 * n)),
    ("irq-in-acquired waiter=write", 79,
     lambda n: add(both("write", n), failed("read", n))),
    ("irq-in-released waiter=read", 83, lambda n: both("read", 2 * n)),
    ("irq-in-released waiter=write", 89,
     lambda n: add(both("write", n), failed("read", n))),
]

# What only the stock events and the test module see of an NMI.
NMI = [
    ("nmi", 5, lambda n: both("read", n), lambda n: {}),
    ("nmi-in-read", 7, lambda n: both("read", 2 * n), lambda n: both("read", n)),
]


class Watch:
    """Everything that happens to some processes' mms, in three accounts."""

    def __init__(self, *idle):
        self.mms = [mlt.do(f"read n=1 mm={i.pid}").mm for i in idle]
        words = " || ".join(f"mm == {mm:#x}" for mm in self.mms)
        self.stock = mlt.Stock(words)
        self.actor = idle[-1]
        if WHOLE:
            mls.must("stop", "pid all", "reset")
        elif not STOCK_ONLY:
            pids = " ".join(str(i.pid) for i in idle)
            mls.must(f"pid {pids}", "start", "reset")
        self.before = None if STOCK_ONLY else mls.snapshot()

    def do(self, command):
        """Have commands carried out: by us, or while nobody else runs."""
        if WHOLE:
            return self.actor.do(f"quiet;start;{command};stop")
        return mlt.do(command)

    def end(self):
        """Stop watching; the stock events' counts."""
        counts = self.stock.counts()
        self.stock.end()
        return counts

    def module(self):
        """What the module counted since, in the test module's words."""
        now = mls.snapshot()
        if now.keys["load-id"] != self.before.keys["load-id"]:
            raise ktap.Failed("the module was loaded anew meanwhile")
        got = {}
        for name in now.counters:
            if name.endswith(("_ns", "_wait")) and "attempts" not in name:
                continue
            delta = now.counters[name] - self.before.counters[name]
            if delta:
                got[name] = delta
        for name, value in now.lost.items():
            if value != self.before.lost[name]:
                got[f"lost {name}"] = value - self.before.lost[name]
        waits = {}
        for mode in mls.MODES:
            for what, into in (("hold", got), ("wait", waits)):
                series = f"mmap_{mode}_{what}"
                delta = now.series[series][0] - self.before.series[series][0]
                if delta:
                    into[f"{mode}_{what}s"] = delta
        return got, waits, now


def verify(watch, result, want, recorded=None, nmis=0):
    """Hold the accounts against what was asked for.  Of the events of @nmis
    locks and releases in NMIs each is counted as lost, and nothing else."""
    stock = watch.end()
    events = {k: v for k, v in want.items() if not k.endswith("_holds")}
    if result and result.counts:
        ktap.equal({k: v for k, v in result.nonzero().items()}, events,
                   "the test module's own account")
    ktap.equal(stock, mlt.stock_words(events), "the stock events")
    if STOCK_ONLY:
        return
    recorded = want if recorded is None else recorded
    got, waits, now = watch.module()
    events = nmis * (3 if now.keys["wait-start"] == "locking" else 2)
    lost = {"nmi": events, "lost nmi": events} if events else {}
    ktap.equal(got, add(recorded, lost), "mmlockstat")
    ktap.equal(waits, {f"{m}_waits": recorded[f"{m}_acquired"] for m in mls.MODES
                       if recorded.get(f"{m}_acquired")}, "waits")
    ktap.equal(now.unexplained(), {}, "equations")
    ktap.equal(now.wrong_sums(), [], "sums")


def carry_out(command, n, want, recorded=None, nmis=0):
    """One row of the table."""
    with mlt.Idle() as one, mlt.Idle() as two:
        watch = Watch(one, two)
        try:
            result = watch.do(command.replace(" mm2", f" mm2={two.pid}") +
                              f" n={n} mm={one.pid}")
        except OSError as error:
            watch.end()
            if error.errno == errno.EOPNOTSUPP:
                raise ktap.Skip("this kernel has no write trylock") from error
            raise
        verify(watch, result, want(n), recorded and recorded(n), nmis)
        if command.startswith(("irq-", "hardirq", "softirq")) and \
                "lazy" not in command:
            ktap.check(result.counts["hits"] > 0, "no interrupt hit the task")


def add_table():
    """A case a row."""
    for command, n, want in TABLE:
        ktap.case(f"{n} x {command}")(
            lambda command=command, n=n, want=want: carry_out(command, n, want))
    for command, n, want, recorded in NMI:
        ktap.case(f"{n} x {command}: counted as lost, touches nothing")(
            lambda command=command, n=n, want=want, recorded=recorded:
            carry_out(command, n, want, recorded, n))


add_table()


@ktap.case("2003 x read, 1999 x write on the caller's own mm")
def own_mm():
    """The task that acts is the mm's own."""
    with mlt.Idle() as idle:
        watch = Watch(idle)
        own = "read n=2003 mm=0;write n=1999 mm=0"
        idle.do(f"quiet;start;{own};stop" if WHOLE else own)
        verify(watch, None, add(both("read", 2003), both("write", 1999)))


@ktap.case("a user's task killed while it waits, read and write")
def killed_user():
    """As above, but a real SIGKILL from another process."""
    if WHOLE:
        raise ktap.Skip("the victim's end is recorded too")
    for waiter in mls.MODES:
        with mlt.Idle() as idle, mlt.Module() as module:
            victim = mlt.Idle()
            watch = Watch(idle)
            module.do(f"hold-begin holder=write mm={idle.pid}")
            victim.ask(f"{waiter}-killable n=1 mm={idle.pid}")
            victim.wait_asleep("D")
            os.kill(victim.pid, signal.SIGKILL)
            victim.end()
            module.do("hold-end")
            verify(watch, None,
                   add(both("write", 1), failed(waiter, 1, "aborted")))


@ktap.case("a timer's interrupts all over 4001 read and 4001 write pairs")
def storm():
    """Nobody chose where they hit, so the test module's account is the want."""
    with mlt.Idle() as idle:
        watch = Watch(idle)
        result = watch.do(f"storm n=4001 ns=50000 mm={idle.pid}")
        ktap.say(f"{result.counts['hits']} interrupts hit the task")
        ktap.equal(result.counts["write_attempts"], 4001, "write attempts")
        want = result.nonzero()
        ktap.check(want["read_attempts"] > 4001, "no interrupt")
        for mode in mls.MODES:
            want[f"{mode}_holds"] = want[f"{mode}_acquired"]
        verify(watch, result, want)


@ktap.case("what others do is not in a filtered recording")
def filter_excludes():
    """A third mm, and a process that starts and ends."""
    if WHOLE:
        raise ktap.Skip("no filter is set")
    with mlt.Idle() as idle, mlt.Idle() as other:
        watch = Watch(idle)
        mlt.do(f"read n=17 mm={other.pid}")
        mlt.run(["true"])
        mlt.do(f"write n=13 mm={idle.pid}")
        verify(watch, None, both("write", 13))


@ktap.case("short-lived mms: 97 processes, each with 7 operations of its own")
def short_lived():
    """Addresses of tasks and mms are used again; nothing may be inherited.

    A task or mm pointer cannot be used again with a hold open: the lock
    belongs to an mm that its holder keeps, and the holder must run to let go.
    """
    if STOCK_ONLY:
        raise ktap.Skip("is about the module")
    mls.must("pid all", "start")
    before = mls.snapshot()
    for number in range(97):
        with mlt.Idle() as idle:
            idle.do("nested n=2 mm=0")
            idle.do("downgrade n=3 mm=0")
            if number % 10 == 0:
                idle.do("irq-release n=1 mm=0")
    mls.must("stop")
    now = mls.snapshot()
    ktap.equal(now.counters["read_nested"] - before.counters["read_nested"] >= 194,
               True, "nested")
    ktap.equal(now.health(), {}, "health")
    ktap.equal(now.unexplained(), {}, "equations")


if __name__ == "__main__":
    if not STOCK_ONLY:
        mls.reload()
    if WHOLE:
        mlt.quiet()
    ktap.run()
