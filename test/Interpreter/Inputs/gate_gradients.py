#!/usr/bin/env python3
"""Compares the gradients of gates with references written in NumPy.

  gate_gradients.py gates|mixes

The references are Jacobians of the softmax, written out and multiplied, and
share no formula with the interpreter. Each gradient is also compared with
differences: `moe-run` evaluates the gate itself, in 64-bit floats, at tokens
and parameters moved both ways along random directions, and the change of
`sum dw * w` must be what the gradients say. TMP is a prefix for files; needs
moe-run in PATH.
"""
import os
import re
import subprocess
import sys

import numpy as np

rng = np.random.default_rng(13)
STEP = 1e-5


def floats(*shape):
    # Numbers that print exactly in few digits.
    return rng.integers(-64, 65, shape) / 32.0


def text(array):
    array = np.asarray(array)
    if array.ndim:
        return "[" + ", ".join(text(row) for row in array) + "]"
    if array.dtype.kind != "f":
        return str(int(array))
    # MLIR reads 2.0e-05, and not 2e-05.
    number, _, power = repr(float(array)).partition("e")
    return (number + (".0" if power and "." not in number else "")
            + (f"e{power}" if power else ""))


def type_of(array):
    return ("tensor<" + "".join(f"{d}x" for d in array.shape)
            + ("f64>" if array.dtype.kind == "f" else "i64>"))


def run_all(variants, lines, results):
    """For each of several dictionaries of arrays, the arrays `results` of
    `lines` on them, all in one program."""
    body, names, types = [], [], []
    for i, operands in enumerate(variants):
        for name, value in operands.items():
            if np.ndim(value) == 0:
                body.append(f"%{name}_{i} = arith.constant {int(value)} : i64")
            else:
                body.append(f"%{name}_{i} = arith.constant dense<"
                            f"{text(value)}> : {type_of(value)}")
        body += [re.sub(r"%(\w+)", rf"%\1_{i}", line) for line in lines]
        names += [re.sub(r"^(\w+)", rf"%\1_{i}", name) for name, _ in results]
        types += [type for _, type in results]
    types = ", ".join(types)
    program = (f"func.func @main() -> ({types}) {{\n  "
               + "\n  ".join(body + [f"return {', '.join(names)} : {types}"])
               + "\n}\n")
    path = os.environ["TMP"] + ".mlir"
    folder = os.environ["TMP"] + ".out"
    with open(path, "w") as file:
        file.write(program)
    done = subprocess.run(["moe-run", path, "--output=" + folder],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"moe-run failed on\n{program}\n{done.stderr}")
    # The first dim is the only rank.
    got = [np.load(os.path.join(folder, f"result{i}.npy"))[0]
           for i in range(len(names))]
    count = len(results)
    return [got[i:i + count] for i in range(0, len(got), count)], program


def run(operands, lines, results):
    got, program = run_all([operands], lines, results)
    return got[0], program


def check(what, got, expected, program, tolerance):
    scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
    error = float(np.max(np.abs(got - expected), initial=0.0)) / scale
    if not error <= tolerance:
        sys.exit(f"{what}: off by {error}: got\n{got}\nexpected\n{expected}\n"
                 f"{program}")


def softmax(values):
    powers = np.exp(values - np.max(values))
    return powers / np.sum(powers)


def jacobian(p):
    """d softmax[i] / d logit[j]."""
    return np.diag(p) - np.outer(p, p)


# --- moe.gate ----------------------------------------------------------------


def words(seed, stream, token, other):
    mask = (1 << 64) - 1
    counter = (token | other << 64) - 1 & (1 << 256) - 1
    generator = np.random.Philox(
        counter=np.array([counter >> 64 * i & mask for i in range(4)],
                         np.uint64),
        key=np.array([int(seed) & mask, stream], np.uint64))
    return [int(w) for w in generator.random_raw(2)]


def normal(seed, token, expert):
    first, second = words(seed, 0, token, expert)
    u = ((first >> 11) + 0.5) / 2.0**53
    return np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * (second >> 11) / 2**53)


def uniform(seed, token, element):
    return (words(seed, 1, token, element)[0] >> 11) / 2.0**53


