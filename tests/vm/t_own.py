#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Who has the control to himself, and what becomes of the module meanwhile."""
import errno
import os
import signal

import ctl
import ktap
import mls
import mlt


@ktap.case("own: others are EBUSY and change nothing; readers read on")
def own():
    """Every command of everybody else."""
    ctl.fresh()
    with mls.Control() as owner, mls.Control() as other:
        ktap.equal(owner.do("own"), 0, "own")
        ktap.equal(owner.do("own"), 0, "own again")
        for command in (b"own", b"start", b"stop", b"reset", b"mark", b"pid all",
                        f"pid {os.getpid()}".encode()):
            ctl.refused(other, command, errno.EBUSY)
        ctl.refused(other, b"foo", errno.EINVAL)
        ktap.equal(owner.do("stop"), 0, "the owner's stop")
        ktap.equal(ctl.settings()["recording"], "0", "recording")
        ktap.check("owned" in mls.read("status"), "status does not say who owns")
    ktap.equal(mls.control("mark"), 0, "a command once it is free")


def owned_and_put_back(recording, filtered, end):
    """What an owner changed is as before once it is gone."""
    with mlt.Idle() as idle, mlt.Idle() as another:
        ctl.fresh(f"pid {idle.pid}" if filtered else "pid all")
        if not recording:
            mls.must("stop")
        before = ctl.settings()
        ready, told = os.pipe()
        pid = os.fork()
        if not pid:
            file = mls.Control()
            done = file.do("own") or file.do("stop" if recording else "start") or \
                file.do("pid all" if filtered else f"pid {another.pid}") or \
                file.do("reset")
            os.write(told, bytes([done]))
            if end == "close":
                file.close()
                os.write(told, b"c")
            signal.pause()
        os.close(told)
        ktap.equal(os.read(ready, 1), b"\0", "the owner's commands")
        if end == "close":
            ktap.equal(os.read(ready, 1), b"c", "the owner's close")
        else:
            ktap.check(ctl.settings()["recording"] != before["recording"], "no change")
            ktap.check(ctl.settings()["scope"] != before["scope"], "no change of scope")
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        after = ctl.settings()
        if end == "close":
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(ready)
        for key in ("recording", "scope"):
            ktap.equal(after[key], before[key], f"{key} after the {end}")
        ktap.equal(mls.control("mark"), 0, "the control is free again")


@ktap.case("own: state and filter are put back at the close, and at a kill")
def put_back():
    """From every state."""
    for end in ("close", "kill"):
        for recording in (True, False):
            for filtered in (True, False):
                owned_and_put_back(recording, filtered, end)


@ktap.case("own: an inherited descriptor keeps it until the last is closed")
def inherited():
    """What counts is the open file."""
    ctl.fresh()
    owner = mls.Control()
    ktap.equal(owner.do("own"), 0, "own")
    ktap.equal(owner.do("stop"), 0, "stop")
    copy = os.dup(owner.fd)
    owner.close()
    ktap.equal(mls.control("start"), errno.EBUSY, "while the copy is open")
    os.close(copy)
    ktap.equal(ctl.settings()["recording"], "1", "recording after the last close")
    ktap.equal(mls.control("mark"), 0, "free")


@ktap.case("rmmod while it is owned: in use, and nothing happens to it")
def pinned():
    """A recording cannot lose its module."""
    ctl.fresh()
    with mls.Control() as owner:
        ktap.equal(owner.do("own"), 0, "own")
        before = ctl.settings()
        why = mls.unload()
        ktap.check("in use" in why, f"rmmod said: {why!r}")
        ktap.equal(ctl.settings(), before, "settings")
    ktap.equal(mls.unload(), "", "rmmod once it is free")
    ktap.check(not mls.loaded(), f"{mls.DIR} is still there")
    mls.reload()


@ktap.case("rmmod with files open: their reads end with an error, no harm")
def rmmod_open_files():
    """Descriptors of a module that is gone."""
    fds = [os.open(mls.path(n), os.O_RDONLY) for n in ("snapshot", "status", "histograms")]
    file = mls.Control()
    first = os.read(fds[0], 10)
    ktap.equal(mls.unload(), "", "rmmod")
    ktap.equal(first, b"mmlockstat", "the first bytes")
    for fd in fds:
        try:
            ktap.equal(os.read(fd, 10), b"", "a read of a module that is gone")
        except OSError as error:
            ktap.check(error.errno in (errno.EIO, errno.ENODEV, errno.ENOENT),
                       f"read: {error}")
        os.close(fd)
    ktap.check(file.do("start") != 0, "control took a command though it is gone")
    file.close()
    mls.reload()


if __name__ == "__main__":
    mls.reload()
    ktap.run()
