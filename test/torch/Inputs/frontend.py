"""Ways to use the PyTorch frontend, on four processes."""

import warnings

import layers
import torch
import torch.distributed._functional_collectives as fc
import torch.nn.functional as F
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.fx.experimental.proxy_tensor import make_fx

import moe_mlir
import moe_mlir.torch


class Experts(torch.nn.Module):
    def __init__(self, job):
        super().__init__()
        self.group = job.ep
        self.w = torch.nn.Parameter(torch.eye(4) + job.ep_rank)

    def forward(self, rows):
        return fc.all_to_all_single_autograd(
            F.silu(fc.all_to_all_single_autograd(rows, None, None, self.group)
                   @ self.w), None, None, self.group)


class Model(torch.nn.Module):
    def __init__(self, job):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.full((4,), 0.5))
        self.experts = Experts(job)

    def forward(self, x):
        with moe_mlir.torch.layer("block"):
            return self.experts(x * self.scale)


@torch.library.custom_op("frontend::signed", mutates_args=())
def signed(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


signed.register_fake(torch.empty_like)
# AOTAutograd cannot trace this gradient, because it depends on numbers.
signed.register_autograd(lambda _, g: g if g.sum() > 0 else -g)


def run(model, f, x):
    model.zero_grad()
    y = f(x)
    (y * y).sum().backward()
    return [y.detach(), *(p.grad.clone() for p in model.parameters())]


def main(rank):
    warnings.simplefilter("error", moe_mlir.OptimizeWarning)
    job = layers.Job(2, 2)

    def say(*words):
        if rank == 0:
            print(*words, flush=True)

    # A module: names of parameters, several steps, shapes and no gradients.
    torch.manual_seed(job.ep_rank)
    model, x = Model(job), torch.randn(8, 4)
    fast = moe_mlir.optimize_torch(
        model, mesh=job.mesh, strict=True, replicated={
            "tp": ["x", "scale", "experts.w", "grad"]})
    assert sum(1 for _ in fast.parameters()) == 2
    for rows in (x, x, torch.cat([x, x])):
        assert layers.is_same(run(model, model, rows), run(model, fast, rows))
    with torch.no_grad():
        assert torch.equal(model(x), fast(x))
    plan = fast.plan(x)
    say("module:", plan.exchanges[0])
    assert {one.form for one in plan.exchanges} == {"o1"}, plan
    assert {one.layer for one in plan.exchanges} == {"block"}, plan
    assert len(plan.exchanges) == 4, plan

    # Axes from the groups of the graph, and no facts.
    unsaid = moe_mlir.optimize_torch(model, strict=True).plan(x)
    assert {one.form for one in unsaid.exchanges} == {"baseline"}, unsaid
    derived = moe_mlir.optimize_torch(
        model, strict=True, replicated={"axis1": ["x", "scale"]}).plan(x)
    say("axes:", *(one.form for one in derived.exchanges))

    # As a decorator, and as a backend of torch.compile.
    @moe_mlir.optimize_torch(mesh=job.mesh, strict=True)
    def twice(x):
        return fc.all_to_all_single(x, None, None, job.ep) * 2

    assert twice.__name__ == "twice"
    assert torch.equal(twice(x), twice.__wrapped__(x))
    compiled = torch.compile(
        model, backend=moe_mlir.torch.compile_backend, options={
            "mesh": job.mesh, "strict": True,
            "replicated": {"tp": ["x", "scale", "experts.w", "grad"]}})
    assert layers.is_same(run(model, model, x), run(model, compiled, x))
    try:
        torch._dynamo.reset()
        torch.compile(model, backend=moe_mlir.torch.compile_backend,
                      options={"speed": 9})(x)
    except Exception as error:
        say("options:", next(line for line in str(error).split("\n")
                             if "options" in line))

    # Values that no graph makes right are errors at once.
    for wrong in ({"mesh": [2, 2]}, {"mesh": {"ep": "two"}},
                  {"mesh": {"a,b": 2, "tp": 2}}, {"replicated": ["x"]},
                  {"replicated": {"tp": "x"}}, {"pipeline": 3},
                  {"deadline": 0}, {"function": type(model)}):
        try:
            moe_mlir.optimize_torch(**{"function": model, **wrong})
        except moe_mlir.Error as error:
            say("wrong:", error)
    for wrong in ({"pipeline": "moe-pipeline{degree=2"},
                  {"mesh": {"ep": 2, "tp": 3}}):
        try:
            moe_mlir.optimize_torch(model, strict=True, **wrong)(x)
        except moe_mlir.Error as error:
            say("wrong:", error)

    # Numbers that differ between ranks.
    def shifted(x):
        y = fc.all_to_all_single(x + float(rank), None, None, job.ep)
        return fc.all_to_all_single(x, None, None, job.ep) * (rank + 2) + y

    moved = moe_mlir.optimize_torch(shifted, mesh=job.mesh, strict=True,
                                    replicated={"tp": ["x"]})
    assert torch.equal(shifted(x), moved(x))
    say("numbers:", *(one.form for one in moved.plan(x).exchanges))

    # Placements of DTensors.
    def placed(x):
        rows = x.to_local()
        return fc.all_to_all_single(rows * 2, None, None, job.ep)

    for placements in ([Shard(0), Replicate()], [Shard(0), Shard(0)]):
        given = DTensor.from_local(x, job.mesh, placements, run_check=False)
        optimized = moe_mlir.optimize_torch(placed, strict=True)
        assert torch.equal(fc.wait_tensor(placed(given)), optimized(given))
        say("placements:", *(one.form for one in
                             optimized.plan(given).exchanges))

    # A graph of a whole step, with an op in place that writes through a view.
    def step(x, w):
        with torch.enable_grad():
            w = w.detach().requires_grad_()
            y = fc.all_to_all_single_autograd(x @ w, None, None, job.ep)
            (gradient,) = torch.autograd.grad((y * y).sum(), [w])
        made = w.detach().clone()
        made.view(-1).sub_(gradient.view(-1), alpha=0.1)
        return made

    w = torch.eye(4)
    gm = make_fx(step, tracing_mode="fake")(x, w)
    names = [n.name for n in gm.graph.nodes if n.op == "placeholder"]
    new = moe_mlir.torch.rewrite(gm, moe_mlir.torch.Facts(
        job.mesh, {"tp": names}))
    gathers = [n for n in new.graph.nodes if "all_gather" in str(n.target)]
    assert torch.equal(gm(x, w), new(x, w))
    say("step:", len(gathers), "gathers")
    try:
        moe_mlir.torch.rewrite(gm, moe_mlir.torch.Facts(job.mesh),
                               pipeline="moe-schedule")
    except moe_mlir.Error as error:
        say("in place:", error)

    # Groups with the same ranks stay different groups.
    second = torch.distributed.new_group(
        [job.tp_rank, 2 + job.tp_rank], use_local_synchronization=True)

    def both(x):
        y = fc.wait_tensor(fc.all_to_all_single(x, None, None, job.ep))
        return fc.wait_tensor(fc.all_to_all_single(y * 2, None, None, second))

    gm = make_fx(both, tracing_mode="fake")(x)
    new = moe_mlir.torch.rewrite(gm, moe_mlir.torch.Facts(
        job.mesh, {"tp": ["x_1"]}))
    groups = [n.args[-1] for n in new.graph.nodes
              if "all_to_all" in str(n.target)]
    assert groups == [job.ep.group_name, second.group_name], groups
    assert torch.equal(gm(x), new(x))

    # Random numbers keep their order.
    def noisy(x):
        with moe_mlir.torch.layer("noisy"):
            y = fc.all_to_all_single(F.dropout(x), None, None, job.ep)
            return fc.all_to_all_single(F.dropout(y), None, None, job.ep)

    torch.manual_seed(5)
    want = noisy(x)
    torch.manual_seed(5)
    have = moe_mlir.optimize_torch(
        noisy, mesh=job.mesh, replicated={"tp": ["x"]}, strict=True,
        pipeline="moe-pipeline{degree=2} moe-schedule")(x)
    say("random:", torch.equal(want, have))

    # Ops with computed sizes that cannot be captured split the graph, with a
    # warning; what ran without moe-mlir runs.
    def counted(x):
        counts = torch.bincount((x.sum(1) > 0).long(), minlength=2)
        parts = x.split(counts.tolist())
        return sum((part * i).sum() for i, part in enumerate(parts))

    def catch(f):
        """The result or the error, and the texts of warnings."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = f()
            except Exception as error:
                result = error
        return result, [str(one.message) for one in caught
                        if issubclass(one.category, moe_mlir.OptimizeWarning)]

    y = torch.randn(8, 8, requires_grad=True)
    (want,) = torch.autograd.grad(counted(y), [y])
    fast = moe_mlir.optimize_torch(counted)
    (have,), said = catch(lambda: torch.autograd.grad(fast(y), [y]))
    say("split:", torch.equal(want, have), *said)
    assert catch(lambda: fast(y))[1] == []

    # The graph before a break runs once, although the next one splits.
    steps = torch.zeros(())

    def broken(y):
        steps.add_(1)
        torch._dynamo.graph_break()
        return counted(y)

    have, said = catch(lambda: moe_mlir.optimize_torch(broken)(y))
    say("break:", torch.equal(counted(y), have), steps.item(), len(said) > 0)

    # A graph that PyTorch cannot differentiate runs unchanged, and no other one.
    def signed_exchange(x):
        y = fc.all_to_all_single_autograd(x, None, None, job.ep)
        return signed(y)

    def two_graphs(x):
        y = signed_exchange(x)
        torch._dynamo.graph_break()
        return fc.all_to_all_single_autograd(y, None, None, job.ep)

    (want,) = torch.autograd.grad(two_graphs(y).sum(), [y])
    for way in ("torch.compile", "optimize_torch"):
        rewritten = []
        options = {"mesh": job.mesh, "on_rewritten": rewritten.append}
        if way == "torch.compile":
            torch._dynamo.reset()
            fast = torch.compile(
                two_graphs, backend=moe_mlir.torch.compile_backend,
                options=options)
            strict = torch.compile(
                two_graphs, backend=moe_mlir.torch.compile_backend,
                options={"strict": True})
        else:
            fast = moe_mlir.torch.OptimizedTorch(
                two_graphs, moe_mlir.torch.backend._Options(**options), False)
            strict = moe_mlir.optimize_torch(two_graphs, strict=True)
        (have,), said = catch(lambda: torch.autograd.grad(fast(y).sum(), [y]))
        say(f"{way}:", torch.equal(want, have), len(rewritten), "rewritten,",
            *(text.split("\n")[0] for text in said))
        torch._dynamo.reset()
        error, said = catch(lambda: strict(y))
        say("strict:", "data-dependent" in str(error)
            or "_local_scalar_dense" in str(error), said)

    # Other errors are PyTorch's, without a warning.
    error, said = catch(lambda: moe_mlir.optimize_torch(
        lambda y: y @ y[:3])(y))
    say("error:", isinstance(error, RuntimeError), said)


layers.run_processes(main, 4)
