"""Runs a command with a terminal as stderr; prints the lines that it draws, and
the lines that remain on the terminal.

usage: on-terminal.py COMMAND...
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

master, slave = pty.openpty()
# The terminal is wide, because a line that does not fit is truncated.
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
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
# Lines that were drawn, then the erased ones.
for gone in (r"\r[^\r]+\033\[K\r", r"\r\033\[K"):
    text = re.sub(gone, "", text)
print("left:", repr(text))
sys.exit(code)
