#!/usr/bin/env python3
"""Proves rewrites equal to their originals, and their wrong variants unequal.

  proofs.py rule NAME     the rule fires on its program on every mesh, and the
                          result is proved equal on terms and on values
  proofs.py refusal NAME  the pass rejects with the reason, and the same rewrite
                          done by force is unequal
  proofs.py strategy DECOMPOSITION-SCOPE-(pipeline|schedule)
                          a layer decomposed and cut into 1, 4, 6, 10 and three
                          uneven chunks is proved equal to the baseline
  proofs.py tokens (forward|training)[-drop][-schedule]
                          a dropless layer, cut along its tokens, even and
                          uneven, is proved equal to the baseline

Requires moe-opt and moe-run in PATH; TMP is a prefix for files.
"""
import os
import re
import subprocess
import sys

MESHES = [(2, 2), (4, 2), (2, 8), (3, 5)]


def module(e, t, args, body, result, mesh=None):
    """A module with one function; args are (name, type, varying axes)."""
    mesh = mesh or f'axes ["ep", "tp"] shape [{e}, {t}]'
    text = ", ".join(
        f"%{name}: {type} {{moe.varying = ["
        + ", ".join(f'"{a}"' for a in axes)
        + "]}"
        for name, type, axes in args
    )
    lines = "\n".join("  " + line.strip() for line in body.strip().splitlines())
    return (
        f"moe.mesh @mesh {mesh}\n"
        f"func.func @main({text}) -> {result} {{\n{lines}\n"
        f"  return %r : {result}\n}}\n"
    )


def T(*shape):
    return "tensor<" + "x".join(map(str, shape)) + "xf32>"


EP, TP = '<@mesh, ["ep"]>', '<@mesh, ["tp"]>'
BOTH = ["ep", "tp"]


def a2a(r, x, type, group=EP, dim=0):
    return f"%{r} = moe.all_to_all %{x} on {group} split {dim} concat {dim} : {type} -> {type}"


def op(r, name, x, group, dim, a, b):
    return f"%{r} = moe.{name} %{x} on {group} dim {dim} : {a} -> {b}"


def ragged_plan(e, rows, received):
    """Rows that a rank of ep sends to each place: j + 1 to place j, and one
    more from even places; offsets and sizes of both sides, computed alike on
    every rank. Requires `rows` and `received` large enough."""
    v, i = f"tensor<{e}xi32>", f"tensor<{e}x{e}xi32>"
    send = [[(a * 5 + b * 3) % 4 if a != b + 1 else 0 for b in range(e)]
            for a in range(e)]
    def table(rows_of):
        return "dense<[" + ", ".join(str(r) for r in rows_of) + f"]> : {i}"
    def before(sizes):
        return [sum(sizes[:n]) for n in range(len(sizes))]
    receive = [[send[a][b] for a in range(e)] for b in range(e)]
    assert max(map(sum, send)) <= rows and max(map(sum, receive)) <= received
    tables = {"so": [before(r) for r in send], "ss": send,
              "ro": [before(r) for r in receive], "rs": receive}
    lines = [f"%place = moe.group_rank on {EP} : index"]
    for name, values in tables.items():
        lines.append(f"%t{name} = arith.constant {table(values)}")
        lines.append(
            f"%{name} = tensor.extract_slice %t{name}[%place, 0] [1, {e}] "
            f"[1, 1] : {i} to {v}")
    return "\n".join(lines)


def ragged(r, x, init, a, b, e, back=False):
    runs = ("send(%ro, %rs) recv(%so, %ss)" if back
            else "send(%so, %ss) recv(%ro, %rs)")
    return (f"%{r} = moe.ragged_all_to_all %{x} into %{init} on {EP} {runs} : "
            f"{a}, tensor<{e}xi32> -> {b}")


# --- Programs on which each rule must fire -------------------------------


def deduplicate(e, t):
    x = T(e, 3, 5 * t, 7)
    yield module(e, t, [("x", x, ["ep"])], a2a("r", "x", x), x)
    # Only the hidden dim divides.
    x = T(e, 3, 5 * t + 1, 3 * t)
    yield module(e, t, [("x", x, ["ep"])], a2a("r", "x", x), x)
    # Split and concat dims differ.
    x, r = T(2 * e, 3, 5 * t, 7), T(2, 3 * e, 5 * t, 7)
    yield module(
        e, t, [("x", x, ["ep"])],
        f"%r = moe.all_to_all %x on {EP} split 0 concat 1 : {x} -> {r}", r)
    # Rows of uneven runs, into an existing buffer and into an empty one.
    x, z = T(4 * e, 7 * t), T(4 * e + 1, 7 * t)
    yield module(
        e, t, [("x", x, ["ep"]), ("z", z, ["ep"])],
        ragged_plan(e, 4 * e, 4 * e) + "\n" + ragged("r", "x", "z", x, z, e),
        z)
    yield module(
        e, t, [("x", x, ["ep"])],
        ragged_plan(e, 4 * e, 4 * e)
        + f"""
        %c = arith.constant 1.0 : f32
        %z = tensor.splat %c : {z}
        """ + ragged("r", "x", "z", x, z, e), z)


