"""What training jobs do with a model: a rewritten model must give the same results.

usage: training.py [CASE...]

Each case runs a job with the model under PyTorch's own backend and with the rewritten
one, and compares all losses, results, gradients and parameters, on four processes.
"""

import copy
import io
import os
import sys
import warnings

import layers
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.checkpoint import checkpoint

import moe_mlir
import moe_mlir.torch

HIDDEN, FFN, EXPERTS, TOKENS = 16, 32, 8, 32
CHUNKS = "moe-decompose-all-to-all moe-pipeline{degree=2 scope=layer}"


class MoE(nn.Module):
    def __init__(self, job, name, seed):
        super().__init__()
        self.job, self.name = job, name
        generator = torch.Generator().manual_seed(seed)

        def draw(*shape):
            return torch.randn(shape, generator=generator) / 4

        def cut(weight, dim):
            mine = weight.chunk(job.ep_size)[job.ep_rank]
            return nn.Parameter(mine.chunk(job.tp_size, dim)[job.tp_rank].clone())
        self.router = nn.Parameter(draw(HIDDEN, EXPERTS))
        self.w1 = cut(draw(EXPERTS, HIDDEN, FFN), 2)
        self.w2 = cut(draw(EXPERTS, FFN, HIDDEN), 1)

    def forward(self, x):
        return layers.LAYERS[self.name](self.job, x, self.router, self.w1, self.w2)


class Model(nn.Module):
    """Two MoE layers between dense ones."""

    def __init__(self, job, name="capacity", second=None, recomputes=False):
        super().__init__()
        torch.manual_seed(3)
        self.first, self.last = nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, HIDDEN)
        self.a, self.b = MoE(job, name, 1), MoE(second or job, name, 2)
        self.recomputes = recomputes

    def forward(self, x):
        x = self.first(x)
        for layer in (self.a, self.b):
            x = x + (checkpoint(layer, x, use_reentrant=False) if self.recomputes
                     else layer(x))
        return self.last(torch.tanh(x))


DENSE = [f"{layer}.{kind}" for layer in ("first", "last")
         for kind in ("weight", "bias")]
SHARED = [*DENSE, "a.router", "b.router"]
EQUAL = {"tp": ["x", "grad", *SHARED], "ep": SHARED}


def make_tokens(job, seed=0, count=TOKENS):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(job.ep_size, count, HIDDEN, generator=generator)[job.ep_rank]


def optimize(job, function, rewritten, **options):
    fast = moe_mlir.optimize_torch(function, **{
        "mesh": job.mesh, "replicated": EQUAL, "strict": True, **options})
    fast._options.on_rewritten = rewritten.append
    return fast


def train(f, model, xs, around=lambda f, x: f(x)):
    """A step for each input. Returns all numbers."""
    made = []
    for x in xs:
        x = x.clone().requires_grad_()
        result = around(f, x)
        loss = result.float().square().mean()
        loss.backward()
        made += [loss.detach(), result.detach(), x.grad]
        made += [p.grad for p in model.parameters() if p.grad is not None]
        model.zero_grad()
    return made


def compare(job, name, make_model, run=train, **options):
    """Prints whether run(f, model, inputs) gives the same for PyTorch's backend and
    the rewritten model."""
    results, rewritten, said = [], [], []
    for is_fast in (False, True):
        torch._dynamo.reset()
        model = make_model()
        xs = [make_tokens(job, seed).to(next(model.parameters()).dtype)
              for seed in range(2)]
        if is_fast:
            f = optimize(job, model, rewritten, **options)
        else:
            f = torch.compile(model, backend="aot_eager", dynamic=False)
        with warnings.catch_warnings(record=True) as caught, \
                torch._dynamo.config.patch(capture_scalar_outputs=True):
            warnings.simplefilter("always", moe_mlir.OptimizeWarning)
            results.append(run(f, model, xs))
        said += [str(one.message) for one in caught
                 if issubclass(one.category, moe_mlir.OptimizeWarning)]
    report(name, *results, rewritten, said)


