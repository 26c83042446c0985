# SPDX-License-Identifier: GPL-2.0-only
"""What the tests see of mmlockstat: its files, and arithmetic over them.

Written from the contract of the snapshot file, not from the module's code:
the tests' own reading of it.
"""
import errno
import os
import subprocess

DIR = "/proc/mmlockstat"
# Module parameters of every load that does not choose its own.
PARAMETERS = os.environ.get("MLT_PARAMETERS", "").split()
MODES = ("read", "write")


class Snapshot:
    """One snapshot file, parsed; unknown keys are kept in `keys`."""

    def __init__(self, text):
        lines = text.splitlines()
        if not lines or lines[0] != "mmlockstat-snapshot 1":
            raise ValueError(f"no snapshot: {lines[:1]}")
        self.text = text
        self.keys, self.counters, self.lost = {}, {}, {}
        self.series, self.buckets, self.hooks = {}, {}, {}
        for line in lines[1:]:
            key, *rest = line.split()
            if key == "counter":
                self.counters[rest[0]] = int(rest[1])
            elif key == "lost":
                self.lost[rest[0]] = int(rest[1])
            elif key == "hook":
                self.hooks[rest[0]] = rest[1]
            elif key == "series":
                self.series[rest[0]] = tuple(int(v) for v in rest[1:4])
            elif key == "bucket":
                upper = None if rest[2] == "inf" else int(rest[2])
                self.buckets.setdefault(rest[0], []).append(
                    (int(rest[1]), upper, int(rest[3])))
            else:
                self.keys[key] = " ".join(rest)

    def mode(self, name, mode):
        """A counter that exists once a mode."""
        return self.counters[f"{mode}_{name}"]

    def residues(self):
        """What is left over of each equation; 0 everywhere when stopped."""
        left = {}
        for mode in MODES:
            def get(name, mode=mode):
                return self.mode(name, mode)
            left[f"{mode} wait"] = (
                get("attempts") + get("orphan_acquire") - get("acquired") -
                get("trylock_failed") - get("aborted") - get("unfinished_wait"))
        down = self.counters["downgraded"]
        for mode, gained in (("read", down), ("write", -down)):
            left[f"{mode} hold"] = (
                self.mode("acquired", mode) + gained +
                self.mode("orphan_release", mode) - self.mode("released", mode) -
                self.mode("unfinished_hold", mode))
        return left

    def unexplained(self):
        """Residues that are not 0."""
        return {k: v for k, v in self.residues().items() if v}

    def health(self):
        """Everything that says something went unseen, where it is not 0."""
        bad = {f"lost {k}": v for k, v in self.lost.items() if v}
        for name in ("orphan_acquire", "orphan_release", "negative_time", "nmi",
                     "reentered", "nmissed"):
            if self.counters.get(name):
                bad[name] = self.counters[name]
        return bad

    def operations(self):
        """Lock operations: holds begun, and attempts that failed."""
        return sum(self.mode(n, m) for m in MODES
                   for n in ("acquired", "trylock_failed", "aborted"))

    def wrong_sums(self):
        """Series whose parts contradict each other or the counters."""
        bad = []
        for name, (count, total, worst) in self.series.items():
            buckets = self.buckets.get(name, [])
            if sum(b[2] for b in buckets) != count:
                bad.append(f"{name}: buckets do not add up to {count}")
            low = sum(lower * n for lower, _, n in buckets)
            if total < low:
                bad.append(f"{name}: sum {total} below its buckets' {low}")
            if all(b[1] for b in buckets):
                high = sum((upper - 1) * n for _, upper, n in buckets)
                if total > high:
                    bad.append(f"{name}: sum {total} above its buckets' {high}")
            if worst > total:
                bad.append(f"{name}: max {worst} above the sum {total}")
        for mode in MODES:
            count = self.series[f"mmap_{mode}_wait"][0]
            want = self.mode("acquired", mode) - self.mode("orphan_acquire", mode)
            if count != want:
                bad.append(f"mmap_{mode}_wait: count {count}, acquired {want}")
        return bad

    def wrong_holds(self):
        """Hold samples that are not one a hold; for a record that saw all of
        every operation (no reset, start or stop in mid-flight, nothing lost)."""
        down = self.counters["downgraded"]
        want = {"read": self.mode("acquired", "read") + down - self.mode("nested", "read"),
                "write": self.mode("acquired", "write")}
        got = {mode: self.series[f"mmap_{mode}_hold"][0] for mode in MODES}
        return [f"{m} holds: {got[m]} samples, want {want[m]}" for m in MODES
                if got[m] != want[m]]


