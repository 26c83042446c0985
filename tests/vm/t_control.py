#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The control file: what it must refuse, and what its words do."""
import errno
import os
import re
import stat
import subprocess
import time

import ctl
import ktap
import load
import mls
import mlt

MALFORMED = [
    b"\n", b" ", b"foo", b"START", b"Stop", b"starts", b"star", b"start now",
    b"stop 1", b"own me", b"reset 0", b"mark x", b"start;stop", b"start\nstop",
    b"\xa0stop", b"stop\xa0", b"\xa0", b"pid\xa01", b"start\0", b"\0", b"\0start", b"\xff\xfe", b"pid", b"pid ", b"pid x",
    b"pid 0", b"pid -1", b"pid +1", b"pid 1x", b"pid 0x1", b"pid 1 x", b"pid 1,1",
    b"pid all 1", b"pid 1 all", b"pid all all", b"pid ALL", b"pidall", b"pid1",
    b"pid 2147483648", b"pid 99999999999999999999999", b"pid 1\npid 1",
    b"x" * 1024, b" " * 1025 + b"stop", b"stop" + b" " * 4096, b"\n" * 5000 + b"stop",
]
HUGE = 1 << 60


@ktap.case("each malformed or unknown word is EINVAL and changes nothing")
def malformed():
    """While recording, while stopped, and for the owner."""
    ctl.fresh()
    with mls.Control() as file:
        for state in ("start", "stop", "own"):
            ktap.equal(file.do(state), 0, state)
            for command in MALFORMED:
                ctl.refused(file, command, errno.EINVAL)


@ktap.case("counters are the same behind refused words")
def counters_stay():
    """Stopped, so that nothing else can move them."""
    ctl.fresh("stop")
    before = mls.read("snapshot")
    with mls.Control() as file:
        for command in MALFORMED:
            ktap.equal(file.do(command), errno.EINVAL, repr(command[:40]))
    ktap.equal(mls.read("snapshot"), before, "snapshot")


@ktap.case("pid: a process that is not there, or has no mm, is ESRCH")
def no_such_pid():
    """One bad pid among good ones changes nothing either."""
    ctl.fresh()
    gone = subprocess.Popen(["true"])
    gone.wait()
    me = os.getpid()
    with mls.Control() as file:
        for bad in (str(gone.pid), "4194304", "2", f"{me} {gone.pid}",
                    f"{gone.pid} {me}", f"{me} 2"):
            ctl.refused(file, f"pid {bad}".encode(), errno.ESRCH)


@ktap.case("pid: a process whose first thread has exited is one all the same")
def leader_gone():
    """Its mm is found by another thread, and what is done to it is counted."""
    process = subprocess.Popen([mlt.PROGRAMS + "/mlt-leaderless"])
    pid = process.pid
    try:
        while mlt.state_of(pid) != "Z":
            time.sleep(0.01)
        other = max(int(thread) for thread in os.listdir(f"/proc/{pid}/task"))
        ctl.fresh(f"pid {pid}", "reset")
        mlt.do(f"read n=103 mm={other}")
        mls.must("stop")
        ktap.equal(mls.snapshot().counters["read_released"], 103, "read_released")
    finally:
        process.kill()
        process.wait()


@ktap.case("words are taken with and without newline and blanks around")
def good_words():
    """What echo and printf make of a command."""
    ctl.fresh()
    with mls.Control() as file:
        for command in ("stop", "start\n", " stop ", "\tstart\n", f"pid {os.getpid()}\n",
                        f"pid  {os.getpid()}\t{os.getpid()} ", "pid all\n", "reset\n", "mark",
                        "own\n", "own"):
            ktap.equal(file.do(command), 0, repr(command))


@ktap.case("start and stop: recording, generation, counting")
def start_stop():
    """Twice the same is no change; stopped counts nothing; sums go on."""
    with mlt.Idle() as idle:
        ctl.fresh(f"pid {idle.pid}")
        first = ctl.settings()
        mls.must("start")
        ktap.equal(ctl.settings(), first, "settings after a second start")
        mlt.do(f"read n=11 mm={idle.pid}")
        mls.must("stop")
        stopped = ctl.settings()
        ktap.equal(stopped["recording"], "0", "recording")
        mls.must("stop")
        ktap.equal(ctl.settings(), stopped, "settings after a second stop")
        mlt.do(f"read n=13 mm={idle.pid}")
        ktap.equal(mls.snapshot().counters["read_acquired"], 11, "while stopped")
        mls.must("start")
        again = ctl.settings()
        ktap.equal(again["recording"], "1", "recording")
        ktap.equal(int(again["generation"]), int(first["generation"]) + 1, "generation")
        ktap.equal(again["scope"], first["scope"], "the filter outlives a stop")
        mlt.do(f"read n=17 mm={idle.pid}")
        snapshot = mls.snapshot()
    ktap.equal(snapshot.counters["read_acquired"], 28, "sum over both generations")
    ktap.equal(snapshot.health(), {}, "health")


