#!/usr/bin/env python3
"""Checks a measured trace against a predicted one.

  check_trace.py MEASURED PREDICTED RANKS

Each rank has every task of the prediction once, on the stream of the same name
and in the same order on it; no two tasks of a stream overlap; the processes
have separate numbers, so that both files fit in one.
"""
import json
import sys


def load(path):
    events = json.load(open(path))["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events
             if e["name"] == "thread_name"}
    tasks = {}
    for event in events:
        if event["ph"] == "X":
            stream = names[event["pid"], event["tid"]]
            tasks.setdefault(event["pid"], {}).setdefault(stream, []).append(
                event)
    for streams in tasks.values():
        for stream in streams.values():
            stream.sort(key=lambda event: event["ts"])
            for before, after in zip(stream, stream[1:]):
                assert before["ts"] + before["dur"] <= after["ts"] + 1e-3, (
                    before, after)
    return tasks


def describe(streams):
    return {name: [(e["name"], e["args"]) for e in events]
            for name, events in streams.items()}


measured, predicted = load(sys.argv[1]), load(sys.argv[2])
assert list(predicted) == [0], list(predicted)
assert sorted(measured) == list(range(1, int(sys.argv[3]) + 1)), list(measured)
expected = describe(predicted[0])
for process, streams in measured.items():
    assert describe(streams) == expected, (process, describe(streams), expected)
print(sum(map(len, expected.values())), "tasks on", len(measured), "ranks")
