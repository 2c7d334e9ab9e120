"""Runs two texts of a PyTorch graph on all ranks of a mesh, and compares their
results. It needs NumPy only, and runs graphs whose sizes are computed.

usage: run_text.py BEFORE AFTER AXIS=SIZE,... ARGUMENT=[AXIS+...],... PROGRAMS

The arguments are as in the options `mesh` and `varying` of --convert-torch-to-moe.
PROGRAMS is the number of random sets of arguments. All floats are of 64 bits, and
casts between them do not round, so that only a changed order of a sum can differ.
The ranks run one op after the other together.
"""

import json
import math
import pathlib
import sys
import types

import numpy as np

# The parser, without its package, which imports PyTorch.
root = pathlib.Path(__file__).resolve().parents[3] / "python" / "moe_mlir"
for name, path in (("moe_mlir", root), ("moe_mlir.torch", root / "torch")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [str(path)]
from moe_mlir.torch import parse  # noqa: E402

FLOATS, BOOL = (5, 6, 7, 15), 11  # PyTorch's numbers of types


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, dim, _):
    e = np.exp(x - x.max(axis=dim, keepdims=True))
    return e / e.sum(axis=dim, keepdims=True)


def cast(x, dtype, *_):
    if dtype is None:
        return x
    return x.astype(np.float64 if dtype in FLOATS else
                    bool if dtype == BOOL else np.int64)


def add_sum(x, dims, keep, dtype):
    return cast(x.sum(axis=tuple(dims), keepdims=keep), dtype)


def top(x, k, dim, largest, _):
    order = np.argsort(-x if largest else x, axis=dim, kind="stable")
    order = np.take(order, range(k), axis=dim)
    return np.take_along_axis(x, order, dim), order


def sort(x, _, dim, descending):
    order = np.argsort(-x if descending else x, axis=dim, kind="stable")
    return np.take_along_axis(x, order, dim), order


def take_max(x, dim, keep):
    at = np.expand_dims(x.argmax(axis=dim), dim)
    made = np.take_along_axis(x, at, dim), at
    return made if keep else tuple(np.squeeze(one, dim) for one in made)


def expand(x, sizes, _):
    lead = len(sizes) - x.ndim
    return np.broadcast_to(x, [x.shape[i - lead] if s == -1 else s
                               for i, s in enumerate(sizes)])


def put(x, at, rows, accumulate):
    made = x.copy()
    if accumulate:
        np.add.at(made, tuple(at), rows)
    else:
        made[tuple(at)] = rows
    return made


def add_rows(x, dim, at, rows, alpha):
    made = x.copy()
    np.add.at(made, (slice(None),) * dim + (at,), alpha * rows)
    return made


def scatter(x, dim, at, source):
    made = x.copy()
    np.put_along_axis(made, at, source, dim)
    return made


def grouped(a, b, ends, *_):
    """Rows of the first operand in groups, or the dim of sums in groups."""
    starts = [0, *ends[:-1]]
    if b.ndim == 3:
        return np.concatenate([a[s:e] @ w for s, e, w in zip(starts, ends, b)])
    return np.stack([a[:, s:e] @ b[s:e] for s, e in zip(starts, ends)])


def cut(x, dim, start, end, step):
    return x[(slice(None),) * dim + (slice(start, end, step),)]


def put_back(gradient, sizes, dim, at):
    made = np.zeros(sizes)
    made[(slice(None),) * (dim % len(sizes)) + (at,)] = gradient
    return made


def silu_backward(gradient, x):
    s = sigmoid(x)
    return gradient * s * (1 + x * (1 - s))


def softmax_backward(gradient, y, dim, _):
    return y * (gradient - (gradient * y).sum(axis=dim, keepdims=True))


def check(value, text):
    if not np.all(value):
        raise AssertionError(text)
    return np.array(True)


def same(x, *_):
    return x


