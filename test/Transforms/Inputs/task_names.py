"""Prints the tasks of a schedule that run on a stream, in order.

usage: task_names.py SCHEDULE.mlir STREAM NAMES

NAMES is a regular expression for the beginning of a task's name.
"""

import re
import sys

TASK = re.compile(r'moe\.task @(\w+) "([a-z_]+)[.\d]*"\[.*? layer "(\w*)" phase "(\w+)"'
                  r'(?:.*moe\.sub_batch = (\d+))?')


def main():
    file, stream, names = sys.argv[1:]
    for line in open(file):
        match = TASK.search(line)
        if not match or match[1] != stream or not re.match(names, match[2]):
            continue
        part = f"sub-batch {match[5]}" if match[5] else "all"
        layer = f", layer {match[3]} {match[4]}" if match[3] else ""
        print(f"{part}: {match[2]}{layer}")


if __name__ == "__main__":
    main()