def gather_after_a2a(e, t):
    x, g = T(e, 3, 5, 7), T(e, 3, 5 * t, 7)
    yield module(
        e, t, [("x", x, BOTH)],
        op("g", "all_gather", "x", TP, 2, x, g) + "\n" + a2a("r", "g", g), g)
    x, g, z = T(4 * e, 5), T(4 * e, 5 * t), T(4 * e + 1, 5 * t)
    yield module(
        e, t, [("x", x, BOTH), ("z", z, ["ep"])],
        ragged_plan(e, 4 * e, 4 * e) + "\n"
        + op("g", "all_gather", "x", TP, 1, x, g) + "\n"
        + ragged("r", "g", "z", g, z, e), z)


def scatter_before_a2a(e, t):
    x = T(e, 3, 5 * t, 7)
    yield module(
        e, t, [("x", x, BOTH)],
        f"%s = moe.all_reduce %x on {TP} : {x}\n" + a2a("r", "s", x), x)
    x, z = T(4 * e, 5 * t), T(4 * e + 1, 5 * t)
    yield module(
        e, t, [("x", x, BOTH), ("z", z, ["ep"])],
        ragged_plan(e, 4 * e, 4 * e) + f"\n%s = moe.all_reduce %x on {TP} : {x}\n"
        + ragged("r", "s", "z", x, z, e), z)


def transpose_before_all_reduce(e, t):
    x, r = T(e, 3, 5, 7), T(3, e, 5, 7)
    yield module(
        e, t, [("x", x, BOTH)],
        f"""%s = moe.all_reduce %x on {TP} : {x}
        %r = moe.transpose %s [1, 0, 2, 3] : {x} -> {r}""", r)


def scatter_before_transpose(e, t):
    x, y, r = T(e, 3, 5 * t, 7), T(5 * t, e, 3, 7), T(5, e, 3, 7)
    yield module(
        e, t, [("x", x, BOTH)],
        f"%y = moe.transpose %x [2, 0, 1, 3] : {x} -> {y}\n"
        + op("r", "reduce_scatter", "y", TP, 0, y, r), r)


def gather_after_rowwise(e, t):
    x, g, w1, w2 = T(3, e, 5, 7), T(3, e, 5 * t, 7), T(3, 7, 11), T(3, 11, 7)
    yield module(
        e, t, [("x", x, BOTH), ("a", w1, ["ep"]), ("b", w2, ["ep"])],
        op("g", "all_gather", "x", TP, 2, x, g)
        + f"\n%r = moe.experts gpt %g, %a, %b : {g}, {w1}, {w2} -> {g}", g)
    p = T(5 * t, 3, e, 7)
    yield module(
        e, t, [("x", x, BOTH)],
        op("g", "all_gather", "x", TP, 2, x, g)
        + f"\n%r = moe.transpose %g [2, 0, 1, 3] : {g} -> {p}", p)
    yield module(
        e, t, [("x", x, BOTH), ("y", x, BOTH)],
        op("g", "all_gather", "x", TP, 2, x, g) + "\n"
        + op("h", "all_gather", "y", TP, 2, x, g)
        + f"\n%r = arith.mulf %g, %h : {g}", g)


def gather_after_all_reduce(e, t):
    x, g = T(e, 3, 5, 7), T(e, 3, 5 * t, 7)
    yield module(
        e, t, [("x", x, BOTH)],
        op("g", "all_gather", "x", TP, 2, x, g)
        + f"\n%r = moe.all_reduce %g on {EP} : {g}", g)


def all_gather_of_drop(e, t):
    x, d = T(3, 5 * t), T(3, 5)
    yield module(
        e, t, [("x", x, ["ep"])],
        op("d", "drop", "x", TP, 1, x, d) + "\n"
        + op("r", "all_gather", "d", TP, 1, d, x), x)


def drop_of_all_reduce(e, t):
    x, d = T(3, 5 * t), T(3, 5)
    for kind in ("", " reduction max"):
        yield module(
            e, t, [("x", x, BOTH)],
            f"%s = moe.all_reduce %x on {TP}{kind} : {x}\n"
            + op("r", "drop", "s", TP, 1, x, d), d)


def drop_before_all_reduce(e, t):
    x, d = T(3, 5 * t), T(3, 5)
    yield module(
        e, t, [("x", x, BOTH)],
        f"%s = moe.all_reduce %x on {EP} : {x}\n"
        + op("r", "drop", "s", TP, 1, x, d), d)


def all_gather_of_reduce_scatter(e, t):
    x, d = T(3, 5 * t), T(3, 5)
    yield module(
        e, t, [("x", x, BOTH)],
        op("d", "reduce_scatter", "x", TP, 1, x, d) + "\n"
        + op("r", "all_gather", "d", TP, 1, d, x), x)


def merge_all_gathers(e, t):
    x, y, r = T(3, 5), T(3, 5 * t), T(3, 5 * t * e)
    yield module(
        e, t, [("x", x, BOTH)],
        op("y", "all_gather", "x", TP, 1, x, y) + "\n"
        + op("r", "all_gather", "y", EP, 1, y, r), r)
    y = T(3, 5 * e)
    yield module(
        e, t, [("x", x, BOTH)],
        op("y", "all_gather", "x", EP, 1, x, y) + "\n"
        + op("r", "all_gather", "y", TP, 1, y, r), r)


