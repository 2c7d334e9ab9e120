#!/usr/bin/env python3
"""Checks that dropless layers give equal results in every variant, for any
counts.

  counts.py CONFIG TMP MATRICES [--layers=N] [--seed=N] [--every=N]
            [--mpirun=COMMAND] [--form=NAME]...

Draws MATRICES matrices of counts, ranks by experts, for each kind of program,
and runs a layer per matrix, 10 (--layers) in sequence per program. The programs
are forward and training steps of a model with the gate's choices as arguments
(all rows of a rank sent, to one hot expert, to one rank, drawn evenly or by
Zipf, some not sent, none of one rank, none at all), training steps of ranks
that share experts, training steps that send tokens to experts as 8-bit floats,
and exchanges alone with counts as arguments (also none at all, none of one
rank, or all to one).

Every variant must equal the layers as imported bit for bit, in the interpreter
and compiled for threads. Training steps and node-deduplicated tokens only need
to be close, because sums are in another order, but their compiled programs must
equal the interpreter bit for bit. One of --every batches of layers (default:
10) is compiled, which takes longest; with --mpirun ("mpirun ... -np") also for
one process per rank. TMP is a prefix for files. Requires moe-translate, moe-opt
and moe-run.
"""
import argparse
import os
import re
import subprocess
import sys

import numpy as np

EP, TP, EXPERTS, TOP_K, TOKENS = 4, 2, 8, 2, 5
NODES = ["--moe-split-mesh-axis=axis=ep inner=2",
         "--moe-decompose-all-to-all=mode=node-dedup"]
