"""Checks which library of the runtime has which symbols.

usage: libraries.py NM LIBDIR INCLUDEDIR SOURCE

libmoert has no symbols of optical switches and planners. The other libraries
use only the symbols of libmoert that moert.h and moert_extend.h declare, and
their sources include none of its headers except for the parts that each library
contains.
"""

import pathlib
import re
import subprocess
import sys

nm, libraries, headers, source = sys.argv[1:]
libraries, headers = pathlib.Path(libraries), pathlib.Path(headers)
source = pathlib.Path(source)
BESIDE = {"ocs": r"moert_ocs|Switch|Circuit|Tl1|moert::Session",
          "plan": r"moert_plan|PlanMachine|readMachine|\bmoe::"}
# Compiled into each library.
INSIDE = {"core/AbiStructs.h", "core/Status.h", "core/Wait.h", "net/Socket.h", "extend/Call.h"}
errors = []


def read(library, *options):
    """Names of symbols, as C++ spells them."""
    text = subprocess.run([nm, "-C", "-P", *options, libraries / library],
                          check=True, capture_output=True, text=True).stdout
    # NAME TYPE [VALUE [SIZE]]; archives have one line per member, too.
    found = re.findall(r"^(.+?) ([A-Za-z])(?: [0-9a-f]+)*\s*$", text, re.M)
    return {name for name, kind in found if kind not in "Nn"}


public = set(re.findall(r"\bmoert_\w+(?=\()",
                        (headers / "moert.h").read_text()
                        + (headers / "moert_extend.h").read_text()))
for library, options in [("libmoert.so", ["-D"]), ("libmoert.a", [])]:
    defined = read(library, *options, "--defined-only")
    if "moert_init" not in defined:
        errors.append(f"{library}: expected moert_init")
    for name, words in BESIDE.items():
        errors += [f"{library}: expected nothing of libmoert_{name}, got {symbol}"
                   for symbol in sorted(defined) if re.search(words, symbol)]

for name, words in BESIDE.items():
    for library, options in [(f"libmoert_{name}.so", ["-D"]),
                             (f"libmoert_{name}.a", [])]:
        defined = read(library, *options, "--defined-only")
        wanted = read(library, *options, "--undefined-only") - defined
        if not any(re.search(words, symbol) for symbol in defined):
            errors.append(f"{library}: expected symbols like {words}")
        errors += [f"{library}: expected what moert.h and moert_extend.h "
                   f"declare, got {symbol}"
                   for symbol in sorted(wanted)
                   if re.search(r"moert|\bmoe::", symbol)
                   and symbol not in public]
    for path in sorted((source / "runtime/lib" / name).iterdir()):
        for include in re.findall(r'#include "([^"]+)"', path.read_text()):
            if not (include in INSIDE or include.startswith(f"{name}/")
                    or include.startswith("moert")
                    or include.startswith("moe/")):
                errors.append(f"{path.name}: expected no private header of "
                              f"libmoert, got {include}")

print("\n".join(errors) or "libraries as they should be")
sys.exit(1 if errors else 0)
