#!/usr/bin/env python3
"""Checks that the rate of one endpoint alone is printed, warned about and
written.

usage: check_port.py STDOUT STDERR PLATFORM
"""

import json
import pathlib
import re
import sys

out, err = (pathlib.Path(path).read_text() for path in sys.argv[1:3])
level = json.loads(pathlib.Path(sys.argv[3]).read_text())["levels"][0]
printed = re.search(r"port_GBps: one endpoint alone\n +node +([\d.]+)\n", out)
warned = "level 'node' gets no port rate" in err
assert bool(printed) != warned, (printed, err)
assert ("port_GBps" in level) == bool(printed), level
if printed:
    rate = level["port_GBps"]
    assert rate > 0 and abs(rate / float(printed[1]) - 1) < 1e-3, (rate, printed)
    assert level["port_origin"].endswith(
        "measured on backend host, 3 ranks on 1 node: one endpoint alone"), level
    print(f"node {printed[1]} GB/s")
else:
    assert "port_origin" not in level, level
    print("no port rate")
