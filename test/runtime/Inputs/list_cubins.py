"""Prints the GPU architectures for which an object file has machine code.

usage: list_cubins.py OBJECT
"""

import struct
import sys


def main():
    data = open(sys.argv[1], "rb").read()
    machine_of_gpus = 190
    at = data.find(b"\x7fELF", 1)
    while at >= 0:
        (machine,) = struct.unpack_from("<H", data, at + 18)
        if machine == machine_of_gpus:
            version, flags = data[at + 8], struct.unpack_from("<I", data, at + 48)[0]
            print(f"sm_{(flags >> 8 if version >= 8 else flags) & 255}")
        at = data.find(b"\x7fELF", at + 1)


main()
