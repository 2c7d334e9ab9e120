#!/usr/bin/env python3
"""Compares gates, orderings and mixes with references written in NumPy.

  gates.py CASE

Writes programs of constants, runs them with `moe-run --print-values` and
compares: integers must be equal, floats must agree within one unit in the last
place of f32, and NaN must match NaN. The references share no code with the
interpreter; the noise comes from NumPy's own Philox. TMP is a prefix for files;
requires moe-run in PATH.
"""
import os
import re
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("gates.py: expected NumPy (python3-numpy), found none in "
             + sys.executable)

NAN, INF = float("nan"), float("inf")


# --- Programs ----------------------------------------------------------------


def text(values):
    """A dense literal of f32, or of integers."""
    array = np.asarray(values)
    if array.ndim:
        return "[" + ", ".join(text(row) for row in array) + "]"
    if array.dtype.kind != "f":
        return str(int(array))
    return "0x%08X" % struct.unpack("<I", struct.pack("<f", float(array)))[0]


def mlir_type(array, element=None):
    element = element or ("f32" if array.dtype.kind == "f" else "i32")
    return "tensor<" + "".join(f"{d}x" for d in array.shape) + element + ">"


def run(operands, lines, results):
    """Executes `lines` on the named arrays; the arrays named `results`."""
    body = []
    for name, array in operands.items():
        if np.ndim(array) == 0:
            body.append(f"%{name} = arith.constant {int(array)} : i64")
            continue
        # An empty array has no elements to list.
        literal = text(array) if array.size else ""
        body.append(f"%{name} = arith.constant dense<{literal}> : "
                    f"{mlir_type(array)}")
    names = ", ".join("%" + name for name, _ in results)
    types = ", ".join(type for _, type in results)
    program = ("func.func @main() -> (" + types + ") {\n  "
               + "\n  ".join(body + [lines, f"return {names} : {types}"])
               + "\n}\n")
    path = os.environ["TMP"] + ".mlir"
    with open(path, "w") as file:
        file.write(program)
    done = subprocess.run(["moe-run", path, "--print-values"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"moe-run failed on\n{program}\n{done.stderr}")
    arrays = []
    for part in re.split(r"result \d+: ", done.stdout)[1:]:
        type, rest = part.split("\n", 1)
        shape = [int(d) for d in re.findall(r"(\d+)x", type)]
        values = rest.split("\n", 1)[1] if "\n" in rest else ""
        numbers = re.findall(r"-?(?:nan|inf|[0-9][-+.e0-9]*)",
                             values.lower())
        dtype = np.float64 if "f" in type.split("x")[-1] else np.int64
        arrays.append(np.array([dtype(n) for n in numbers],
                               dtype).reshape(shape))
    return arrays, program


def check(what, got, expected, program):
    got, expected = np.asarray(got), np.asarray(expected)
    if got.shape != expected.shape:
        sys.exit(f"{what}: shape {got.shape}, expected {expected.shape}")
    if expected.dtype.kind == "f":
        ulp = np.spacing(np.abs(expected).astype(np.float32)).astype(float)
        with np.errstate(invalid="ignore"):
            same = (np.abs(got - expected) <= ulp) | (got == expected)
        same |= np.isnan(got) & np.isnan(expected)
    else:
        same = got == expected
    if not np.all(same):
        at = tuple(np.argwhere(~same)[0])
        sys.exit(f"{what}{list(at)}: got {got[at]}, expected {expected[at]}\n"
                 f"{program}")


# --- References --------------------------------------------------------------


def softmax(values, axis):
    with np.errstate(invalid="ignore", over="ignore"):
        finite = np.where(np.isnan(values), -INF, values)
        top = np.max(finite, axis=axis, keepdims=True)
        powers = np.exp(values - top)
        return powers / np.sum(powers, axis=axis, keepdims=True)


def best(scores, count):
    """Indices of the best scores along the last axis, best first."""
    isnan = np.isnan(scores)
    numbers = np.broadcast_to(np.arange(scores.shape[-1]), scores.shape)
    keys = np.where(isnan, 0.0, -scores)
    return np.lexsort((numbers, keys, isnan), axis=-1)[..., :count]


def words(seed, stream, token, other):
    """The first two words of Philox4x64-10 at a counter."""
    mask = (1 << 64) - 1
    counter = (token | other << 64) - 1 & (1 << 256) - 1
    generator = np.random.Philox(
        counter=np.array([counter >> 64 * i & mask for i in range(4)],
                         np.uint64),
        key=np.array([seed & mask, stream], np.uint64))
    return [int(w) for w in generator.random_raw(2)]


def normal(seed, token, expert):
    first, second = words(seed, 0, token, expert)
    u = ((first >> 11) + 0.5) / 2.0**53
    v = (second >> 11) / 2.0**53
    return np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)


