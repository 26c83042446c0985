# SPDX-License-Identifier: GPL-2.0-only
"""Load from stress-ng, as the ordinary user, with an account of skips."""
import os
import re
import signal
import subprocess
import time

import ktap
import mlt

USER = ["setpriv", "--reuid", "tester", "--regid", "tester", "--init-groups",
        "--inh-caps=-all", "env", "HOME=/tmp"]
# Small, for a guest of two emulated CPUs and 2 GiB; two tasks of those that
# lock most often for the time they get.
STRESSORS = {
    "mmap": ["--mmap", "1", "--mmap-bytes", "256k"],
    "munmap": ["--munmap", "2"],
    "mremap": ["--mremap", "1", "--mremap-bytes", "64k"],
    "madvise": ["--madvise", "2"],
    "fork": ["--fork", "1"],
    "fault": ["--fault", "1"],
    "userfaultfd": ["--userfaultfd", "1", "--userfaultfd-bytes", "1m"],
    "procfs": ["--procfs", "1"],
    "exec": ["--exec", "1"],
}


def command(names, seconds):
    """The stress-ng command line for these stressors, as the user."""
    words = USER + ["stress-ng", "--timeout", str(seconds), "--temp-path", "/tmp",
                    "--oom-avoid", "--metrics", "--no-rand-seed"]
    for name in names:
        words += STRESSORS[name]
    return words


def prepare():
    """What the stressors need of the guest."""
    mlt.write("/proc/sys/vm/unprivileged_userfaultfd", "1")
    mlt.write("/sys/kernel/mm/transparent_hugepage/enabled", "never")


def verify(output, status, names):
    """Every stressor has run: none skipped, none failed, each did something."""
    ktap.equal(status, 0, f"stress-ng's exit status; {output[-2000:]}")
    bad = [line for line in output.splitlines()
           if re.search(r"skip(ped|ping)|fail(ed|:)|not implemented|no resource",
                        line, re.I) and not re.search(r"(skipped|failed): 0", line)]
    ktap.equal(bad, [], "stress-ng's complaints")
    for name in names:
        # name, bogo operations, ...
        found = re.search(rf"\] {name} +(\d+) ", output)
        ktap.check(found and int(found[1]) > 0, f"{name} did nothing: {output[-2000:]}")


class Stress:
    """Stressors in the background, until the end of the block."""

    def __init__(self, *names):
        self.names = names
        self.output = os.memfd_create("stress-ng")
        prepare()
        self.process = subprocess.Popen(
            command(names, 3600), stdout=self.output, stderr=subprocess.STDOUT,
            start_new_session=True)

    def text(self):
        """What stress-ng has printed so far."""
        return os.pread(self.output, 1 << 20, 0).decode()

    def __enter__(self):
        # Slow to start where the processor is emulated and its libraries, more
        # than 100 MB, have to be read anew.
        began = time.monotonic()
        while time.monotonic() - began < 240:
            if "dispatching hogs" in self.text():
                time.sleep(2)
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.kill()
        raise ktap.Failed(f"stress-ng did not start in {time.monotonic() - began:.0f} s, "
                          f"exit status {self.process.returncode}: {self.text()!r}")

    def kill(self):
        """Whatever it does."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def __exit__(self, *why):
        # Asked like that it ends its stressors and says what they did.
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            status = self.process.wait(90)
        except subprocess.TimeoutExpired:
            self.kill()
            status = self.process.returncode
        text = self.text()
        os.close(self.output)
        if not why[0]:
            verify(text, status, self.names)