def gate_reference(kind, o, k, ids, normalize, scale, jitter, temperature):
    """Gradients of x, r and further parameters, token by token."""
    x, r, dw = o["x"], o["r"], o["dw"]
    grads = {name: np.zeros_like(o[name]) for name in "xrnp" if name in o}
    for s, chosen in enumerate(ids):
        row, factors = x[s], np.ones(x.shape[1])
        if jitter:
            factors = np.array([1 + jitter * (2 * uniform(o["seed"], s, m) - 1)
                                for m in range(x.shape[1])])
            row = row * factors
        if kind == "xmoe":
            q = row @ o["p"]
            lengths = np.linalg.norm(q) * np.linalg.norm(r, axis=0)
            logits = q @ r / lengths / temperature
        else:
            logits = row @ r
        if "n" in o:
            noise = np.array([normal(o["seed"], s, e)
                              for e in range(r.shape[1])])
            logits = logits + noise * np.logaddexp(0, row @ o["n"])
        experts = r.shape[1]
        pick = np.eye(experts)[chosen]
        # d weight[j] / d logit[e].
        if kind == "gshard":
            slope = jacobian(softmax(logits[chosen])) @ pick
        else:
            if kind == "sigmoid":
                p = 1 / (1 + np.exp(-logits))
                slope = pick @ np.diag(p * (1 - p))
            elif kind == "sqrtsoftplus":
                p = np.sqrt(np.logaddexp(0, logits))
                slope = pick @ np.diag(0.5 / p / (1 + np.exp(-logits)))
            else:
                p = softmax(logits)
                slope = pick @ jacobian(p)
            if normalize:
                own, total = p[chosen], p[chosen].sum()
                slope = (np.eye(k) / total
                         - np.outer(own, np.ones(k)) / total**2) @ slope
        dlogits = scale * dw[s] @ slope
        if kind == "xmoe":
            dq = np.zeros_like(q)
            for e in range(experts):
                a, b = np.linalg.norm(q), np.linalg.norm(r[:, e])
                cosine = q @ r[:, e] / (a * b)
                share = dlogits[e] / temperature
                dq += share * (r[:, e] / (a * b) - cosine * q / a**2)
                grads["r"][:, e] += share * (q / (a * b)
                                             - cosine * r[:, e] / b**2)
            grads["x"][s] = o["p"] @ dq
            grads["p"] += np.outer(row, dq)
            continue
        grads["r"] += np.outer(row, dlogits)
        drow = r @ dlogits
        if "n" in o:
            ds = dlogits * noise / (1 + np.exp(-(row @ o["n"])))
            grads["n"] += np.outer(row, ds)
            drow = drow + o["n"] @ ds
        grads["x"][s] = drow * factors
    return grads


def test_gate(what, kind, o, k, extra="", attributes="", jitter=None,
              temperature=None, normalize=False, scale=1.0):
    x, r = o["x"], o["r"]
    s = len(x)
    ids_type, w_type = f"tensor<{s}x{k}xi64>", f"tensor<{s}x{k}xf64>"
    gate = [f"%i, %w = moe.gate {kind} %x, %r {extra} top_k {k} {attributes} : "
            f"{type_of(x)}, {type_of(r)} -> {ids_type}, {w_type}"]
    further = "n" if "n" in o else "p" if "p" in o else None
    more = f" -> {type_of(o[further])}" if further else ""
    lines = gate + [f"%g:{3 if further else 2} = moe.gate_grad {kind} %x, %r "
                    f"by %i, %dw {extra} {attributes} : {type_of(x)}, "
                    f"{type_of(r)}, {ids_type}, {w_type}{more}"]
    names = ["x", "r"] + ([further] if further else [])
    results = [(f"g#{n}", type_of(o[name])) for n, name in enumerate(names)]
    got, program = run(o, lines, results + [("i", ids_type)])
    ids = got.pop()
    expected = gate_reference(kind, o, k, ids, normalize, scale, jitter,
                              temperature)
    for name, gradient in zip(names, got):
        check(f"{what} d{name}", gradient, expected[name], program, 1e-12)
    compare_with_differences(what, o, dict(zip(names, got)), gate,
                             [("w", w_type), ("i", ids_type)], o["dw"],
                             lambda i: np.array_equal(i, ids))