def choose(scores, weights, k):
    ids = best(scores, k)
    return ids, np.take_along_axis(weights, ids, axis=-1)


def product(x, w):
    with np.errstate(invalid="ignore", over="ignore"):
        return np.tensordot(x.astype(float), w.astype(float), axes=1)


def softmax_gate(x, r, k, normalize=False):
    p = softmax(product(x, r), 1)
    ids, w = choose(p, p, k)
    return ids, w / w.sum(axis=1, keepdims=True) if normalize else w


def sigmoid_gate(x, r, k):
    with np.errstate(over="ignore"):
        p = 1 / (1 + np.exp(-product(x, r)))
    return choose(p, p, k)


def sqrtsoftplus_gate(x, r, k):
    with np.errstate(over="ignore", invalid="ignore"):
        p = np.sqrt(np.logaddexp(0, product(x, r)))
    return choose(p, p, k)


def switch_gate(x, r, jitter=None, seed=None):
    x = x.astype(float)
    if jitter:
        u = np.array([[(words(seed, 1, s, m)[0] >> 11) / 2.0**53
                       for m in range(x.shape[1])] for s in range(len(x))])
        x = x * (1 + jitter * (2 * u - 1))
    return softmax_gate(x, r, 1)


def gshard_gate(x, r, k, noise=None, seed=None):
    h = product(x, r)
    if noise is not None:
        n = np.array([[normal(seed, s, e) for e in range(h.shape[1])]
                      for s in range(len(h))])
        with np.errstate(invalid="ignore"):
            h = h + n * np.logaddexp(0, product(x, noise))
    ids = best(h, k)
    return ids, softmax(np.take_along_axis(h, ids, axis=1), 1)