def merge_drops(e, t):
    x, y, r = T(3, 5 * t * e), T(3, 5 * t), T(3, 5)
    yield module(
        e, t, [("x", x, BOTH)],
        op("y", "drop", "x", EP, 1, x, y) + "\n"
        + op("r", "drop", "y", TP, 1, y, r), r)


def split_all_to_all(e, t):
    for axes in ('"ep", "tp"', '"tp", "ep"'):
        x = T(2 * e * t, 3, 7)
        yield module(e, t, [("x", x, BOTH)],
                     a2a("r", "x", x, f"<@mesh, [{axes}]>"), x)
    x = T(3, e * t, 7)
    yield module(e, t, [("x", x, BOTH)],
                 a2a("r", "x", x, '<@mesh, ["ep", "tp"]>', 1), x)


def split_all_reduce(e, t):
    """Parts of the outermost dim, of another one, and of all in a row."""
    both = '<@mesh, ["ep", "tp"]>'
    for kind in ("", " reduction max"):
        for x in (T(2 * t, 3), T(3 * t), T(t + 1, 3 * t)):
            yield module(e, t, [("x", x, BOTH)],
                         f"%r = moe.all_reduce %x on {both}{kind} : {x}", x)
    x = T(3, e * t)
    yield module(e, t, [("x", x, BOTH)],
                 f'%r = moe.all_reduce %x on <@mesh, ["tp", "ep"]> : {x}', x)


def ragged_layers(e, t):
    """Rows that are the same along tp are sent and returned; in between, each
    rank of tp has its part of a sum."""
    x, z, w1, w2 = (T(4 * e, 6 * t), T(4 * e + 1, 6 * t), T(1, 6 * t, 3),
                    T(1, 3, 6 * t))
    p = T(1, 4 * e + 1, 6 * t)
    for init in ("x", "e"):
        yield module(
            e, t,
            [("x", x, ["ep"]), ("z", z, ["ep"]), ("a", w1, BOTH),
             ("b", w2, BOTH)],
            ragged_plan(e, 4 * e, 4 * e) + "\n"
            + ragged("d", "x", "z", x, z, e) + f'''
            %c = arith.constant 0.0 : f32
            %e = tensor.splat %c : {x}
            %p = tensor.expand_shape %d [[0, 1], [2]] output_shape [1, {4 * e + 1}, {6 * t}] : {z} into {p}
            %y = moe.experts gpt %p, %a, %b : {p}, {w1}, {w2} -> {p}
            %q = tensor.collapse_shape %y [[0, 1], [2]] : {p} into {z}
            %s = moe.all_reduce %q on {TP} : {z}
            ''' + ragged("r", "s", init, z, x, e, back=True), x)


def split_dim_first(e, t):
    x = T(2 * e * t, 3, 7)
    yield module(e, t, [("x", x, BOTH)],
                 a2a("r", "x", x, '<@mesh, ["ep", "tp"]>'), x)


def drop_of_all_gather(e, t):
    x, g = T(3, 5), T(3, 5 * t)
    yield module(
        e, t, [("x", x, BOTH)],
        op("g", "all_gather", "x", TP, 1, x, g) + "\n"
        + op("r", "drop", "g", TP, 1, g, x), x)


def inverse_all_to_all(e, t):
    x, y = T(2 * e, 3, 5), T(2, 3 * e, 5)
    yield module(
        e, t, [("x", x, BOTH)],
        f"""%y = moe.all_to_all %x on {EP} split 0 concat 1 : {x} -> {y}
        %r = moe.all_to_all %y on {EP} split 1 concat 0 : {y} -> {x}""", x)


def one_rank(e, t):
    mesh = f'axes ["one", "ep", "tp"] shape [1, {e}, {t}]'
    x = T(4, 5)
    one = '<@mesh, ["one"]>'
    yield module(
        e, t, [("x", x, BOTH)],
        op("a", "all_gather", "x", one, 0, x, x) + "\n"
        + op("b", "reduce_scatter", "a", one, 0, x, x) + "\n"
        + op("c", "drop", "b", one, 0, x, x) + "\n"
        + f"%d = moe.all_reduce %c on {one} : {x}\n"
        + a2a("r", "d", x, one), x, mesh)


def unit_axes(e, t):
    """Groups that differ in axes of size 1 only, across several collectives."""
    mesh = f'axes ["one", "ep", "uno", "tp"] shape [1, {e}, 1, {t}]'
    x, g = T(e, 5, 3), T(e, 5, 3 * t)
    yield module(
        e, t, [("x", x, BOTH)],
        op("g", "all_gather", "x", '<@mesh, ["tp", "one"]>', 2, x, g) + "\n"
        + op("d", "drop", "g", '<@mesh, ["uno", "tp"]>', 2, g, x) + "\n"
        + a2a("a", "d", x, '<@mesh, ["one", "ep"]>') + "\n"
        + a2a("r", "a", x, '<@mesh, ["ep", "uno"]>'), x, mesh)