def in_flight():
    """What `status` says is, an equation each."""
    found = re.findall(r"in flight: (\S+)", mls.read("status"))
    ktap.equal(len(found), 4, "equations with something in flight")
    return found


@ktap.case("stop in mid-flight: unfinished, and it never comes back")
def stop_in_flight():
    """A hold and a wait are open at the stop and end while stopped."""
    with mlt.Idle() as idle, mlt.Module() as module, mlt.Idle() as waiter:
        ctl.fresh(f"pid {idle.pid}", "reset")
        module.do(f"hold-begin holder=write mm={idle.pid}")
        waiter.ask(f"read n=1 mm={idle.pid}")
        waiter.wait_asleep("D")
        open_wait = int(mls.sees_starts())
        # Waits and holds, for read and for write.
        ktap.equal(in_flight(), [str(open_wait), "0", "0", "1"], "status, in flight")
        mls.must("stop")
        at_stop = mls.snapshot()
        ktap.equal(at_stop.counters["write_unfinished_hold"], 1, "open hold")
        ktap.equal(at_stop.counters["read_unfinished_wait"], open_wait, "open wait")
        ktap.equal(at_stop.unexplained(), {}, "equations at the stop")
        module.do("hold-end")
        waiter.wait_asleep()
        mls.must("start")
        mlt.do(f"downgrade n=19 mm={idle.pid}")
        mls.must("stop")
        end = mls.snapshot()
    ktap.equal(end.counters["write_unfinished_hold"], 1, "the hold stays unfinished")
    ktap.equal(end.counters["read_unfinished_wait"], open_wait, "the wait too")
    ktap.equal(end.counters["write_acquired"], 20, "write acquired")
    ktap.equal(end.series["mmap_write_hold"][0], 19, "write holds")
    ktap.equal(end.series["mmap_read_wait"][0], 0, "read waits")
    ktap.equal(end.unexplained(), {}, "equations")
    ktap.equal(end.health(), {}, "health")


@ktap.case("reset behind a stop in mid-flight: nothing is left, nothing is carried")
def reset_when_stopped():
    """What was open at the stop never comes back: it is not in flight."""
    with mlt.Idle() as idle, mlt.Module() as module, mlt.Idle() as waiter:
        ctl.fresh(f"pid {idle.pid}", "reset")
        module.do(f"hold-begin holder=write mm={idle.pid}")
        waiter.ask(f"read n=1 mm={idle.pid}")
        waiter.wait_asleep("D")
        mls.must("stop", "reset")
        at_reset = mls.snapshot()
        mls.must("start")
        again = mls.snapshot()
        module.do("hold-end")
        waiter.wait_asleep()
        mls.must("stop")
        end = mls.snapshot()
    ktap.equal({k: v for k, v in at_reset.counters.items() if v}, {}, "at the reset")
    ktap.equal(again.counters["unfinished_hold"], 0, "unfinished_hold, started again")
    ktap.equal(again.counters["unfinished_wait"], 0, "unfinished_wait, started again")
    ktap.equal(end.counters["write_orphan_release"], 1, "write_orphan_release")
    ktap.equal(end.unexplained(), {}, "equations")


@ktap.case("start in mid-flight: orphans of both kinds, counted and explained")
def start_in_flight():
    """A hold and a wait began before the recording."""
    with mlt.Idle() as idle, mlt.Module() as module, mlt.Idle() as waiter:
        ctl.fresh("stop", f"pid {idle.pid}", "reset")
        orphan = int(mls.sees_starts())
        module.do(f"hold-begin holder=write mm={idle.pid}")
        waiter.ask(f"read n=1 mm={idle.pid}")
        waiter.wait_asleep("D")
        mls.must("start")
        module.do("hold-end")
        waiter.wait_asleep()
        mls.must("stop")
        end = mls.snapshot()
    ktap.equal(end.counters["write_orphan_release"], 1, "write_orphan_release")
    ktap.equal(end.counters["read_orphan_acquire"], orphan, "read_orphan_acquire")
    ktap.equal(end.counters["read_acquired"], 1, "read_acquired")
    ktap.equal(end.counters["orphan_release"], 1, "orphan_release")
    ktap.equal(end.counters["orphan_acquire"], orphan, "orphan_acquire")
    # Who was not seen in the slow path has not waited as far as is known.
    ktap.equal(end.series["mmap_read_wait"], (1 - orphan, 0, 0),
               "no wait of unknown length")
    ktap.equal(end.series["mmap_read_hold"][0], 1, "read hold")
    ktap.equal(end.series["mmap_write_hold"][0], 0, "no hold of unknown length")
    ktap.equal(end.unexplained(), {}, "equations")


