"""MoE layers on functional collectives, and processes that run them.

Each function is the layer of one rank, and `Job` has the process groups. The ranks
of tp have the same tokens, except in `sequence`.
"""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh


class Job:
    """ep x tp ranks, tp fastest."""

    def __init__(self, ep, tp):
        self.mesh = init_device_mesh("cpu", (ep, tp),
                                     mesh_dim_names=("ep", "tp"))
        self.ep, self.tp = self.mesh.get_group("ep"), self.mesh.get_group("tp")
        self.ep_size, self.tp_size = ep, tp
        self.ep_rank, self.tp_rank = self.mesh.get_coordinate()

    def __deepcopy__(self, _):
        return self  # process groups cannot be copied


class _SumGradient(torch.autograd.Function):
    """Megatron's f: identity, whose gradient is summed over tp."""

    @staticmethod
    def forward(ctx, x, group):
        ctx.group = group
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return fc.all_reduce(gradient.contiguous(), "sum", ctx.group), None


class _SumParts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, group):
        return fc.all_reduce(x.contiguous(), "sum", group)

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


class _GatherRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, group):
        ctx.group = group
        return fc.all_gather_tensor(x.contiguous(), 0, group)

    @staticmethod
    def backward(ctx, gradient):
        return fc.reduce_scatter_tensor(gradient.contiguous(), "sum", 0,
                                        ctx.group), None


class _ScatterRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, group):
        ctx.group = group
        return fc.reduce_scatter_tensor(x.contiguous(), "sum", 0, group)

    @staticmethod
    def backward(ctx, gradient):
        return fc.all_gather_tensor(gradient.contiguous(), 0, ctx.group), None


def exchange(x, group, received=None, sent=None):
    return fc.all_to_all_single_autograd(x.contiguous(), received, sent, group)


def choose(x, router, k):
    """The experts of each token and their weights."""
    weights, experts = torch.softmax(x @ router, dim=-1).topk(k, dim=-1)
    return weights / weights.sum(dim=-1, keepdim=True), experts


def by_slots(job, x, router, w1, w2, reduce):
    """Each expert has a fixed capacity; other tokens are dropped."""
    tokens, hidden = x.shape
    experts, local, k = router.shape[1], w1.shape[0], 2
    slots = 2 * k * tokens // experts
    weights, chosen = choose(x, router, k)
    is_of = F.one_hot(chosen.flatten(), experts)
    slot = ((is_of.cumsum(dim=0) - 1) * is_of).sum(dim=-1)
    fits = (slot < slots).to(x.dtype)
    at = F.one_hot(slot.clamp(max=slots - 1), slots).to(x.dtype)
    place = (is_of.to(x.dtype)[:, :, None] * at[:, None, :]
             * fits[:, None, None]).view(tokens, k, experts * slots)
    sent = (place.sum(dim=1).t() @ x).view(experts, slots, hidden)
    rows = exchange(sent, job.ep).view(job.ep_size, local, slots, hidden)
    rows = rows.transpose(0, 1).reshape(local, -1, hidden)
    if reduce:
        rows = _SumGradient.apply(rows, job.tp)
    made = torch.bmm(F.silu(torch.bmm(rows, w1)), w2)
    if reduce:
        made = _SumParts.apply(made, job.tp)
    made = made.view(local, job.ep_size, slots, hidden).transpose(0, 1)
    back = exchange(made.reshape(experts, slots, hidden), job.ep)
    combine = (place * weights[:, :, None]).sum(dim=1)
    return combine @ back.view(experts * slots, hidden)


def capacity(job, x, router, w1, w2):
    return by_slots(job, x, router, w1, w2, reduce=True)


def sequence(job, x, router, w1, w2):
    """Sequence parallelism: gathers tokens over tp, and scatters the sums."""
    rows = _GatherRows.apply(x, job.tp)
    made = by_slots(job, rows, router, w1, w2, reduce=False)
    return _ScatterRows.apply(made, job.tp)


