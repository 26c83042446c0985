#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""merge.py OUTPUT FILE...: the runs of recordings that were made one a boot, as one.

They must have been made alike: host, settings, command, label and recorder are
checked, and what differs is named. Integers stay exact, whatever their size, as
Python's do (jq 1.6 rounds them to doubles); other numbers read back as the same
double. A run is a line of OUTPUT. Exit status: 1 if they were not made alike."""
import json
import sys

# The kernel's own share of memory is not the same to the page in every boot.
MEMORY_SHARE = 100


def differences(a, b, path=""):
    """(PATH, A, B) of all that differs."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in list(a) + [k for k in b if k not in a]:
            yield from differences(a.get(key), b.get(key), f"{path}.{key}".lstrip("."))
    elif a != b:
        yield path, a, b


def frame(recording):
    """All of a recording but its runs and its size of memory."""
    rest = {k: v for k, v in recording.items() if k != "groups"}
    rest["host"] = {k: v for k, v in recording["host"].items() if k != "memory_kib"}
    return rest


def recorder(recording):
    """How the module recorded the first run that there is."""
    for group in recording["groups"]:
        for run in group["runs"]:
            return run.get("recorder", {})
    return {}


def alike(name, first, other):
    """Whether OTHER was made as FIRST; says what differs."""
    found = list(differences(frame(first), frame(other)))
    found += differences(recorder(first), recorder(other), "recorder")
    sizes = [r["host"].get("memory_kib", 0) for r in (first, other)]
    if abs(sizes[0] - sizes[1]) * MEMORY_SHARE > sizes[0]:
        found.append(("host.memory_kib", *sizes))
    for path, a, b in found:
        print(f"{name}: {path} is {json.dumps(b)}, and was {json.dumps(a)} in the "
              "first run's boot", file=sys.stderr)
    return not found


def merge(recordings):
    """The recordings as one: groups of one set are one group."""
    whole = {k: v for k, v in recordings[0].items() if k != "groups"}
    groups = []
    for recording in recordings:
        for group in recording["groups"]:
            for known in groups:
                if known["set"] == group["set"]:
                    known["runs"] += group["runs"]
                    break
            else:
                groups.append({**group, "runs": list(group["runs"])})
    whole["groups"] = groups
    return whole


def text(whole):
    """JSON, a run a line."""
    groups = []
    for group in whole["groups"]:
        runs = ",\n".join("      " + json.dumps(run) for run in group["runs"])
        head = "".join(f"{json.dumps(k)}: {json.dumps(v)}, "
                       for k, v in group.items() if k != "runs")
        groups.append(f'    {{ {head}"runs": [\n{runs}\n    ] }}')
    lines = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in whole.items() if k != "groups"]
    lines.append('  "groups": [\n' + ",\n".join(groups) + "\n  ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    """Reads, checks, merges, writes."""
    if len(sys.argv) < 3:
        sys.exit("usage: merge.py OUTPUT FILE...")
    recordings = []
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            recordings.append(json.load(file))
    # All are looked at, so that all that differs is said at once.
    bad = [name for name, r in zip(sys.argv[3:], recordings[1:])
           if not alike(name.rsplit("/", 1)[-1], recordings[0], r)]
    if bad:
        sys.exit(1)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text(merge(recordings)))


if __name__ == "__main__":
    main()