def xmoe_gate(x, r, p, k, temperature, normalize=False):
    y = product(x, p)
    lengths = np.linalg.norm(y, axis=1)[:, None] * np.linalg.norm(
        r.astype(float), axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = np.where(lengths == 0, 0, product(y, r) / lengths)
    scores = softmax(cosine / temperature, 1)
    ids, w = choose(scores, scores, k)
    return ids, w / w.sum(axis=1, keepdims=True) if normalize else w


def expert_choice(x, r, capacity, over):
    logits = product(x, r)
    scores = (softmax(logits, 1) if over == "experts" else logits).T
    took = best(scores, capacity)
    weights = np.take_along_axis(scores, took, axis=1)
    if over == "tokens" and took.size:
        weights = softmax(weights, 1)
    slots = np.full(logits.shape, -1)
    dense = np.zeros(logits.shape)
    for e, tokens in enumerate(took):
        for c, s in enumerate(tokens):
            slots[s, e], dense[s, e] = e * capacity + c, weights[e, c]
    return slots, dense


def place(ids, experts, capacity, kind):
    """Slots of assignments."""
    slots = np.full(ids.shape, -1)
    used = [0] * experts
    copies = [(s, j) for s in range(ids.shape[0]) for j in range(ids.shape[1])]
    if kind == "choice":
        copies.sort(key=lambda copy: (copy[1], copy[0]))
    for s, j in copies:
        e = ids[s, j]
        if used[e] < capacity:
            slots[s, j] = e * capacity + used[e]
            used[e] += 1
    return slots


# --- Cases -------------------------------------------------------------------

rng = np.random.default_rng(20)


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def gate_lines(kind, operands, k, extra=""):
    x, r = operands["x"], operands["r"]
    return (f"%i, %w = moe.gate {kind} %x, %r {extra} : {mlir_type(x)}, "
            f"{mlir_type(r)} -> tensor<{len(x)}x{k}xi32>, "
            f"tensor<{len(x)}x{k}xf32>")


def compare_gate(what, kind, operands, k, extra, reference):
    s = len(operands["x"])
    (ids, weights), program = run(
        operands, gate_lines(kind, operands, k, extra),
        [("i", f"tensor<{s}x{k}xi32>"), ("w", f"tensor<{s}x{k}xf32>")])
    check(what + " ids", ids, reference[0], program)
    check(what + " weights", weights, reference[1], program)


def inputs():
    """Tokens and routers: random ones, ties, and numbers that are not finite.
    Tokens and routers: random ones, ties, and numbers that are not finite."""
    yield "random", floats(9, 6), floats(6, 5)
    # Small integers: sums are exact in any order, and many are equal.
    yield ("ties", rng.integers(-1, 2, (12, 3)).astype(np.float32),
           rng.integers(-1, 2, (3, 6)).astype(np.float32))
    yield ("all equal", np.zeros((4, 3), np.float32), floats(3, 4))
    # The router is the identity: logits are the tokens.
    special = np.array([[0, NAN, 1, 2], [NAN] * 4, [INF, 0, 1, 2],
                        [-INF, 0, 1, 2], [-INF] * 4, [INF, INF, 0, -INF],
                        [INF, -INF, NAN, 0], [3, 1, 3, 3]], np.float32)
    yield "special", special, None


def special_router(what, x, r):
    """A router that keeps infinite logits apart. Because 0 times infinity is
    NaN, each special token has a separate program, through one hidden
    element."""
    if r is not None:
        yield what, x, r
        return
    for n, logits in enumerate(x):
        yield f"{what} {n}", np.ones((1, 1), np.float32), logits[None, :]


def cases():
    for case in inputs():
        yield from special_router(*case)


def test_softmax():
    for what, x, r in cases():
        for k in {1, 2, r.shape[1]}:
            compare_gate(f"softmax {what}", "softmax", {"x": x, "r": r}, k,
                         f"top_k {k}", softmax_gate(x, r, k))
            compare_gate(f"normalized {what}", "softmax", {"x": x, "r": r}, k,
                         f"top_k {k} {{normalize}}",
                         softmax_gate(x, r, k, True))


def test_sigmoid():
    for what, x, r in cases():
        for k in {1, 2, r.shape[1]}:
            compare_gate(f"sigmoid {what}", "sigmoid", {"x": x, "r": r}, k,
                         f"top_k {k}", sigmoid_gate(x, r, k))


def test_sqrtsoftplus():
    for what, x, r in cases():
        for k in {1, 2, r.shape[1]}:
            compare_gate(f"sqrtsoftplus {what}", "sqrtsoftplus",
                         {"x": x, "r": r}, k, f"top_k {k}",
                         sqrtsoftplus_gate(x, r, k))


def test_switch():
    for what, x, r in cases():
        compare_gate(f"switch {what}", "switch", {"x": x, "r": r}, 1,
                     "top_k 1", switch_gate(x, r))
    x, r = floats(9, 6), floats(6, 5)
    ids = set()
    for seed in (0, 1, -1, 1 << 62):
        for jitter in (0.01, 0.99):
            expected = switch_gate(x, r, jitter, seed)
            ids.add(expected[0].tobytes())
            compare_gate(f"jitter {jitter} {seed}", "switch",
                         {"x": x, "r": r, "seed": np.int64(seed)}, 1,
                         f"jitter {jitter:.17e} seed %seed top_k 1", expected)
    if len(ids) < 2:
        sys.exit("no jitter changed a choice")


def test_gshard():
    for what, x, r in cases():
        for k in {1, 2, r.shape[1]}:
            compare_gate(f"gshard {what}", "gshard", {"x": x, "r": r}, k,
                         f"top_k {k}", gshard_gate(x, r, k))
    x, r, n = floats(9, 6), floats(6, 5), 3 * floats(6, 5)
    ids = set()
    for seed in (0, 1, -1, 1 << 62):
        for k in (1, 2, 5):
            expected = gshard_gate(x, r, k, n, seed)
            ids.add(expected[0].tobytes())
            compare_gate(f"noise {seed} {k}", "gshard",
                         {"x": x, "r": r, "n": n, "seed": np.int64(seed)}, k,
                         f"noise %n : {mlir_type(n)} seed %seed top_k {k}",
                         expected)
    if len(ids) < 10:
        sys.exit("noise of other seeds chose alike")
    # A huge scale of the noise, one that vanishes, and one that is NaN.
    x, r = np.ones((1, 1), np.float32), floats(1, 3)
    for scale in (1e30, -1e30, INF, -INF, NAN):
        n = np.full((1, 3), scale, np.float32)
        compare_gate(f"noise of scale {scale}", "gshard",
                     {"x": x, "r": r, "n": n, "seed": np.int64(5)}, 2,
                     f"noise %n : {mlir_type(n)} seed %seed top_k 2",
                     gshard_gate(x, r, 2, n, 5))


def test_xmoe():
    for what, x, r in cases():
        # The router's columns have as many elements as the projection gives.
        d = r.shape[0]
        p = np.eye(x.shape[1], d, dtype=np.float32)
        if what == "random":
            p = floats(x.shape[1], d)
        for k in {1, 2, r.shape[1]}:
            for normalize in (False, True):
                compare_gate(
                    f"xmoe {what}", "xmoe", {"x": x, "r": r, "p": p}, k,
                    f"projection %p : {mlir_type(p)} temperature 7.0e-2 "
                    f"top_k {k}" + (" {normalize}" if normalize else ""),
                    xmoe_gate(x, r, p, k, 0.07, normalize))


def test_expert_choice():
    for what, x, r in inputs():
        # Here tokens compete, so all special logits are in one program. A
        # token's own hidden element is 1, so that no infinity meets a 0.
        runs = [(what, x, r)]
        if r is None:
            runs = [(what + " columns", np.ones((1, 1), np.float32), x[:1, :]),
                    (what + " rows", x[:, :1], np.ones((1, 2), np.float32))]
            runs += [(f"{what} column {c}", x[:, c:c + 1],
                      np.ones((1, 1), np.float32)) for c in range(4)]
        for name, tokens, router in runs:
            s, e = len(tokens), router.shape[1]
            for over in ("experts", "tokens"):
                # None, one, some, all, and more than there are.
                for capacity in (0, 1, 3, s, s + 2):
                    type = f"tensor<{s}x{e}x"
                    (slots, weights), program = run(
                        {"x": tokens, "r": router},
                        f"%s, %w = moe.expert_choice over {over} %x, %r "
                        f"capacity {capacity} : {mlir_type(tokens)}, "
                        f"{mlir_type(router)} -> {type}i32>, {type}f32>",
                        [("s", type + "i32>"), ("w", type + "f32>")])
                    expected = expert_choice(tokens, router, capacity, over)
                    label = f"{name} over {over} capacity {capacity} "
                    check(label + "slots", slots, expected[0], program)
                    check(label + "weights", weights, expected[1], program)


def test_softmoe():
    for s, e, c in ((5, 3, 2), (1, 1, 1), (4, 2, 0), (0, 2, 3), (7, 4, 1)):
        for special in (None, NAN, INF, -INF):
            x, r = floats(s, 6), floats(6, e, c)
            if special is not None and x.size and r.size:
                # One logit, of the last token and slot, through an element
                # that is 0 for all others but infinite for none.
                x[:, 0], r[0] = 1, 0
                r[0, -1, -1] = special
            logits = product(x, r)
            dispatch = (softmax(logits, 0) if s else logits)
            combine = (softmax(logits.reshape(s, e * c), 1).reshape(s, e, c)
                       if s and e * c else logits)
            weights = f"tensor<{s}x{e}x{c}xf32>"
            buffer = f"tensor<1x{e}x{c}x6xf32>"
            got, program = run(
                {"x": x, "r": r},
                f"%d, %k = moe.soft_gate %x, %r : {mlir_type(x)}, "
                f"{mlir_type(r)} -> {weights}, {weights}\n  "
                f"%b = moe.soft_permute %x by %d : {mlir_type(x)}, {weights} "
                f"-> {buffer}\n  %y = moe.soft_unpermute %b by %k : {buffer}, "
                f"{weights} -> {mlir_type(x)}",
                [("d", weights), ("k", weights), ("b", buffer),
                 ("y", mlir_type(x))])
            label = f"softmoe {s} {e} {c} {special} "
            check(label + "dispatch", got[0], dispatch, program)
            check(label + "combine", got[1], combine, program)
            # Uses the printed weights: f32 numbers, exactly.
            f32 = [g.astype(np.float32).astype(float) for g in got]
            with np.errstate(invalid="ignore"):
                mixed = np.einsum("sec,sm->ecm", f32[0], x.astype(float))
                back = np.einsum("sec,ecm->sm", f32[1], f32[2][0])
            check_sum(label + "buffer", got[2][0], mixed, program)
            check_sum(label + "result", got[3], back, program)


def check_sum(what, got, expected, program):
    """NumPy may add in another order: sums that cancel have more error."""
    same = np.isclose(got, expected, rtol=3e-7, atol=1e-9, equal_nan=True)
    if not np.all(same):
        at = tuple(np.argwhere(~same)[0])
        sys.exit(f"{what}{list(at)}: got {got[at]}, expected {expected[at]}\n"
                 f"{program}")


def test_orderings():
    for s, k, e, c in ((7, 2, 4, 3), (7, 2, 4, 1), (6, 3, 3, 6), (5, 1, 2, 0),
                       (0, 2, 4, 2)):
        x = floats(s, 4)
        w = floats(s, k)
        ids = np.array([rng.permutation(e)[:k] for _ in range(s)],
                       np.int32).reshape(s, k)
        for kind in ("choice", "token"):
            slots = place(ids, e, c, kind)
            onehot = np.zeros((s, k, e * c))
            for a in range(s):
                for j in range(k):
                    if slots[a, j] >= 0:
                        onehot[a, j, slots[a, j]] = 1
            buffer = np.einsum("skp,sm->pm", onehot, x.astype(float))
            back = np.einsum("skp,sk,pm->sm", onehot, w.astype(float), buffer)
            outputs = []
            for ordering in ("sparse", "einsum"):
                b, i = f"tensor<{e}x{c}x4xf32>", f"tensor<{s}x{k}xi32>"
                got, program = run(
                    {"x": x, "ids": ids, "w": w},
                    f"%b, %s = moe.permute {kind} %x by %ids ordering {ordering}"
                    f" : {mlir_type(x)}, {i} -> {b}, {i}\n  "
                    f"%y = moe.unpermute %b by %s weights %w ordering {ordering}"
                    f" : {b}, {i}, {mlir_type(w)} -> {mlir_type(x)}",
                    [("b", b), ("s", i), ("y", mlir_type(x))])
                label = f"{kind} {ordering} {s} {k} {e} {c} "
                check(label + "slots", got[1], slots, program)
                check(label + "buffer", got[0], buffer.reshape(e, c, 4),
                      program)
                check_sum(label + "result", got[2], back, program)
                outputs.append([g.tobytes() for g in got])
            if outputs[0] != outputs[1]:
                sys.exit(f"{kind}: the two orderings differ")


def main():
    globals()["test_" + sys.argv[1]]()
    print(sys.argv[1], "agrees")


main()
