"""Compares a compiled layer with the same layer on functional collectives.

usage: layer_op.py EPxTP CASE...

Each case is NAME[:PIPELINE], where NAME has words of WORDS joined by '-'. A case with
the name of a gate (GATES) has the gate in PyTorch, with an auxiliary loss. Compares
loss, result and gradients, relative to the largest element.
"""

import sys

import layers
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
import torch.nn.functional as F

import moe_mlir
import moe_mlir.torch

TOKENS, HIDDEN, FFN, EXPERTS = 16, 16, 32, 8
CONFIG = {
    "architectures": ["MixtralForCausalLM"], "model_type": "mixtral",
    "hidden_size": HIDDEN, "intermediate_size": FFN, "hidden_act": "silu",
    "num_local_experts": EXPERTS, "num_experts_per_tok": 2,
    "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 64}
WORDS = {
    "capacity": {"capacity_factor": "4"}, "dropless": {"dropless": True},
    "f32": {"dtype": "f32"}, "bf16": {"dtype": "bf16"}, "f16": {"dtype": "f16"},
    "softmax": {"gate": "outside"}, "biased": {"gate": "outside"},
    "folded": {"fold_ep": True}}
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
#: For the largest difference: rounding to the element type, a few times.
TOLERANCE = {"f32": 1e-5, "bf16": 0.06, "f16": 0.008}
ep, tp = map(int, sys.argv[1].split("x"))


class Whole(torch.autograd.Function):
    """The same parameter on all ranks of ep, whose gradient is the sum of theirs."""

    @staticmethod
    def forward(ctx, x, group):
        ctx.group = group
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return fc.all_reduce(gradient.contiguous(), "sum", ctx.group), None


def softmax_gate(x, router):
    weights, chosen = layers.choose(x, router, 2)
    return weights, chosen, (x @ router).logsumexp(dim=-1).square().mean()


def biased_gate(x, router):
    """Sigmoid scores, where a bias changes the choice alone, and a loss that
    balances the load."""
    scores = torch.sigmoid(x @ router)
    chosen = (scores + torch.linspace(0, 0.3, EXPERTS)).topk(2, dim=-1).indices
    weights = scores.gather(1, chosen)
    load = F.one_hot(chosen.flatten(), EXPERTS).float().mean(dim=0)
    return (2.5 * weights / weights.sum(dim=-1, keepdim=True), chosen,
            EXPERTS * (load * scores.mean(dim=0)).sum())


GATES = {"softmax": softmax_gate, "biased": biased_gate}


def with_gate(job, gate, run):
    """A layer of a gate in PyTorch and of `run`, with the auxiliary loss added
    to the result."""
    def layer(x, router, *experts):
        weights, chosen, loss = gate(x.float(),
                                     Whole.apply(router, job.ep).float())
        y = run(x, chosen, weights, *experts)
        return torch.cat([y.flatten().float(), loss.reshape(1)])
    return layer


def reference(job, x, router, *experts):
    weights, chosen = layers.choose(x, Whole.apply(router, job.ep), 2)
    return run_experts(job, x, chosen, weights, *experts)


def run_experts(job, x, chosen, weights, w1, w2, w3):
    """A dropless layer with SwiGLU experts, one product per expert."""
    local = w1.shape[0]
    order = chosen.flatten().argsort(stable=True)
    counts = chosen.flatten().bincount(minlength=EXPERTS)
    with torch.no_grad():
        theirs = fc.wait_tensor(
            fc.all_to_all_single(counts, None, None, job.ep))
        theirs = theirs.view(job.ep_size, local)
        sent = counts.view(job.ep_size, local).sum(dim=1).tolist()
        received = theirs.sum(dim=1).tolist()
    rows = layers.exchange(x[order // 2], job.ep, received, sent)
    rows = layers._SumGradient.apply(rows, job.tp)
    of = torch.arange(local).repeat(job.ep_size).repeat_interleave(
        theirs.flatten())
    made = torch.zeros_like(rows)
    for expert in range(local):
        at = (of == expert).nonzero().flatten()
        inner = F.silu(rows[at] @ w1[expert]) * (rows[at] @ w2[expert])
        made = made.index_put((at,), inner @ w3[expert])
    back = layers.exchange(layers._SumParts.apply(made, job.tp), job.ep, sent,
                           received)
    back = back * weights.flatten()[order][:, None]
    return torch.zeros_like(x).index_add(0, order // 2, back)


def draw_all():
    """The tokens of all ranks of ep, the router and all experts."""
    generator = torch.Generator().manual_seed(7)

    def draw(*shape):
        return torch.randn(shape, generator=generator)
    return [draw(ep, TOKENS, HIDDEN), draw(HIDDEN, EXPERTS),
            *(draw(*shape) / 4 for shape in (
                (EXPERTS, HIDDEN, FFN), (EXPERTS, HIDDEN, FFN),
                (EXPERTS, FFN, HIDDEN)))]


def make_arguments(job):
    x, router, *experts = draw_all()
    return [x[job.ep_rank], router, *(
        w.chunk(ep)[job.ep_rank].chunk(tp, dim)[job.tp_rank].contiguous()
        for w, dim in zip(experts, (2, 2, 1)))]


def make_folded_arguments(job):
    """Whole experts, spread over ep and tp."""
    x, router, *experts = draw_all()
    place = job.ep_rank * tp + job.tp_rank
    return [x[job.ep_rank], router,
            *(w.chunk(ep * tp)[place].contiguous() for w in experts)]


def compute_folded(job):
    """Loss, result and gradients of these arguments, from all ranks' numbers."""
    given = [a.requires_grad_() for a in draw_all()]
    tokens, router, w1, w2, w3 = given
    results = []
    for x in tokens:
        weights, chosen, loss = softmax_gate(x, router)
        inner = F.silu(torch.einsum("tm,emh->teh", x, w1)) * torch.einsum(
            "tm,emh->teh", x, w2)
        each = torch.einsum("teh,ehm->tem", inner, w3)
        y = (each.take_along_dim(chosen[:, :, None], 1)
             * weights[:, :, None]).sum(dim=1)
        results.append(torch.cat([y.flatten(), loss.reshape(1)]))
    losses = [one.square().sum() for one in results]
    x, router, *experts = torch.autograd.grad(sum(losses), given)
    place = job.ep_rank * tp + job.tp_rank
    return [losses[job.ep_rank].detach(), results[job.ep_rank].detach(),
            x[job.ep_rank], router, *(w.chunk(ep * tp)[place] for w in experts)]


def make_op(job, words, pipeline=None, **more):
    options = {"dtype": "f32"}
    for word in words.split("-"):
        options.update(WORDS[word])
    module = moe_mlir.import_config(
        CONFIG, ep=ep * tp if options.get("fold_ep") else ep, tp=tp, micro_batch=1, seq_len=TOKENS, layer=True,
        **options)
    return moe_mlir.torch.layer_op(module, mesh=job.mesh, pipeline=pipeline,
                                   deadline=120, **more)


def compare(have, want):
    return max(((a.float() - b).abs().max() / b.abs().max()).item()
               for a, b in zip(have, want))


def main(rank):
    job = layers.Job(ep, tp)
    for case in sys.argv[2:]:
        words, _, pipeline = case.partition(":")
        op = make_op(job, words, pipeline or None)
        name = next((w for w in words.split("-") if w in DTYPES), "f32")
        is_folded = "folded" in words
        given = [a.to(DTYPES[name]) for a in (
            make_folded_arguments if is_folded else make_arguments)(job)]
        layer, right = op, lambda *a: reference(job, *a)
        gate = next((GATES[w] for w in words.split("-") if w in GATES), None)
        if gate:
            right = with_gate(job, gate, lambda *a: run_experts(job, *a))
            layer = with_gate(job, gate, lambda x, chosen, *a: op(
                x, chosen.int(), *a))
        # Uses the rounded arguments in f32, so that the op is compared with
        # exact values.
        want = compute_folded(job) if is_folded else layers.run_with_gradients(
            right, [a.float() for a in given])
        eager = layers.run_with_gradients(layer, given)
        torch._dynamo.reset()
        fast = torch.compile(layer, backend="aot_eager", fullgraph=True,
                             dynamic=False)
        compiled = layers.run_with_gradients(fast, given)
        answers = [None] * (ep * tp)
        dist.all_gather_object(answers, (compare(eager, want),
                                         layers.is_same(eager, compiled)))
        if rank == 0:
            far = max(far for far, _ in answers)
            said = ("equal within rounding" if far < TOLERANCE[name]
                    else f"differs by {far:.1e}")
            print(f"{case}: {said}; torch.compile: "
                  + ("same bits" if all(same for _, same in answers)
                     else "differs"), flush=True)


if __name__ == "__main__":
    layers.run_processes(main, ep * tp)
