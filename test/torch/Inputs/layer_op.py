"""Compares a compiled layer with the same layer on functional collectives.

usage: layer_op.py EPxTP CASE...

Each case is NAME[:PIPELINE], where NAME has words of WORDS joined by '-'. Prints the
largest difference of loss, result and gradients, relative to the largest element.
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
    "f32": {"dtype": "f32"}, "bf16": {"dtype": "bf16"}, "f16": {"dtype": "f16"}}
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


def reference(job, x, router, w1, w2, w3):
    """A dropless layer with SwiGLU experts, one product an expert."""
    local = w1.shape[0]
    weights, chosen = layers.choose(x, Whole.apply(router, job.ep), 2)
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


def make_arguments(job):
    generator = torch.Generator().manual_seed(7)

    def draw(*shape):
        return torch.randn(shape, generator=generator)
    x, router = draw(ep, TOKENS, HIDDEN)[job.ep_rank], draw(HIDDEN, EXPERTS)

    def own(weight, dim):
        weight = weight.chunk(ep)[job.ep_rank] / 4
        return weight.chunk(tp, dim)[job.tp_rank].contiguous()
    return [x, router, own(draw(EXPERTS, HIDDEN, FFN), 2),
            own(draw(EXPERTS, HIDDEN, FFN), 2),
            own(draw(EXPERTS, FFN, HIDDEN), 1)]


def make_op(job, words, pipeline=None, **more):
    options = {"dtype": "f32"}
    for word in words.split("-"):
        options.update(WORDS[word])
    module = moe_mlir.import_config(
        CONFIG, ep=ep, tp=tp, micro_batch=1, seq_len=TOKENS, layer=True,
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
        given = [a.to(DTYPES[name]) for a in make_arguments(job)]
        # On the rounded arguments, in f32: the op is compared with what is right.
        want = layers.run_with_gradients(
            lambda *a: reference(job, *a), [a.float() for a in given])
        eager = layers.run_with_gradients(op, given)
        torch._dynamo.reset()
        fast = torch.compile(op, backend="aot_eager", fullgraph=True,
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