@ktap.case("reset in mid-flight: what is open is carried, nothing is an orphan")
def reset_in_flight():
    """A write hold, a nested read hold on another mm and a wait are open."""
    with mlt.Idle() as idle, mlt.Module() as module, mlt.Idle() as waiter, \
            mlt.Idle() as other, mlt.Module() as reader:
        ctl.fresh(f"pid {idle.pid} {other.pid}")
        mlt.do(f"read n=101 mm={idle.pid}")
        mlt.do(f"killed n=3 holder=write waiter=read mm={idle.pid}")
        module.do(f"hold-begin holder=write mm={idle.pid}")
        reader.do(f"hold-begin holder=read mm={other.pid}")
        waiter.ask(f"read n=1 mm={idle.pid}")
        waiter.wait_asleep("D")
        seq = int(ctl.settings()["reset-seq"])
        starts = mls.sees_starts()
        mls.must("reset")
        at_reset = mls.snapshot()
        module.do("hold-end")
        reader.do("hold-end")
        waiter.wait_asleep()
        end = mls.snapshot()
    ktap.equal(int(at_reset.keys["reset-seq"]), seq + 1, "reset-seq")
    want = {"write_attempts": 1, "write_acquired": 1, "write_unfinished_hold": 1,
            "read_attempts": 2, "read_acquired": 1, "read_unfinished_hold": 1,
            "read_unfinished_wait": 1, "unfinished_hold": 2, "unfinished_wait": 1}
    if not starts:
        want["read_attempts"] -= 1
        del want["read_unfinished_wait"], want["unfinished_wait"]
    ktap.equal({k: v for k, v in at_reset.counters.items() if v}, want, "at the reset")
    want = {"write_attempts": 1, "write_acquired": 1, "write_released": 1,
            "read_attempts": 2, "read_acquired": 2, "read_released": 2}
    ktap.equal({k: v for k, v in end.counters.items() if v}, want, "at the end")
    ktap.equal(end.series["mmap_read_wait"][0], 1, "read waits")
    ktap.equal(end.series["mmap_read_hold"][0], 2, "read holds")
    ktap.equal(end.series["mmap_write_hold"][0], 1, "write holds")
    ktap.equal(end.unexplained(), {}, "equations")


@ktap.case("reset and read under load: nothing negative, no orphan, all closes")
def reset_under_load():
    """Many resets while everything moves; exact again at the stop."""
    ctl.fresh("reset")
    with load.Stress("mmap", "fork", "fault"):
        end, number = time.monotonic() + 15, 0
        while time.monotonic() < end or number < 30:
            number += 1
            mls.must("reset" if number % 3 else "mark")
            now = mls.snapshot()
            bad = {k: v for k, v in now.counters.items() if not 0 <= v < HUGE}
            ktap.equal(bad, {}, f"counters at {number}")
            bad = {k: v for k, v in now.series.items() if max(v) >= HUGE}
            ktap.equal(bad, {}, f"series at {number}")
            bad = [b for s in now.buckets.values() for b in s if not 0 < b[2] < HUGE]
            ktap.equal(bad, [], f"buckets at {number}")
            ktap.equal(now.health(), {}, f"health at {number}")
            mls.read("histograms")
            ktap.check(all(n.isdigit() for n in in_flight()), "in flight, below 0")
        mls.must("reset")
        time.sleep(3)
    ktap.say(f"{number} times")
    mls.must("stop")
    end = mls.snapshot()
    ktap.check(end.operations() > 1000, f"only {end.operations()} operations")
    ktap.equal(end.unexplained(), {}, "equations")
    ktap.equal(end.health(), {}, "health")


