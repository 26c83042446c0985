#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The module as a whole: its parameters, its limits, the machine under it."""
import errno
import os
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