def compare_with_differences(what, o, gradients, lines, results, cotangent,
                             is_same=lambda choice: True):
    """`cotangent` belongs to the first of `results`. The second, if there is
    one, is a choice; if it differs, there is no derivative."""
    moves = [(name, floats(*o[name].shape))
             for name in gradients for _ in range(3)]
    moved = [{**o, name: o[name] + sign * STEP * direction}
             for name, direction in moves for sign in (1, -1)]
    got, _ = run_all(moved, lines, results)
    for i, (name, direction) in enumerate(moves):
        pair = got[2 * i:2 * i + 2]
        if not all(is_same(values[-1]) for values in pair):
            continue
        up, down = (np.sum(cotangent * values[0]) for values in pair)
        slope = (up - down) / (2 * STEP)
        said = float(np.sum(gradients[name] * direction))
        if abs(slope - said) > 1e-6 * max(1.0, abs(said)):
            sys.exit(f"{what} d{name}: a difference of {slope}, "
                     f"the gradient says {said}")
        compare_with_differences.count += 1


compare_with_differences.count = 0


def test_gates():
    for s, m, e in ((5, 3, 4), (1, 2, 3), (7, 4, 2)):
        for k in sorted({1, 2, e}):
            o = {"x": floats(s, m), "r": floats(m, e), "dw": floats(s, k)}
            for normalize in (False, True):
                flags = "{normalize, scale = 2.5}" if normalize else ""
                for kind in ("softmax", "sigmoid", "sqrtsoftplus"):
                    test_gate(f"{kind} {s} {k}", kind, o, k, "", flags,
                              normalize=normalize,
                              scale=2.5 if normalize else 1.0)
                p = floats(m, 3) + 1 / 64
                cosine = dict(o, p=p, r=floats(3, e) + 1 / 64)
                test_gate(f"xmoe {s} {k}", "xmoe", cosine, k,
                          f"projection %p : {type_of(p)} temperature 0.5",
                          flags, normalize=normalize, temperature=0.5,
                          scale=2.5 if normalize else 1.0)
            test_gate(f"gshard {s} {k}", "gshard", o, k, "", "{scale = 0.5}",
                      scale=0.5)
            n = floats(m, e)
            test_gate(f"noise {s} {k}", "gshard",
                      dict(o, n=n, seed=np.int64(-5)), k,
                      f"noise %n : {type_of(n)} seed %seed")
        o = {"x": floats(s, m), "r": floats(m, e), "dw": floats(s, 1)}
        test_gate(f"switch {s}", "switch", o, 1)
        test_gate(f"jitter {s}", "switch", dict(o, seed=np.int64(9)), 1,
                  "jitter 0.25 seed %seed", jitter=0.25)
    # A token and a column of length 0: the cosine is 0, and so are its
    # gradients.
    o = {"x": floats(2, 3), "r": floats(2, 3) + 1 / 64, "p": floats(3, 2),
         "dw": floats(2, 3)}
    o["x"][0], o["r"][:, 1] = 0, 0
    types = (type_of(o["x"]), type_of(o["r"]), "tensor<2x3xi64>",
             "tensor<2x3xf64>")
    got, program = run(
        o, [f"%i = arith.constant dense<[[0, 1, 2], [1, 0, 2]]> : {types[2]}",
            f"%g:3 = moe.gate_grad xmoe %x, %r by %i, %dw projection %p : "
            f"{type_of(o['p'])} temperature 0.5 : {', '.join(types)} -> "
            f"{type_of(o['p'])}"],
        [("g#0", types[0]), ("g#1", types[1]), ("g#2", type_of(o["p"]))])
    for name, gradient in zip("xrp", got):
        if not np.all(np.isfinite(gradient)):
            sys.exit(f"no length: d{name} is {gradient}\n{program}")
    check("no length, the token", got[0][0], np.zeros(3), program, 0)
    check("no length, the column", got[1][:, 1], np.zeros(2), program, 0)


# --- Mixes -------------------------------------------------------------------


