"""Talks to moert-ocs-switch with a command that carries out changes and fails
at circuit 5,13. Usage: ocs_on_change.py FILE, which the command writes to."""
import pathlib
import signal
import socket
import subprocess
import sys

said = pathlib.Path(sys.argv[1])
said.write_text("")
command = ('f() { case "$*" in *5,13*) return 1;; esac; '
           f'echo "$*" >> "{said}"; }}; f')
switch = subprocess.Popen(["moert-ocs-switch", "--base-us=0",
                           f"--on-change={command}"],
                          stdout=subprocess.PIPE, text=True)
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
        print(ask("ENT-PATCH::1&3,9&11:2:;"))
        print(ask("DLT-PATCH::1:3:;"))
        print(ask("RTRV-PATCH:::4:;"))
        print(ask("ENT-PATCH::5,13:5:;"))
        print(ask("RTRV-PATCH:::6:;"))
        ask("ENT-PATCH::2,10:7:;")
        # Changes that arrive together are carried out at once, and undone as
        # far as they were denied.
        together = ("DLT-PATCH::3:8:;ENT-PATCH::3,12:9:;"
                    "DLT-PATCH::2:10:;ENT-PATCH::5,13:11:;")
        connection.sendall(together.encode())
        for _ in range(4):
            print(ask(""))
        print(ask("RTRV-PATCH:::12:;"))
    switch.send_signal(signal.SIGTERM)
    switch.wait(timeout=20)
    print("said:", said.read_text().splitlines())
finally:
    switch.kill()
