#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The module as a whole: its parameters, its limits, the machine under it."""
import errno
import os
import signal
import time

import ctl
import ktap
import mls
import mlt


@ktap.case("CPUs off and on under load: no count is lost")
def hotplug():
    """Exact numbers from two tasks while the second CPU comes and goes."""
    switch = "/sys/devices/system/cpu/cpu1/online"
    if not os.path.exists(switch):
        raise ktap.Skip("one CPU, or none that can be switched off")
    with mlt.Idle() as one, mlt.Idle() as two:
        ctl.fresh(f"pid {one.pid} {two.pid}", "reset")
        for _ in range(6):
            one.ask("read n=20011 mm=0")
            two.ask("write n=10007 mm=0")
            mlt.write(switch, "0")
            time.sleep(0.1)
            mid = mls.snapshot()
            mlt.write(switch, "1")
            for idle in (one, two):
                while not idle.process.stdout.readline().startswith(b"end"):
                    pass
                idle.wait_asleep()
            ktap.equal(mid.health(), {}, "health with one CPU")
        mls.must("stop")
        end = mls.snapshot()
    ktap.equal({k: v for k, v in end.counters.items() if v},
               {"read_attempts": 6 * 20011, "read_acquired": 6 * 20011,
                "read_released": 6 * 20011, "write_attempts": 6 * 10007,
                "write_acquired": 6 * 10007, "write_released": 6 * 10007}, "counters")
    ktap.equal(end.wrong_sums(), [], "sums")


@ktap.case("a full holder table: counted as lost, the equations close")
def table_full():
    """More holders at a time than the smallest table has room for."""
    mls.reload("slots=256")
    with mlt.Idle() as idle:
        ctl.fresh(f"pid {idle.pid}", "reset")
        holders = [mlt.Module() for _ in range(300)]
        for holder in holders:
            holder.do(f"hold-begin holder=read mm={idle.pid}")
        full = mls.snapshot()
        for holder in holders:
            holder.do("hold-end")
            holder.close()
        mlt.do(f"write n=7 mm={idle.pid}")
        mls.must("stop")
        end = mls.snapshot()
    seen = full.counters["read_acquired"]
    ktap.say(f"{seen} of 300 holders had room, lost: {full.lost}, "
             f"orphans: {end.counters['orphan_release']}")
    ktap.check(full.lost["table_full"] > 0, "300 holders in 256 slots, and nothing lost")
    ktap.check(seen >= 128, f"only {seen} holders in 256 slots")
    ktap.equal(end.counters["write_acquired"], 7, "write_acquired once there is room")
    ktap.equal(end.unexplained(), {}, "equations")
    ktap.equal(end.series["mmap_read_hold"][0], seen, "read holds")
    # whoever met another contended rwsem meanwhile had no room for its mark
    ktap.equal({k for k, v in end.lost.items() if v} - {"slowpath_full"},
               {"table_full"}, "causes")
    mls.reload()


BAD_PARAMETERS = ("slots=0", "slots=255", "slots=300", "slots=-256", "slots=2097152",
                  "slots=x", "slots=", "start=2", "start=maybe", "fail_stage=99",
                  "fail_stage=-1", "fail_stage=one", "slots=99999999999999999999",
                  "wait_start=foo", "wait_start=", "wait_start=locking,slowpath",
                  "backend=bpf", "backend=FTRACE")


@ktap.case("parameters out of range refuse to load and say so")
def parameters():
    """The log names the parameter; nothing is left behind."""
    ktap.equal(mls.unload(), "", "rmmod")
    for bad in BAD_PARAMETERS:
        mlt.run(["dmesg", "-C"])
        why = mls.load(bad)
        if not why:
            mls.unload()
        ktap.check(why, f"{bad} was taken")
        name = bad.partition("=")[0]
        log = mlt.kernel_log()
        ktap.check(name in log and "mmlockstat" in log, f"{bad}: the log says only {log!r}")
        ktap.check(not mls.loaded(), f"{mls.DIR} is there after {bad}")
    for good in ("slots=256", "slots=1024 start=0", "start=1", "wait_start=locking",
                 "wait_start=slowpath backend=kprobe"):
        ktap.equal(mls.load(*good.split()), "", good)
        ktap.equal(mls.snapshot().keys["recording"], "0" if "start=0" in good else "1", good)
        ktap.equal(mls.unload(), "", "rmmod")
    mls.reload()