def test_choice(s, m, e, capacity, over):
    o = {"x": floats(s, m), "r": floats(m, e), "dw": floats(s, e)}
    slots, weights = f"tensor<{s}x{e}xi64>", f"tensor<{s}x{e}xf64>"
    types = f"{type_of(o['x'])}, {type_of(o['r'])}"
    gate = [f"%s, %w = moe.expert_choice over {over} %x, %r capacity "
            f"{capacity} : {types} -> {slots}, {weights}"]
    got, program = run(
        o, gate + [f"%g:2 = moe.expert_choice_grad over {over} %x, %r by %s, "
                   f"%dw : {types}, {slots}, {weights}"],
        [("g#0", type_of(o["x"])), ("g#1", type_of(o["r"])), ("s", slots)])
    taken = got.pop() >= 0
    logits = o["x"] @ o["r"]
    dlogits = np.zeros_like(logits)
    if over == "experts":
        for row in range(s):
            dlogits[row] = (jacobian(softmax(logits[row]))
                            @ np.where(taken[row], o["dw"][row], 0))
    else:
        for column in range(e):
            own = taken[:, column]
            if own.any():
                dlogits[own, column] = (jacobian(softmax(logits[own, column]))
                                        @ o["dw"][own, column])
    what = f"choice over {over} {s} {e} {capacity}"
    check(what + " dx", got[0], dlogits @ o["r"].T, program, 1e-12)
    check(what + " drouter", got[1], o["x"].T @ dlogits, program, 1e-12)

    compare_with_differences(what, o, dict(zip("xr", got)), gate,
                             [("w", weights), ("s", slots)], o["dw"],
                             lambda s: np.array_equal(s >= 0, taken))


def test_soft(s, m, e, c):
    """A whole SoftMoE around experts that are the identity."""
    o = {"x": floats(s, m), "r": floats(m, e, c), "dy": floats(s, m)}
    weights, buffer = f"tensor<{s}x{e}x{c}xf64>", f"tensor<{e}x{c}x{m}xf64>"
    x, r = type_of(o["x"]), type_of(o["r"])
    layer = [f"%d, %k = moe.soft_gate %x, %r : {x}, {r} -> {weights}, "
             f"{weights}",
             f"%b = moe.soft_permute %x by %d : {x}, {weights} -> {buffer}",
             f"%y = moe.soft_unpermute %b by %k : {buffer}, {weights} -> {x}"]
    lines = layer + [
        f"%db = moe.soft_permute %dy by %k : {x}, {weights} -> {buffer}",
        f"%dk = moe.soft_wgrad %dy, %b : {x}, {buffer} -> {weights}",
        f"%dx0 = moe.soft_unpermute %db by %d : {buffer}, {weights} -> {x}",
        f"%dd = moe.soft_wgrad %x, %db : {x}, {buffer} -> {weights}",
        f"%g:2 = moe.soft_gate_grad %x, %r by %dd, %dk : {x}, {r}, "
        f"{weights}, {weights}",
        f"%dx = arith.addf %dx0, %g#0 : {x}"]
    got, program = run(o, lines, [("dx", x), ("g#1", r), ("dd", weights),
                                  ("dk", weights)])
    logits = np.tensordot(o["x"], o["r"], axes=1).reshape(s, e * c)
    d = np.apply_along_axis(softmax, 0, logits)
    k = np.apply_along_axis(softmax, 1, logits)
    b = d.T @ o["x"]
    db = k.T @ o["dy"]
    dd, dk = o["x"] @ db.T, o["dy"] @ b.T
    dlogits = np.zeros_like(logits)
    for slot in range(e * c):
        dlogits[:, slot] += jacobian(d[:, slot]) @ dd[:, slot]
    for row in range(s):
        dlogits[row] += jacobian(k[row]) @ dk[row]
    router = o["r"].reshape(m, e * c)
    what = f"soft {s} {e} {c}"
    check(what + " ddispatch", got[2].reshape(s, -1), dd, program, 1e-12)
    check(what + " dcombine", got[3].reshape(s, -1), dk, program, 1e-12)
    check(what + " dx", got[0], d @ db + dlogits @ router.T, program, 1e-12)
    check(what + " drouter", got[1].reshape(m, -1), o["x"].T @ dlogits,
          program, 1e-12)
    compare_with_differences(what, o, dict(zip("xr", got)), layer, [("y", x)],
                             o["dy"])


def test_mixes():
    for s, m, e in ((6, 3, 4), (1, 2, 2), (5, 4, 1)):
        for over in ("experts", "tokens"):
            for capacity in sorted({0, 1, 2, s, s + 2}):
                test_choice(s, m, e, capacity, over)
        for c in (1, 3):
            test_soft(s, m, e, c)


def main():
    globals()["test_" + sys.argv[1]]()
    if compare_with_differences.count < 50:
        sys.exit("expected 50 differences, got "
                 f"{compare_with_differences.count}")
    print(sys.argv[1], "agree,", compare_with_differences.count, "differences")


main()