@ktap.case("start, stop and filter under load: all closes at each stop")
def switch_under_load():
    """Every generation cuts through operations in flight."""
    ctl.fresh("reset")
    with load.Stress("mmap", "fork", "fault"):
        for number in range(8):
            mls.must("start")
            time.sleep(0.1)
            mls.must(f"pid {os.getpid()}" if number % 4 == 3 else "pid all")
            time.sleep(0.1)
            mls.must("stop")
            now = mls.snapshot()
            ktap.equal(now.unexplained(), {}, f"equations at {number}")
            ktap.equal({k: v for k, v in now.lost.items() if v}, {}, f"lost at {number}")
            bad = {k: v for k, v in now.counters.items() if not 0 <= v < HUGE}
            ktap.equal(bad, {}, f"counters at {number}")
    ktap.check(now.operations() > 1000, f"only {now.operations()} operations")


@ktap.case("snapshot is taken at the open: several reads agree")
def taken_at_open():
    """Read, let things happen, read again from the start."""
    with mlt.Idle() as idle:
        ctl.fresh(f"pid {idle.pid}", "reset")
        mlt.do(f"read n=7 mm={idle.pid}")
        fd = os.open(mls.path("snapshot"), os.O_RDONLY)
        first = os.read(fd, 64)
        mlt.do(f"read n=1000 mm={idle.pid}")
        mls.must("mark")
        rest = first
        while chunk := os.read(fd, 4096):
            rest += chunk
        again = os.pread(fd, 1 << 20, 0)
        os.close(fd)
    ktap.equal(rest[:len(again)], again[:len(rest)], "second read")
    ktap.equal(mls.Snapshot(rest.decode()).counters["read_acquired"], 7, "read_acquired")


@ktap.case("pid: several, threads name their process, the scope says which")
def filters():
    """Only those named are counted."""
    with mlt.Idle() as one, mlt.Idle() as two, mlt.Idle() as three:
        ctl.fresh(f"pid {one.pid} {three.pid}", "reset")
        ktap.equal(ctl.settings()["scope"], f"pids {one.pid} {three.pid}", "scope")
        for idle, n in ((one, 3), (two, 5), (three, 11)):
            mlt.do(f"read n={n} mm={idle.pid}")
        ktap.equal(mls.snapshot().counters["read_acquired"], 14, "read_acquired")
        mls.must("pid all", "reset")
        ktap.equal(ctl.settings()["scope"], "all", "scope")
        mlt.do(f"write n=29 mm={two.pid}")
        ktap.check(mls.snapshot().counters["write_acquired"] >= 29, "of all")


@ktap.case("pid: the filter follows an exec")
def exec_followed():
    """The process's new mm is recorded like its old one."""
    process = subprocess.Popen(
        ["sh", "-c", f"read x; exec {mlt.PROGRAMS}/mlt-idle"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ctl.fresh(f"pid {process.pid}", "reset")
    process.stdin.write(b"go\n")
    process.stdin.flush()
    ktap.equal(process.stdout.readline(), b"ready\n", "mlt-idle")
    time.sleep(0.2)
    before = mls.snapshot()
    mlt.do(f"read n=103 mm={process.pid}")
    after = mls.snapshot()
    process.stdin.close()
    process.wait()
    process.stdout.close()
    ktap.check(before.counters["write_acquired"] > 0, "the exec itself was not seen")
    ktap.equal(after.counters["read_acquired"] - before.counters["read_acquired"], 103,
               "read_acquired behind the exec")


@ktap.case("modes: directory 0550, files 0440, control 0220, all root's")
def modes():
    """As the contract says."""
    want = {"": 0o550, "histograms": 0o440, "status": 0o440, "snapshot": 0o440,
            "control": 0o220}
    for name, mode in want.items():
        found = os.stat(mls.path(name))
        ktap.equal(oct(stat.S_IMODE(found.st_mode)), oct(mode), name or mls.DIR)
        ktap.equal((found.st_uid, found.st_gid), (0, 0), f"owner of {name}")


@ktap.case("an ordinary user can neither list, read nor control")
def unprivileged():
    """EACCES, each time."""
    script = "; ".join(f"cat {mls.path(n)}" for n in ("snapshot", "status", "histograms"))
    script += f"; echo stop > {mls.path('control')}; ls {mls.DIR}"
    ctl.fresh()
    before = ctl.settings()
    done = subprocess.run(["setpriv", "--reuid", "tester", "--regid", "tester",
                           "--clear-groups", "sh", "-c", script],
                          capture_output=True, text=True, check=False)
    ktap.equal(done.stdout, "", "what the user got")
    ktap.equal(done.stderr.count("ermission denied"), 5, f"refusals in {done.stderr!r}")
    ktap.equal(ctl.settings(), before, "settings")


if __name__ == "__main__":
    mls.reload()
    ktap.run()
