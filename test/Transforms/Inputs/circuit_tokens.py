"""Removes tokens and synchronizations from inserted schedules.

  circuit_tokens.py POLICY COUNT

Inserts circuits into COUNT random scheduled steps. For each result without one
of its tokens or synchronizations, either moe-verify-schedule must reject it, or
no execution of it may fail. The script tries many random executions of several
ranks, in which a change may take any time and ranks may run at different
speeds.
"""
import json
import random
import re
import subprocess
import sys

POLICY, COUNT = sys.argv[1], int(sys.argv[2])
RANDOM = random.Random(POLICY)
SERVERS, LAYERS, RANKS = 4, 3, 3
HEAD = '''moe.mesh @mesh axes ["ep", "tp"] shape [4, 8]
moe.stream @inter inter
moe.stream @compute compute
'''


def exchange(name, layer, source, rows):
    t = f"tensor<{rows}x4096xbf16>"
    return f'''  %{name}{layer}, %t{name}{layer} = moe.task @inter "{name}"[0 of 1] layer "{layer}" phase "fwd" {{
    %0 = moe.ragged_all_to_all {source} into {source} on <@mesh, ["ep"]> send(%v, %v) recv(%v, %v) : {t}, tensor<4xi32> -> {t}
    moe.yield %0 : {t}
  }} : {t}
'''


def compute(name, layer, source, rows, us):
    t = f"tensor<{rows}x4096xbf16>"
    return f'''  %{name}{layer}, %t{name}{layer} = moe.task @compute "{name}"[0 of 1] layer "{layer}" phase "fwd" {{
    %0 = "user.op"({source}) {{moe.time_us = {us}.0 : f64}} : ({t}) -> {t}
    moe.yield %0 : {t}
  }} : {t}
'''


def step():
    rows = RANDOM.choice([4096, 8192, 16384])
    t = f"tensor<{rows}x4096xbf16>"
    body, source = "", "%x"
    for layer in range(LAYERS):
        body += compute("dense", layer, source, rows, RANDOM.randint(1, 60000))
        body += exchange("dispatch", layer, f"%dense{layer}", rows)
        body += compute("experts", layer, f"%dispatch{layer}", rows,
                        RANDOM.randint(1, 90000))
        body += exchange("combine", layer, f"%experts{layer}", rows)
        source = f"%combine{layer}"
    return (HEAD + f"func.func @main(%x: {t}, %v: tensor<4xi32>) -> {t} {{\n"
            f"%r = moe.schedule {{\n{body}  moe.yield {source} : {t}\n"
            f"}} : {t}\nreturn %r : {t}\n}}\n")


