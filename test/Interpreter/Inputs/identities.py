"""Proves an identity of collectives over many meshes with moe-run --symbolic,
and shows that each deliberately wrong version of it is found unequal.

Usage: identities.py NAME TMP       proves one identity
       identities.py --list         prints their names
"""

import os
import subprocess
import sys

MESHES = [(2, 2), (4, 2), (2, 8), (3, 5)]
EP, TP = '<@mesh, ["ep"]>', '<@mesh, ["tp"]>'


def tensor(*shape):
    return "tensor<" + "x".join(map(str, shape)) + "xf32>"


def program(e, t, arg, varying, result, body):
    names = ", ".join(f'"{axis}"' for axis in varying)
    return f"""moe.mesh @mesh axes ["ep", "tp"] shape [{e}, {t}]
func.func @main(%x: {arg} {{moe.varying = [{names}]}}) -> {result} {{
{body}
  return %r : {result}
}}
"""


def op(name, result, operand, group, attrs, a, b):
    return f"  %{result} = moe.{name} %{operand} on {group} {attrs} : {a} -> {b}\n"


def drop_of_all_gather(e, t):
    """drop(all_gather x) = x, whatever axes x varies over."""
    part, full = tensor(3, 7), tensor(3, 7 * t)

    def chain(first, last):
        return op("all_gather", "0", "x", first, "dim 1", part, full) + op(
            "drop", "r", "0", last, "dim 1", full, part)

    both = ("ep", "tp")
    plain = program(e, t, part, both, part,
                    "  %r = tensor.cast %x : " + part + " to " + part)
    yield plain, program(e, t, part, both, part, chain(TP, TP)), True
    if e == t:
        # The wrong axis: block of another rank.
        yield plain, program(e, t, part, both, part, chain(TP, EP)), False
    yield plain, program(
        e, t, part, both, part,
        op("all_gather", "0", "x", TP, "dim 1", part, full) +
        f"  %r = tensor.extract_slice %0[0, 0] [3, 7] [1, 1] : {full} to {part}"
    ), False


def all_gather_of_drop(e, t):
    """all_gather(drop x) = x iff x does not vary over the group."""
    full, part = tensor(5 * t, 3), tensor(5, 3)
    chain = op("drop", "0", "x", TP, "dim 0", full, part) + op(
        "all_gather", "r", "0", TP, "dim 0", part, full)
    cast = f"  %r = tensor.cast %x : {full} to {full}"
    for varying in [(), ("ep",), ("tp",), ("ep", "tp")]:
        yield (program(e, t, full, varying, full, cast),
               program(e, t, full, varying, full, chain), "tp" not in varying)


def inverse_all_to_all(e, t):
    """all_to_all(c, s) of all_to_all(s, c) of x is x."""
    shapes = tensor(3 * e, 5, 2), tensor(3, 5 * e, 2)
    there = op("all_to_all", "0", "x", EP, "split 0 concat 1", *shapes)
    back = op("all_to_all", "r", "0", EP, "split 1 concat 0", shapes[1],
              shapes[0])
    both = ("ep", "tp")
    plain = program(e, t, shapes[0], both, shapes[0],
                    f"  %r = tensor.cast %x : {shapes[0]} to {shapes[0]}")
    yield plain, program(e, t, shapes[0], both, shapes[0], there + back), True
    # With split = concat it is its own inverse; applying it once is not the
    # identity.
    same = op("all_to_all", "0", "x", EP, "split 0 concat 0", shapes[0],
              shapes[0])
    again = op("all_to_all", "r", "0", EP, "split 0 concat 0", shapes[0],
               shapes[0])
    yield plain, program(e, t, shapes[0], both, shapes[0], same + again), True
    once = same.replace("%0", "%r")
    yield plain, program(e, t, shapes[0], both, shapes[0], once), False


def deduplicate(e, t):
    """all_to_all = all_gather_tp(all_to_all_ep(drop_tp x)) for x that does not
    vary over tp, along a dim that is neither split nor concat."""
    full = tensor(e, 3, e * t, 5 * t)

    def plain(varying, attrs="split 0 concat 0"):
        return program(e, t, full, varying, full,
                       op("all_to_all", "r", "x", EP, attrs, full, full))

    def rewritten(varying, dim, gather=TP):
        shape = [e, 3, e * t, 5 * t]
        shape[dim] //= t
        part = tensor(*shape)
        return program(
            e, t, full, varying, full,
            op("drop", "0", "x", TP, f"dim {dim}", full, part) +
            op("all_to_all", "1", "0", EP, "split 0 concat 0", part, part) +
            op("all_gather", "r", "1", gather, f"dim {dim}", part, full))

    for varying in [("ep",), ()]:
        yield plain(varying), rewritten(varying, 2), True
        yield plain(varying), rewritten(varying, 3), True
    # The operand varies over tp.
    yield plain(("ep", "tp")), rewritten(("ep", "tp"), 3), False
    yield plain(("tp",)), rewritten(("tp",), 2), False
    if e == t:
        # Gathered over the wrong axis.
        yield plain(("ep",)), rewritten(("ep",), 3, EP), False
    # The drop dim is the split dim, which then must divide by both.
    wide = tensor(e * t, 2)
    narrow = tensor(e, 2)
    yield (program(e, t, wide, ("ep",), wide,
                   op("all_to_all", "r", "x", EP, "split 0 concat 0", wide,
                      wide)),
           program(
               e, t, wide, ("ep",), wide,
               op("drop", "0", "x", TP, "dim 0", wide, narrow) +
               op("all_to_all", "1", "0", EP, "split 0 concat 0", narrow,
                  narrow) +
               op("all_gather", "r", "1", TP, "dim 0", narrow, wide)), False)


