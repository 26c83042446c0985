#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The reader and the module together: what is recorded is what happened, and
whatever goes wrong leaves the module as it was and no file behind."""
import os
import re
import signal
import subprocess
import time

import ktap
import mls
import mlt

READER = "mmlockstat"
USER = ["setpriv", "--reuid", "tester", "--regid", "tester", "--clear-groups"]


def reader(*words, status=0, before=(), **more):
    """Run the reader; it must end with this status."""
    done = subprocess.run([*before, READER, *words], capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL, **more)
    ktap.equal(done.returncode, status,
               f"exit status of {' '.join(words)}; {done.stdout[-500:]} {done.stderr}")
    return done


def one_line(done, *parts):
    """What is wrong stands in one line, and it says these things."""
    lines = done.stderr.splitlines()
    ktap.equal(len(lines), 1, f"lines of {done.stderr!r}")
    ktap.check(lines[0].startswith("mmlockstat: "), f"no name in {lines[0]!r}")
    for part in parts:
        ktap.check(part in lines[0], f"{part!r} is not in {lines[0]!r}")
    ktap.equal(done.stdout, "", "standard output")


def gone(*names):
    """None of these files is there, nor anything half-written beside it."""
    for name in names:
        there = [f for f in os.listdir("/tmp") if os.path.basename(name) in f]
        ktap.equal(there, [], f"left of {name}")


def state():
    """What a recording must put back."""
    keys = mls.snapshot().keys
    return keys["recording"], keys["scope"], keys["load-id"]


def fresh(*commands):
    """Not owned, recording everything; then these."""
    mls.must("pid all", "start", *commands)


def numbers(path, name):
    """A number of a recording, wherever it stands."""
    with open(path, encoding="utf-8") as file:
        return [int(n) for n in re.findall(rf'"{name}":\s*(\d+)', file.read())]


@ktap.case("record -p: exact counts in the file, the state as before")
def exact():
    """1009 reads and 503 writes in the test module."""
    fresh()
    before = state()
    with mlt.Idle() as idle:
        script = (f'echo "read n=1009 mm={idle.pid}" >{mlt.COMMAND} && '
                  f'echo "write n=503 mm={idle.pid}" >{mlt.COMMAND}')
        reader("record", "-o", "/tmp/exact.json", "-p", str(idle.pid), "--", "sh", "-c", script)
    for name, want in (("read_acquired", 1009), ("read_released", 1009),
                       ("write_acquired", 503), ("write_released", 503),
                       ("read_attempts", 1009), ("write_attempts", 503)):
        ktap.equal(numbers("/tmp/exact.json", name), [want], name)
    for series, want in (("mmap_read_hold", 1009), ("mmap_write_hold", 503)):
        with open("/tmp/exact.json", encoding="utf-8") as file:
            found = re.search(rf'"{series}":\s*\{{\s*"count":\s*(\d+)', file.read())
        ktap.check(found and int(found[1]) == want, f"{series}: {found and found[1]}")
    ktap.equal(state(), before, "state")
    shown = reader("report", "/tmp/exact.json").stdout
    ktap.check(re.search(r"1,009\b", shown) and re.search(r"\b503\b", shown),
               f"the report does not show them: {shown}")


@ktap.case("record of a stopped module starts it, says so, and stops it again")
def stopped():
    """What it found is what it leaves."""
    fresh("stop")
    before = state()
    done = reader("record", "-o", "/tmp/stopped.json", "--", "true")
    ktap.check("recording was off" in done.stderr,
               f"it does not say so: {done.stderr!r}")
    ktap.equal(state(), before, "state")
    ktap.check(numbers("/tmp/stopped.json", "write_acquired")[0] > 10, "nothing recorded")


@ktap.case("record of a stopped module: what was open at its start is no defect")
def started_in_flight():
    """A hold begins before the start, another ends behind the stop."""
    with mlt.Idle() as idle, mlt.Module() as module, mlt.Module() as other:
        fresh("stop")
        module.do(f"hold-begin holder=read mm={idle.pid}")
        os.mkfifo("/tmp/go")
        with subprocess.Popen(["mmlockstat", "record", "-o", "/tmp/flight.json", "-p",
                               str(idle.pid), "--", "cat", "/tmp/go"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as record:
            with open("/tmp/go", "wb"):
                module.do("hold-end")
                other.do(f"hold-begin holder=read mm={idle.pid}")
            words = record.stderr.read()
        other.do("hold-end")
    os.unlink("/tmp/go")
    ktap.equal(record.returncode, 0, words)
    shown = " ".join(reader("report", "/tmp/flight.json").stdout.split())
    ktap.check("UNPAIRED" not in shown and "LOST" not in shown, f"a defect: {shown}")
    ktap.check("Nothing was lost. In flight when recording started, or begun unseen: 1. "
               "In flight at the end: 1." in shown, f"not said: {shown}")


@ktap.case("before and after: two recordings, one diff")
def diff():
    """The same number of operations, doubled."""
    fresh()
    with mlt.Idle() as idle:
        for name, n in (("before", 1000), ("after", 2000)):
            reader("record", "-o", f"/tmp/{name}.json", "-p", str(idle.pid), "--", "sh", "-c",
                   f'echo "read n={n} mm={idle.pid}" >{mlt.COMMAND}')
    text = reader("diff", "/tmp/before.json", "/tmp/after.json").stdout
    row = next((r for r in text.splitlines() if r.startswith("Read Lock Count")), "")
    ktap.check("1,000" in row and "2,000" in row and "+100.00%" in row.replace(" ", ""),
               f"no such row: {row!r} in {text}")
    wide = [line for line in text.splitlines() if len(line) > 80]
    ktap.equal(wide, [], "lines wider than 80 columns")


@ktap.case("status and show of the module that is there")
def looks():
    """They end with 0 and say what the files say."""
    fresh()
    ktap.check("recording" in reader("status").stdout, "status does not say: recording")
    mls.must("stop")
    ktap.check("stopped" in reader("status").stdout, "status does not say: stopped")
    ktap.check("Range" in reader("show").stdout, "show prints no table")


@ktap.case("rmmod during a recording: in use; the recording is whole")
def unload():
    """The module is held for as long as it runs."""
    fresh()
    before = state()
    process = subprocess.Popen([READER, "record", "-o", "/tmp/held.json", "--", "sleep", "3"],
                               stderr=subprocess.PIPE)
    wait_owned()
    why = mls.unload()
    ktap.check("in use" in why, f"rmmod said {why!r}")
    ktap.equal(process.wait(), 0, "the recording's exit status")
    process.stderr.close()
    ktap.equal(state(), before, "state")
    ktap.check(os.path.exists("/tmp/held.json"), "no recording")


def wait_owned():
    """Until somebody owns the control."""
    for _ in range(200):
        if mls.control("mark"):
            return
        time.sleep(0.05)
    raise ktap.Failed("nobody came to own the control")


@ktap.case("a second recording meanwhile: one clear line, exit status 1")
def second():
    """And the first is not disturbed."""
    fresh()
    first = subprocess.Popen([READER, "record", "-o", "/tmp/first.json", "--", "sleep", "3"],
                             stderr=subprocess.PIPE)
    wait_owned()
    done = reader("record", "-o", "/tmp/second.json", "--", "touch", "/tmp/has-run", status=1)
    one_line(done, "control")
    gone("second.json", "has-run")
    ktap.equal(first.wait(), 0, "the first's exit status")
    first.stderr.close()


@ktap.case("record killed, SIGTERM and SIGKILL: state put back, no file")
def killed():
    """Stopped module, filter chosen; both as before."""
    with mlt.Idle() as idle:
        fresh(f"pid {idle.pid}", "stop")
        before = state()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            process = subprocess.Popen(
                [READER, "record", "-o", "/tmp/killed.json", "--", "sleep", "30"],
                stderr=subprocess.DEVNULL, start_new_session=True)
            wait_owned()
            process.send_signal(number)
            process.wait()
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            for _ in range(100):
                if state() == before:
                    break
                time.sleep(0.05)
            ktap.equal(state(), before, f"state after {number.name}")
            ktap.check(not os.path.exists("/tmp/killed.json"), f"a file after {number.name}")
            if number != signal.SIGKILL:
                gone("killed.json")


@ktap.case("a command that fails, or is not there")
def bad_command():
    """Its status is recorded; one that cannot be run is an error, no file."""
    fresh()
    before = state()
    done = reader("record", "-o", "/tmp/none.json", "--", "/nonexistent/x", status=1)
    ktap.check("/nonexistent/x" in done.stderr, f"{done.stderr!r} does not name it")
    gone("none.json")
    ktap.equal(state(), before, "state")


@ktap.case("an ordinary user: one clear line, exit status 1")
def unprivileged():
    """For each command that needs the module."""
    fresh()
    for words in (["status"], ["show"], ["record", "-o", "/tmp/user.json", "--", "true"]):
        done = reader(*words, status=1, before=USER)
        one_line(done, "root")
    gone("user.json")


@ktap.case("no module: one clear line that says what to do, exit status 1")
def no_module():
    """For each command that needs the module."""
    ktap.equal(mls.unload(), "", "rmmod")
    try:
        for words in (["status"], ["show"], ["record", "-o", "/tmp/no.json", "--", "true"]):
            one_line(reader(*words, status=1), "modprobe mmlockstat")
        gone("no.json")
    finally:
        mls.reload()


@ktap.case("a full disk: one clear line, exit status 1, nothing left")
def full_disk():
    """A file system of one page."""
    fresh()
    before = state()
    os.makedirs("/tmp/small", exist_ok=True)
    mlt.run(["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=8", "tmpfs", "/tmp/small"])
    try:
        done = reader("record", "-o", "/tmp/small/a.json", "--", "true", status=1)
        one_line(done, "/tmp/small/a.json", "space")
        ktap.equal(os.listdir("/tmp/small"), [], "left on the full disk")
    finally:
        mlt.run(["umount", "/tmp/small"])
    ktap.equal(state(), before, "state")


if __name__ == "__main__":
    mls.reload()
    ktap.run()
