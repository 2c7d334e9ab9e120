#!/usr/bin/env python3
"""Checks a trace against the Chrome trace event format: an object with
traceEvents; metadata events name the threads; complete events have name, pid,
tid, ts >= 0 and dur >= 0, and those of one thread do not overlap."""
import json
import sys

with open(sys.argv[1]) as file:
    trace = json.load(file)
events = trace["traceEvents"]
named, spans = set(), {}
for event in events:
    assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
    if event["ph"] == "M":
        assert isinstance(event["args"]["name"], str), event
        if event["name"] == "thread_name":
            named.add(event["tid"])
        continue
    assert event["ph"] == "X", f"unexpected phase in {event}"
    assert isinstance(event["name"], str) and event["name"], event
    assert event["ts"] >= 0 and event["dur"] >= 0, event
    spans.setdefault(event["tid"], []).append((event["ts"], event["dur"]))
assert set(spans) <= named, f"threads without a name: {set(spans) - named}"
for tid, list_ in spans.items():
    list_.sort()
    for (start, length), (after, _) in zip(list_, list_[1:]):
        assert start + length <= after + 1e-9, f"tasks overlap on thread {tid}"
print(f"{sum(map(len, spans.values()))} tasks on {len(spans)} streams, "
      "no overlap within a stream")
