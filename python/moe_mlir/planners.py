"""The planners of moe-plan and moe-fabric: questions without a program.

`list_planners()` has their names, options and help.
"""

import json
import os
import warnings
from typing import Any, Dict, List, Tuple

from ._library import Context, Option, get_library, take_string


def _format(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _list_texts(options: Dict[str, Any]) -> List[Tuple[str, str]]:
    """The options of the planner, with dashes in their names."""
    texts = []
    for name, value in options.items():
        if value is None:
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        texts += [(name.replace("_", "-"), _format(one)) for one in values]
    return texts


def ask_planner(planner: str, **options: Any) -> Dict[str, Any]:
    """Asks a planner, and returns the object that `moe-plan PLANNER --json` prints.

    Options have the names of the command line with underscores for dashes:
    `ask_planner("all-to-all", platform="fsmoe-b", bytes=1 << 26, ep=8, tp=4)`.
    An option that may be repeated takes a list. Warnings about the input become
    Python warnings; a refused question raises an `Error`."""
    context = Context()
    texts = _list_texts(options)
    given = (Option * len(texts))(
        *[Option(name.encode(), text.encode()) for name, text in texts])
    answer = get_library().moePlannerAsk(context.handle, planner.encode(), given,
                                         len(texts))
    if not answer:
        context.fail()
    for diagnostic in context.take():
        warnings.warn(str(diagnostic), stacklevel=2)
    return json.loads(take_string(answer))


def list_planners() -> List[Dict[str, Any]]:
    """The planners: `planner`, `tool`, `description` and `options`, each with
    `name`, `kind` ("flag", "value" or "list") and `help`; a number has its `range`
    and `unit`, an option with words its `words`."""
    return json.loads(take_string(get_library().moePlannersList()))
