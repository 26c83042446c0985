#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""letter.py TEXT JSON TABLES PARAGRAPH...: `mmlockstat diff` as a cover letter has it.

TEXT and JSON are the same diff in both formats: the tables are those of TEXT, which
table is which JSON tells. TABLES is `all` or names with commas between. Prints the
PARAGRAPHs, what is the same above and below all tables once, and the tables: no
line is wider than 72 columns, none has a tab or ends with a blank."""
import json
import sys
import textwrap

WIDTH = 72


def wrap(line, indent=0, more=0):
    """A paragraph of at most WIDTH columns."""
    return textwrap.wrap(" ".join(line.split()), WIDTH, initial_indent=" " * indent,
                         subsequent_indent=" " * (indent + more),
                         break_on_hyphens=False) or [""]


def rewrap(lines):
    """Lines that were wrapped at 80 columns elsewhere, anew: what is four columns in,
    or two where the word did not fit behind the line before, goes on with an item."""
    items, last = [], ""
    for line in lines:
        indent, word = len(line) - len(line.lstrip()), line.split()[0]
        goes_on = indent >= 4 or (indent == 2 and items and items[-1][0] == 0 and
                                  len(last) + 1 + len(word) > 80 and
                                  not line.startswith("  recording cost:"))
        if items and goes_on:
            items[-1][1] += " " + line.strip()
        else:
            items.append([indent, line.strip()])
        last = line
    return [w for indent, item in items for w in wrap(item, indent, 2)]


def cells(head, line):
    """What stands under each column of HEAD: all but the first are flush right, so
    each ends where its head ends."""
    found, start, at = [], 0, 0
    for i, name in enumerate(columns(head)):
        at = head.index(name, at) + len(name)
        # The first is flush left: it ends where the gap before the second begins.
        if i:
            found.append(line[start:at])
            start = at
    first, gap, second = found[0].rstrip().rpartition("  ")
    if not gap:
        first, second = second, ""
    return [c.strip() for c in [first, second] + found[1:]]


def table(block):
    """Rows of cells, the head first; None of what is no table. Where labels did not
    fit beside numbers, they stand on lines of their own above them."""
    if is_rule(block, 1):
        return [columns(block[0])] + [cells(block[0], line) for line in block[2:]]
    if not is_rule(block, 2):
        return None
    # The mark holds the first column's place in the lines of numbers.
    head = "|" + block[1]
    rows, label = [[block[0].strip()] + columns(block[1])], []
    for i, line in enumerate(block[3:], 3):
        if i + 1 < len(block) and block[i + 1].startswith(" "):
            label.append(line.strip())
        elif not line.startswith(" "):
            return None
        else:
            rows.append([" ".join(label)] + cells(head, "|" + line)[1:])
            label = []
    return rows


def columns(head):
    """Names of the columns, which have two blanks or more between them."""
    return [c.strip() for c in head.split("  ") if c.strip()]


def lay_out(rows):
    """A table as narrow as it can be: two blanks between columns, one if that is too
    wide, and the first column in lines of its own if that is, too."""
    for gap in (2, 1):
        if gap == 1:
            # This head alone makes its column that wide.
            rows[0] = [c.replace("Median change", "Median") for c in rows[0]]
        widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
        total = sum(widths) + gap * (len(widths) - 1)
        if total <= WIDTH:
            out = [(" " * gap).join([r[0].ljust(widths[0])] +
                                    [c.rjust(w) for c, w in zip(r[1:], widths[1:])])
                   for r in rows]
            return [out[0], "-" * total] + out[1:]
    gap = 2 if sum(widths[1:]) + 2 * len(widths) - 2 <= WIDTH else 1
    rest = sum(widths[1:]) + gap * (len(widths) - 2) + 2
    out = []
    for r in rows:
        out += wrap(r[0], 0, 4)
        if rest <= WIDTH:
            out.append("  " + (" " * gap).join(c.rjust(w) for c, w in zip(r[1:], widths[1:])))
        elif r is not rows[0]:
            out += [w for name, c in zip(rows[0][1:], r[1:]) for w in wrap(f"{name}: {c}", 2, 2)]
        if r is rows[0]:
            out.append("-" * min(rest, WIDTH))
    return out


def blocks(lines):
    """Lists of lines, as empty lines part them."""
    found = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line)
        else:
            found.append([])
    return [b for b in found if b]


def is_rule(block, at):
    """Whether that line of a block is a table's rule."""
    return len(block) > at and set(block[at].strip()) == {"-"}


def sections(text):
    """What stands before the first table, and (TITLE, BLOCKS) of each table."""
    before, found = [], []
    for line in text.splitlines():
        if line.startswith("== "):
            found.append([line, []])
        elif found and not found[-1][0].rstrip().endswith(" =="):
            found[-1][0] += " " + line.strip()      # a long title
        elif found:
            found[-1][1].append(line)
        else:
            before.append(line)
    return before, [(title, blocks(lines)) for title, lines in found]


def name_of(title, names):
    """The table's name, by its title; of two that fit the longer title."""
    bare = title[3:]
    fits = [t for t in names if bare.startswith((t + " ==", t + " ["))]
    return names[max(fits, key=len)] if fits else None


def common(found, at):
    """The block that all tables have at that place, if they do."""
    there = [b[at] for _, b in found if b]
    same = there and all(b == there[0] for b in there) and not table(there[0])
    return there[0] if same else None


def letter(text, diff, wanted, paragraphs):
    """The lines."""
    before, found = sections(text)
    names = {row["title"]: row["table"] for row in diff["rows"]}
    if wanted != ["all"]:
        found = [f for f in found if name_of(f[0], names) in wanted]
    out = []
    for paragraph in paragraphs:
        out += wrap(paragraph, 0, 2)
    for block in blocks(before):
        out += [""] + rewrap(block)
    head, tail = common(found, 0), common(found, -1)
    if head:
        out += [""] + rewrap(head)
    for title, parts in found:
        out += [""] + wrap(title)
        if head:
            parts = parts[1:]
        if tail:
            parts = parts[:-1]
        for i, block in enumerate(parts):
            rows = table(block)
            out += [""] if i or not rows else []
            out += lay_out(rows) if rows else rewrap(block)
    if tail:
        out += [""] + rewrap(tail)
    if not found:
        out += ["", "None of the tables that were asked for is in the recordings."]
    return out


def main():
    """Reads, prints, and sees that it may be mailed."""
    if len(sys.argv) < 4:
        sys.exit("usage: letter.py TEXT JSON TABLES [PARAGRAPH...]")
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    with open(sys.argv[2], encoding="utf-8") as file:
        diff = json.load(file)
    lines = letter(text, diff, sys.argv[3].split(","), sys.argv[4:])
    for line in lines:
        if len(line) > WIDTH or "\t" in line or line != line.rstrip():
            sys.exit(f"letter.py: this line does not survive mail: {line!r}")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
