"""Talks to moert-ocs-switch as a user would, and stops it."""
import signal
import socket
import subprocess
import time

switch = subprocess.Popen(["moert-ocs-switch"], stdout=subprocess.PIPE, text=True)
try:
    host, port = switch.stdout.readline().strip().split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        answers = connection.makefile("rb")

        def ask(command):
            connection.sendall(command.encode())
            text = b""
            while not text.endswith(b";"):
                byte = answers.read(1)
                assert byte, "it hung up"
                text += byte
            lines = [line.strip() for line in text.decode().splitlines()]
            return "\n".join(line for line in lines if line)

        print(ask("ACT-USER::admin:1::root;"))
        start = time.monotonic()
        print(ask("ENT-PATCH::1&2,9&10:2:;"))
        taken = time.monotonic() - start
        print("after 41.1 ms and 2 pairs:", taken >= 0.0418)
        print(ask("RTRV-PATCH:::3:;"))
        print(ask("ENT-PATCH::3,9:4:;"))
        print(ask("DLT-PATCH::9:5:;"))
    switch.send_signal(signal.SIGTERM)
    print("at the end:", switch.stdout.read().strip())
    print("exit code", switch.wait(timeout=20))
finally:
    switch.kill()