def layer(e, t, sharded=True):
    """A whole MoE layer, experts sharded over tp or not."""
    S, M, H, L, k = 2 * e * t, 7 * t, 11, 2, 2
    C = 2 * t
    x, w = f"tensor<{S}x{M}xf32>", f"tensor<{M}x{e * L}xf32>"
    i, g = f"tensor<{S}x{k}xi32>", f"tensor<{S}x{k}xf32>"
    b, p = T(e, L, C, M), T(L, e, C, M)
    w1, w2 = T(L, M, H), T(L, H, M)
    over = BOTH if sharded else ["ep"]
    reduce = (f"%s = moe.all_reduce %y on {TP} : {p}" if sharded
              else f"%s = moe.transpose %y [0, 1, 2, 3] : {p} -> {p}")
    return module(
        e, t,
        [("x", x, ["ep"]), ("w", w, []), ("a", w1, over), ("b", w2, over)],
        f"""%i, %g = moe.gate softmax %x, %w top_k {k} : {x}, {w} -> {i}, {g}
        %o, %l = moe.permute choice %x by %i : {x}, {i} -> {b}, {i}
        {a2a("d", "o", b)}
        %p = moe.transpose %d [1, 0, 2, 3] : {b} -> {p}
        %y = moe.experts gpt %p, %a, %b : {p}, {w1}, {w2} -> {p}
        {reduce}
        %q = moe.transpose %s [1, 0, 2, 3] : {p} -> {b}
        {a2a("c", "q", b)}
        %r = moe.unpermute %c by %l weights %g : {b}, {i}, {g} -> {x}""", x)


def layers(e, t):
    yield layer(e, t)
    yield layer(e, t, sharded=False)


# Per rule: its programs, the pass that applies it, and text that the result
# must and must not contain.
def by_rule(name):
    return f"--moe-rewrite-collectives=rules={name}"


RULES = {
    "deduplicate-all-to-all": (deduplicate, None, r"moe\.drop .*all_to_all.*moe\.all_gather", None),
    "gather-after-all-to-all": (gather_after_a2a, None, r"all_to_all %arg0.*all_gather", None),
    "scatter-before-all-to-all": (scatter_before_a2a, None, r"reduce_scatter.*all_to_all.*all_gather", "all_reduce"),
    "transpose-before-all-reduce": (transpose_before_all_reduce, None, r"transpose %arg0.*all_reduce", None),
    "scatter-before-transpose": (scatter_before_transpose, None, r"reduce_scatter %arg0.*transpose", None),
    "gather-after-rowwise": (gather_after_rowwise, None, r"all_gather %\w+ on <@mesh, \[\"tp\"\]> dim \d : .*\n *return", None),
    "gather-after-all-reduce": (gather_after_all_reduce, None, r"all_reduce %arg0.*all_gather", None),
    "all-gather-of-drop": (all_gather_of_drop, None, r"return %arg0", None),
    "drop-before-all-reduce": (drop_before_all_reduce, None, r"drop %arg0.*all_reduce", None),
    "drop-of-all-reduce": (drop_of_all_reduce, None, "reduce_scatter", "all_reduce"),
    "all-gather-of-reduce-scatter": (all_gather_of_reduce_scatter, None, "all_reduce", "all_gather"),
    "merge-all-gathers": (merge_all_gathers, None, r'all_gather %arg0 on <@mesh, \["\w+", "\w+"\]>', None),
    "merge-drops": (merge_drops, None, r'drop %arg0 on <@mesh, \["ep", "tp"\]>', None),
    "split-all-to-all": (split_all_to_all, None, r"all_to_all.*all_to_all", None),
    "split-all-reduce": (split_all_reduce, None, r"reduce_scatter.*all_reduce.*all_gather", None),
    # Folds of the ops themselves.
    "drop-of-all-gather": (drop_of_all_gather, "--canonicalize", "return %arg0", "all_gather"),
    "inverse-all-to-all": (inverse_all_to_all, "--canonicalize", "return %arg0", "all_to_all"),
    "one-rank": (one_rank, "--canonicalize", "return %arg0", "moe.all"),
    "unit-axes": (unit_axes, "--canonicalize", "return %arg0", "moe.all"),
    # Whole passes.
    "decompose-drop": (layers, "--moe-decompose-all-to-all=mode=drop", r"drop.*all_to_all.*all_to_all.*all_gather", "all_reduce"),
    "decompose-ragged": (ragged_layers, "--moe-decompose-all-to-all=mode=drop", r"drop.*ragged_all_to_all.*all_gather.*reduce_scatter.*ragged_all_to_all.*all_gather", "all_reduce"),
    "decompose-2dh": (split_all_to_all, "--moe-decompose-all-to-all=mode=hierarchical variant=2dh", r"all_to_all.*all_to_all", None),
    "hierarchical-all-reduce": (split_all_reduce, "--moe-hierarchical-all-reduce", r"reduce_scatter.*all_reduce.*all_gather", None),
    "decompose-1dh": (split_dim_first, "--moe-decompose-all-to-all=mode=hierarchical variant=1dh", r"ragged_all_to_all.*ragged_all_to_all.*ragged_all_to_all", r"moe\.all_to_all"),
}


# --- Rewrites that must be refused ------------------------------------------


def forced_drop(e, t, x, dim, group=EP, varying=("ep",), shape=None):
    """drop / all-to-all / all-gather regardless of the conditions."""
    cut = list(shape)
    cut[dim] //= t
    d = T(*cut)
    return module(
        e, t, [("x", x, list(varying))],
        op("d", "drop", "x", TP, dim, x, d) + "\n" + a2a("y", "d", d, group)
        + "\n" + op("r", "all_gather", "y", TP, dim, d, x), x)


