"""The format of a row of rows.json, and its rules.

A row: `paper`, `place`, `quantity`; `published`, a number, a range [from, to]
or text; `value`, an expression over the outputs of commands (`o["name"]`) that
gives our value; `verdict`; optionally `unit`, `label` of
docs/reference/formulas.md and `tolerance`, a fraction (default: .01).

| verdict | what must hold |
|---|---|
| equal | ours is within the tolerance |
| fitted | the same, by a parameter fitted to it; `without` gives ours without |
| differs | ours is not within it; `why` or `reason` |
| paper's error | ours is not within it; `why` gives the recomputation |
| not computable | no `value`; `why` names the missing input |
| not built | no `value`; `why` names the missing feature |

`reason` is a key of `reasons`: `text` and `shows`, expressions whose values
replace its braces.
"""

import math
import re
import statistics

VERDICTS = ("equal", "fitted", "differs", "paper's error", "not computable",
            "not built")
WITHOUT_VALUE = ("not computable", "not built")


def parse_tables(text):
    """Markdown tables by heading, first cell and column; and all the text."""
    found, heading, columns = {"text": text}, "", None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if line.startswith("#"):
            heading, columns = line.lstrip("# "), None
        elif not line.startswith("|"):
            columns = None
        elif columns is None:
            columns = cells
        elif not set(line) <= set("|-: "):
            found.setdefault(heading, {})[cells[0]] = dict(zip(columns, cells))
    return found


def compute(expression, outputs):
    def match(name, pattern):
        text = outputs[name]
        text = text["text"] if isinstance(text, dict) else text
        found = re.findall(pattern, text)
        if not found:
            raise ValueError(f"no '{pattern}' in what '{name}' printed")
        return [float(word) for word in found]

    def over(name, form, other, to):
        """Per step of a loop, the makespan in `name` over the makespan in
        `other`."""
        return [a[form]["makespan_us"] / b[to]["makespan_us"]
                for a, b in zip(outputs[name], outputs[other], strict=True)]

    names = {"o": outputs, "match": match, "mean": statistics.mean, "over": over,
             "us": lambda name, form: outputs[name][form]["makespan_us"],
             "__builtins__": {"max": max, "min": min, "sum": sum, "abs": abs,
                              "float": float, "len": len, "round": round,
                              "sorted": sorted}}
    # Comprehensions only see globals.
    return eval(expression, names)  # pylint: disable=eval-used


def agrees(row, ours):
    published, tolerance = row["published"], row.get("tolerance", .01)
    if isinstance(published, str) or isinstance(ours, str):
        return str(published) == str(ours)
    low, high = published if isinstance(published, list) else [published] * 2
    return (low - abs(low) * tolerance <= ours <= high + abs(high) * tolerance)


def name_of(row):
    return f"{row['paper']}, {row['place']}, {row['quantity']}"


def check(row, table, labels):
    """Returns all errors of a row whose `ours` is known."""
    name, verdict = name_of(row), row["verdict"]
    if verdict not in VERDICTS:
        yield f"{name}: expected a verdict of {VERDICTS}, found '{verdict}'"
        return
    has_value = verdict not in WITHOUT_VALUE
    if has_value != ("value" in row):
        yield (f"{name}: expected {'a' if has_value else 'no'} value of what is "
               f"{verdict}")
        return
    if "label" in row and row["label"] not in labels:
        yield (f"{name}: expected {row['label']} in "
               "docs/reference/formulas.md, found none")
    if "reason" in row and row["reason"] not in table["reasons"]:
        yield f"{name}: expected a reason '{row['reason']}', found none"
    if verdict != "equal" and not (row.get("why") or row.get("reason")):
        yield f"{name}: expected why it is '{verdict}', found nothing"
    if verdict == "fitted" and "without" not in row:
        yield f"{name}: expected the value without the fit, found none"
    if has_value:
        equal = agrees(row, row["ours"])
        if equal != (verdict in ("equal", "fitted")):
            yield (f"{name}: '{verdict}' of {row['published']}, but ours is "
                   f"{row['ours']}, tolerance {row.get('tolerance', .01)}")


def read_formulas(tree):
    """{label: (page below docs/reference, heading)} of all formulas."""
    folder = tree / "docs/reference"
    return {heading.split(":")[0]: (page.relative_to(folder).as_posix(), heading)
            for page in [folder / "formulas.md", *folder.glob("formulas/*.md")]
            for heading in re.findall(r"^##+ ([A-Z]{2}-\d+: .+)$", page.read_text(),
                                      re.M)}


def evaluate(table, outputs, tree):
    """Adds `ours` to the rows, and returns the errors."""
    problems = []

    def value(where, expression):
        try:
            return compute(expression, outputs)
        except Exception as error:  # pylint: disable=broad-except
            problems.append(f"{where}: {expression}: {error!r}")
            return math.nan

    labels = read_formulas(tree)
    for key, reason in table["reasons"].items():
        reason["values"] = [value(f"reason '{key}'", shown)
                            for shown in reason.get("shows", [])]
        try:
            reason["text"].format(*reason["values"])
        except (IndexError, ValueError) as error:
            problems.append(f"reason '{key}': {error!r}")
    for row in table["rows"]:
        for key, result in (("value", "ours"), ("without", "ours_without")):
            if key in row:
                row[result] = value(name_of(row), row[key])
    if problems:
        return problems
    for row in table["rows"]:
        problems.extend(check(row, table, labels))
    for constant in table["constants"]:
        found = value(constant["key"],
                      f'o["cat {constant["file"]}"]{constant["key"]}')
        wanted = constant["value"] * constant.get("factor", 1)
        if not math.isclose(found, wanted, rel_tol=1e-9):
            problems.append(f"{constant['file']}{constant['key']}: expected "
                            f"{wanted}, found {found}")
    used = " ".join(row.get("value", "") + row.get("without", "")
                    for row in table["rows"])
    used += " ".join(shown for reason in table["reasons"].values()
                     for shown in reason.get("shows", []))
    used += "".join(f'"cat {c["file"]}"' for c in table["constants"])
    problems += [f"command '{name}': expected a row that uses it, found none"
                 for name in table["commands"] if f'"{name}"' not in used]
    referred = {row.get("reason") for row in table["rows"]}
    problems += [f"reason '{key}': expected a row that has it, found none"
                 for key in table["reasons"] if key not in referred]
    return problems