def report(name, want, have, rewritten=(), said=()):
    far = max((a.float() - b.float()).abs().max().item()
              for a, b in zip(have, want, strict=True))
    answers = [None] * dist.get_world_size()
    dist.all_gather_object(answers, (layers.is_same(have, want), far))
    if dist.get_rank():
        return
    same = ("same bits" if all(bits for bits, _ in answers)
            else f"differs by {max(far for _, far in answers):.1e}")
    gathers = [one.explain().collectives_after.get("all_gather", 0)
               - one.explain().collectives_before.get("all_gather", 0)
               for one in rewritten]
    print(f"{name}: {same}, new gathers {gathers}", *said, flush=True)


def recompute(job):
    for name in ("capacity", "dropless"):
        compare(job, f"recompute {name}",
                lambda: Model(job, name, recomputes=True))
    compare(job, "recompute chunks", lambda: Model(job, recomputes=True),
            pipeline=CHUNKS)


def run_optimizer(f, model, xs):
    """Two steps of two micro-batches, with an evaluation after each."""
    made = []
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(2):
        for x in xs:
            loss = f(x).square().mean() / len(xs)
            loss.backward()
            made.append(loss.detach())
        optimizer.step()
        optimizer.zero_grad()
        model.eval()
        for context in (torch.no_grad, torch.inference_mode):
            with context():
                made.append(f(xs[0]))
        model.train()
    return [*made, *(p.detach().clone() for p in model.parameters())]


def accumulate(job):
    for name in ("capacity", "dropless"):
        compare(job, f"accumulate {name}", lambda: Model(job, name),
                run=run_optimizer)