def refuse_split_dim():
    shape = (8, 3, 10, 7)
    x = T(*shape)
    before = module(4, 2, [("x", x, ["ep"])], a2a("r", "x", x), x)
    yield (before, "--moe-decompose-all-to-all=drop-dim=0",
           "neither the split nor the concat dim",
           forced_drop(4, 2, x, 0, shape=shape))


def refuse_varying():
    for e, t in MESHES:
        shape = (e, 3, 5 * t, 7)
        x = T(*shape)
        before = module(e, t, [("x", x, BOTH)], a2a("r", "x", x), x)
        yield (before, "--moe-decompose-all-to-all",
               r'already deduplicated: the operand varies over \["tp"\]',
               forced_drop(e, t, x, 2, varying=BOTH, shape=shape))


def refuse_overlap():
    both = '<@mesh, ["ep", "tp"]>'
    for e, t in MESHES:
        shape = (e * t, 3, 5 * t, 7)
        x = T(*shape)
        before = module(e, t, [("x", x, [])], a2a("r", "x", x, both), x)
        yield (before, "--moe-decompose-all-to-all",
               "no mesh axis outside the group",
               forced_drop(e, t, x, 2, group=both, varying=[], shape=shape))
        # A gather and an all-to-all over one axis do not commute.
        x, g = T(t, 3, 5, 7), T(t, 3, 5 * t, 7)
        before = module(
            e, t, [("x", x, BOTH)],
            op("g", "all_gather", "x", TP, 2, x, g) + "\n"
            + a2a("r", "g", g, TP), g)
        forced = module(
            e, t, [("x", x, BOTH)],
            a2a("y", "x", x, TP) + "\n"
            + op("r", "all_gather", "y", TP, 2, x, g), g)
        yield before, by_rule("gather-after-all-to-all"), None, forced


def refuse_axis_order():
    for e, t in MESHES:
        x, y, r = T(3, 5), T(3, 5 * t), T(3, 5 * t * e)
        before = module(
            e, t, [("x", x, BOTH)],
            op("y", "all_gather", "x", TP, 1, x, y) + "\n"
            + op("r", "all_gather", "y", EP, 1, y, r), r)
        forced = module(
            e, t, [("x", x, BOTH)],
            op("r", "all_gather", "x", '<@mesh, ["tp", "ep"]>', 1, x, r), r)
        yield before, None, None, forced
        # The view of a two-axis all-to-all, read in the wrong order.
        x, v = T(e * t, 7), T(t, e, 7)
        before = module(e, t, [("x", x, BOTH)],
                        a2a("r", "x", x, '<@mesh, ["ep", "tp"]>'), x)
        forced = module(
            e, t, [("x", x, BOTH)],
            f"""%v = tensor.expand_shape %x [[0, 1], [2]] output_shape [{t}, {e}, 7] : {x} into {v}
            {a2a("a", "v", v, TP, 0)}
            {a2a("b", "a", v, EP, 1)}
            %r = tensor.collapse_shape %b [[0, 1], [2]] : {v} into {x}""", x)
        yield before, None, None, forced


def refuse_indivisible():
    for e, t in MESHES:
        shape = (e, 3, 5 * t + 1, 7 * t + 1)
        x = T(*shape)
        if 3 % t == 0:
            continue
        d0, d1 = T(e, 3, 5 * t, 7 * t + 1), T(e, 3, 5, 7 * t + 1)
        before = module(e, t, [("x", x, ["ep"])], a2a("r", "x", x), x)
        # Forced: the exchange omits the tail.
        sizes = f"[{e}, 3, {5 * t}, {7 * t + 1}]"
        forced = module(
            e, t, [("x", x, ["ep"])],
            f"""%s = tensor.extract_slice %x[0, 0, 0, 0] {sizes} [1, 1, 1, 1] : {x} to {d0}
            {op("d", "drop", "s", TP, 2, d0, d1)}
            {a2a("y", "d", d1)}
            {op("g", "all_gather", "y", TP, 2, d1, d0)}
            %r = tensor.insert_slice %g into %x[0, 0, 0, 0] {sizes} [1, 1, 1, 1] : {d0} into {x}""", x)
        yield (before, "--moe-decompose-all-to-all",
               rf"divides by the {t} ranks along .*dim 2 \({5 * t + 1}\), dim 3 \({7 * t + 1}\)",
               forced)


def refuse_varying_weights():
    """Experts that differ along tp do not commute with a gather over it."""
    for e, t in MESHES:
        x, g, w1, w2 = T(3, e, 5, 7), T(3, e, 5 * t, 7), T(3, 7, 11), T(3, 11, 7)
        args = [("x", x, BOTH), ("a", w1, BOTH), ("b", w2, BOTH)]
        before = module(
            e, t, args,
            op("g", "all_gather", "x", TP, 2, x, g)
            + f"\n%r = moe.experts gpt %g, %a, %b : {g}, {w1}, {w2} -> {g}", g)
        forced = module(
            e, t, args,
            f"%y = moe.experts gpt %x, %a, %b : {x}, {w1}, {w2} -> {x}\n"
            + op("r", "all_gather", "y", TP, 2, x, g), g)
        yield before, by_rule("gather-after-rowwise"), None, forced


