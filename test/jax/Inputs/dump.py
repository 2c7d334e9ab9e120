"""Writes the StableHLO of every layer and style into a folder.

usage: dump.py FOLDER [NAME...]
"""

import os
import sys

import layers
import styles

folder, names = sys.argv[1], sys.argv[2:] or list(styles.ALL)
os.makedirs(folder, exist_ok=True)
for name in names:
    with open(os.path.join(folder, name + ".mlir"), "w") as file:
        lowered = layers.lower(name, styles.ALL[name])
        file.write(layers.generic_text(lowered, name in styles.RESHARDED))
