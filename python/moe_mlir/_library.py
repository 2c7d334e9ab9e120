"""What the package needs of the compiler's build."""

import os
import shutil
from dataclasses import dataclass
from typing import List, Optional


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler; `file` is "" where it belongs nowhere."""

    severity: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}"


class Error(RuntimeError):
    """What the compiler refuses, in its words; `diagnostics` has the places."""

    def __init__(self, message: str,
                 diagnostics: Optional[List[Diagnostic]] = None):
        super().__init__(message)
        self.diagnostics = diagnostics or []


def find_tool(name: str = "moe-opt") -> str:
    """moe-opt: $MOE_OPT, or that of PATH."""
    path = os.environ.get("MOE_OPT") or shutil.which(name)
    if not path or not os.path.exists(path):
        raise Error(f"expected {name} in PATH or named by MOE_OPT, found "
                    f"{path or 'none'}")
    return path
