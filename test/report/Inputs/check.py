"""Opens pages in Chromium and checks their content.

usage: check.py PAGE.html=SIM.json...

SIM.json is the output of --json for the page.
"""

import json
import pathlib
import sys

from browser import Page

questions = (pathlib.Path(__file__).parent / "check.js").read_text()
keep = pathlib.Path(sys.argv.pop(1)[7:]) if sys.argv[1].startswith(
    "--keep=") else None


def say(name, what, wrong):
    """Prints nothing if there is no error."""
    for one in wrong if isinstance(wrong, list) else [wrong] if wrong else []:
        print(f"{name}: {what}: {one}")


def check_focus(page):
    """Focusable elements without a name, and tables without one."""
    wrong = []
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    for node in nodes:
        role = node.get("role", {}).get("value")
        name = node.get("name", {}).get("value", "").strip()
        focusable = any(p["name"] == "focusable" and p["value"]["value"]
                        for p in node.get("properties", []))
        if not node.get("ignored") and not name and (
                (focusable and role != "RootWebArea" and role != "main")
                or role in ("table", "region", "button", "link", "combobox",
                            "image", "img", "slider", "searchbox",
                            "application", "Canvas", "columnheader")):
            wrong.append(f"a {role} without a name")
    return wrong


def check_keys(page):
    """Arrow keys move from task to task, and announce the selection."""
    said = "document.querySelector('#timeline [aria-live]').textContent"
    page.evaluate("document.getElementById('canvas').focus(), "
                  f"report.timeline.selected = null, {said} = ''")
    for key in ["ArrowRight", "ArrowRight", "c", "w", "ArrowDown", "Enter", "+",
                "-"]:
        page.press(key)
    wrong = [] if "takes" in page.evaluate(said) else ["nothing is selected"]
    zoomed = page.evaluate("report.timeline.from > 0 || "
                           "report.timeline.to < report.timeline.longestUs")
    page.press("0")
    if not zoomed and page.evaluate("report.programs[0].count") > 1:
        wrong.append("Enter shows no task")
    return wrong


def check_tabs(page):
    """Tab moves through a newly opened page and is trapped nowhere."""
    seen = []
    for _ in range(12):
        page.press("Tab", code="Tab", windowsVirtualKeyCode=9)
        seen.append(page.evaluate(
            "[...document.querySelectorAll('*')].indexOf("
            "document.activeElement)"))
    first = page.evaluate("[...document.querySelectorAll('*')].indexOf("
                          "document.querySelector('.skip'))")
    wrong = [] if seen[0] == first else ["the first is not the skip link"]
    # A short page reaches the first element again.
    if any(a == b for a, b in zip(seen, seen[1:])):
        wrong.append(f"Tab stays at an element: {seen}")
    return wrong


def check_paper(page):
    """The printed page is complete, dark or not, and needs no interaction."""
    wrong = []
    page.resize(794)
    for scheme in ["dark", "light"]:
        page.emulate("prefers-color-scheme", scheme, media="print")
        wrong += page.evaluate("checkPrinted().concat(checkContrast(), "
                               "checkTexts().found)")
        colour = page.evaluate(
            "getComputedStyle(document.body).backgroundColor")
        if "255" not in colour:
            wrong.append(f"{scheme}: {colour}")
    pdf = page.print()
    if not pdf.startswith(b"%PDF") or b"/Type /Page" not in pdf.replace(
            b"/Type/Page", b"/Type /Page"):
        wrong.append("no PDF")
    page.emulate("prefers-color-scheme", "light")
    return wrong


def check(page, path, answer):
    """Everything about one page."""
    name = pathlib.Path(path).stem
    expected = json.loads(pathlib.Path(answer).read_text())
    page.evaluate(questions + ";0")
    say(name, "tabs", check_tabs(page))
    say(name, "data", "" if page.evaluate("report.data") == expected
        else "not what --json prints")
    tasks = 0
    programs = [expected, *expected.get("baselines", [])]
    if "measured" in expected:
        programs.append(expected["measured"])
    for i, program in enumerate(programs if "timeline" in expected else []):
        one = f"report.programs[{i}]"
        times = page.evaluate(f"[[...{one}.start], [...{one}.end]]")
        rows = program["timeline"]["tasks"]
        say(name, "tasks", "" if times == [[r[3] for r in rows],
                                           [r[4] for r in rows]]
            else "not those of the schedule")
        tasks += len(rows)
        if program is not expected.get("measured"):
            say(name, "critical path", page.evaluate(
                f"checkCriticalPath({one})"))
        say(name, "zoom", page.evaluate(f"checkZoom({one})"))
    texts, outlines = {}, []
    for width in [1280, 390]:
        page.resize(width)
        outlines.append(page.evaluate("outline()"))
        if "timeline" in expected:
            say(name, f"drawn at {width}", page.evaluate("checkDrawn()"))
        for view in (["showAll()", "zoom(.1)", "zoom(.05)"]
                     if "timeline" in expected else ["none"]):
            draw = "" if view == "none" else \
                f"report.timeline.{view}, report.timeline.draw(), "
            seen = page.evaluate(draw + "checkTexts()")
            say(name, f"{width} wide", seen["found"])
        texts[width] = seen["texts"]
        if keep:
            page.screenshot(keep / f"{name}-{width}.png", whole=True)
    say(name, "names", check_focus(page))
    if expected.get("tasks"):
        say(name, "keys", check_keys(page))
    for scheme, dark in [("dark", True), ("light", False)]:
        page.emulate("prefers-color-scheme", scheme)
        say(name, f"contrast, {scheme}", page.evaluate("checkContrast()"))
        outlines.append(page.evaluate("outline()"))
        if "timeline" in expected:
            say(name, f"drawn, {scheme}", page.evaluate("checkDrawn()"))
        colour = page.evaluate(
            "getComputedStyle(document.body).backgroundColor")
        say(name, scheme, "" if ("255" not in colour) == dark else colour)
    say(name, "paper", check_paper(page))
    say(name, "outline", [] if all(one == outlines[0] for one in outlines)
        else [f"{len(one)} parts" for one in outlines])
    say(name, "console", page.messages)
    print(f"{name}: {tasks} tasks, texts at 1280 and 390: "
          f"{'some' if min(texts.values()) > 9 else texts}")


pages = [argument.partition("=")[::2] for argument in sys.argv[1:]]
with Page(pages[0][0]) as page:
    for path, answer in pages:
        page.open(path)
        check(page, path, answer)