def dropless(job, x, router, w1, w2):
    """Dropless: exchanges counts, then as many rows as are routed."""
    experts, local, k = router.shape[1], w1.shape[0], 2
    weights, chosen = choose(x, router, k)
    order = chosen.flatten().argsort(stable=True)
    counts = chosen.flatten().bincount(minlength=experts)
    with torch.no_grad():
        theirs = fc.all_to_all_single(counts, None, None, job.ep)
        theirs = fc.wait_tensor(theirs).view(job.ep_size, local)
        sent = counts.view(job.ep_size, local).sum(dim=1).tolist()
        received = theirs.sum(dim=1).tolist()
    rows = exchange(x[order // k], job.ep, received, sent)
    # Rows of one expert together.
    of = torch.arange(local).repeat(job.ep_size).repeat_interleave(
        theirs.flatten(), output_size=rows.shape[0])
    sort = of.argsort(stable=True)
    ends = theirs.sum(dim=0).cumsum(dim=0).to(torch.int32)
    grouped = _SumGradient.apply(rows[sort], job.tp)
    # PyTorch 2.11 has grouped products of bf16 only.
    inner = torch._grouped_mm(grouped.bfloat16(), w1.bfloat16(), offs=ends)
    made = torch._grouped_mm(F.silu(inner), w2.bfloat16(), offs=ends)
    made = _SumParts.apply(made.to(x.dtype), job.tp)
    back = torch.zeros_like(rows).index_put((sort,), made)
    back = exchange(back, job.ep, sent, received)
    back = back * weights.flatten()[order][:, None]
    return torch.zeros_like(x).index_add(0, order // k, back)


def weighted(job, x, router, w1, w2):
    """Dropless, written in other ways: weights are sent along with the tokens, rows
    are brought back by the inverse permutation, experts have biases, and one product
    makes both inputs of a SwiGLU."""
    experts, local, k = router.shape[1], w1.shape[0], 2
    weights, chosen = choose(x, router, k)
    order = chosen.flatten().argsort(stable=True)
    counts = F.one_hot(chosen.flatten(), experts).sum(dim=0)
    with torch.no_grad():
        theirs = fc.wait_tensor(fc.all_to_all_single(counts, None, None, job.ep))
        theirs = theirs.view(job.ep_size, local)
        sent = counts.view(job.ep_size, local).sum(dim=1).tolist()
        received = theirs.sum(dim=1).tolist()
    rows = exchange(x.index_select(0, order // k), job.ep, received, sent)
    scale = exchange(weights.flatten()[order][:, None], job.ep, received, sent)
    of = torch.arange(local).repeat(job.ep_size).repeat_interleave(
        theirs.flatten(), output_size=rows.shape[0])
    sort = of.argsort(stable=True)
    ends = theirs.sum(dim=0).cumsum(dim=0).to(torch.int32)
    grouped = _SumGradient.apply(rows.index_select(0, sort), job.tp)
    inner = torch._grouped_mm(grouped.bfloat16(), w1.bfloat16(), offs=ends)
    inner = inner + w1[:, 0].bfloat16().index_select(0, of[sort])
    gate, up = inner.chunk(2, dim=-1)
    down = w2[:, :w2.shape[1] // 2].bfloat16()
    made = torch._grouped_mm(F.silu(gate) * up, down, offs=ends)
    made = _SumParts.apply(made.to(x.dtype), job.tp)
    back = exchange(made[sort.argsort()] * scale, job.ep, sent, received)
    return torch.zeros_like(x).index_add(0, order // k, back)


def runs(job, x, router, w1, w2):
    """Dropless, with the order of rows computed from counts, as torchtitan does: a
    rank receives a run of rows for each rank and expert, and brings the runs of an
    expert together."""
    experts, local, k = router.shape[1], w1.shape[0], 2
    weights, chosen = choose(x, router, k)
    order = chosen.flatten().argsort(stable=True)
    counts = F.one_hot(chosen.flatten(), experts).sum(dim=0)
    with torch.no_grad():
        theirs = fc.wait_tensor(fc.all_to_all_single(
            counts.view(job.ep_size, local), None, None, job.ep)).reshape(-1)
        sent = counts.view(job.ep_size, local).sum(dim=1).tolist()
        received = theirs.view(job.ep_size, local).sum(dim=1).tolist()
    rows = exchange(x[order // k], job.ep, received, sent)
    starts = (theirs.cumsum(0) - theirs).view(job.ep_size, local).t().reshape(-1)
    lengths = theirs.view(job.ep_size, local).t().reshape(-1)
    run = torch.arange(lengths.shape[0]).repeat_interleave(
        lengths, output_size=rows.shape[0])
    place = (starts[run] + torch.arange(run.shape[0])
             - (lengths.cumsum(0) - lengths)[run])
    ends = theirs.view(job.ep_size, local).sum(dim=0).cumsum(dim=0).to(torch.int32)
    grouped = _SumGradient.apply(rows[place, :], job.tp)
    inner = torch._grouped_mm(grouped.bfloat16(), w1.bfloat16(), offs=ends)
    made = torch._grouped_mm(F.silu(inner), w2.bfloat16(), offs=ends)
    made = _SumParts.apply(made.to(x.dtype), job.tp)
    back = made.new_empty(rows.shape)
    back[place, :] = made
    back = exchange(back, job.ep, sent, received)
    back = back * weights.flatten()[order][:, None]
    return torch.zeros_like(x).index_add(0, order // k, back)


def one_expert(job, x, router, w1, w2):
    """Dropless, with one expert per rank and per token: sums over tp are
    exchanged unchanged. Counts have two dims."""
    chosen = torch.softmax(x @ router[:, :job.ep_size], dim=-1)
    weight, expert = chosen.max(dim=-1)
    order = expert.argsort(stable=True)
    with torch.no_grad():
        counts = F.one_hot(expert, job.ep_size).sum(dim=0)[:, None]
        theirs = fc.wait_tensor(
            fc.all_to_all_single(counts.contiguous(), None, None, job.ep))
        sent, received = counts.flatten().tolist(), theirs.flatten().tolist()
    rows = exchange(x[order], job.ep, received, sent)
    rows = _SumGradient.apply(rows, job.tp)
    made = _SumParts.apply(F.silu(rows @ w1[0]) @ w2[0], job.tp)
    back = exchange(made, job.ep, sent, received) * weight[order][:, None]
    return torch.zeros_like(x).index_add(0, order, back)


LAYERS = {"capacity": capacity, "sequence": sequence, "dropless": dropless,
          "weighted": weighted, "runs": runs, "one_expert": one_expert}
#: Inputs that are replicated along an axis.
REPLICATED = {
    "capacity": {"tp": ["x", "router", "grad"], "ep": ["router"]},
    "dropless": {"tp": ["x", "router", "grad"], "ep": ["router"]},
    "weighted": {"tp": ["x", "router", "grad"], "ep": ["router"]},
    "runs": {"tp": ["x", "router", "grad"], "ep": ["router"]},
    "one_expert": {"tp": ["x", "router", "grad"], "ep": ["router"]},
    "sequence": {"tp": ["router"], "ep": ["router"]},
}


def make_arguments(job, name, tokens=32, hidden=16, ffn=32, experts=8):
    generator = torch.Generator().manual_seed(7)

    def draw(*shape):
        return torch.randn(shape, generator=generator)
    xs, router = draw(job.ep_size, tokens, hidden), draw(hidden, experts)
    w1, w2 = draw(experts, hidden, ffn) / 4, draw(experts, ffn, hidden) / 4
    x = xs[job.ep_rank]
    if name == "sequence":
        x = x.chunk(job.tp_size)[job.tp_rank]
    w1 = w1.chunk(job.ep_size)[job.ep_rank].chunk(job.tp_size, 2)[job.tp_rank]
    w2 = w2.chunk(job.ep_size)[job.ep_rank].chunk(job.tp_size, 1)[job.tp_rank]
    return [v.clone().requires_grad_() for v in (x, router, w1, w2)]


def run_with_gradients(f, arguments):
    """The loss, the result and the gradients of the arguments."""
    given = [a.detach().clone().requires_grad_() for a in arguments]
    result = f(*given)
    loss = result.square().sum()
    return [loss.detach(), result.detach(), *torch.autograd.grad(loss, given)]


def is_same(a, b):
    return all(x.dtype == y.dtype and torch.equal(x, y) for x, y in zip(a, b))


def _start(rank, main, ranks, path, arguments):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=ranks,
                            init_method=f"file://{path}")
    try:
        main(rank, *arguments)
    finally:
        dist.destroy_process_group()


def run_processes(main, ranks, *arguments):
    """Calls main(rank, *arguments) in forked processes: importing torch takes
    seconds."""
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.start_processes(
            _start, (main, ranks, os.path.join(folder, "store"), arguments),
            nprocs=ranks, start_method="fork")


def start_fake(ranks):
    """Makes this process one of several fake ranks; nothing is sent."""
    from torch.testing._internal.distributed.fake_pg import FakeStore
    torch.set_num_threads(1)
    dist.init_process_group("fake", rank=0, world_size=ranks,
                            store=FakeStore())
