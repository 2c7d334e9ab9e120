"""Runs commands with an emulated optical switch.

  ocs.py [--SWITCH-OPTION=VALUE...] COMMAND...

Passes each COMMAND to the shell with the switch's address in $OCS. Prints their
output, exit codes other than 0 and, at the end, the switch's circuits. A
command that takes more than 30 s is an error.
"""
import os
import signal
import subprocess
import sys

options = [word for word in sys.argv[1:] if word.startswith("--")]
switch = subprocess.Popen(["moert-ocs-switch", "--base-us=1000"] + options,
                          stdout=subprocess.PIPE, text=True)
try:
    os.environ["OCS"] = switch.stdout.readline().strip()
    for command in sys.argv[1 + len(options):]:
        done = subprocess.run(command, shell=True, text=True, timeout=30,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(done.stdout, end="")
        if done.returncode:
            print("exit code", done.returncode)
    switch.send_signal(signal.SIGTERM)
    print("circuits:", *switch.stdout.read().split())
finally:
    switch.kill()
