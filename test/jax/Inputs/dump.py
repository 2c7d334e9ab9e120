"""Writes the StableHLO of every layer into a folder.

usage: dump.py FOLDER [NAME...]
"""

import os
import sys

import layers

folder, names = sys.argv[1], sys.argv[2:] or list(layers.LAYERS)
os.makedirs(folder, exist_ok=True)
for name in names:
    with open(os.path.join(folder, name + ".mlir"), "w") as file:
        lowered = layers.lower(name)
        file.write(layers.generic_text(lowered, name in layers.RESHARDED))
