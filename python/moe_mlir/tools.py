"""The command-line tools in the wheel, as pip's scripts call them."""

import os
import pathlib
import sys

from ._library import Error, find_tool


def main() -> None:
    """Runs the tool that has the name of this command."""
    name = pathlib.Path(sys.argv[0]).name
    try:
        path = find_tool(name)
        os.execv(path, [path, *sys.argv[1:]])
    except (Error, OSError) as error:
        sys.exit(f"{name}: {error}")