def path(name):
    """A file of the module."""
    return f"{DIR}/{name}"


def sees_starts():
    """Is the start of every wait an event of its own, seen when it happens?
    Where the slow path marks it, an open wait shows only at its end."""
    return snapshot().keys["wait-start"] == "locking"


def read(name):
    """The text of a file of the module."""
    with open(path(name), encoding="ascii") as file:
        return file.read()


def snapshot():
    """The snapshot now."""
    return Snapshot(read("snapshot"))


class Control:
    """An open control file; do() gives 0 or an errno."""

    def __init__(self):
        self.fd = os.open(path("control"), os.O_WRONLY | os.O_CLOEXEC)

    def do(self, command):
        """Write one command."""
        data = command if isinstance(command, bytes) else command.encode()
        try:
            if os.write(self.fd, data) != len(data):
                return errno.EIO
        except OSError as error:
            return error.errno
        return 0

    def close(self):
        """Close the file."""
        os.close(self.fd)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def control(command):
    """Write one command on a descriptor of its own; 0 or an errno."""
    with Control() as file:
        return file.do(command)


def must(*commands):
    """Write commands that must be taken."""
    for command in commands:
        ret = control(command)
        if ret:
            raise OSError(ret, f"control: {command}: {os.strerror(ret)}")


def loaded():
    """Is the module there?"""
    return os.path.isdir(DIR)


def load(*parameters):
    """modprobe; the text of a failure, or an empty string."""
    done = subprocess.run(["modprobe", "mmlockstat", *PARAMETERS, *parameters],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.strip() or f"exit status {done.returncode}"
    return ""


def unload():
    """rmmod; the text of a failure, or an empty string."""
    done = subprocess.run(["rmmod", "mmlockstat"], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        return done.stderr.strip() or f"exit status {done.returncode}"
    return ""


def reload(*parameters):
    """Load the module with these parameters, whatever was before."""
    if loaded():
        why = unload()
        if why:
            raise RuntimeError(f"rmmod: {why}")
    why = load(*parameters)
    if why:
        raise RuntimeError(f"modprobe: {why}")
    now = snapshot()
    clock = os.environ.get("MLT_CLOCK", now.keys["clock"])
    if now.keys["clock"] != clock:
        raise RuntimeError(f"the clock is {now.keys['clock']}, not {clock}")
    if now.keys["recording"] == "1":
        as_asked(now)


def as_asked(now):
    """What was asked for must be what runs: no test of one mode in another.
    Of a snapshot since the first start, which is when hooks are chosen."""
    for word in PARAMETERS:
        name, _, value = word.partition("=")
        if name == "wait_start" and now.keys["wait-start"] != value:
            raise RuntimeError(f"{word} gave wait-start {now.keys['wait-start']}")
        if name == "backend" and now.hooks and value not in now.hooks.values():
            raise RuntimeError(f"{word} gave hooks {now.hooks}")


def bucket(value):
    """(lower, upper) of the bucket a value belongs to, from the contract."""
    if value < 100:
        return value, value + 1
    if value >= 10 ** 12:
        return 10 ** 12, None
    width = 10 ** (len(str(value)) - 2)
    lower = value // width * width
    return lower, lower + width
