"""Runs a script with each installed version of JAX.

usage: with_jax.py FOLDER SCRIPT ARGUMENT...

FOLDER has the environments of scripts/make-jax.sh. `VERSION` in an argument is
replaced by the version, for example 0.10.
"""

import os
import pathlib
import subprocess
import sys

folder, script, *arguments = sys.argv[1:]
environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
pythons = sorted(pathlib.Path(folder).glob("*/bin/python"))
if not pythons:
    sys.exit(f"expected {folder}/*/bin/python, found none")
for python in pythons:
    version = subprocess.run(
        [python, "-c", "import jax; print(jax.__version__)"],
        stdout=subprocess.PIPE, text=True, check=True).stdout
    version = ".".join(version.split(".")[:2])
    print(f"JAX {version}", flush=True)
    done = subprocess.run(
        [python, pathlib.Path(__file__).parent / script,
         *(a.replace("VERSION", version) for a in arguments)],
        env=environment, timeout=300)
    if done.returncode:
        sys.exit(f"exit code {done.returncode} of {script} with JAX {version}")