OPS = {
    "mm": np.matmul, "bmm": np.matmul, "t": np.transpose,
    "transpose.int": np.swapaxes, "permute": np.transpose,
    "view": np.reshape, "_unsafe_view": np.reshape, "reshape": np.reshape,
    "unsqueeze": np.expand_dims, "squeeze.dim": np.squeeze, "expand": expand,
    "detach": same, "clone": same, "_to_copy": cast, "cat": np.concatenate,
    "add.Tensor": lambda x, y, alpha: x + alpha * y,
    "sub.Tensor": lambda x, y, alpha: x - alpha * y,
    "mul.Tensor": np.multiply, "div.Tensor": np.divide, "neg": np.negative,
    "floor_divide": np.floor_divide, "sum.dim_IntList": add_sum,
    "cumsum": lambda x, dim, dtype: cast(np.cumsum(x, dim), dtype),
    "_softmax": softmax, "_softmax_backward_data": softmax_backward,
    "silu": lambda x: x * sigmoid(x), "silu_backward": silu_backward,
    "topk": top, "sort.stable": sort, "max.dim": take_max,
    "sort": lambda x, *how: sort(x, None, *how),
    "bincount": lambda x, _, least: np.bincount(x, minlength=least),
    "arange": lambda end, *_: np.arange(end),
    "repeat": np.tile, "select.int": lambda x, dim, at: np.take(x, at, dim),
    "repeat_interleave.Tensor": lambda counts, _: np.repeat(
        np.arange(len(counts)), counts),
    "index.Tensor": lambda x, at: x[tuple(at)],
    "index_select": lambda x, dim, at: np.take(x, at, dim),
    "index_put": put, "index_add": add_rows, "scatter.src": scatter,
    "split_with_sizes": lambda x, sizes, dim: np.split(
        x, np.cumsum(sizes)[:-1], dim),
    "split.Tensor": lambda x, size, dim: np.split(
        x, range(size, x.shape[dim], size), dim),
    "__getitem__.t": lambda items, at: items[at],
    "searchsorted.Tensor": lambda rows, ends, *_: np.searchsorted(rows, ends),
    "_grouped_mm": grouped, "slice.Tensor": cut,
    "slice_backward": lambda g, sizes, dim, start, end, step: put_back(
        g, sizes, dim, slice(start, end, step)),
    "select_backward": put_back, "zeros_like": lambda x, *_: np.zeros(x.shape),
    "new_zeros": lambda _, sizes, *rest: np.zeros(sizes),
    "new_empty": lambda _, sizes, *rest: np.full(sizes, np.nan),
    "sym_size.int": lambda x, dim: x.shape[dim],
    "_local_scalar_dense": lambda x: x.item(), "all": np.all,
    "ge.Scalar": np.greater_equal, "lt.Scalar": np.less, "eq.Tensor": np.equal,
    "_assert_scalar": check, "_assert_async.msg": check,
}
NUMBERS = {"ge": lambda a, b: a >= b, "le": lambda a, b: a <= b,
           "eq": lambda a, b: a == b, "sym_sum": sum, "mul": lambda a, b: a * b,
           "floordiv": lambda a, b: a // b, "sub": lambda a, b: a - b}


class Job:
    def __init__(self, mesh):
        items = [item.split("=") for item in mesh.split(",")]
        self.sizes = {axis: int(size) for axis, size in items}
        self.ranks = range(math.prod(self.sizes.values()))

    def get_places(self, rank):
        places = {}
        for axis, size in reversed(self.sizes.items()):
            rank, places[axis] = divmod(rank, size)
        return places

    def get_group(self, text, rank):
        """A rank's group, by axes (`ep+tp`) or by lists of ranks."""
        if text.startswith("["):
            return next(one for one in json.loads(text) if rank in one)
        axes = text.split("+")
        mine = self.get_places(rank)
        return [one for one in self.ranks
                if all(self.get_places(one)[axis] == place
                       for axis, place in mine.items() if axis not in axes)]

    def exchange(self, xs, received, sent, groups):
        """The rows that each rank receives. Senders and receivers must expect
        the same number of rows."""
        made = []
        for rank in self.ranks:
            rows = []
            group = self.get_group(groups[rank], rank)
            for place, one in enumerate(group):
                me, ends = group.index(rank), np.cumsum(sent[one])
                assert sent[one][me] == received[rank][place], (
                    f"rank {one} sends {sent[one][me]} rows to rank {rank}, "
                    f"which expects {received[rank][place]}")
                rows.append(xs[one][ends[me] - sent[one][me]:ends[me]])
            assert sum(sent[rank]) == len(xs[rank])
            made.append(np.concatenate(rows))
        return made

    def communicate(self, name, operands):
        xs, groups = operands[0], operands[-1]
        if name == "all_to_all_single":
            return self.exchange(xs, *operands[1:])
        made = []
        for rank in self.ranks:
            group = self.get_group(groups[rank], rank)
            parts = [xs[one] for one in group]
            me = group.index(rank)
            if name == "all_gather_into_tensor":
                made.append(np.concatenate(parts))
                continue
            assert operands[1][rank] == "sum", operands[1][rank]
            total = sum(parts[1:], parts[0])
            made.append(total if name == "all_reduce" else
                        np.split(total, len(group))[me])
        return made

    def drop(self, x, dim, text, rank):
        group = self.get_group(text, rank)
        return np.split(x, len(group), dim)[group.index(rank)]

    def run_op(self, op, operands):
        """The value of an op on each rank."""
        _, space, name = op.name.split(".", 2)
        if name == "wait_tensor":
            return operands[0]
        if space == "_c10d_functional":
            return self.communicate(name, operands)
        by_rank = list(zip(*operands))
        if op.name == "torch.moe.drop":
            return [self.drop(*given, rank) for rank, given in enumerate(by_rank)]
        if op.name == "torch.prim.ListConstruct":
            return [list(given) for given in by_rank]
        table = NUMBERS if space == "python" else OPS
        if name not in table:
            raise SystemExit(f"run_text.py: {op.name} is not supported")
        return [table[name](*given) for given in by_rank]

    def run(self, text, arguments):
        function = parse.parse(text)
        env = dict(zip(function.arguments, arguments))
        for op in function.ops:
            if op.name.startswith("torch.constant."):
                env[op.results[0]] = [op.attributes.get("value")] * len(self.ranks)
                continue
            values = self.run_op(op, [env[one] for one in op.operands])
            if len(op.results) == 1:
                values = [(value,) for value in values]
            for i, (result, type_) in enumerate(zip(op.results, op.types)):
                env[result] = [value[i] for value in values]
                shape = parse.get_shape(type_)
                for value in env[result] if shape is not None else ():
                    have = np.shape(value)
                    assert len(have) == len(shape) and all(
                        s in (None, h) for s, h in zip(shape, have)), (
                        f"{op.name}: expected {type_}, got {have}")
        return [env[one] for one in function.returned]


def draw(job, shapes, varying, random):
    """Arguments by rank: equal on ranks that differ along other axes only."""
    facts = dict(item.split("=") for item in varying.split(","))
    made = []
    for i, shape in enumerate(shapes):
        axes = facts.get(str(i), "+".join(job.sizes)).split("+")
        values, by_rank = {}, []
        for rank in job.ranks:
            places = job.get_places(rank)
            key = tuple(places[axis] for axis in axes if axis)
            if key not in values:
                values[key] = random.standard_normal(shape)
            by_rank.append(values[key])
        made.append(by_rank)
    return made


before, after = (pathlib.Path(path).read_text() for path in sys.argv[1:3])
job = Job(sys.argv[3])
head = next(line for line in before.split("\n") if "^bb0(" in line)
shapes = [json.loads(item.split("<")[1].split("]")[0] + "]")
          for item in parse.split(head.split("(", 1)[1].rsplit(")", 1)[0])]
far = 0.0
for seed in range(int(sys.argv[5])):
    arguments = draw(job, shapes, sys.argv[4], np.random.default_rng(seed))
    want, have = job.run(before, arguments), job.run(after, arguments)
    assert len(want) == len(have)
    for a, b in zip(want, have):
        for x, y in zip(a, b):
            assert np.shape(x) == np.shape(y)
            far = max(far, np.abs(np.subtract(x, y, dtype=float)).max()
                      / max(np.abs(x).max(), 1e-30))
same_results = "equal" if far == 0 else f"differs by {far:.1e}"
print(f"{same_results}: {len(job.ranks)} ranks, {sys.argv[5]} programs, "
      f"{len(want)} results")