def narrow(job):
    compare(job, "bf16", lambda: Model(job).bfloat16())
    compare(job, "bf16 dropless chunks", lambda: Model(job, "dropless").bfloat16(),
            pipeline=CHUNKS)

    def autocast(f, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return f(x)
    compare(job, "autocast", lambda: Model(job),
            run=lambda f, model, xs: train(f, model, xs, autocast))


class Swapped:
    """The job with its axes swapped."""

    def __init__(self, job):
        self.mesh, self.ep, self.tp = job.mesh, job.tp, job.ep
        self.ep_size, self.ep_rank = job.tp_size, job.tp_rank
        self.tp_size, self.tp_rank = job.ep_size, job.ep_rank


def groups(job):
    """The second layer splits its experts over the other axis."""
    compare(job, "groups", lambda: Model(job, second=Swapped(job)))


def part(job):
    """Rewritten layers in the place of the original ones."""
    equal = {"tp": ["x", "router", "grad"], "ep": ["router"]}
    model, x = Model(job), make_tokens(job)
    for layer in (model.a, model.b):
        layer.compile(backend="aot_eager", dynamic=False)
    want = train(model, model, [x])
    model = Model(job)
    names = list(model.state_dict())
    rewritten = []
    for layer in ("a", "b"):
        setattr(model, layer, optimize(job, getattr(model, layer), rewritten,
                                       replicated=equal))
    assert list(model.state_dict()) == names
    assert [name for name, _ in model.named_parameters()] == names
    report("part", want, train(model, model, [x]), rewritten)

    # Copies and checkpoints.
    other = copy.deepcopy(model)
    assert isinstance(other.a, moe_mlir.torch.OptimizedModule)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.mul_(1.5)
    report("the original", want, train(model, model, [x]))
    file = io.BytesIO()
    torch.save(other.state_dict(), file)
    file.seek(0)
    model.load_state_dict(torch.load(file))
    want = train(other, other, [x])
    report("load", want, train(model, model, [x]))
    assert not torch.equal(want[0], train(Model(job), Model(job), [x])[0])
    model.eval()
    assert not model.a.training and not model.a._function.training
    model.double()
    assert model.a._function.w1.dtype == torch.float64
    calls = []
    model.a.register_forward_hook(lambda *_: calls.append(1))
    model.float()(x)
    assert calls == [1]
    model.a.mark = 3
    assert model.a._function.mark == 3


def dynamic(job):
    """Numbers of tokens that are symbols, in one graph."""
    for name in ("capacity", "dropless"):
        model, rewritten, said = Model(job, name), [], []
        xs = [make_tokens(job, count, count) for count in (32, 64, 48)]
        want = train(model, model, xs)
        torch._dynamo.reset()
        fast = torch.compile(
            model, backend=moe_mlir.torch.compile_backend, dynamic=True, options={
                "mesh": job.mesh, "replicated": EQUAL,
                "on_rewritten": rewritten.append})
        with warnings.catch_warnings(record=True) as caught, \
                torch._dynamo.config.patch(
                    capture_scalar_outputs=True,
                    capture_dynamic_output_shape_ops=True):
            warnings.simplefilter("always", moe_mlir.OptimizeWarning)
            have = train(fast, model, xs)
        said += [str(one.message) for one in caught
                 if issubclass(one.category, moe_mlir.OptimizeWarning)]
        report(f"dynamic {name}", want, have, rewritten, said)


def split(job):
    """A name of an argument that is another value behind a break of the graph, and in
    functions that are compiled on their own: facts about the argument do not hold
    there."""
    def exchange(x):
        return layers.exchange(x, job.ep)

    def other(x):
        torch._dynamo.graph_break()
        return exchange(x)

    def f(x):
        return layers.exchange(x, job.ep) + other(x + job.tp_rank)

    def g(x):
        x = x + job.tp_rank
        torch._dynamo.graph_break()
        return layers.exchange(x, job.ep)

    def h(x):
        with open(os.devnull):  # a block that PyTorch does not capture
            torch._dynamo.graph_break()
            return exchange(x + job.tp_rank)

    for function in (f, g, h):
        x, rewritten = make_tokens(job), []
        want = function(x)
        torch._dynamo.reset()
        fast = optimize(job, function, rewritten, strict=False,
                        replicated={"tp": ["x"]})
        compiled = torch.compile(
            function, backend=moe_mlir.torch.compile_backend,
            options={"mesh": job.mesh, "replicated": {"tp": ["x"]}})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", moe_mlir.OptimizeWarning)
            have = fast(x), compiled(x)
        said = {str(one.message).split(",")[0] for one in caught
                if issubclass(one.category, moe_mlir.OptimizeWarning)}
        report("split", [want, want], have, rewritten, sorted(said))


def sharded(job):
    """FSDP2 shards what the ranks of ep share: around rewritten layers, and in the
    layers themselves too."""
    for shards_layers in (False, True):
        shard(job, "sharded layers" if shards_layers else "sharded", shards_layers)


def shard(job, name, shards_layers):
    from torch.distributed.fsdp import FSDPModule, fully_shard
    results, rewritten = [], []
    equal = {"tp": ["x", "router", "grad"], "ep": ["router"]}
    for is_fast in (False, True):
        torch._dynamo.reset()
        model = Model(job)
        experts = {p for name, p in model.named_parameters() if ".w" in name}
        for layer in ("a", "b"):
            if is_fast:
                setattr(model, layer, optimize(job, getattr(model, layer),
                                               rewritten, replicated=equal))
            else:
                getattr(model, layer).compile(backend="aot_eager", dynamic=False)
        for part in ([model.a, model.b] if shards_layers else []) + [model]:
            fully_shard(part, mesh=job.mesh["ep"], ignored_params=experts)
        for part in model.modules():
            if isinstance(part, FSDPModule):
                # gloo has no sums that multiply first.
                part.set_gradient_divide_factor(1.0)
                part.set_force_sum_reduction_for_comms(True)
        made = train(model, model, [make_tokens(job)])
        results.append([one.to_local() if hasattr(one, "to_local") else one
                        for one in made])
    report(name, *results, rewritten)


CASES = [recompute, accumulate, narrow, groups, part, dynamic, split, sharded]


def main(rank):
    job = layers.Job(2, 2)
    for case in CASES:
        if not sys.argv[1:] or case.__name__ in sys.argv[1:]:
            case(job)


layers.run_processes(main, 4)