def all_reduce(e, t):
    """all_reduce = all_gather(reduce_scatter) over one group and dim."""
    full, part = tensor(3, 7 * t), tensor(3, 7)
    both = ("ep", "tp")

    def reduced(kind):
        return program(
            e, t, full, both, full,
            f"  %r = moe.all_reduce %x on {TP} reduction {kind} : {full}")

    def rewritten(kind, gather=TP, first=TP):
        return program(
            e, t, full, both, full,
            op("reduce_scatter", "0", "x", first, f"dim 1 reduction {kind}",
               full, part) +
            op("all_gather", "r", "0", gather, "dim 1", part, full))

    for kind in ["sum", "prod", "min", "max"]:
        yield reduced(kind), rewritten(kind), True
    yield reduced("sum"), rewritten("max"), False
    yield reduced("min"), rewritten("max"), False
    if e == t:
        yield reduced("sum"), rewritten("sum", first=EP), False
        yield reduced("sum"), rewritten("sum", gather=EP), False


def two_axes(e, t):
    """all_to_all over (ep, tp) = one over tp after one over ep, on the view
    that splits the dim into ep blocks of tp blocks."""
    n, k = e * t, 3
    flat, view = tensor(n * k, 2), tensor(e, t, k, 2)
    both = ("ep", "tp")
    reassociation = "[[0, 1, 2], [3]]"

    def one(axes):
        return program(
            e, t, flat, both, flat,
            op("all_to_all", "r", "x", f'<@mesh, [{axes}]>',
               "split 0 concat 0", flat, flat))

    def split(first, last):
        return program(
            e, t, flat, both, flat,
            f"  %v = tensor.expand_shape %x {reassociation} output_shape "
            f"[{e}, {t}, {k}, 2] : {flat} into {view}\n" +
            op("all_to_all", "0", "v", *first, view, view) +
            op("all_to_all", "1", "0", *last, view, view) +
            f"  %r = tensor.collapse_shape %1 {reassociation} : {view} into {flat}"
        )

    ep, tp = (EP, "split 0 concat 0"), (TP, "split 1 concat 1")
    yield one('"ep", "tp"'), split(ep, tp), True
    # They commute, each on its own dim.
    yield one('"ep", "tp"'), split(tp, ep), True
    # The group's axes in the other order, or each axis on the other's dim.
    yield one('"tp", "ep"'), split(ep, tp), False
    if e == t:
        yield one('"ep", "tp"'), split((TP, ep[1]), (EP, tp[1])), False


IDENTITIES = {
    name.replace("_", "-"): function
    for name, function in list(globals().items())
    if callable(function) and (function.__doc__ or "") and
    name not in ("main",)
}


def run(after, before, flags):
    result = subprocess.run(
        ["moe-run", after, f"--against={before}", *flags],
        capture_output=True, text=True)
    return result.returncode, result.stdout, result.stderr


def main(name, tmp):
    """Runs every pair of an identity, on terms and on values."""
    proved = refuted = 0
    # Concurrent runs must not share files.
    tmp += f".{os.getpid()}"
    before, after = tmp + ".before.mlir", tmp + ".after.mlir"
    for e, t in MESHES:
        for expected, rewritten, equal in IDENTITIES[name](e, t):
            open(before, "w").write(expected)
            open(after, "w").write(rewritten)
            for flags in (["--symbolic"], []):
                code, out, err = run(after, before, flags)
                ok = code == (0 if equal else 1)
                # Products round; on values they agree because both reduce in
                # one routine.
                if ok and equal:
                    ok = out.splitlines()[-1].startswith(
                        f"equal: {e * t} ranks, ")
                if ok and not equal:
                    ok = out.startswith("unequal: result 0, rank ")
                if not ok:
                    sys.exit(f"expected {'equal' if equal else 'unequal'} "
                             f"({flags}), exit code {code}\n{expected}\n"
                             f"{rewritten}\n{out}{err}")
            proved += equal
            refuted += not equal
    print(f"{name}: {proved} pairs proved, {refuted} wrong ones refuted")


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        print("\n".join(sorted(IDENTITIES)))
    else:
        main(*sys.argv[1:])