def refuse_gather_of_varying_drop():
    for e, t in MESHES:
        x, d = T(3, 5 * t), T(3, 5)
        before = module(
            e, t, [("x", x, BOTH)],
            op("d", "drop", "x", TP, 1, x, d) + "\n"
            + op("r", "all_gather", "d", TP, 1, d, x), x)
        forced = module(e, t, [("x", x, BOTH)],
                        f"%r = moe.transpose %x [0, 1] : {x} -> {x}", x)
        yield before, by_rule("all-gather-of-drop"), None, forced


REFUSALS = {
    "drop-dim-is-split-dim": refuse_split_dim,
    "varying-operand": refuse_varying,
    "overlapping-axes": refuse_overlap,
    "wrong-axis-order": refuse_axis_order,
    "indivisible-drop-dim": refuse_indivisible,
    "varying-weights": refuse_varying_weights,
    "gather-of-varying-drop": refuse_gather_of_varying_drop,
}


# --- Strategies: decompositions, chunk counts, schedules ----------------------


def long_layer(e, t, length):
    """An MoE layer whose capacity is `length`, experts sharded over tp."""
    S, M, H, k = 4 * t, 2 * t, 3, 1
    x, w = f"tensor<{S}x{M}xf32>", f"tensor<{M}x{e}xf32>"
    i, g = f"tensor<{S}x{k}xi32>", f"tensor<{S}x{k}xf32>"
    b, p = T(e, 1, length, M), T(1, e, length, M)
    w1, w2 = T(1, M, H), T(1, H, M)
    return module(
        e, t,
        [("x", x, ["ep"]), ("w", w, []), ("a", w1, BOTH), ("b", w2, BOTH)],
        f"""%r = moe.layer "0" phase "fwd" {{
        %i, %g = moe.gate softmax %x, %w top_k {k} : {x}, {w} -> {i}, {g}
        %o, %l = moe.permute choice %x by %i : {x}, {i} -> {b}, {i}
        {a2a("d", "o", b)}
        %p = moe.transpose %d [1, 0, 2, 3] : {b} -> {p}
        %y = moe.experts gpt %p, %a, %b : {p}, {w1}, {w2} -> {p}
        %s = moe.all_reduce %y on {TP} : {p}
        %q = moe.transpose %s [1, 0, 2, 3] : {p} -> {b}
        {a2a("c", "q", b)}
        %z = moe.unpermute %c by %l weights %g : {b}, {i}, {g} -> {x}
        moe.yield %z : {x}
        }} : {x}""", x)


STRATEGY_MESHES = [(2, 8), (4, 2), (3, 5)]
# The number of ranks along ep that share a node.
INNER = {(2, 8): 2, (4, 2): 2, (3, 5): 3, (6, 2): 3}
DROP = "--moe-decompose-all-to-all=drop-dim=3"


def hierarchical(variant):
    return f"--moe-decompose-all-to-all=mode=hierarchical variant={variant}"


# Passes before the pipeline, its own options, and passes after it.
DECOMPOSITIONS = {
    "baseline": ([], "", []),
    "drop": ([DROP], "", []),  # O3 when it is scheduled
    "o2": ([DROP], " copies=intra", []),
    "2dh": ([], "", [hierarchical("2dh")]),
    "1dh": ([], "", [hierarchical("1dh")]),
    "2dh_drop": ([DROP], " copies=intra", [hierarchical("2dh")]),
    "1dh_drop": ([DROP], "", [hierarchical("1dh")]),
}
SCOPES = ["communication", "layer"]
# Text that the result of a decomposition must contain at the phase schedule.
FORMS = {
    "drop": r'@copy "unpack\.',
    "o2": r'@intra "unpack\.',
    "2dh": r'moe\.all_to_all [^\n]*\["ep_inner"\].*'
           r'moe\.all_to_all [^\n]*\["ep_outer"\]',
    "1dh": r'ragged_all_to_all [^\n]*\["ep_inner"\].*'
           r'ragged_all_to_all [^\n]*\["ep_outer"\]',
}


def prove_strategy(name, tmp):
    """name: decomposition, scope, and whether to schedule."""
    decomposition, scope, schedule = name.split("-")
    first, option_of_form, last = DECOMPOSITIONS[decomposition]
    count = 0
    meshes = STRATEGY_MESHES + ([(6, 2)] if last else [])
    for e, t in meshes:
        for length in (92, 209):
            before = write(tmp + ".before.mlir", long_layer(e, t, length))
            uneven = [1, length - 40, 39]
            chunks = [n for n in (1, 4, 6, 10)
                      # The data that one rank collects must have one size.
                      if "1dh" not in decomposition or length % n == 0]
            options = [f"degree={n}" for n in chunks]
            if "1dh" in decomposition:
                options.append(f"degree={2 if length == 92 else 11}")
            else:
                options.append("degree=3 sizes=" + ",".join(map(str, uneven)))
            for option in options:
                after = tmp + ".after.mlir"
                flags = ([f"--moe-split-mesh-axis=axis=ep inner={INNER[e, t]}"]
                         if last else []) + first
                flags += [f"--moe-pipeline={option} dim=2 scope={scope}"
                          + option_of_form] + last
                if schedule == "schedule":
                    flags += ["--moe-schedule", "--moe-verify-schedule"]
                flags += ["--canonicalize", "--moe-verify-collectives"]
                result = run("moe-opt", before, *flags, "-o", after)
                if result.returncode != 0:
                    fail(f"moe-opt {flags} failed", result.stderr)
                text = open(after).read()
                wanted = ("moe.schedule" if schedule == "schedule"
                          else f"moe.pipeline {option.split()[0].replace('=', ' ')}")
                if wanted not in text:
                    fail(f"{flags} made no {wanted}", text)
                for part in decomposition.split("_"):
                    form = FORMS.get(part)
                    # If a node holds all ranks, nothing is between nodes, and
                    # placements show when they are scheduled.
                    if (form and (schedule == "schedule" or "dh" in part)
                            and not ("dh" in part and INNER[e, t] == e)
                            and not (part == "drop" and last)
                            and not re.search(form, text, re.S)):
                        fail(f"{flags} made no {form}", text)
                compare(after, before, True, "--symbolic", "--samples=2")
                compare(after, before, True)
                count += 1
    print(f"proved {name} in {count} forms")


