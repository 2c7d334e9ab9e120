"""Generates docs/validation/papers.md from the evaluated rows."""

import math
import re
import textwrap

import rules

HEAD = """# Papers compared with this project

Written by `bench/papers/papers.py` from `bench/papers/rows.json`; do not edit.

```
ninja -C build/release moe-bench-fsmoe && python3 bench/papers/papers.py build/release
```

runs every command again and rewrites this page; `test/docs/papers.test` fails
when anything here has changed. Nothing here was measured on the papers'
machines: ours are predictions by the platforms in `platforms`, whose figures
are from the papers, too (see [constants](#constants)).

| verdict | means |
|---|---|
| equal | ours is within the row's tolerance, 1 % unless it says otherwise |
| fitted | so it is, since a parameter was chosen for it: no agreement; ours without it stands beside |
| differs | it is not; why |
| paper's error | what is printed does not follow from the paper's own figures; recomputed |
| not computable | what lacks for it |
| not built | what this project has not |

"""


def number(value):
    """Four digits, without an exponent if possible."""
    if isinstance(value, list):
        return " to ".join(number(part) for part in value)
    if isinstance(value, str):
        return value
    if value == int(value):
        return str(int(value))
    size = math.floor(math.log10(abs(value)))
    if size < -3 or size > 8:
        return f"{value:.3e}"
    return f"{value:.{max(0, 3 - size)}f}"


def printed(row):
    published = row["published"]
    if not isinstance(published, str):
        # As in the paper.
        published = (" to ".join(map(str, published))
                     if isinstance(published, list) else str(published))
    return published + (f" {row['unit']}" if "unit" in row else "")


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def wrap(text):
    return textwrap.fill(text, 80, break_long_words=False,
                         break_on_hyphens=False)


def commands_of(table, *expressions):
    """Commands that expressions name, each once, as links."""
    names = dict.fromkeys(
        name for expression in expressions
        for name in re.findall('"([^"]+)"', expression)
        if name in table["commands"])
    return ", ".join(f"[{name}](#{anchor(name)})" for name in names)


def verdict_of(row, table, formulas):
    text = f"**{row['verdict']}**"
    if row["verdict"] == "equal" and row.get("tolerance", .01) != .01 \
            and not isinstance(row["published"], str):
        text += f" within {100 * row['tolerance']:g} %"
    if "ours_without" in row:
        text += f"; without the fit {number(row['ours_without'])}"
    if "why" in row:
        text += f": {row['why']}"
    if "reason" in row:
        title = table["reasons"][row["reason"]]["title"]
        text += f": [{title}](#{anchor(title)})"
    if "label" in row:
        path, heading = formulas[row["label"]]
        text += f" ([{row['label']}](../reference/{path}#{anchor(heading)}))"
    return text


def count(rows):
    counts = {verdict: sum(row["verdict"] == verdict for row in rows)
              for verdict in rules.VERDICTS}
    return [str(counts[verdict]) for verdict in rules.VERDICTS]


def write(table, formulas):
    lines = [HEAD]
    lines.append("| rows | " + " | ".join(rules.VERDICTS) + " |\n"
                 + "|---" * (len(rules.VERDICTS) + 1) + "|\n")
    for paper in table["papers"]:
        rows = [row for row in table["rows"] if row["paper"] == paper["name"]]
        lines.append(f"| [{paper['name']}](#{anchor(paper['name'])}): "
                     f"{len(rows)} | " + " | ".join(count(rows)) + " |\n")
    lines.append(f"| all: {len(table['rows'])} | "
                 + " | ".join(count(table["rows"])) + " |\n")
    for paper in table["papers"]:
        about = wrap(f"{paper['title']}. {paper['leaves_out']}")
        lines.append(f"\n## {paper['name']}\n\n{about}\n\n"
                     "| in the paper | place | ours | command | verdict |\n"
                     "|---|---|---|---|---|\n")
        for row in table["rows"]:
            if row["paper"] != paper["name"]:
                continue
            ours = number(row["ours"]) if "ours" in row else ""
            lines.append(
                f"| {row['quantity']}: {printed(row)} | {row['place']} | {ours} "
                f"| {commands_of(table, row.get('value', ''), row.get('without', ''))}"
                f" | {verdict_of(row, table, formulas)} |\n")
    lines.append("\n## Why figures differ\n")
    for reason in table["reasons"].values():
        used = commands_of(table, *reason.get("shows", []))
        lines.append(f"\n### {reason['title']}\n\n"
                     + wrap(reason["text"].format(*reason["values"])) + "\n"
                     + (f"\n{wrap(f'Commands: {used}.')}\n" if used else ""))
    lines.append("\n## Constants\n\nFigures taken over from the papers, and the "
                 "key of a platform that holds each.\n\n"
                 "| in the paper | place | file | key | times |\n"
                 "|---|---|---|---|---|\n")
    for constant in table["constants"]:
        lines.append(f"| {constant['value']} {constant['unit']} | "
                     f"{constant['place']} | `{constant['file']}` | "
                     f"`{constant['key']}` | {constant.get('factor', 1)} |\n")
    lines.append("\n## Commands\n\nIn the root of the tree, with the build's "
                 "`bin` on the PATH.\n")
    for name, command in table["commands"].items():
        lines.append(f"\n### {name}\n\n```sh\n{command}\n```\n")
    return "".join(lines)
