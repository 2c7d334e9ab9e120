"""A MoE layer on torch.distributed, as a plan of the compiler says.

Starts a process for each rank of the plan, on CPUs with gloo. They run the layer
as it is, and then the plan's tasks in the plan's order: each exchange is started
where the plan starts it and waited for where its data are needed. Both are compared
with every token by its experts in one process, and what is sent with the bytes that
the plan says.

usage: apply_plan.py PLAN [--layer NAME] [--tokens N] [--hidden N] [--ffn N]
                     [--experts N] [--top-k N]
"""

import argparse
import os
import sys
import tempfile

try:
    import torch
    import torch.distributed as dist
    import torch.multiprocessing as processes
except ImportError as error:
    sys.exit(f"this example needs PyTorch: {error}")

import moe_mlir

#: The layer without a plan.
PLAIN = [("gate", 0), ("permute", 0), ("all_to_all", 0), ("experts", 0),
         ("all_reduce", 0), ("all_to_all.2", 0), ("unpermute", 0)]
#: Copies that stand in the plan as tasks, and here beside what needs them.
COPIES = ("pack", "unpack", "transpose", "assemble")


def count_bytes(tensor):
    return tensor.numel() * tensor.element_size()


class Axis:
    """The ranks that differ from this one along one axis of the mesh."""

    def __init__(self, mesh, rank, name):
        self.name, self.size, self.place, self.group = name, 1, 0, None
        if name not in mesh.axes:
            return
        axis = mesh.axes.index(name)
        ranks = torch.arange(dist.get_world_size()).reshape(mesh.shape)
        # All processes make all groups, in one order.
        for line in ranks.movedim(axis, -1).reshape(-1, mesh.shape[axis]):
            group = dist.new_group(line.tolist())
            if rank in line:
                self.group, self.size = group, len(line)
                self.place = line.tolist().index(rank)


class Layer:
    """Weights of one rank, and the tasks of a layer by their names in plans."""

    def __init__(self, arguments, mesh, rank):
        self.top_k = arguments.top_k
        self.ep = Axis(mesh, rank, "ep")
        self.tp = Axis(mesh, rank, "tp")
        torch.manual_seed(1)
        experts, hidden, ffn = (arguments.experts, arguments.hidden,
                                arguments.ffn)
        self.router = torch.randn(hidden, experts)
        self.all = [torch.randn(experts, *shape) / 8
                    for shape in ((hidden, ffn), (hidden, ffn), (ffn, hidden))]

        def own(tensor, of_ffn):
            mine = tensor.chunk(self.ep.size)[self.ep.place]
            return mine.chunk(self.tp.size, of_ffn)[self.tp.place]

        self.weights = [own(one, axis)
                        for one, axis in zip(self.all, (2, 2, 1))]
        # Ranks of tp have the same tokens.
        others = rank // self.tp.size
        torch.manual_seed(2 + others)
        self.tokens = torch.randn(arguments.tokens, hidden)

    def run(self, tasks, degree=1, sizes=(), drop_dim=None):
        """The layer's result by these tasks in this order, and what was sent."""
        return Run(self, degree, sizes, drop_dim).run(tasks)

    def feed(self, x, weights):
        gate, up, down = weights
        hidden = torch.nn.functional.silu(x @ gate) * (x @ up)
        return hidden @ down

    def choose(self):
        scores = torch.softmax(self.tokens @ self.router, -1)
        weights, experts = scores.topk(self.top_k)
        return weights / weights.sum(-1, keepdim=True), experts

    def reference(self):
        """Every token by its experts, in this process."""
        weights, experts = self.choose()
        x = self.tokens
        made = torch.stack([self.feed(x, one) for one in zip(*self.all)], 1)
        picked = made.gather(1, experts[:, :, None].expand(-1, -1, x.shape[1]))
        return (picked * weights[:, :, None]).sum(1)


