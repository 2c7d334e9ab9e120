"""Compares programs of MLIR's shard dialect, read by the compiler, with NumPy.

usage: shard_reference.py COUNT

Runs COUNT random programs of collectives. NumPy implements the semantics of the
dialect's page: the op names the axes of a group in order, the last one fastest.
Then compares products of global tensors with shardings, which upstream's passes
partition, with the unpartitioned products.
"""

import sys

import numpy as np

import moe_mlir

READ = "builtin.module(convert-shard-to-moe{axes=%s})"
NAMES = ["dp", "ep", "tp"]


def groups(shape, axes):
    """The ranks of each group, in its order."""
    ranks = np.arange(np.prod(shape)).reshape(shape)
    rest = [a for a in range(len(shape)) if a not in axes]
    return ranks.transpose(rest + list(axes)).reshape(
        -1, int(np.prod([shape[a] for a in axes], dtype=int)))


def reduce(values, kind):
    total = values[0]
    for value in values[1:]:
        total = {"sum": np.add, "product": np.multiply, "max": np.maximum,
                 "min": np.minimum}[kind](total, value)
    return total


def apply(kind, parts, n, dims, reduction):
    """The results of each rank of a group, from the operands of all."""
    if kind == "all_to_all":
        pieces = [np.split(x, n, dims[0]) for x in parts]
        return [np.concatenate([p[i] for p in pieces], dims[1])
                for i in range(n)]
    if kind == "all_gather":
        return [np.concatenate(parts, dims[0])] * n
    if kind == "all_slice":
        return [np.split(x, n, dims[0])[i] for i, x in enumerate(parts)]
    total = reduce(parts, reduction)
    if kind == "all_reduce":
        return [total] * n
    return np.split(total, n, dims[0])


def make(rng):
    """A program, its argument, and the expected result."""
    shape = [int(n) for n in rng.integers(1, 4, int(rng.integers(1, 4)))]
    ranks = int(np.prod(shape))
    dims = [int(ranks * n) for n in rng.integers(1, 3, 2)]
    x = rng.integers(-4, 5, (ranks, *dims)).astype(np.float32)
    have, lines = list(x), []
    write = lambda t: f"tensor<{'x'.join(map(str, t.shape))}xf32>"
    for step in range(int(rng.integers(1, 5))):
        kind = str(rng.choice(["all_to_all", "all_gather", "all_slice",
                               "all_reduce", "reduce_scatter"]))
        axes = [int(a) for a in rng.permutation(len(shape))]
        axes = axes[:int(rng.integers(1, len(shape) + 1))]
        n = int(np.prod([shape[a] for a in axes]))
        at = [int(d) for d in rng.integers(0, 2, 2)]
        if kind in ("all_to_all", "all_slice", "reduce_scatter") and \
                have[0].shape[at[0]] % n:
            continue
        if have[0].size * n > 1 << 14:
            kind = "all_reduce"
        reduction = str(rng.choice(["sum", "product", "max", "min"]))
        made = [None] * ranks
        for group in groups(shape, axes):
            for rank, part in zip(group, apply(kind, [have[r] for r in group],
                                               n, at, reduction)):
                made[rank] = part
        words = {
            "all_to_all": f"split_axis = {at[0]} concat_axis = {at[1]}",
            "all_gather": f"gather_axis = {at[0]}",
            "all_slice": f"slice_axis = {at[0]}",
            "all_reduce": f"reduction = {reduction}",
            "reduce_scatter": f"reduction = {reduction} scatter_axis = {at[0]}",
        }[kind]
        lines.append(
            f"  %{step} = shard.{kind} %LAST on @grid grid_axes = {axes} "
            f"{words} : {write(have[0])} -> {write(made[0])}\n".replace(
                "%LAST", "%" + last if lines else "%x"))
        last, have = str(step), made
    if not lines:
        return make(rng)
    text = (f"shard.grid @grid(shape = {'x'.join(map(str, shape))})\n"
            f"func.func @main(%x: {write(x[0])}) -> {write(have[0])} {{\n"
            + "".join(lines) +
            f"  return %{last} : {write(have[0])}\n}}\n")
    return text, NAMES[:len(shape)], x, np.stack(have)


def read(text, names):
    module = moe_mlir.parse(text)
    module.compile(READ % ",".join(names))
    assert "shard." not in str(module), str(module)
    return module


rng = np.random.default_rng(7)
collectives = 0
for _ in range(int(sys.argv[1])):
    text, names, x, want = make(rng)
    have, = read(text, names).run({0: x})
    # Equal numbers: the maximum of 0 and -0 is either.
    if have.shape != want.shape or (have != want).any():
        sys.exit(f"expected\n{want}\ngot\n{have}\nof\n{text}")
    collectives += text.count("on @grid")
print(f"random: {sys.argv[1]} programs, {collectives} collectives")

LAYER = """
shard.grid @grid(shape = 2x4)
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>,
                %v: tensor<32x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %experts = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %a = shard.shard %x to %rows : tensor<8x16xf32>
  %b = shard.shard %w to %columns : tensor<16x32xf32>
  %c = shard.shard %v to %experts : tensor<32x16xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<8x32xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x32xf32>)
      -> tensor<8x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
       outs(%f1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x16xf32>)
      -> tensor<8x16xf32>
  %n = linalg.matmul ins(%m, %c : tensor<8x32xf32>, tensor<32x16xf32>)
       outs(%f2 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = shard.shard %n to %rows : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
"""
module = read(LAYER, ["ep", "tp"])
text = str(module)
assert 'tensor<4x16xf32> {moe.varying = ["ep"]}' in text, text
assert 'tensor<16x8xf32> {moe.varying = ["tp"]}' in text, text
x, w, v = (rng.integers(-2, 3, s).astype(np.float32)
           for s in ((8, 16), (16, 32), (32, 16)))
place = [divmod(rank, 4) for rank in range(8)]
have, = module.run({
    0: np.stack([x[4 * e:4 * e + 4] for e, _ in place]),
    1: np.stack([w[:, 8 * t:8 * t + 8] for _, t in place]),
    2: np.stack([v[8 * t:8 * t + 8] for _, t in place]),
}, backend="host")
want = x @ w @ v
for rank, (e, _) in enumerate(place):
    assert (have[rank] == want[4 * e:4 * e + 4]).all(), rank
print("partitioned:", have.shape)