PLATFORM = os.path.join(os.path.dirname(__file__), "four-by-two.json")
# Passes, and whether programs are compiled afterwards.
FORMS = {
    "drop": (["--moe-decompose-all-to-all"], False),
    "chunks": (["--moe-pipeline=scope=layer degree=5"], False),
    "schedule": (["--moe-schedule"], True),
    "drop, uneven chunks, schedule": (
        ["--moe-decompose-all-to-all", "--moe-pipeline=scope=layer degree=2",
         "--moe-schedule"], True),
    "two steps": (
        ["--moe-split-mesh-axis=axis=ep inner=2",
         "--moe-decompose-all-to-all=mode=hierarchical", "--moe-schedule"],
        True),
    "fsmoe": ([f"--moe-compile=to=schedule platform={PLATFORM} schedule=fsmoe"],
              True),
}
ALONE = ["drop", "schedule", "two steps"]
CHUNKED = set(FORMS) - set(ALONE)
# Variants that deduplicate tokens per node: sums everywhere are in another
# order.
ONCE = {
    "nodes": (NODES, False),
    "nodes, drop, uneven chunks, schedule": (
        [*NODES, "--moe-decompose-all-to-all",
         "--moe-pipeline=scope=layer degree=2", "--moe-schedule"], True),
}
FORMS.update(ONCE)
# Rounds the inputs of experts, whatever the exchanges have become.
QUANTIZE = "--moe-quantize-dispatch=block=2"
# Ranks that share experts drop nothing; other tests cover their exchanges in
# two steps.
JOINED = ["chunks", "schedule", *ONCE]
EIGHTS = ["schedule", "drop, uneven chunks, schedule", "two steps", *ONCE]
PROGRAMS = {"fwd": list(FORMS), "train": list(FORMS), "joined": JOINED,
            "eights": EIGHTS, "alone": ALONE}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def draw_choices(random, kind, ranks):
    """Experts of each rank's tokens, [ranks, tokens, k], distinct for each
    token."""
    shares = np.ones(EXPERTS)
    if kind == "none":
        return np.full((ranks, TOKENS, TOP_K), -1, np.int32)
    if kind == "zipf":
        shares = random.permutation(1 / np.arange(1.0, EXPERTS + 1) ** 2)
    hot = random.integers(EXPERTS)
    rank = random.integers(EP) * (EXPERTS // EP)
    ids = np.empty((ranks, TOKENS, TOP_K), np.int32)
    for place in np.ndindex(ranks, TOKENS):
        ids[place] = random.choice(EXPERTS, TOP_K, False, shares / shares.sum())
        if kind == "hot" and hot not in ids[place]:
            ids[place][random.integers(TOP_K)] = hot
        if kind == "one rank":
            ids[place] = random.permutation([rank, rank + 1])
    if kind == "idle rank":
        ids[random.integers(ranks)] = -1
    if kind == "some":
        ids[random.random(ids.shape) < 0.4] = -1
    return ids


def draw_counts(random, kind):
    """Rows from each rank to each expert, [ep, experts]."""
    counts = random.integers(0, 4, (EP, EXPERTS))
    if kind == "zeros":
        counts[:] = 0
    if kind == "sparse":
        counts *= random.random((EP, EXPERTS)) < 0.3
    if kind == "hot":
        counts = np.where(np.arange(EXPERTS) == random.integers(EXPERTS),
                          random.integers(0, 12, (EP, 1)), 0)
    if kind == "idle rank":
        counts[random.integers(EP)] = 0
    if kind == "one rank":
        counts *= np.arange(EXPERTS) // (EXPERTS // EP) == random.integers(EP)
    return counts.astype(np.int32)


def write_form(tmp, name, form):
    """Writes a program in a variant, with 8-bit tokens before it is chunked and
    scheduled."""
    passes = list(FORMS[form][0])
    if name == "eights":
        late = [i for i, word in enumerate(passes)
                if word.startswith(("--moe-pipeline", "--moe-schedule"))]
        passes.insert(late[0] if late else len(passes), QUANTIZE)
    base = "train" if name == "eights" else name
    run("moe-opt", f"{tmp}.{base}.mlir", *passes, "-o",
        f"{tmp}.{name}.{form}.mlir")


def get_reference(tmp, name, form):
    """The reference of a variant, and the tolerance per layer, for layers that
    follow others; None if it is equal bit for bit."""
    if name == "eights" and form in ONCE:
        # A sum in another order may round to the next 8-bit float.
        if form == "nodes":
            return f"{tmp}.eights.mlir", "0.1"
        return f"{tmp}.eights.nodes.mlir", "1e-5"
    one = f"{tmp}.{name}.mlir"
    if form in ONCE:
        return one, "1e-4"
    # Sums over the tokens of a chunk are in another order.
    sums = name in ("train", "joined", "eights") and form in CHUNKED
    return one, "1e-5" if sums else None


def import_model(config, phase, tmp, layers, joined=False):
    """A model with its gates' choices and weights as arguments; returns their
    numbers."""
    shared = ["--esp=2", "--sequence-parallel"] if joined else []
    axes = '"dp", "ep", "tp"' if joined else '"dp", "ep"'
    name_of = "joined" if joined else phase
    text = run("moe-translate", "--import-hf-config", config, "--micro-batch=1",
               f"--seq-len={TOKENS * (TP if joined else 1)}", *shared,
               "--hidden-size=4", "--expert-ffn-size=4",
               f"--num-experts={EXPERTS}", f"--top-k={TOP_K}", "--dtype=f32",
               f"--layers={layers}", "--routing=dropless", f"--ep={EP}",
               f"--tp={TP}", f"--phase={phase}")
    head, *parts = re.split(r"(?=moe\.layer )", text)
    first = len(re.findall(r"%arg\d+: ", head))
    gate = re.compile(r"^ *(%\w+), (%\w+) = moe\.gate .* -> (.*), (.*)\n", re.M)
    arguments, ids = "", []
    for i, part in enumerate(parts):
        found = gate.search(part)
        if not found:
            continue
        part = gate.sub("", part)
        for name, type in zip(found.groups()[:2], found.groups()[2:]):
            if "i32" in type:
                ids.append(first)
            part = re.sub(name + r"\b", f"%arg{first}", part)
            arguments += f", %arg{first}: {type} {{moe.varying = [{axes}]}}"
            first += 1
        parts[i] = part
    head = head.replace(") -> (", arguments + ") -> (", 1)
    if ") -> (" not in head:
        head = head.replace(") -> ", arguments + ") -> ", 1)
    with open(f"{tmp}.{name_of}.mlir", "w") as file:
        file.write(head + "".join(parts))
    return ids


def write_exchanges(tmp, layers):
    """Dispatch, experts and combine by counts that are arguments."""
    rows, limit, own = 40, 160, EXPERTS // EP
    x, r = f"tensor<{rows}x4xf32>", f"tensor<{limit}x4xf32>"
    w, h = f"tensor<{own}x4x4xf32>", f"tensor<{EP}x{own}xi32>"
    all, v = f"tensor<{EP}x{EXPERTS}xi32>", f"tensor<{EP}xi32>"
    ep = '<@mesh, ["ep"]>'
    body, value = "", "%x"
    for i in range(layers):
        body += f"""  %l{i} = moe.layer "{i}" phase "fwd" {{
    %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %c{i} on {ep} limit {limit} : {all} -> {v}, {h}
    %e = tensor.empty() : {r}
    %in = moe.ragged_all_to_all {value} into %e on {ep} send(%so, %ss) recv(%ro, %rs) : {x}, {v} -> {r}
    %y = moe.experts gpt %in runs(%po, %ps : {h}), %a, %b : {r}, {w}, {w} -> {r}
    %s = moe.all_reduce %y on <@mesh, ["tp"]> : {r}
    %z = arith.constant dense<0.0> : {x}
    %o = moe.ragged_all_to_all %s into %z on {ep} send(%ro, %rs) recv(%so, %ss) : {r}, {v} -> {x}
    moe.yield %o : {x}
  }} : {x}
  %v{i} = arith.addf {value}, %l{i} : {x}
"""
        value = f"%v{i}"
    counts = ", ".join(f"%c{i}: {all} {{moe.varying = []}}"
                       for i in range(layers))
    with open(f"{tmp}.alone.mlir", "w") as file:
        file.write(f"""moe.mesh @mesh axes ["ep", "tp"] shape [{EP}, {TP}]
func.func @main({counts}, %x: {x} {{moe.varying = ["ep"]}}, %a: {w} {{moe.varying = ["ep", "tp"]}}, %b: {w} {{moe.varying = ["ep", "tp"]}}) -> {x} {{
{body}  return {value} : {x}
}}
""")
    return list(range(layers))


def draw_inputs(random, name, numbers, tmp, drawn):
    """Options of moe-run for a batch of matrices, one layer each in sequence.
    Options of moe-run for a batch of matrices, one layer each in sequence."""
    kinds = ["hot", "one rank", "zipf", "even"]
    if name == "fwd":
        # A gate's gradient depends on choices.
        kinds = ["idle rank", "none", "some", *kinds]
    elif name == "alone":
        kinds = ["idle rank", "zeros", "sparse", *kinds]
    inputs = []
    for i, number in enumerate(numbers):
        kind = kinds[(drawn + i) % len(kinds)]
        if name == "alone":
            value = draw_counts(random, kind)
        elif name == "joined":
            value = draw_choices(random, kind, EP * TP)
        else:
            value = np.repeat(draw_choices(random, kind, EP), TP, axis=0)
        path = f"{tmp}.{i}.npy"
        np.save(path, value)
        inputs.append(f"--input={number}={path}")
    return inputs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("config")
    parser.add_argument("tmp")
    parser.add_argument("matrices", type=int)
    parser.add_argument("--layers", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--mpirun", type=str.split)
    parser.add_argument("--form", action="append", choices=list(FORMS))
    arguments = parser.parse_args()
    config, tmp, layers = arguments.config, arguments.tmp, arguments.layers
    random = np.random.default_rng(arguments.seed)
    # The variants to test for a program; drawing inputs for none is useless.
    wanted = set(arguments.form or FORMS)
    forms_of = {name: [form for form in forms if form in wanted]
                for name, forms in PROGRAMS.items()}
    programs = {"fwd": import_model(config, "fwd", tmp, layers),
                "train": import_model(config, "train", tmp, layers),
                "joined": import_model(config, "train", tmp, layers,
                                       joined=True),
                "alone": write_exchanges(tmp, layers)}
    programs["eights"] = programs["train"]
    run("moe-opt", f"{tmp}.train.mlir", QUANTIZE, "-o", f"{tmp}.eights.mlir")
    programs = {name: ids for name, ids in programs.items() if forms_of[name]}
    for name in programs:
        for form in forms_of[name]:
            write_form(tmp, name, form)
    backends = [([], "host")]
    if arguments.mpirun:
        backends.append(([*arguments.mpirun, str(EP * TP)], "mpi"))
    drawn = compared = executed = 0
    for batch in range(-(-arguments.matrices // layers)):
        for name, numbers in programs.items():
            data = [*draw_inputs(random, name, numbers, tmp, batch * layers),
                    f"--seed={batch}", "--magnitude=0.5"]
            drawn += len(numbers)
            for form in forms_of[name]:
                made = f"{tmp}.{name}.{form}.mlir"
                reference, tolerance = get_reference(tmp, name, form)
                # Gradients that many layers make smaller than normal floats
                # have fewer digits.
                close = [f"--tolerance={tolerance},1e-36"] if tolerance else []
                run("moe-run", made, f"--against={reference}", *close, *data)
                compared += len(numbers)
                if not FORMS[form][1] or batch % arguments.every:
                    continue
                for launcher, backend in backends:
                    run(*launcher, "moe-run", made, f"--backend={backend}",
                        "--against-backend=interp", *data)
                    executed += len(numbers)
    print(f"{drawn} matrices in {len(wanted)} forms: {compared} layers compared, "
          f"{executed} executed, no difference")


main()