class Run:
    """One run of a layer: the values of each chunk and what they wait for."""

    def __init__(self, layer, degree, sizes, drop_dim):
        self.layer, self.degree, self.sizes = layer, degree, sizes
        self.drop_dim = drop_dim
        self.values, self.pending = {}, {}
        self.sent = set()

    def run(self, tasks):
        known = {"gate": self.gate, "permute": self.permute, "drop": self.drop,
                 "all_to_all": self.all_to_all, "all_gather": self.all_gather,
                 "experts": self.experts, "all_reduce": self.all_reduce,
                 "reduce_scatter": self.reduce_scatter, "unpermute": self.unpermute}
        for name, chunk in tasks:
            kind = name.split(".")[0]
            if kind in COPIES:
                continue
            if kind not in known:
                raise ValueError("expected a task of "
                                 f"{', '.join(known)}, got {name}")
            known[kind](chunk)
        return self.result, self.sent

    def start(self, chunk, kind, axis, bytes_sent, work, finish):
        """Notes an exchange that was started; `finish` gives its value."""
        self.sent.add((kind, axis.name, bytes_sent))
        self.pending[chunk] = (work, finish)

    def take(self, chunk):
        """A chunk's value, once what it waits for has ended."""
        if chunk in self.pending:
            work, finish = self.pending.pop(chunk)
            work.wait()
            self.values[chunk] = finish()
        return self.values[chunk]

    def gate(self, _):
        self.weights, self.chosen = self.layer.choose()

    def permute(self, _):
        """Tokens in a place of their experts' each; no more than there are."""
        layer = self.layer
        count, hidden = layer.tokens.shape
        experts = layer.router.shape[1]
        chosen = torch.nn.functional.one_hot(self.chosen.flatten(), experts)
        places = (chosen.cumsum(0) - 1).gather(1, self.chosen.reshape(-1, 1))
        self.slots = self.chosen.flatten() * count + places[:, 0]
        buffer = torch.zeros(experts * count, hidden)
        buffer[self.slots] = layer.tokens.repeat_interleave(layer.top_k, 0)
        buffer = buffer.reshape(layer.ep.size, -1, count, hidden)
        parts = (buffer.split(list(self.sizes), 2) if self.sizes
                 else buffer.tensor_split(self.degree, 2))
        self.values = dict(enumerate(parts))

    def drop(self, chunk):
        tp = self.layer.tp
        self.values[chunk] = self.take(chunk).chunk(
            tp.size, self.drop_dim)[tp.place]

    def all_to_all(self, chunk):
        axis, x = self.layer.ep, self.take(chunk).contiguous()
        into = torch.empty_like(x)
        work = dist.all_to_all_single(into, x, group=axis.group, async_op=True)
        self.start(chunk, "all_to_all", axis,
                   count_bytes(x) * (axis.size - 1) // axis.size, work, lambda: into)

    def all_gather(self, chunk):
        axis, x = self.layer.tp, self.take(chunk).contiguous()
        into = [torch.empty_like(x) for _ in range(axis.size)]
        work = dist.all_gather(into, x, group=axis.group, async_op=True)
        self.start(chunk, "all_gather", axis, count_bytes(x) * (axis.size - 1), work,
                   lambda: torch.cat(into, self.drop_dim))

    def experts(self, chunk):
        x = self.take(chunk).transpose(0, 1)
        made = self.layer.feed(x, [w[:, None] for w in self.layer.weights])
        self.values[chunk] = made.transpose(0, 1)

    def all_reduce(self, chunk):
        axis, x = self.layer.tp, self.take(chunk).contiguous()
        work = dist.all_reduce(x, group=axis.group, async_op=True)
        self.start(chunk, "all_reduce", axis,
                   2 * count_bytes(x) * (axis.size - 1) // axis.size, work, lambda: x)

    def reduce_scatter(self, chunk):
        """By an all-to-all: gloo has no other one in all versions."""
        axis, x = self.layer.tp, self.take(chunk)
        packed = torch.stack(x.chunk(axis.size, self.drop_dim))
        into = torch.empty_like(packed)
        work = dist.all_to_all_single(into, packed, group=axis.group,
                                      async_op=True)
        self.start(chunk, "reduce_scatter", axis,
                   count_bytes(packed) * (axis.size - 1) // axis.size, work,
                   lambda: into.sum(0))

    def unpermute(self, _):
        parts = [self.take(chunk) for chunk in sorted(self.values)]
        rows = torch.cat(parts, 2).reshape(-1, self.layer.tokens.shape[1])
        picked = rows[self.slots].reshape(*self.chosen.shape, -1)
        self.result = (picked * self.weights[:, :, None]).sum(1)


def work(rank, plan, arguments, store):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank,
                            world_size=plan.ranks)
    try:
        compare(rank, plan, arguments)
    finally:
        dist.destroy_process_group()


def compare(rank, plan, arguments):
    planned = plan.find(arguments.layer)
    form = planned.form
    layer = Layer(arguments, plan.mesh, rank)
    want = layer.reference()
    plain, sent_plain = layer.run(PLAIN)
    have, sent = layer.run([(t.task, t.chunk) for t in planned.order],
                           form.degree, form.sizes, form.drop_dim)
    torch.testing.assert_close(plain, want, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(have, plain, rtol=1e-5, atol=1e-6)
    said = {(one.kind, one.group, one.bytes) for one in planned.exchanges}
    if sent != said:
        raise ValueError(f"expected exchanges of {sorted(said)}, as the plan "
                         f"says, got {sorted(sent)}")
    if rank:
        return
    ep = lambda exchanges: max(b for _, axis, b in exchanges if axis == "ep")
    print(f"{form.name}, degree {form.degree}: as the unplanned layer on "
          f"{plan.ranks} ranks; one all-to-all sends {ep(sent)} bytes in place "
          f"of {ep(sent_plain)}, {len(planned.order)} tasks")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plan")
    parser.add_argument("--layer", default="0")
    for name, value in (("tokens", 64), ("hidden", 64), ("ffn", 64),
                        ("experts", 8), ("top-k", 2)):
        parser.add_argument(f"--{name}", type=int, default=value)
    arguments = parser.parse_args()
    try:
        plan = moe_mlir.Plan.load(arguments.plan)
        planned = plan.find(arguments.layer)
    except (ValueError, KeyError, OSError) as error:
        sys.exit(f"{arguments.plan}: {error}")
    if plan.mesh is None or planned.form is None:
        sys.exit(f"{arguments.plan}: expected a plan with a mesh and a form")
    if planned.form.exchange != "flat":
        sys.exit(f"{arguments.plan}: expected flat exchanges, got "
                 f"{planned.form.exchange}")
    with tempfile.TemporaryDirectory() as folder:
        processes.start_processes(
            work, (plan, arguments, os.path.join(folder, "store")),
            nprocs=plan.ranks, start_method="fork")


if __name__ == "__main__":
    main()