# --- Layers that drop nothing, in chunks of their tokens --------------------


def dropless(e, t, S=6, k=2, L=2, trains=False, limit=None):
    """A dropless layer: S tokens per rank of ep, k choices, and L experts per
    rank, whose hidden dim is sharded over tp; with its backward pass."""
    M, H, E = 2 * t, 3, e * L
    R = limit or e * S * min(k, L)
    x, w = T(S, M), T(M, E)
    i, g = f"tensor<{S}x{k}xi32>", T(S, k)
    b, r = T(S * k, M), T(R, M)
    w1, w2 = T(L, M, H), T(L, H, M)
    c, c1, call = (f"tensor<{n}xi32>" for n in (E, f"1x{E}", f"{e}x{E}"))
    v, p = f"tensor<{e}xi32>", f"tensor<{e}x{L}xi32>"
    saved = [("i", i), ("l", i), ("g", g), ("d", r), ("c", b), ("so", v),
             ("ss", v), ("ro", v), ("rs", v), ("po", p), ("ps", p)]
    saved = saved if trains else []
    types = ", ".join([x] + [type for _, type in saved])
    there = f"on {EP} send(%{{0}}so, %{{0}}ss) recv(%{{0}}ro, %{{0}}rs) : {b}, {v} -> {r}"
    back = f"on {EP} send(%{{0}}ro, %{{0}}rs) recv(%{{0}}so, %{{0}}ss) : {r}, {v} -> {b}"
    forward = f"""%i, %g = moe.gate softmax %x, %w top_k {k} : {x}, {w} -> {i}, {g}
      %n = moe.expert_counts %i : {i} -> {c}
      %o, %l = moe.permute_rows choice %x by %i experts {E} : {x}, {i} -> {b}, {i}
      %n1 = tensor.expand_shape %n [[0, 1]] output_shape [1, {E}] : {c} into {c1}
      %all = moe.all_gather %n1 on {EP} dim 0 : {c1} -> {call}
      %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on {EP} limit {R} : {call} -> {v}, {p}
      %e1 = tensor.empty() : {r}
      %d = moe.ragged_all_to_all %o into %e1 {there.format("")}
      %y = moe.experts gpt %d runs(%po, %ps : {p}), %a, %b : {r}, {w1}, {w2} -> {r}
      %s = moe.all_reduce %y on {TP} : {r}
      %e2 = tensor.empty() : {b}
      %c = moe.ragged_all_to_all %s into %e2 {back.format("")}
      %z = moe.unpermute %c by %l weights %g : {b}, {i}, {g} -> {x}"""
    backward = f"""%e3 = tensor.empty() : {r}
      %dc = moe.scatter %dz by %kl weights %kg : {g} : {x}, {i} -> {b}
      %dy = moe.ragged_all_to_all %dc into %e3 {there.format("k")}
      %dd = moe.experts_dgrad gpt %dy at %kd runs(%kpo, %kps : {p}), %a, %b : {r}, {w1}, {w2}
      %ds = moe.all_reduce %dd on {TP} : {r}
      %e4 = tensor.empty() : {b}
      %do = moe.ragged_all_to_all %ds into %e4 {back.format("k")}
      %one = arith.constant dense<1.0> : {g}
      %dx1 = moe.unpermute %do by %kl weights %one : {b}, {i}, {g} -> {x}
      %dg = moe.unpermute_wgrad %dz, %kc by %kl : {x}, {b}, {i} -> {g}
      %dx2, %dw = moe.gate_grad softmax %x, %w by %ki, %dg : {x}, {w}, {i}, {g}
      %dw1, %dw2 = moe.experts_wgrad gpt %dy at %kd runs(%kpo, %kps : {p}), %a, %b : {r}, {w1}, {w2} -> {w1}, {w2}
      %dx = arith.addf %dx1, %dx2 : {x}"""
    results = [x] + ([x, w, w1, w2] if trains else [])
    text = f"""moe.mesh @mesh axes ["ep", "tp"] shape [{e}, {t}]
func.func @main(%x: {x} {{moe.varying = ["ep"]}}, %w: {w} {{moe.varying = []}},
                %a: {w1} {{moe.varying = ["ep", "tp"]}},
                %b: {w2} {{moe.varying = ["ep", "tp"]}},
                %dz: {x} {{moe.varying = ["ep"]}}) -> ({", ".join(results)}) {{
  %out{f":{1 + len(saved)}" if saved else ""} = moe.layer "0" phase "fwd" {{
      {forward}
      moe.yield {", ".join("%" + n for n in ["z"] + [n for n, _ in saved])} : {types}
  }} : {types}
"""
    if not trains:
        return text + f"  return %out : {x}\n}}\n"
    for number, (name, _) in enumerate(saved):
        backward = re.sub(rf"%k{name}\b", f"%out#{number + 1}", backward)
    return text + f"""  %g:4 = moe.layer "0" phase "bwd" {{
      {backward}
      moe.yield %dx, %dw, %dw1, %dw2 : {", ".join(results[1:])}
  }} : {", ".join(results[1:])}
  return %out#0, %g#0, %g#1, %g#2, %g#3 : {", ".join(results)}
}}
"""