def falls_back(*parameters):
    """The slow path is asked for and cannot be hooked: said, and start_locking serves."""
    mlt.run(["dmesg", "-C"])
    ktap.equal(mls.load("wait_start=slowpath", *parameters), "", "modprobe")
    now = mls.snapshot()
    ktap.equal(now.keys["wait-start"], "locking", f"wait-start, {parameters}")
    ktap.equal(now.hooks["rwsem_down_slowpath"], "absent", "the hook")
    ktap.check("cannot attach rwsem_down_slowpath (kprobe)" in mlt.kernel_log(),
               f"the log says only {mlt.kernel_log()!r}")
    ktap.equal(mls.unload(), "", "rmmod")


@ktap.case("kprobes switched off: a hook that is never called is noticed")
def kprobes_off():
    """They can be set then, and nothing says that they are not armed."""
    debugfs = "/sys/kernel/debug"
    switch = debugfs + "/kprobes/enabled"
    if not os.path.exists(switch):
        mlt.run(["mount", "-t", "debugfs", "none", debugfs])
    ktap.equal(mls.unload(), "", "rmmod")
    mlt.write(switch, "0")
    try:
        falls_back("backend=kprobe")
    finally:
        mlt.write(switch, "1")
    ktap.equal(mls.load("wait_start=slowpath", "backend=kprobe"), "", "modprobe")
    ktap.equal(mls.snapshot().keys["wait-start"], "slowpath", "wait-start with kprobes")
    mls.reload()


def hog():
    """A process that has a CPU for itself, in user space."""
    pid = os.fork()
    if pid:
        return pid
    os.sched_setaffinity(0, {1})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    while True:
        pass


@ktap.case("a CPU that a FIFO task never leaves does not hold readers up")
def fifo_hog():
    """No worker runs there; the hog is still at it when all is read."""
    limit = "/proc/sys/kernel/sched_rt_runtime_us"
    if not os.path.exists("/sys/devices/system/cpu/cpu1/online"):
        raise ktap.Skip("one CPU")
    with mlt.Idle() as idle:
        ctl.fresh(f"pid {idle.pid}", "reset")
        with open(limit, encoding="ascii") as file:
            before = file.read()
        mlt.write(limit, "-1")
        mine = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {0})
        pid = hog()
        signal.alarm(60)
        try:
            while os.sched_getscheduler(pid) != os.SCHED_FIFO:
                time.sleep(0.01)
            began = time.monotonic()
            mlt.do(f"read n=101 mm={idle.pid}")
            for _ in range(10):
                now = mls.snapshot()
            mls.must("mark")
            took = time.monotonic() - began
            ran = os.waitpid(pid, os.WNOHANG)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            signal.alarm(0)
            os.sched_setaffinity(0, mine)
            mlt.write(limit, before)
    ktap.say(f"ten snapshots and a mark in {took:.1f} s beside the hog")
    ktap.check(took < 5, f"it took {took:.1f} s")
    ktap.equal(ran, (0, 0), "the hog's end")
    ktap.equal(now.counters["read_released"], 101, "read_released")


@ktap.case("ftrace switched off: waits do not become 0 in silence")
def ftrace_off():
    """Then start_locking serves; while the hook is in use the switch is refused."""
    switch = "/proc/sys/kernel/ftrace_enabled"
    ktap.equal(mls.unload(), "", "rmmod")
    try:
        mlt.write(switch, "0")
    except OSError as error:
        mls.reload()
        raise ktap.Skip(f"this kernel cannot switch ftrace off: {error.strerror}") from error
    try:
        ktap.equal(mls.load("wait_start=slowpath"), "", "modprobe")
        now = mls.snapshot()
        ktap.equal(now.keys["wait-start"], "locking", "wait-start without ftrace")
        ktap.equal(now.keys["failed-split"], "inferred", "failed-split without ftrace")
        ktap.equal(now.hooks["rwsem_down_slowpath"], "absent", "the hook")
        ktap.equal(mls.unload(), "", "rmmod")
        falls_back("backend=kprobe")
    finally:
        mlt.write(switch, "1")
    ktap.equal(mls.load("wait_start=slowpath"), "", "modprobe")
    ktap.equal(mls.snapshot().keys["wait-start"], "slowpath", "wait-start with ftrace")
    try:
        mlt.write(switch, "0")
        mlt.write(switch, "1")
        ktap.check(False, "ftrace was switched off under the recorder")
    except OSError as error:
        ktap.equal(error.errno, errno.EBUSY, "why the switch is refused")
    mls.reload()


@ktap.case("every load has another id")
def load_id():
    """So that a reader notices a reload."""
    ids = set()
    for _ in range(3):
        ids.add(mls.snapshot().keys["load-id"])
        mls.reload()
    ktap.equal(len(ids), 3, "different ids")
    for one in ids:
        ktap.check(len(one) == 16 and int(one, 16), f"id {one}")


if __name__ == "__main__":
    mls.reload()
    ktap.run()
