# SPDX-License-Identifier: GPL-2.0-only
"""The test module and the helpers around it, for the tests in a guest."""
import os
import re
import subprocess
import time

TRACING = "/sys/kernel/tracing"
EVENTS = TRACING + "/events/mmap_lock/mmap_lock_"
COMMAND = "/proc/mmlocktest"
PROGRAMS = os.environ.get("MLT_PROGRAMS", "/share")


def state_of(pid):
    """The letter of a process's state; of its first thread."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0]


class Idle:
    """A process that sleeps with its memory locked: an mm nobody touches."""

    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAMS + "/mlt-idle"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, close_fds=True)
        if self.process.stdout.readline() != b"ready\n":
            raise RuntimeError("mlt-idle did not come up")
        self.pid = self.process.pid
        self.wait_asleep()

    def state(self):
        """The letter of the process's state."""
        return state_of(self.pid)

    def wait_asleep(self, state="S"):
        """Wait until it sleeps, in an interruptible way or as `state` says."""
        for _ in range(1000):
            if self.state() == state:
                return
            time.sleep(0.005)
        raise RuntimeError(f"mlt-idle is {self.state()}, not {state}")

    def ask(self, command):
        """Hand it a command, and do not wait for the answer."""
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()

    def do(self, command):
        """Have it carry out a command, or several, itself."""
        self.ask(command)
        lines = []
        for line in self.process.stdout:
            if line.startswith(b"end "):
                err = int(line.split()[1])
                if err:
                    raise OSError(err, f"{command}: {os.strerror(err)}")
                self.wait_asleep()
                return Result("\n".join(lines))
            lines.append(line.decode().rstrip())
        raise RuntimeError(f"{command}: mlt-idle ended")

    def kill(self):
        """SIGKILL, and wait until it is gone."""
        self.process.kill()
        self.end()

    def end(self):
        """Let it go, and wait until it is gone."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class Result:
    """What the test module says it did."""

    def __init__(self, text):
        self.counts, self.spans, self.mm = {}, [], None
        for line in text.splitlines():
            key, *rest = line.split()
            if key in ("wait", "hold", "abort"):
                self.spans.append((key, rest[0], [int(v) for v in rest[1:]]))
            elif key == "mm":
                self.mm = int(rest[0], 16)
            else:
                self.counts[key] = int(rest[0])

    def nonzero(self):
        """The counts that are not 0."""
        return {k: v for k, v in self.counts.items() if v and k != "hits"}


class Module:
    """An open command file."""

    def __init__(self):
        self.fd = os.open(COMMAND, os.O_RDWR | os.O_CLOEXEC)

    def do(self, command):
        """Carry out one command."""
        data = command.encode()
        os.write(self.fd, data)
        return Result(os.pread(self.fd, 65536, 0).decode())

    def close(self):
        """Close it; a hold that is open ends."""
        os.close(self.fd)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def do(command):
    """One command on a descriptor of its own."""
    with Module() as module:
        return module.do(command)


def write(path, text, append=False):
    """Write a kernel file; appending leaves other triggers alone."""
    with open(path, "a" if append else "w", encoding="ascii") as file:
        file.write(text)


class Stock:
    """Counts of the three stock events, in hist triggers: the kernel's own
    recorder, which counts in a table and has no ring to lose from."""

    KEYS = {"start_locking": "write", "acquire_returned": "write,success",
            "released": "write"}

    def __init__(self, filter_text="", paused=False):
        self.on = []
        for event, keys in self.KEYS.items():
            word = f"hist:keys={keys}" + (":pause" if paused else "")
            if filter_text:
                word += f" if {filter_text}"
            write(EVENTS + event + "/trigger", word + "\n", append=True)
            self.on.append((event, word.replace(":pause", "")))

    def clear(self):
        """Forget what was counted; the trigger stays as it is."""
        for event, word in self.on:
            head, _, tail = word.partition(" if ")
            write(EVENTS + event + "/trigger",
                  head + ":clear" + (f" if {tail}" if tail else "") + "\n", append=True)

    def counts(self):
        """The counts, in the words of the test module."""
        got = {}
        for event, _ in self.on:
            with open(EVENTS + event + "/hist", encoding="ascii") as file:
                text = file.read()
            dropped = re.search(r"Dropped: (\d+)", text)
            if dropped and int(dropped[1]):
                raise RuntimeError(f"{event}: {dropped[0]}")
            for entry in re.finditer(r"\{ (.*?) \} hitcount: +(\d+)", text):
                keys = dict(k.split(":") for k in entry[1].replace(" ", "").split(","))
                mode = "write" if int(keys["write"]) else "read"
                ok = keys.get("success", "1") != "0"
                name = {"start_locking": "started", "released": "released",
                        "acquire_returned": "succeeded" if ok else "failed"}[event]
                got[f"{mode}_{name}"] = got.get(f"{mode}_{name}", 0) + int(entry[2])
        return got

    def end(self):
        """Remove the triggers."""
        for event, word in self.on:
            write(EVENTS + event + "/trigger", "!" + word + "\n", append=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def stock_words(counts):
    """Counts of operations in the words of the stock events: what they show
    of a downgrade is one more success for read."""
    words = {}
    for mode in ("read", "write"):
        get = lambda name, mode=mode: counts.get(f"{mode}_{name}", 0)
        words[f"{mode}_started"] = get("attempts")
        words[f"{mode}_succeeded"] = get("acquired")
        words[f"{mode}_failed"] = get("trylock_failed") + get("aborted")
        words[f"{mode}_released"] = get("released")
    words["read_succeeded"] += counts.get("downgraded", 0)
    return {k: v for k, v in words.items() if v}


def quiet():
    """Nothing in the kernel may take an mmap_lock by itself from now on."""
    for path, value in (
            ("/sys/kernel/mm/transparent_hugepage/enabled", "never"),
            ("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "never"),
            ("/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs",
             "1000000"),
            ("/sys/kernel/mm/ksm/run", "0"),
            ("/proc/sys/kernel/numa_balancing", "0")):
        if os.path.exists(path):
            write(path, value)


def run(command, **more):
    """Run a command; its output is in the result, its failure an exception."""
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          **more)
    if done.returncode:
        raise RuntimeError(f"{command}: exit status {done.returncode}: "
                           f"{done.stderr.strip()} {done.stdout.strip()}")
    return done


def kernel_log():
    """The kernel's log so far."""
    return run(["dmesg"]).stdout
