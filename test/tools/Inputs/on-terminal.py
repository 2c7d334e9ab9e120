"""Runs a command whose stderr is a terminal; prints the lines that it draws, and
what is left on the terminal in the end.

usage: on-terminal.py COMMAND...
"""

import os
import pty
import re
import subprocess
import sys

master, slave = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=slave,
                           env={**os.environ, "TERM": "xterm"})
os.close(slave)
written = b""
while True:
    try:
        part = os.read(master, 4096)
    except OSError:
        break
    if not part:
        break
    written += part
code = process.wait()
text = written.decode()
for line in dict.fromkeys(re.findall(r"\r([^\r]+)\033\[K\r", text)):
    print("line:", line)
# Lines that are drawn, then those that are taken away.
for gone in (r"\r[^\r]+\033\[K\r", r"\r\033\[K"):
    text = re.sub(gone, "", text)
print("left:", repr(text))
sys.exit(code)