def prove_tokens(name, tmp):
    """name: forward or training, and whether to schedule, or to drop before."""
    phase, *steps = name.split("-")
    trains = phase == "training"
    count = 0
    for e, t, S, k, L in [(2, 2, 6, 2, 2), (4, 1, 5, 1, 1), (3, 2, 7, 3, 2)]:
        before = write(tmp + ".before.mlir", dropless(e, t, S, k, L, trains))
        for degree in (1, 2, 3, S):
            after = tmp + ".after.mlir"
            flags = (["--moe-decompose-all-to-all"] if "drop" in steps else [])
            flags += [f"--moe-pipeline=degree={degree} scope=layer"]
            if "schedule" in steps:
                flags += ["--moe-schedule", "--moe-verify-schedule"]
            flags += ["--canonicalize", "--moe-verify-collectives"]
            result = run("moe-opt", before, *flags, "-o", after)
            if result.returncode != 0:
                fail(f"moe-opt {flags} failed", result.stderr)
            text = open(after).read()
            wanted = ("moe.schedule" if "schedule" in steps
                      else "moe.pipeline degree")
            if wanted not in text:
                fail(f"{flags} made no {wanted}", text)
            compare(after, before, True, "--symbolic", "--samples=8")
            # Sums over tokens are regrouped.
            compare(after, before, True,
                    *(["--tolerance=1e-5"] if trains else []))
            count += 1
    print(f"proved {name} in {count} forms")


# --- Running ------------------------------------------------------------------


def fail(message, *texts):
    sys.exit("\n".join([f"proofs.py: {message}", *texts]))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


def rewrite(source, flag):
    """(text, remarks) of moe-opt, which must succeed."""
    result = run("moe-opt", source, *([flag] if flag else []),
                 "--remarks-filter=.*")
    if result.returncode != 0:
        fail(f"moe-opt {flag} failed", open(source).read(), result.stderr)
    return result.stdout, result.stderr


def compare(after, before, equal, *flags):
    result = run("moe-run", after, f"--against={before}", *flags)
    if result.returncode != (0 if equal else 1):
        fail(f"expected {'equal' if equal else 'unequal'} programs "
             f"({' '.join(flags)}), exit code {result.returncode}",
             open(before).read(), open(after).read(),
             result.stdout + result.stderr)
    if equal and not re.search(
            r"^equal: \d+ ranks, \d+ bytes$|^equal within \S+ relative: \d+ ranks",
            result.stdout, re.M):
        fail("no line `equal: R ranks, B bytes`", result.stdout)


def prove_rule(name, tmp):
    programs, flag, expected, forbidden = RULES[name]
    flag = flag or by_rule(name)
    count = 0
    for e, t in MESHES:
        for program in programs(e, t):
            before = write(tmp + ".before.mlir", program)
            text, _ = rewrite(before, flag)
            if not re.search(expected, text, re.S):
                fail(f"{flag} did not fire: expected {expected}", program, text)
            if forbidden and re.search(forbidden, text):
                fail(f"{flag} left {forbidden}", program, text)
            after = write(tmp + ".after.mlir", text)
            compare(after, before, True, "--symbolic")
            compare(after, before, True)
            count += 1
    print(f"proved {name} on {count} programs")


def prove_refusal(name, tmp):
    count = 0
    for before_text, flag, remark, forced_text in REFUSALS[name]():
        before = write(tmp + ".before.mlir", before_text)
        if flag:
            plain, _ = rewrite(before, None)
            text, remarks = rewrite(before, flag)
            if text != plain:
                fail(f"{flag} was expected to change nothing", plain, text)
            if remark and not re.search(remark, remarks):
                fail(f"expected the remark {remark}", remarks)
        forced = write(tmp + ".forced.mlir", forced_text)
        compare(forced, before, False, "--symbolic")
        compare(forced, before, False)
        count += 1
    if count == 0:
        fail(f"{name} has no case")
    print(f"refused {name} in {count} programs")


if __name__ == "__main__":
    kind, name, tmp = sys.argv[1:4]
    tmp += f".{os.getpid()}"  # two runs at a time must not share files
    {"rule": prove_rule, "refusal": prove_refusal, "tokens": prove_tokens,
     "strategy": prove_strategy}[kind](name, tmp)