def traffic():
    """In each layer other pairs of servers have the most traffic."""
    layers = []
    for layer, pairs in enumerate([[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]):
        counts = [[90 if j == pairs[i] else 1 for j in range(SERVERS)]
                  for i in range(SERVERS)]
        layers.append({"layer": str(layer), "rank_counts": counts})
    return {"steps": [{"step": 0, "layers": layers}]}


def run(modules, *options):
    """Runs moe-opt on modules; (modules, lines with errors)."""
    with open("modules.mlir", "w") as file:
        file.write("\n// -----\n\n".join(modules))
    done = subprocess.run(
        ["moe-opt", "modules.mlir", "-split-input-file",
         "--allow-unregistered-dialect", *options],
        capture_output=True, text=True)
    errors = [int(line) for line in
              re.findall(r"^modules.mlir:(\d+):\d+: error:", done.stderr, re.M)]
    return re.split(r"^// -----$", done.stdout, flags=re.M), errors


class Task:
    def __init__(self, text, tokens, values):
        head = text.split("\n")[0]
        self.stream = re.search(r"moe\.task @(\w+)", head)[1]
        after = re.search(r"after\(([^)]*)\)", head)
        self.after = re.findall(r"%[\w#]+", after[1]) if after else []
        body = text.split("\n", 1)[1]
        names = self.after + re.findall(r"%[\w#]+", body)
        self.before = {tokens.get(n, values.get(n)) for n in names} - {None}
        change = re.search(r"ocs\.reconfigure @\w+ to (%\w+)", body)
        route = re.search(r"ocs\.route @\w+ over (%\w+)", body)
        self.change = change and change[1]
        self.route = route and route[1]
        self.awaits = "ocs.await" in body
        self.meets = "moe.all_reduce" in body


def parse(module):
    tasks, tokens, values, last = [], {}, {}, {}
    for text in re.findall(r"^ *%[^=\n]* = moe\.task .*?^ {6}\}", module,
                           re.M | re.S):
        task = Task(text, tokens, values)
        number = len(tasks)
        if task.stream in last:
            task.before.add(last[task.stream])
        last[task.stream] = number
        names = [n.strip().split(":")[0]
                 for n in text.split(" = ")[0].split(",")]
        tokens[names[-1]] = number
        for name in names[:-1]:
            values[name] = number
        tasks.append(task)
    return tasks


def goes_wrong(tasks):
    """Runs one random execution; returns True if circuits change under traffic.
    Runs one random execution; returns True if circuits change under traffic."""
    start = [[0.0] * len(tasks) for _ in range(RANKS)]
    end = [[0.0] * len(tasks) for _ in range(RANKS)]
    changes, running = [], None
    for i, task in enumerate(tasks):
        for r in range(RANKS):
            start[r][i] = max([end[r][b] for b in task.before], default=0.0)
            end[r][i] = start[r][i] + RANDOM.choice([0, 0.1, 1, 10])
        if task.meets:
            came = max(start[r][i] for r in range(RANKS))
            for r in range(RANKS):
                end[r][i] = max(end[r][i], came)
        if task.change:
            running = [start[0][i], start[0][i] + RANDOM.choice([0.1, 5, 30]),
                       task.change]
            changes.append(running)
        if task.awaits:
            for r in range(RANKS):
                end[r][i] = max(start[r][i], running[1])
    for i, task in enumerate(tasks):
        if not task.route:
            continue
        for r in range(RANKS):
            up = None
            for begin, finish, circuits in changes:
                if start[r][i] < finish and begin < end[r][i]:
                    return True
                if finish <= start[r][i]:
                    up = circuits
            if up != task.route:
                return True
    return False


with open("trace.json", "w") as file:
    json.dump(traffic(), file)
inserted, errors = run([step() for _ in range(COUNT)],
                       "--moe-load-platform=file=mfabric-sim-100g",
                       "--moe-load-traffic=file=trace.json",
                       f"--moe-insert-circuits=policy={POLICY}",
                       "--moe-verify-schedule")
assert not errors and len(inserted) == COUNT, (errors, len(inserted))
mutants, changes = [], 0
for module in inserted:
    tasks = parse(module)
    changes += sum(1 for task in tasks if task.change)
    assert not any(goes_wrong(tasks) for _ in range(20))
    for match in re.finditer(r" after\(([^)]*)\)", module):
        names = match[1].split(", ")
        for name in names:
            rest = ", ".join(n for n in names if n != name)
            mutants.append(module[:match.start()] +
                           (f" after({rest})" if rest else "") +
                           module[match.end():])
    for match in re.finditer(r"moe\.all_reduce (%\w+) on [^:]*: (.*)", module):
        mutants.append(module[:match.start()] +
                       f"arith.addi {match[1]}, {match[1]} : {match[2]}" +
                       module[match.end():])
_, errors = run(mutants, "--moe-verify-schedule")
starts, line = [], 1
for mutant in mutants:
    starts.append(line)
    line += mutant.count("\n") + 3
refused = {max(i for i, s in enumerate(starts) if s <= e) for e in errors}
wrong = [i for i, mutant in enumerate(mutants) if i not in refused and
         any(goes_wrong(parse(mutant)) for _ in range(60))]
print(f"{COUNT} schedules, {changes} changes, {len(mutants)} without a token "
      f"or a synchronisation: {len(refused)} refused, "
      f"{len(mutants) - len(refused) - len(wrong)} as good, "
      f"{len(wrong)} missed")
for i in wrong[:1]:
    print(mutants[i])
